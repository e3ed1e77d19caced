"""The second half of a build: pages become the documents to publish, each of them checked."""

from collections.abc import Callable, Collection, Iterator, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple, TypeVar

from msgspec.structs import replace

from waypost.core.errors import RenderError
from waypost.core.model import Document, IndexChild, Page, Shard
from waypost.core.search_engine_limits import MAX_NEWS_URLS
from waypost.core.sitemap_rows import SitemapRows
from waypost.pages.robots import lists_only, with_sitemaps
from waypost.settings import output_names
from waypost.settings.schema import FileLimits, Site
from waypost.sitemaps.format_registry import crawled_kinds, main_format, site_formats
from waypost.sitemaps.output_format import OutputContext, ShardSummary
from waypost.sitemaps.render import Renderer
from waypost.sitemaps.sharding import FIRST_SEGMENT, Span, segments, split_until
from waypost.validate import check_document

if TYPE_CHECKING:
    from waypost.sitemaps.shard_memory import KnownFile, ShardMemory

FileDate = Callable[[Shard, Document], str | None]
"""When a sitemap file last changed, from its shard and its document; None if that is not known."""


def news_sitemaps(
    pages: Sequence[Page],
    site: Site,
    names: output_names.OutputNames,
    renderer: Renderer,
    file_date: Callable[[Shard, Document], str | None],
) -> Iterator[Document]:
    """The news sitemaps of pages that are news, sorted by key; raises RenderError.

    Without news there is one without URLs, because its URL may be submitted and must not become a 404 page. Only
    remembered content dates a news sitemap: Git does not show when an article became too old for it.
    """
    if site.news is None:
        return
    limits = FileLimits(MAX_NEWS_URLS, site.file_limits.sitemaps, site.file_limits.bytes)
    parts: list[tuple[str | None, Sequence[Page]]] = [(None, pages)]
    if len(pages) > MAX_NEWS_URLS:
        spans = segments([page.key for page in pages], MAX_NEWS_URLS)
        parts = [(span.id, pages[span.start : span.stop]) for span in spans]
    for id, some in parts:
        urls, name = SitemapRows(some), names.sitemap(output_names.NEWS, id)
        body = output_names.with_mark(
            renderer.news(urls, site.news.name, site.news.language, output_names.MARK, names.stylesheet)
        )
        shard = Shard(output_names.NEWS, some, id)
        document = Document(name, "news", body, output_names.output_url(site, name), len(some))
        check_document(document, urls, limits)
        yield replace(document, lastmod=file_date(shard, document)) if site.lastmod == "content" else document


def overviews_and_stylesheet(
    shards: Sequence[ShardSummary], site: Site, names: output_names.OutputNames, renderer: Renderer
) -> Iterator[Document]:
    """What the formats add about all shards, and the stylesheet of the XML; raises RenderError."""
    if not shards:
        return
    for each in site_formats(site):
        yield from each.overview(shards, OutputContext(site, names, renderer))
    if names.stylesheet:
        body = renderer.stylesheet(output_names.MARK)
        if output_names.MARK.encode() not in body:
            raise RenderError("sitemap.css.j2 leaves the mark out; put {{ mark }} into a comment of its own")
        yield Document(names.stylesheet, "stylesheet", body, output_names.output_url(site, names.stylesheet))


class Rendered(NamedTuple):
    """The uncompressed bytes of a sitemap, and the URLs that it lists."""

    body: bytes
    urls: SitemapRows

    @property
    def size(self) -> int:
        """How many bytes it has."""
        return len(self.body)


