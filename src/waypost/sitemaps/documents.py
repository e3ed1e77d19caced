"""The second half of a build: pages become the documents to publish, each of them checked.

A shard with the same pages as in an earlier run need not be rendered again: `ShardMemory` has what is known of it.
"""

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from functools import cached_property
from typing import TypeVar

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from waypost.core.errors import RenderError
from waypost.core.hashing import content_digest
from waypost.core.model import Document, IndexChild, Page, Shard
from waypost.core.search_engine_limits import MAX_NEWS_URLS
from waypost.core.sitemap_rows import SitemapRows
from waypost.pages.robots import lists_only, with_sitemaps
from waypost.settings import output_names
from waypost.settings.schema import FileLimits, Site
from waypost.sitemaps.format_registry import crawled_kinds, format_of, main_format, site_formats
from waypost.sitemaps.output_format import CrawledFormat, OutputContext
from waypost.sitemaps.render import Renderer
from waypost.sitemaps.sharding import FIRST_SEGMENT, Span, segments, split_until
from waypost.validate import check_document

T = TypeVar("T")

FileDate = Callable[[Shard, Document], str | None]
"""When a sitemap file last changed, from its shard and its document; None if that is not known."""


class KnownFile(Struct, frozen=True, array_like=True, gc=False):
    """A file of a shard: its name and kind, the digest of its uncompressed bytes, and how many entries it has."""

    name: str
    kind: str
    digest: str
    url_count: int


class KnownShard(Struct, frozen=True, array_like=True, gc=False):
    """The files that some pages made, the main format's first, and how many bytes that one has (uncompressed).

    What was too large for one sitemap, and was split, has no files. Some formats show the `first_key` of the shard.
    """

    size: int
    first_key: str = ""
    files: tuple[KnownFile, ...] = ()


class ShardMemory:
    """The shards `known` from an earlier run, by the digest of their pages, and those of this run, which are `kept`.

    Settings and templates must be those of the earlier run.
    """

    def __init__(self, known: Mapping[str, KnownShard]) -> None:
        self.known = known
        self.kept: dict[str, KnownShard] = {}

    @staticmethod
    def digest(pages: Sequence[Page]) -> str:
        """A digest of all that templates show of these pages."""
        return content_digest(msgspec.msgpack.encode(pages))

    def keep(self, digest: str, size: int, first_key: str = "", documents: Sequence[Document] = ()) -> None:
        """Remember for later runs how large a sitemap of some pages is, and the documents, if it is one."""
        files = (KnownFile(each.name, each.kind, each.digest, each.url_count) for each in documents)
        self.kept[digest] = KnownShard(size, first_key, tuple(files))


class RenderedPages:
    """Pages as a sitemap in the site's main format, which is rendered when its bytes are needed; raises RenderError.

    Of a shard in the `memory` the size is known.
    """

    def __init__(self, pages: Sequence[Page], context: OutputContext, memory: ShardMemory | None) -> None:
        self._pages, self._context, self._memory = pages, context, memory
        self._digest = memory.digest(pages) if memory else ""
        self._known = memory.known.get(self._digest) if memory else None

    @property
    def size(self) -> int:
        """How many bytes the sitemap has, uncompressed."""
        size = self._known.size if self._known else len(self.body)
        if self._memory:
            self._memory.keep(self._digest, size)
        return size

    @cached_property
    def body(self) -> bytes:
        """The uncompressed bytes."""
        return main_format(self._context.site).render(self.urls, self._context)

    @cached_property
    def urls(self) -> SitemapRows:
        """The URLs that it lists."""
        site = self._context.site
        return SitemapRows(self._pages, are_plain=not (site.alternates or site.images or site.videos or site.sitemaps))

    def known_files(self, name: str, first_key: str) -> Sequence[KnownFile]:
        """The files of the shard whose first has this name, if they are known."""
        known = self._known
        if not (known and known.files) or (known.files[0].name, known.first_key) != (name, first_key):
            return ()
        return known.files

    def keep(self, first_key: str, documents: Sequence[Document]) -> None:
        """Remember the documents of the shard."""
        if self._memory:
            self._memory.keep(self._digest, self.size, first_key, documents)


