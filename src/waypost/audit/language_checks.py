"""Checks the versions in other languages that pages name (hreflang)."""

from collections import defaultdict
from collections.abc import Iterator

from waypost.audit.cases import Found
from waypost.audit.site_graph import SiteGraph
from waypost.core.finding_types import AUDIT_RULES
from waypost.rules.hreflang import HreflangIssue, HreflangLinks, page_links
from waypost.rules.language_folders import language_folders
from waypost.rules.site_urls import SiteUrls


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
            if issue.code in AUDIT_RULES and _url(issue) not in missing:
                yield Found(issue.code, _target(issue), [page.key], issue.detail if _url(issue) is None else "")


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


def _url(issue: HreflangIssue) -> str | None:
    """The URL that an issue is about, or None if it is about the page's links as a whole."""
    hreflang, colon, url = issue.detail.partition(": ")
    return url if colon and hreflang and "://" in url and " " not in url else None


def _target(issue: HreflangIssue) -> str:
    return _url(issue) or ""