class RenderedPages:
    """Pages as a sitemap in the site's main format, which is rendered when its bytes are needed; raises RenderError.

    Of a shard in the `memory` the size is known.
    """

    def __init__(self, pages: Sequence[Page], site: Site, renderer: Renderer, memory: "ShardMemory | None") -> None:
        self._pages, self._site, self._renderer, self._memory = pages, site, renderer, memory
        self._digest = memory.digest(pages) if memory else ""
        self._known = memory.find(self._digest) if memory else None

    @property
    def size(self) -> int:
        """How many bytes the sitemap has, uncompressed."""
        size = self._known.size if self._known else len(self.body)
        if self._memory:
            self._memory.keep(self._digest, size)
        return size

    @property
    def body(self) -> bytes:
        """The uncompressed bytes."""
        return self._rendered.body

    @property
    def urls(self) -> SitemapRows:
        """The URLs that it lists."""
        return self._rendered.urls

    @cached_property
    def _rendered(self) -> Rendered:
        return render_pages(self._pages, self._site, self._renderer)

    def known_files(self, name: str, first_key: str) -> "Sequence[KnownFile]":
        """The files of the shard whose first has this name, if they are known."""
        known = self._known
        if not (known and known.files) or (known.files[0].name, known.first_key) != (name, first_key):
            return ()
        return known.files

    def keep(self, first_key: str, documents: Sequence[Document]) -> None:
        """Remember the documents of the shard."""
        if self._memory:
            self._memory.keep(self._digest, self.size, first_key, documents)


Made = TypeVar("Made", Rendered, RenderedPages)


def documents(
    pages: Sequence[Page],
    site: Site,
    renderer: Renderer,
    file_date: FileDate,
    others: Sequence[IndexChild] = (),
    memory: "ShardMemory | None" = None,
) -> list[Document]:
    """All documents for pages that are sorted by key; raises RenderError.

    The index lists `others`, the sitemaps of other tools, too. Shards that are in the `memory` are not rendered.
    """
    names = output_names.output_names(site)
    found: list[Document] = []
    summaries: list[ShardSummary] = []
    for shard, rendered in _shards(pages, site, renderer, memory):
        found += _dated_documents(shard, rendered, site, names, renderer, file_date)
        summaries.append(ShardSummary.of(shard))
    if found:
        found += news_sitemaps([page for page in pages if page.news], site, names, renderer, file_date)
    children = [document for document in found if document.kind in (main_format(site).file.kind, "news")]
    if names.groups or len(children) > 1:
        found += index_documents([*children, *others], site, names, renderer)
    return [*found, *overviews_and_stylesheet(summaries, site, names, renderer)]


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
    pages: Sequence[Page], site: Site, renderer: Renderer, memory: "ShardMemory | None"
) -> Iterator[tuple[Shard, RenderedPages]]:
    groups: dict[str, list[Page]] = {name: [] for name in ("", *(name for name, _ in site.groups))}
    for page in pages:
        groups[page.group].append(page)
    for group, members in groups.items():
        if members:
            yield from group_shards(group, members, site, renderer, memory)


def group_shards(
    group: str, pages: Sequence[Page], site: Site, renderer: Renderer, memory: "ShardMemory | None" = None
) -> Iterator[tuple[Shard, RenderedPages]]:
    """One shard if the group fits in one sitemap, else those that its keys decide; each with its bytes."""
    rendered = RenderedPages(pages, site, renderer, memory) if len(pages) <= site.file_limits.urls else None
    if rendered and rendered.size <= site.file_limits.bytes:
        yield Shard(group, pages), rendered
    else:
        yield from _split_shards(group, pages, site, renderer, memory)


def _split_shards(
    group: str, pages: Sequence[Page], site: Site, renderer: Renderer, memory: "ShardMemory | None"
) -> Iterator[tuple[Shard, RenderedPages]]:
    """The shards of a group that needs several."""
    keys = [page.key for page in pages]

    def render(span: Span) -> RenderedPages:
        return RenderedPages(pages[span.start : span.stop], site, renderer, memory)

    limits = site.file_limits
    spans = [each for span in segments(keys, limits.urls) for each in _split_to_fit(span, keys, render, limits.bytes)]
    edges = ["", *(keys[span.start] for span, _ in spans[1:]), None]
    for (span, rendered), begin, end in zip(spans, edges[:-1], edges[1:], strict=True):
        yield Shard(group, pages[span.start : span.stop], span.id, begin or "", end), rendered


