"""What stands beside the sitemaps: those of news, the pages for people, the stylesheet."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import NamedTuple
from urllib.parse import urlsplit

from waypost.config import output_names
from waypost.config.checks import DEFAULT_GROUP
from waypost.config.load import Limits, Site
from waypost.core.errors import RenderError
from waypost.core.model import Document, Page, Shard
from waypost.core.search_engine_limits import NEWS_URLS
from waypost.core.sitemap_rows import Urls
from waypost.sitemaps.render import Renderer
from waypost.sitemaps.sharding import segments
from waypost.validate.own_outputs import check


class Part(NamedTuple):
    """A shard as the page that lists all of them tells of it: what it lists, and how much."""

    group: str
    id: str | None
    begins: str
    pages: int

    @classmethod
    def of(cls, shard: Shard) -> "Part":
        """The part that a shard is."""
        return cls(shard.group, shard.id, shard.begins, len(shard.pages))


def news(
    pages: Sequence[Page],
    site: Site,
    names: output_names.Names,
    renderer: Renderer,
    dated: Callable[[Shard, str, bytes], str | None],
) -> Iterator[Document]:
    """The news sitemaps of pages that are news, sorted by key; none where there are none. Raises RenderError.

    Git cannot tell when one last changed: articles leave it as time goes by.
    """
    keys = [page.key for page in pages]
    limits = Limits(NEWS_URLS, site.limit.sitemaps, site.limit.size)
    if site.news is None or not pages:
        return
    parts: list[tuple[str | None, Sequence[Page]]] = [(None, pages)]
    if len(pages) > NEWS_URLS:
        parts = [(span.id, pages[span.start : span.stop]) for span in segments(keys, NEWS_URLS)]
    for id, some in parts:
        urls, name = Urls(some), names.sitemap(output_names.NEWS, id)
        body = output_names.marked(
            renderer.news(urls, site.news.name, site.news.language, output_names.MARK, names.stylesheet)
        )
        shard = Shard(output_names.NEWS, some, id)
        changed = dated(shard, name, body) if site.lastmod == "content" else None
        document = Document(name, "news", body, output_names.loc(site, name), len(some), changed)
        check(document, urls, limits)
        yield document


def page(shard: Shard, urls: Urls, site: Site, names: output_names.Names, renderer: Renderer) -> Document:
    """A shard's page for people; raises RenderError."""
    name = names.sitemap(shard.group, shard.id, "html")
    is_alone = name == names.page
    title = _of_site(site) if is_alone else f"{_of_site(site)}: {_title(Part.of(shard))}"
    body = output_names.marked(renderer.page(urls, title, "" if is_alone else names.page, output_names.MARK))
    return Document(name, "html", body, output_names.loc(site, name), len(shard.pages))


def beside(parts: Iterable[Part], site: Site, names: output_names.Names, renderer: Renderer) -> Iterator[Document]:
    """The page that lists the pages for people, where there are several, and the stylesheet; raises RenderError."""
    found = [(names.sitemap(part.group, part.id, "html"), _title(part), part.pages) for part in parts]
    if not found:
        return
    if "html" in site.formats and [name for name, _, _ in found] != [names.page]:
        body = output_names.marked(renderer.page_index(found, _of_site(site), output_names.MARK))
        yield Document(names.page, "html", body, output_names.loc(site, names.page), len(found))
    if names.stylesheet:
        body = renderer.stylesheet(output_names.MARK)
        if output_names.MARK.encode() not in body:
            raise RenderError("sitemap.css.j2 leaves the mark out; put {{ mark }} into a comment of its own")
        yield Document(names.stylesheet, "stylesheet", body, output_names.loc(site, names.stylesheet))


def _of_site(site: Site) -> str:
    parts = urlsplit(site.base_url)
    return f"Pages of {parts.netloc}{parts.path.rstrip('/')}"


def _title(part: Part) -> str:
    """What a part holds; where a group has several, the key that each begins with."""
    group = part.group or DEFAULT_GROUP
    return f"{group} from {part.begins}" if part.begins else group
