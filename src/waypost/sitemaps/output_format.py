"""What an output format is, and the formats that crawlers read: XML and text sitemaps (sitemaps.org 0.9)."""

from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from typing import ClassVar, NamedTuple
from urllib.parse import urlsplit

from waypost.core.model import Document, Shard
from waypost.core.sitemap_rows import SitemapRows
from waypost.settings import output_formats
from waypost.settings.output_formats import FileFormat
from waypost.settings.output_names import MARK, OutputNames, output_url
from waypost.settings.schema import Site
from waypost.sitemaps.render import Renderer
from waypost.validate import SitemapEntry, check_document, sitemap_content


class OutputContext(NamedTuple):
    """What every document of a site is made with."""

    site: Site
    names: OutputNames
    renderer: Renderer

    @property
    def site_name(self) -> str:
        """The site's host, and its folder there."""
        parts = urlsplit(self.site.base_url)
        return f"{parts.netloc}{parts.path.rstrip('/')}"


class OutputFormat(ABC):
    """One format of the output: a shard becomes one file of it, or a few.

    `file` has its names, `template` is the Jinja template that renders it. `has_dates` says that its files list
    `lastmod`.
    """

    file: ClassVar[FileFormat]
    template: ClassVar[str]
    has_dates: ClassVar[bool] = False

    @abstractmethod
    def documents(self, shard: Shard, urls: SitemapRows, context: OutputContext) -> Iterator[Document]:
        """The files of a shard, not compressed: one, unless the format splits its lists further. Raises RenderError."""

    @abstractmethod
    def check(self, document: Document, urls: SitemapRows, context: OutputContext) -> None:
        """Raise RenderError unless a rendered document may be published as the list of these URLs."""

    def overview(self, shards: Sequence[Shard], context: OutputContext) -> Iterator[Document]:
        """The documents of this format about all shards; most formats have none. Raises RenderError."""
        del shards, context
        yield from ()

    def entries(self, name: str, body: bytes) -> list[SitemapEntry] | None:
        """The pages that a published file lists, uncompressed; None where it lists none, as an index."""
        del name, body
        return None

    def is_own_file(self, name: str, body: bytes | None, names: OutputNames) -> bool:
        """Whether a published file that has one of the format's names was written by Waypost: by mark, or by name."""
        return is_marked(body) if self.file.is_marked else names.is_ours_by_name(name)

    def name(self, shard: Shard, context: OutputContext) -> str:
        """The name of a shard's file, or of its first."""
        return context.names.sitemap(shard.group, shard.id, self.file)

    def document(self, shard: Shard, body: bytes, context: OutputContext) -> Document:
        """A shard's file as a document."""
        name = self.name(shard, context)
        return Document(name, self.file.kind, body, output_url(context.site, name), len(shard.pages))


class CrawledFormat(OutputFormat):
    """A format that crawlers read: an index may list its files, and its size decides where shards are split."""

    @abstractmethod
    def render(self, urls: SitemapRows, context: OutputContext) -> bytes:
        """A file of these URLs, not compressed: it may not depend on the shard. Raises RenderError."""

    def documents(self, shard: Shard, urls: SitemapRows, context: OutputContext) -> Iterator[Document]:
        """A shard's file, which lists its URLs."""
        yield self.document(shard, self.render(urls, context), context)

    def check(self, document: Document, urls: SitemapRows, context: OutputContext) -> None:
        """Check the document against the protocol; Waypost's own template is checked faster than a user's."""
        is_own = context.renderer.uses_builtin(self.template)
        check_document(document, urls, context.site.file_limits, is_own=is_own)

    def entries(self, name: str, body: bytes) -> list[SitemapEntry] | None:
        """The entries of a sitemap."""
        kind, entries = sitemap_content.read_entries(name, body)
        return None if kind == "sitemapindex" else entries


class XmlFormat(CrawledFormat):
    """The protocol's own format ("XML tag definitions"): dates, hints and the extensions of search engines."""

    file = output_formats.XML
    template = "sitemap.xml.j2"
    has_dates = True

    def render(self, urls: SitemapRows, context: OutputContext) -> bytes:
        """A `urlset` of the URLs."""
        return context.renderer.marked(self.template, urls=urls, stylesheet=context.names.stylesheet)


class TextFormat(CrawledFormat):
    """URLs alone ("Text file"). The protocol allows nothing else in the file, so it carries no mark."""

    file = output_formats.TEXT
    template = "sitemap.txt.j2"

    def render(self, urls: SitemapRows, context: OutputContext) -> bytes:
        """A line for each URL."""
        return context.renderer.text(self.template, locs=urls.locs)


def is_marked(body: bytes | None) -> bool:
    """Whether an uncompressed file holds Waypost's mark."""
    return body is not None and MARK.encode() in body
