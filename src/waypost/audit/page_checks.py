"""Checks listed pages: canonical links, other languages, titles and descriptions, and which links lead to them."""

import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence

from waypost.audit.link_checks import circles, missing_section
from waypost.audit.pages import AuditedPage
from waypost.audit.result import AuditIssue, TextCounts
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


def canonical_links(graph: SiteGraph) -> Iterator[AuditIssue]:
    """The mistakes in the canonical links of pages that neither redirect nor have noindex."""
    # Whichever page of a circle is found first has all its keys, and the others have none:
    # else each of many pages would add all of them.
    keys_once = ((circle, iter(circle)) for circle in circles(graph.canonicals))
    circle_of = {key: (circle[0], keys) for circle, keys in keys_once for key in circle}
    for page in graph.pages.values():
        if page.redirect or page.is_noindex or not page.head.canonicals:
            continue
        if url := graph.canonical_urls.get(page.key):
            yield from _canonical(page, url, graph, circle_of)
        elif len(named := _named_urls(page)) > 1:
            yield AuditIssue("canonical-several", ", ".join(named), [page.key])


def _named_urls(page: AuditedPage) -> list[str]:
    found = (html_head.resolved(href, page.head, page.loc) for href in page.head.canonicals if href.strip())
    return sorted({url for url in found if url})


def _canonical(
    page: AuditedPage, url: str, graph: SiteGraph, circle_of: Mapping[str, tuple[str, Iterator[str]]]
) -> Iterator[AuditIssue]:
    """The mistake in the one canonical link of a page; `circle_of` has the first key and all keys of its circle."""
    place = graph.references.place_of(url)
    if place.is_missing and place.section and not place.other_unicode:
        yield missing_section(graph, place.section, [page.key], [url])
    elif place.is_missing:
        yield AuditIssue("canonical-missing", url, [page.key], place.other_unicode or place.other_case)
    target = graph.pages.get(place.key)
    if target is None or target.key == page.key:
        return
    if target.is_noindex:
        yield AuditIssue("canonical-noindex", url, [page.key])
    elif page.key in circle_of:
        first, keys = circle_of[page.key]
        yield AuditIssue("canonical-loop", graph.pages[first].loc, keys)
    elif target.redirect:
        yield AuditIssue("canonical-chain", url, [page.key], target.redirect)
    elif graph.canonicals.get(target.key, target.key) != target.key:
        yield AuditIssue("canonical-chain", url, [page.key], graph.canonical_urls[target.key])


def alternates(graph: SiteGraph) -> Iterator[AuditIssue]:
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
            if place.is_missing and place.section:
                yield missing_section(graph, place.section, [page.key], [url])
            elif place.is_missing:
                yield AuditIssue("alternate-missing", url, [page.key], hreflang)
        for issue in links.alternates(page.loc)[1]:
            if issue.code in AUDIT_RULES and issue.url not in missing:
                yield AuditIssue(issue.code, issue.url, [page.key], "" if issue.url else issue.detail)


def folders(graph: SiteGraph) -> Iterator[AuditIssue]:
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
                yield AuditIssue("language-folder", f"{graph.site.base_url}{siblings.parent}{name}/", others, language)


def depths_not_known(graph: SiteGraph) -> str:
    """Why it is not known which pages can be reached from the home page, or `""`."""
    if not graph.home:
        return "the site has no home page"
    if len(graph.listed) > 1 and not any(key in graph.clicks for key in _others(graph)):
        return "the home page has no links in its HTML to pages of the site"
    return ""


def _others(graph: SiteGraph) -> Iterator[str]:
    return (page.key for page in graph.listed if page.key != graph.home)


def depths(graph: SiteGraph) -> tuple[Mapping[int, int], int]:
    """How many listed pages there are at each number of clicks, and how many that cannot be reached."""
    if depths_not_known(graph):
        return {}, 0
    counts = Counter(graph.clicks.get(page.key, -1) for page in graph.listed)
    unreachable = counts.pop(-1, 0)
    return dict(sorted(counts.items())), unreachable


def unlinked_pages(graph: SiteGraph) -> Iterator[AuditIssue]:
    """Listed pages that nothing links to, that cannot be reached, or that are far away; nothing if that is unknown."""
    if depths_not_known(graph):
        return
    unreached = [key for key in _others(graph) if key not in graph.clicks]
    unlinked = [key for key in unreached if not graph.is_linked(key)]
    for key in unlinked:
        yield AuditIssue("unlinked", graph.pages[key].loc, [key])
    yield from _islands(graph, unlinked, unreached)
    for key in _others(graph):
        if graph.clicks.get(key, 0) > MAX_CLICKS:
            yield AuditIssue("deep", graph.pages[key].loc, [key], f"{graph.clicks[key]} clicks")


def _islands(graph: SiteGraph, unlinked: Sequence[str], unreached: Sequence[str]) -> Iterator[AuditIssue]:
    """Pages that only unreachable pages link to, together with the first page that leads to them."""
    seen, alone = set(graph.clicks), set(unlinked)
    is_followed = bytearray(len(graph.references))
    for start in [*unlinked, *unreached]:
        if start in seen:
            continue
        island = graph.distances([start], seen, is_followed)
        seen.update(island)
        pages = [key for key in island if key in graph.pages and graph.pages[key].is_listed and key not in alone]
        if pages:
            yield AuditIssue("unreachable", graph.pages[start].loc, pages)


def text_counts(graph: SiteGraph) -> TextCounts:
    """How many of the listed HTML pages have a title and a description."""
    texts = [graph.texts[page.key] for page in graph.listed if page.key in graph.texts]
    return TextCounts(len(texts), sum(bool(title) for title, _ in texts), sum(bool(text) for _, text in texts))


def texts(graph: SiteGraph) -> Iterator[AuditIssue]:
    """Titles and descriptions of the listed HTML pages that are missing, or that several pages have."""
    pages = [page for page in graph.listed if page.key in graph.texts]
    titles = {page.key: graph.texts[page.key][0] or "" for page in pages}
    descriptions = {page.key: graph.texts[page.key][1] or "" for page in pages}
    are_described = 2 * sum(map(bool, descriptions.values())) >= len(pages)
    for page in pages:
        if not titles[page.key]:
            yield AuditIssue("missing-title", page.loc, [page.key])
        if are_described and not descriptions[page.key]:
            yield AuditIssue("missing-description", page.loc, [page.key])
    yield from _repeated("duplicate-title", titles, graph)
    yield from _repeated("duplicate-description", descriptions, graph)


def _repeated(code: str, texts: Mapping[str, str], graph: SiteGraph) -> Iterator[AuditIssue]:
    """Texts that several pages have, unless these are one page in several languages or versions, or parts of a list."""
    by_text: dict[str, list[str]] = defaultdict(list)
    for key, text in texts.items():
        if text:
            by_text[text].append(key)
    for text, keys in by_text.items():
        if len(keys) > 1 and len({_without_version(graph.pages[key].loc) for key in keys}) > 1:
            yield AuditIssue(code, text, keys)


def _without_version(loc: str) -> str:
    """A URL without the parts that differ between the versions of a page: languages, versions, dates, page numbers."""
    names = loc.partition("://")[2].rstrip("/").lower().split("/")
    stems = (_NUMBERED.sub("", name.removesuffix(".html")) for name in names)
    return "/".join(name for name in stems if not _NUMBER.fullmatch(name) and not languages.is_two_letter_name(name))
