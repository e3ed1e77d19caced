"""The documents besides shards and indexes: news sitemaps, overviews of all shards, and the stylesheet."""

from collections.abc import Callable, Iterator, Sequence

from msgspec.structs import replace

from waypost.config import output_names
from waypost.config.schema import FileLimits, Site
from waypost.core.errors import RenderError
from waypost.core.model import Document, Page, Shard
from waypost.core.search_engine_limits import MAX_NEWS_URLS
from waypost.core.sitemap_rows import SitemapRows
from waypost.sitemaps.formats.base import OutputContext, ShardSummary
from waypost.sitemaps.formats.registry import site_formats
from waypost.sitemaps.render import Renderer
from waypost.sitemaps.sharding import segments
from waypost.validate.own_outputs import check_document


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
