"""What the code that builds, plans and publishes asks of an output format."""

from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from typing import ClassVar, NamedTuple
from urllib.parse import urlsplit

from waypost.core.model import Document, Shard
from waypost.core.sitemap_rows import SitemapRows
from waypost.settings.output_formats import FileFormat
from waypost.settings.output_names import MARK, OutputNames, output_url
from waypost.settings.schema import Site
from waypost.settings.values import DEFAULT_GROUP
from waypost.sitemaps.render import Renderer
from waypost.validate import SitemapEntry


class ShardSummary(NamedTuple):
    """A shard without its pages, for a document that lists all shards."""

    group: str
    id: str | None
    first_key: str
    page_count: int

    @classmethod
    def of(cls, shard: Shard) -> "ShardSummary":
        """The summary of a shard."""
        return cls(shard.group, shard.id, shard.first_key, len(shard.pages))

    @property
    def title(self) -> str:
        """The group's name; where the group has several shards, also the key that this one begins with."""
        group = self.group or DEFAULT_GROUP
        return f"{group} from {self.first_key}" if self.first_key else group


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
    def render_shard(self, shard: ShardSummary, urls: SitemapRows, context: OutputContext) -> bytes:
        """A shard's file, not compressed; raises RenderError."""

    @abstractmethod
    def check(self, document: Document, urls: SitemapRows, context: OutputContext) -> None:
        """Raise RenderError unless a rendered document may be published as the list of these URLs."""

    def overview(self, shards: Sequence[ShardSummary], context: OutputContext) -> Iterator[Document]:
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

    def documents(self, shard: ShardSummary, urls: SitemapRows, context: OutputContext) -> Iterator[Document]:
        """The files of a shard: one, unless the format splits its lists further. Raises RenderError."""
        yield self.document(shard, self.render_shard(shard, urls, context), context)

    def name(self, shard: ShardSummary, context: OutputContext) -> str:
        """The name of a shard's file, or of its first."""
        return context.names.sitemap(shard.group, shard.id, self.file)

    def document(self, shard: ShardSummary, body: bytes, context: OutputContext) -> Document:
        """A shard's file as a document."""
        name = self.name(shard, context)
        return Document(name, self.file.kind, body, output_url(context.site, name), shard.page_count)


class CrawledFormat(OutputFormat):
    """A format that crawlers read: an index may list its files, and its size decides where shards are split."""

    @abstractmethod
    def render(self, urls: SitemapRows, context: OutputContext) -> bytes:
        """A file of these URLs, not compressed: it may not depend on the shard. Raises RenderError."""

    def render_shard(self, shard: ShardSummary, urls: SitemapRows, context: OutputContext) -> bytes:
        """A shard's file, which lists its URLs."""
        del shard
        return self.render(urls, context)


def is_marked(body: bytes | None) -> bool:
    """Whether an uncompressed file holds Waypost's mark."""
    return body is not None and MARK.encode() in body