def documents(
    pages: Sequence[Page],
    site: Site,
    renderer: Renderer,
    file_date: FileDate,
    others: Sequence[IndexChild] = (),
    memory: ShardMemory | None = None,
) -> list[Document]:
    """All documents for pages that are sorted by key; raises RenderError.

    The index lists `others`, the sitemaps of other tools, too. Shards that are in the `memory` are not rendered.
    """
    context = OutputContext(site, output_names.output_names(site), renderer)
    made: list[Document] = []
    shards: list[Shard] = []
    for shard, rendered in _shards(pages, context, memory):
        made += _dated_documents(shard, rendered, context, file_date)
        shards.append(shard)
    if made:
        made += _news_sitemaps([page for page in pages if page.news], context, file_date)
    children = [document for document in made if document.kind in (main_format(site).file.kind, "news")]
    if context.names.groups or len(children) > 1:
        made += _indexes([*children, *others], context)
    return [*made, *_overviews_and_stylesheet(shards, context)]


def sitemap_in_format_of(name: str, pages: Sequence[Page], site: Site, renderer: Renderer) -> bytes | None:
    """A file of pages in the format that a file of this name has; None in a format that no crawler reads."""
    file_format = format_of(name)
    if not isinstance(file_format, CrawledFormat):
        return None
    context = OutputContext(site, output_names.output_names(site), renderer)
    return file_format.render(SitemapRows(pages, are_plain=True), context)


def root_sitemaps(documents: Sequence[Document]) -> list[str]:
    """The URLs that robots.txt names: the indexes, or the one sitemap where there is none."""
    kind = next(kind for kind in ("index", *crawled_kinds()) if any(d.kind == kind for d in documents))
    return [document.loc for document in documents if document.kind == kind]


def robots_body(
    text: bytes, urls: Sequence[str], site: Site, renderer: Renderer, removed: Collection[str] = ()
) -> bytes:
    """robots.txt with a `Sitemap:` line for each of these URLs and none of Waypost's earlier lines; raises RenderError.

    `removed` are names of files of earlier settings that are removed.
    """
    names = output_names.output_names(site)

    def is_ours(url: str) -> bool:
        name = url.removeprefix(site.base_url)
        return url.startswith(site.base_url) and (name in removed or names.is_configured(name))

    lines = renderer.robots(urls).splitlines()
    if not lists_only(lines, urls):
        raise RenderError("robots.txt.j2 may render only comments and a `Sitemap:` line for each URL")
    return with_sitemaps(text, lines, is_ours)


def _shards(
    pages: Sequence[Page], context: OutputContext, memory: ShardMemory | None
) -> Iterator[tuple[Shard, RenderedPages]]:
    groups: dict[str, list[Page]] = {name: [] for name in ("", *(name for name, _ in context.site.groups))}
    for page in pages:
        groups[page.group].append(page)
    for group, members in groups.items():
        if members:
            yield from _shards_of_group(group, members, context, memory)


def _shards_of_group(
    group: str, pages: Sequence[Page], context: OutputContext, memory: ShardMemory | None
) -> Iterator[tuple[Shard, RenderedPages]]:
    """One shard if the group fits in one sitemap, else those that its keys decide; each with its bytes."""
    limits = context.site.file_limits
    whole = RenderedPages(pages, context, memory) if len(pages) <= limits.urls else None
    if whole and whole.size <= limits.bytes:
        yield Shard(group, pages), whole
        return
    keys = [page.key for page in pages]

    def render(span: Span) -> tuple[int, RenderedPages]:
        rendered = RenderedPages(pages[span.start : span.stop], context, memory)
        return rendered.size, rendered

    spans = [each for span in segments(keys, limits.urls) for each in _split_to_fit(span, keys, render, limits.bytes)]
    edges = ["", *(keys[span.start] for span, _ in spans[1:]), None]
    for (span, rendered), begin, end in zip(spans, edges[:-1], edges[1:], strict=True):
        yield Shard(group, pages[span.start : span.stop], span.id, begin or "", end), rendered


def _split_to_fit(
    span: Span, keys: Sequence[str], render: Callable[[Span], tuple[int, T]], most: int
) -> list[tuple[Span, T]]:
    """The span as rendered, or its parts if it has more than the `most` bytes; `render` says how many it has."""

    def render_if_fitting(part: Span) -> T | None:
        size, rendered = render(part)
        if size <= most:
            return rendered
        if len(part) == 1:
            raise RenderError(
                f"the entry of {keys[part.start]} alone has {size:,} bytes, and a file may have "
                f"{most:,}; correct the template"
            )
        return None

    return split_until(span, keys, render_if_fitting)


