"""What stands beside the sitemaps: those of news, the pages for people, the stylesheet."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import NamedTuple
from urllib.parse import urlsplit

from waypost.config import output_names
from waypost.config.schema import FileLimits, Site
from waypost.config.values import DEFAULT_GROUP
from waypost.core.errors import RenderError
from waypost.core.model import Document, Page, Shard
from waypost.core.search_engine_limits import MAX_NEWS_URLS
from waypost.core.sitemap_rows import SitemapRows
from waypost.sitemaps.render import Renderer
from waypost.sitemaps.sharding import segments
from waypost.validate.own_outputs import check_document


class ShardSummary(NamedTuple):
    """A shard as the page that lists all of them tells of it: what it lists, and how much."""

    group: str
    id: str | None
    first_key: str
    page_count: int

    @classmethod
    def of(cls, shard: Shard) -> "ShardSummary":
        """The part that a shard is."""
        return cls(shard.group, shard.id, shard.first_key, len(shard.pages))


def news_sitemaps(
    pages: Sequence[Page],
    site: Site,
    names: output_names.OutputNames,
    renderer: Renderer,
    dated: Callable[[Shard, str, bytes], str | None],
) -> Iterator[Document]:
    """The news sitemaps of pages that are news, sorted by key; none where there are none. Raises RenderError.

    Git cannot tell when one last changed: articles leave it as time goes by.
    """
    keys = [page.key for page in pages]
    limits = FileLimits(MAX_NEWS_URLS, site.file_limits.sitemaps, site.file_limits.bytes)
    if site.news is None or not pages:
        return
    parts: list[tuple[str | None, Sequence[Page]]] = [(None, pages)]
    if len(pages) > MAX_NEWS_URLS:
        parts = [(span.id, pages[span.start : span.stop]) for span in segments(keys, MAX_NEWS_URLS)]
    for id, some in parts:
        urls, name = SitemapRows(some), names.sitemap(output_names.NEWS, id)
        body = output_names.with_mark(
            renderer.news(urls, site.news.name, site.news.language, output_names.MARK, names.stylesheet)
        )
        shard = Shard(output_names.NEWS, some, id)
        changed = dated(shard, name, body) if site.lastmod == "content" else None
        document = Document(name, "news", body, output_names.output_url(site, name), len(some), changed)
        check_document(document, urls, limits)
        yield document


def html_sitemap(
    shard: Shard, urls: SitemapRows, site: Site, names: output_names.OutputNames, renderer: Renderer
) -> Document:
    """A shard's page for people; raises RenderError."""
    name = names.sitemap(shard.group, shard.id, "html")
    is_alone = name == names.html_index
    title = _of_site(site) if is_alone else f"{_of_site(site)}: {_title(ShardSummary.of(shard))}"
    body = output_names.with_mark(renderer.page(urls, title, "" if is_alone else names.html_index, output_names.MARK))
    return Document(name, "html", body, output_names.output_url(site, name), len(shard.pages))


def html_index_and_stylesheet(
    parts: Iterable[ShardSummary], site: Site, names: output_names.OutputNames, renderer: Renderer
) -> Iterator[Document]:
    """The page that lists the pages for people, where there are several, and the stylesheet; raises RenderError."""
    found = [(names.sitemap(part.group, part.id, "html"), _title(part), part.page_count) for part in parts]
    if not found:
        return
    if "html" in site.formats and [name for name, _, _ in found] != [names.html_index]:
        body = output_names.with_mark(renderer.page_index(found, _of_site(site), output_names.MARK))
        yield Document(names.html_index, "html", body, output_names.output_url(site, names.html_index), len(found))
    if names.stylesheet:
        body = renderer.stylesheet(output_names.MARK)
        if output_names.MARK.encode() not in body:
            raise RenderError("sitemap.css.j2 leaves the mark out; put {{ mark }} into a comment of its own")
        yield Document(names.stylesheet, "stylesheet", body, output_names.output_url(site, names.stylesheet))


def _of_site(site: Site) -> str:
    parts = urlsplit(site.base_url)
    return f"Pages of {parts.netloc}{parts.path.rstrip('/')}"


def _title(part: ShardSummary) -> str:
    """What a part holds; where a group has several, the key that each begins with."""
    group = part.group or DEFAULT_GROUP
    return f"{group} from {part.first_key}" if part.first_key else group
