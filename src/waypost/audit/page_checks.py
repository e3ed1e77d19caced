"""Checks listed pages: canonical links, other languages, titles and descriptions, and which links lead to them."""

import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from waypost.audit.cases import Found
from waypost.audit.link_checks import circles
from waypost.audit.page_tags import PageTags
from waypost.audit.pages import AuditedPage
from waypost.audit.result import TextCounts
from waypost.audit.site_graph import SiteGraph
from waypost.core import languages
from waypost.core.finding_types import AUDIT_RULES
from waypost.pages import html_head
from waypost.pages.hreflang import HreflangLinks, page_links
from waypost.pages.page_url import SiteUrls
from waypost.pages.sibling_folders import language_folders

MAX_CLICKS = 10
"""Pages that are farther from the home page than this are reported.

Even where each page links to only three new ones, 10 clicks lead to 59,000 pages: farther pages can only be reached
through a long chain, such as the numbered pages of an archive.
"""
_NUMBER = re.compile(
    r"v?\d+(?:\.(?:\d+|x))*(?:[-.]?(?:alpha|beta|rc|pre|dev)[-.]?\d*)?|latest|stable|current|next|main"
    r"|pages?|p|index"
)
"""A part of a path that names a version, a date or the number of a page, or comes before that number."""
_NUMBERED = re.compile(r"(?<=[a-z])[-_]?\d+$")


def canonical_links(graph: SiteGraph) -> Iterator[Found]:
    """The mistakes in the canonical links of pages that neither redirect nor have noindex."""
    circle_of = {key: circle for circle in map(_Circle, circles(graph.canonicals)) for key in circle.keys}
    for page in graph.pages.values():
        if page.redirect or page.is_noindex or not page.head.canonicals:
            continue
        if url := graph.canonical_urls.get(page.key):
            yield from _canonical(page, url, graph, circle_of)
        elif len(named := _named_urls(page)) > 1:
            yield Found("canonical-several", ", ".join(named), [page.key])


class _Circle:
    """Pages of which each names the next one as canonical; they are one case, whichever of them is found first."""

    def __init__(self, keys: Sequence[str]) -> None:
        self.keys, self.least, self._is_taken = keys, keys[0], False

    def take(self) -> Sequence[str]:
        """All keys, and nothing when they are asked for again: else each of many pages would add all of them."""
        keys, self._is_taken = () if self._is_taken else self.keys, True
        return keys


def _named_urls(page: AuditedPage) -> list[str]:
    found = (html_head.resolved(href, page.head, page.loc) for href in page.head.canonicals if href.strip())
    return sorted({url for url in found if url})


def _canonical(page: AuditedPage, url: str, graph: SiteGraph, circle_of: Mapping[str, _Circle]) -> Iterator[Found]:
    place = graph.references.place_of(url)
    if place.is_missing and (place.other_unicode or not place.section):
        yield Found("canonical-missing", url, [page.key], place.other_unicode or place.other_case)
    target = graph.pages.get(place.key)
    if target is None or target.key == page.key:
        return
    if target.is_noindex:
        yield Found("canonical-noindex", url, [page.key])
    elif circle := circle_of.get(page.key):
        yield Found("canonical-loop", graph.pages[circle.least].loc, circle.take())
    elif target.redirect:
        yield Found("canonical-chain", url, [page.key], target.redirect)
    elif graph.canonicals.get(target.key, target.key) != target.key:
        yield Found("canonical-chain", url, [page.key], graph.canonical_urls[target.key])


def alternates(graph: SiteGraph) -> Iterator[Found]:
    """The mistakes in the hreflang links of the listed pages."""
    pages = [page for page in graph.listed if page.is_html]
    named = {page.loc: page_links(page.head, page.loc) for page in pages}
    links = HreflangLinks(named, SiteUrls({page.key: page.loc for page in pages}, graph.site))
    for page in pages:
        if not page.head.alternates:
            continue
        missing = set[str]()
        for hreflang, url in named[page.loc].urls.items():
            place = graph.references.place_of(url)
            if place.is_missing or place.not_checked:
                missing.add(url)
            if place.is_missing and not place.section:
                yield Found("alternate-missing", url, [page.key], hreflang)
        for issue in links.alternates(page.loc)[1]:
            if issue.code in AUDIT_RULES and issue.url not in missing:
                yield Found(issue.code, issue.url, [page.key], "" if issue.url else issue.detail)


def folders(graph: SiteGraph) -> Iterator[Found]:
    """The pages that say another language than the folder in which they are, a case for each folder and language."""
    pages = {page.key: page for page in graph.listed if page.is_html}
    for siblings in language_folders(pages, lambda key: pages[key].head.lang):
        for name, keys in siblings.folders.items():
            found = defaultdict[str, list[str]](list)
            for key in keys.values() if name else ():
                language = pages[key].head.lang
                if language and language[:2].lower() != name[:2].lower():
                    found[language].append(key)
            for language, others in found.items():
                yield Found("language-folder", f"{graph.site.base_url}{siblings.parent}{name}/", others, language)