def _dated_documents(
    shard: Shard, rendered: RenderedPages, context: OutputContext, file_date: FileDate
) -> Iterator[Document]:
    """The documents of a shard, of which those that are known are not rendered; raises RenderError.

    What crawlers do not read has no date.
    """
    site = context.site
    known = rendered.known_files(main_format(site).name(shard, context), shard.first_key)
    made = [_known_document(each, site) for each in known] or list(_shard_documents(shard, rendered, context))
    rendered.keep(shard.first_key, made)
    crawled = crawled_kinds()
    for each in made:
        yield replace(each, lastmod=file_date(shard, each)) if each.kind in crawled else each


def _known_document(file: KnownFile, site: Site) -> Document:
    url = output_names.output_url(site, file.name)
    return Document(file.name, file.kind, b"", url, file.url_count, known_digest=file.digest)


def _shard_documents(shard: Shard, rendered: RenderedPages, context: OutputContext) -> Iterator[Document]:
    """The documents of a shard in all formats, the main format's first, checked and not dated; raises RenderError."""
    for n, each in enumerate(site_formats(context.site)):
        main = [each.document(shard, rendered.body, context)]
        for document in each.documents(shard, rendered.urls, context) if n else main:
            each.check(document, rendered.urls, context)
            yield document


def _news_sitemaps(pages: Sequence[Page], context: OutputContext, file_date: FileDate) -> Iterator[Document]:
    """The news sitemaps of pages that are news, sorted by key; raises RenderError.

    Without news there is one without URLs, because its URL may be submitted and must not become a 404 page. Only
    remembered content dates a news sitemap: Git does not show when an article became too old for it.
    """
    site, names, renderer = context
    if site.news is None:
        return
    limits = FileLimits(MAX_NEWS_URLS, site.file_limits.sitemaps, site.file_limits.bytes)
    parts: list[tuple[str | None, Sequence[Page]]] = [(None, pages)]
    if len(pages) > MAX_NEWS_URLS:
        spans = segments([page.key for page in pages], MAX_NEWS_URLS)
        parts = [(span.id, pages[span.start : span.stop]) for span in spans]
    for id, some in parts:
        urls, name = SitemapRows(some), names.sitemap(output_names.NEWS, id)
        body = renderer.news(urls, site.news.name, site.news.language, names.stylesheet)
        shard = Shard(output_names.NEWS, some, id)
        document = Document(name, "news", body, output_names.output_url(site, name), len(some))
        check_document(document, urls, limits)
        yield replace(document, lastmod=file_date(shard, document)) if site.lastmod == "content" else document


def _indexes(children: Sequence[Document | IndexChild], context: OutputContext) -> Iterator[Document]:
    """One index, or several if it would have too many children: then split as pages are, by the children's names."""
    site, names, renderer = context
    entries = [IndexChild(each.loc, each.lastmod) for each in children]
    keys = [each.loc.removeprefix(site.base_url) for each in entries]

    def render(span: Span) -> tuple[int, bytes]:
        body = renderer.index(entries[span.start : span.stop], names.stylesheet)
        return len(body), body

    whole = Span(FIRST_SEGMENT, 0, len(entries))
    spans = [whole] if len(entries) <= site.file_limits.sitemaps else segments(keys, site.file_limits.sitemaps)
    for span in spans:
        for part, body in _split_to_fit(span, keys, render, site.file_limits.bytes):
            name = names.index(part.id if part.start else None)
            listed = [Page(child.loc, child.loc, lastmod=child.lastmod) for child in entries[part.start : part.stop]]
            document = Document(name, "index", body, output_names.output_url(site, name), len(part))
            check_document(document, SitemapRows(listed), site.file_limits)
            yield document


def _overviews_and_stylesheet(shards: Sequence[Shard], context: OutputContext) -> Iterator[Document]:
    """What the formats add about all shards, and the stylesheet of the XML; raises RenderError."""
    if not shards:
        return
    for each in site_formats(context.site):
        yield from each.overview(shards, context)
    if name := context.names.stylesheet:
        body = context.renderer.stylesheet()
        yield Document(name, "stylesheet", body, output_names.output_url(context.site, name))
