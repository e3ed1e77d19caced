"""Decides which versions in other languages a page lists: those that it names, and that name it back, and itself.

Search engines ignore a version that does not name the page back (Google, "Localized versions of your pages"). The
alternates of a page depend on its own links and on the links of the pages that it names, and on no other page.
"""

from collections.abc import Mapping, Sequence
from itertools import islice
from typing import NamedTuple

from waypost.core import languages
from waypost.core.urls import LOC_LIMIT
from waypost.pages.html_head import HtmlHead, alternates
from waypost.pages.page_url import SiteUrls

Alternates = tuple[tuple[str, str], ...]
"""Hreflang and URL of each version, in the order of the hreflangs."""
_X_DEFAULT = "x-default"
_MAX_LINKS = 300
"""How many links of a page count: more than any real page has, and too few to fill a file."""


class HreflangIssue(NamedTuple):
    """A link of a page that was left out, or one that it lacks: the code of a warning, and what was found.

    `url` is the one that the link names, or `""` if the issue is about the page's links as a whole.
    """

    loc: str
    code: str
    detail: str
    url: str = ""


class PageLinks(NamedTuple):
    """The hreflang links of one page: the first URL for each hreflang, and the issues with links that never count.

    `language` is the hreflang for the page itself by its `lang` attribute, if that is valid.
    """

    urls: Mapping[str, str]
    issues: Sequence[HreflangIssue] = ()
    language: str = ""


def page_links(head: HtmlHead, loc: str) -> PageLinks:
    """The links of the page at `loc`."""
    urls: dict[str, str] = {}
    issues: list[HreflangIssue] = []
    for hreflang, url in islice(alternates(head, loc), _MAX_LINKS):
        code = languages.normalize(hreflang)
        if problem := languages.problem(hreflang):
            issues.append(HreflangIssue(loc, "hreflang-code", f"{hreflang}: {problem}"))
        elif len(url) >= LOC_LIMIT:
            issues.append(HreflangIssue(loc, "alternate-too-long", f"{code}: {url}", url))
        elif (first := urls.setdefault(code, url)) != url:
            issues.append(HreflangIssue(loc, "alternates-contradict", f"{code}: {url}, after {first}"))
    return PageLinks(urls, issues, "" if languages.problem(head.lang) else languages.normalize(head.lang))


class HreflangLinks:
    """The links between the listed pages of a site; `links` has each page's links, by its loc."""

    def __init__(self, links: Mapping[str, PageLinks], site_urls: SiteUrls) -> None:
        self._links, self._site_urls = links, site_urls
        self._named_pages: dict[str, set[str | None]] = {}

    def alternates(self, loc: str) -> tuple[Alternates, list[HreflangIssue]]:
        """The alternates of a listed page, and the issues with its links; none if it names no page but itself.

        A page that does not name itself is added, as search engines want it: nothing else is completed.
        """
        urls, found, _ = self._links[loc]
        issues, accepted = set(found), dict[str, str]()
        for hreflang, url in urls.items():
            if problem := self._problem(loc, hreflang, url):
                issues.add(HreflangIssue(loc, problem, f"{hreflang}: {url}", url))
            else:
                accepted[hreflang] = url if hreflang == _X_DEFAULT else self._site_urls.loc(url)
        pages = {self._site_urls.loc(url) for url in accepted.values()}
        if pages <= {loc}:
            return (), sorted(issues)
        if loc not in pages:
            issues.add(HreflangIssue(loc, "alternates-without-self", ", ".join(sorted(accepted))))
            if (own := self._own_hreflang(loc, sorted(pages))) and own not in accepted:
                accepted[own] = loc
        return tuple(sorted(accepted.items())), sorted(issues)

    def _problem(self, loc: str, hreflang: str, url: str) -> str:
        """The code of the issue for which a link does not count, or `""`."""
        page = self._site_urls.loc_or_none(url)
        if hreflang == _X_DEFAULT or page == loc:
            return ""
        if page is None:
            return "alternate-unlisted" if self._site_urls.is_on_site(url) else ""
        return "" if loc in self._pages_named_by(page) else "alternate-unreturned"

    def _own_hreflang(self, loc: str, pages: Sequence[str]) -> str:
        """The hreflang under which the first of these pages names a page, else the page's own language, if known."""
        named = (self._links[page].urls.items() for page in pages if page in self._links)
        codes = [code for urls in named for code, url in urls if self._site_urls.loc_or_none(url) == loc]
        return next((code for code in codes if code != _X_DEFAULT), self._links[loc].language)

    def _pages_named_by(self, loc: str) -> set[str | None]:
        if loc not in self._named_pages:
            self._named_pages[loc] = {self._site_urls.loc_or_none(url) for url in self._links[loc].urls.values()}
        return self._named_pages[loc]