class Reach(NamedTuple):
    """The clicks from the home page to each file that can be reached; `not_known` says why there is none."""

    distances: Mapping[str, int]
    not_known: str = ""


def reach_from_home(graph: SiteGraph) -> Reach:
    """Follow all links from the home page."""
    if not graph.home:
        return Reach({}, "the site has no home page")
    distances = graph.distances([graph.home])
    if len(graph.listed) > 1 and not any(key in distances for key in _others(graph)):
        return Reach({}, "the home page has no links in its HTML to pages of the site")
    return Reach(distances)


def _others(graph: SiteGraph) -> Iterator[str]:
    return (page.key for page in graph.listed if page.key != graph.home)


def depths(graph: SiteGraph, reach: Reach) -> tuple[Mapping[int, int], int]:
    """How many listed pages there are at each distance, and how many that cannot be reached."""
    if reach.not_known:
        return {}, 0
    counts = Counter(reach.distances.get(page.key, -1) for page in graph.listed)
    unreachable = counts.pop(-1, 0)
    return dict(sorted(counts.items())), unreachable


def unlinked_pages(graph: SiteGraph, reach: Reach) -> Iterator[Found]:
    """Listed pages that nothing links to, that cannot be reached, or that are far away; nothing if that is unknown."""
    if reach.not_known:
        return
    unlinked = [key for key in _others(graph) if key not in reach.distances and not graph.is_linked(key)]
    for key in unlinked:
        yield Found("unlinked", graph.pages[key].loc, [key])
    yield from _islands(graph, reach, unlinked)
    for key in _others(graph):
        if reach.distances.get(key, 0) > MAX_CLICKS:
            yield Found("deep", graph.pages[key].loc, [key], f"{reach.distances[key]} clicks")


def _islands(graph: SiteGraph, reach: Reach, unlinked: list[str]) -> Iterator[Found]:
    """Pages that only unreachable pages link to, together with the first page that leads to them."""
    waiting = [key for key in _others(graph) if key not in reach.distances]
    seen, alone = set(reach.distances), set(unlinked)
    is_followed = bytearray(len(graph.references))
    for start in [*unlinked, *waiting]:
        if start in seen:
            continue
        island = graph.distances([start], seen, is_followed)
        seen.update(island)
        pages = [key for key in island if key in graph.pages and graph.pages[key].is_listed and key not in alone]
        if pages:
            yield Found("unreachable", graph.pages[start].loc, pages)


class Texts:
    """The title and the description of each listed HTML page."""

    def __init__(self) -> None:
        self._titles: dict[str, str | None] = {}
        self._descriptions: dict[str, str | None] = {}

    def add(self, key: str, tags: PageTags) -> None:
        """Add the title and the description of a page."""
        self._titles[key], self._descriptions[key] = tags.title, tags.description

    def counts(self, graph: SiteGraph) -> TextCounts:
        """How many of the listed pages have them."""
        keys = self._listed(graph)
        titles, descriptions = (sum(bool(texts[key]) for key in keys) for texts in (self._titles, self._descriptions))
        return TextCounts(len(keys), titles, descriptions)

    def findings(self, graph: SiteGraph) -> Iterator[Found]:
        """Texts that are missing, or that several pages have."""
        keys = self._listed(graph)
        locs = {key: graph.pages[key].loc for key in keys}
        for key in keys:
            if not self._titles[key]:
                yield Found("missing-title", locs[key], [key])
        described = [key for key in keys if self._descriptions[key]]
        for key in keys if 2 * len(described) >= len(keys) else ():
            if not self._descriptions[key]:
                yield Found("missing-description", locs[key], [key])
        yield from _repeated("duplicate-title", {key: self._titles[key] or "" for key in keys}, graph)
        yield from _repeated("duplicate-description", {key: self._descriptions[key] or "" for key in keys}, graph)

    def _listed(self, graph: SiteGraph) -> list[str]:
        return [page.key for page in graph.listed if page.key in self._titles]


def _repeated(code: str, texts: Mapping[str, str], graph: SiteGraph) -> Iterator[Found]:
    """Texts that several pages have, unless these are one page in several languages or versions, or parts of a list."""
    by_text: dict[str, list[str]] = defaultdict(list)
    for key, text in texts.items():
        if text:
            by_text[text].append(key)
    for text, keys in by_text.items():
        if len(keys) > 1 and len({_without_version(graph.pages[key].loc) for key in keys}) > 1:
            yield Found(code, text, keys)


def _without_version(loc: str) -> str:
    """A URL without the parts that differ between the versions of a page: languages, versions, dates, page numbers."""
    names = loc.partition("://")[2].rstrip("/").lower().split("/")
    stems = (_NUMBERED.sub("", name.removesuffix(".html")) for name in names)
    return "/".join(name for name in stems if not _NUMBER.fullmatch(name) and not languages.is_two_letter_name(name))