def _split_to_fit(
    span: Span, keys: Sequence[str], render: Callable[[Span], Made], size: int
) -> list[tuple[Span, Made]]:
    """The span as rendered, or its parts if it is larger than `size` (bytes, uncompressed)."""

    def render_if_fitting(part: Span) -> Made | None:
        rendered = render(part)
        if rendered.size <= size:
            return rendered
        if len(part) == 1:
            raise RenderError(
                f"the entry of {keys[part.start]} alone has {rendered.size:,} bytes, and a file may have "
                f"{size:,}; correct the template"
            )
        return None

    return split_until(span, keys, render_if_fitting)


def render_pages(pages: Sequence[Page], site: Site, renderer: Renderer) -> Rendered:
    """A sitemap in the site's main format; raises RenderError."""
    urls = SitemapRows(pages, are_plain=not (site.alternates or site.images or site.videos or site.sitemaps))
    context = OutputContext(site, output_names.output_names(site), renderer)
    return Rendered(main_format(site).render(urls, context), urls)


def _dated_documents(
    shard: Shard,
    rendered: RenderedPages,
    site: Site,
    names: output_names.OutputNames,
    renderer: Renderer,
    file_date: FileDate,
) -> Iterator[Document]:
    """The documents of a shard, of which those that are known are not rendered; raises RenderError.

    What crawlers do not read has no date.
    """
    context, summary = OutputContext(site, names, renderer), ShardSummary.of(shard)
    known = rendered.known_files(main_format(site).name(summary, context), shard.first_key)
    if known:
        made = [_known_document(each, site) for each in known]
    else:
        made = list(shard_documents(shard, rendered, site, names, renderer))
    rendered.keep(shard.first_key, made)
    crawled = crawled_kinds()
    for each in made:
        yield replace(each, lastmod=file_date(shard, each)) if each.kind in crawled else each


def _known_document(file: "KnownFile", site: Site) -> Document:
    url = output_names.output_url(site, file.name)
    return Document(file.name, file.kind, b"", url, file.url_count, known_digest=file.digest)


def shard_documents(
    shard: Shard, rendered: Rendered | RenderedPages, site: Site, names: output_names.OutputNames, renderer: Renderer
) -> Iterator[Document]:
    """The documents of a shard in all formats, the main format's first, checked and not dated; raises RenderError.

    `rendered` is the shard in the main format.
    """
    context, summary = OutputContext(site, names, renderer), ShardSummary.of(shard)
    for n, each in enumerate(site_formats(site)):
        main = [each.document(summary, rendered.body, context)]
        for document in each.documents(summary, rendered.urls, context) if n else main:
            each.check(document, rendered.urls, context)
            yield document


def index_documents(
    children: Sequence[Document | IndexChild], site: Site, names: output_names.OutputNames, renderer: Renderer
) -> Iterator[Document]:
    """One index, or several if it would have too many children: then split as pages are, by the children's names."""
    entries = [IndexChild(each.loc, each.lastmod) for each in children]
    keys = [each.loc.removeprefix(site.base_url) for each in entries]

    def render(span: Span) -> Rendered:
        some = entries[span.start : span.stop]
        listed = SitemapRows([Page(child.loc, child.loc, lastmod=child.lastmod) for child in some])
        return Rendered(output_names.with_mark(renderer.index(some, output_names.MARK, names.stylesheet)), listed)

    whole = Span(FIRST_SEGMENT, 0, len(entries))
    spans = [whole] if len(entries) <= site.file_limits.sitemaps else segments(keys, site.file_limits.sitemaps)
    for span in spans:
        for part, rendered in _split_to_fit(span, keys, render, site.file_limits.bytes):
            name = names.index(part.id if part.start else None)
            document = Document(name, "index", rendered.body, output_names.output_url(site, name), len(part))
            check_document(document, rendered.urls, site.file_limits)
            yield document
