"""The forms of URLs in which pages are listed: what the present sitemaps say of them, what decided, and how often."""

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence

from waypost.build.page_reader import ReadPage
from waypost.build.present_sitemaps import USUAL_NAMES
from waypost.core.gzip import decompress_start
from waypost.core.model import Item, LinkedShapes, UrlDecision, UrlFormCount
from waypost.files.source import Source
from waypost.pages.link_votes import LinkVote, locs_in, shapes_of_locs
from waypost.pages.site_links import SiteLinks
from waypost.pages.url_shapes import PageKind, decided_shape, example
from waypost.settings.schema import Site
from waypost.sitemaps.output_format import is_marked

_BYTES, _MOST_FILES = 1_048_576, 5
"""The form of the first thousands of URLs is the form of all."""
_OF_SITE = ("host", "sitemap", "links", "default")
"""What decides for all pages of a kind."""


def sitemap_form(source: Source, keys: Collection[str], site: Site, links: SiteLinks) -> tuple[LinkedShapes, SiteLinks]:
    """The shapes that the generator's sitemaps use; without one, those of our own that the links do not decide.

    The first run replaces the generator's sitemap, and the second should give the same URLs. The links lose the forms
    of the folders that the generator's sitemaps list: it has made these, too.
    """
    bodies = list(_bodies(source, site))
    others = [body for body in bodies if not is_marked(body)]
    locs = [loc for body in others or bodies for loc in locs_in(body)]
    found, of_links = shapes_of_locs(locs, keys, site), links.form()
    if others:
        listed = {loc.removeprefix(site.base_url).partition("/")[0] for loc in locs}
        return found, links._replace(of_folders=tuple(each for each in links.of_folders if each[0][:-1] not in listed))
    return LinkedShapes(
        None if of_links.home else found.home,
        None if of_links.folder else found.folder,
        None if of_links.page else found.page,
    ), links


def _bodies(source: Source, site: Site) -> Iterator[bytes]:
    """The beginnings of the sitemaps at the usual names, and of some that indexes among them list."""
    names, seen = list(USUAL_NAMES), set[str]()
    while names and len(seen) < len(USUAL_NAMES) + _MOST_FILES:
        name = names.pop(0)
        if name not in seen and (body := _read(source, name)):
            yield body
            names += [loc.removeprefix(site.base_url) for loc in locs_in(body) if _is_sitemap(loc, site)]
        seen.add(name)


def _is_sitemap(loc: str, site: Site) -> bool:
    return loc.startswith(site.base_url) and loc.endswith((".xml", ".xml.gz"))


def _read(source: Source, name: str) -> bytes:
    try:
        return decompress_start(source.read(Item(name, name), _BYTES).data)[:_BYTES]
    except OSError:
        return b""


def url_decisions(pages: Iterable[ReadPage]) -> Mapping[str, UrlDecision]:
    """What decided the form of each page's URL, by key; for files of which the URL has only one form, nothing did."""
    return {page.item.key: page.path.decided_by for page in pages if page.path.kind}


def url_form_counts(pages: Iterable[ReadPage], site: Site, votes: Iterable[LinkVote]) -> Sequence[UrlFormCount]:
    """How many pages of each kind have the form that a setting, the links or nothing decided, or one of their own."""
    by_kind = {vote.kind: vote for vote in votes}
    pages = list(pages)
    counts = Counter((page.path.kind, page.path.decided_by) for page in pages)
    keys = {(page.path.kind, page.path.decided_by): page.item.key for page in reversed(pages)}
    found: list[UrlFormCount] = []
    for (kind, decision), count in sorted(counts.items(), key=lambda each: (str(each[0][0]), -each[1], each[0][1])):
        if kind is None:
            continue
        vote = by_kind.get(kind) if decision == "links" else None
        agreeing, links = (vote.agreeing, vote.links) if vote else (0, 0)
        shown = _example(kind, decision, keys[kind, decision], site)
        found.append(UrlFormCount(kind, decision, count, shown, agreeing, links))
    return found


def _example(kind: PageKind, decision: UrlDecision, key: str, site: Site) -> str:
    """An example of the form of a page, or nothing where each page has a form of its own."""
    return example(kind, decided_shape(kind, key, site)[0]) if decision in _OF_SITE else ""
