"""Compares what sitemaps list with the site: URLs that should not be listed, and pages that should be."""

from collections.abc import Iterable
from typing import NamedTuple

from waypost.build.lister import Listing
from waypost.core import reasons, urls
from waypost.core.model import Skipped
from waypost.pages import page_url
from waypost.pages.page_url import SiteUrls
from waypost.settings.schema import Site

_CODES = {
    reasons.NOINDEX: "listed-noindex",
    reasons.REFRESH: "listed-redirect",
    reasons.REDIRECT: "listed-redirect",
    reasons.CANONICAL: "listed-not-canonical",
    reasons.FOREIGN_CANONICAL: "listed-not-canonical",
    reasons.ROBOTS_TXT: "listed-disallowed",
    reasons.DANGLING_LINK: "listed-missing",
    reasons.NOT_A_FILE: "listed-missing",
}
"""The code of the finding about a listed page that the site gives a reason to leave out."""


class Mismatch(NamedTuple):
    """The code of a finding, and what decided."""

    code: str
    detail: str = ""


class SiteComparison:
    """The site that a listing shows, for comparing locs with it."""

    def __init__(self, listing: Listing, site: Site) -> None:
        self._site = site
        self._listed = SiteUrls({page.key: page.loc for page in listing.pages}, site)
        self._pages = {page.loc for page in listing.pages}
        self._skipped = {skipped.key: skipped for skipped in listing.skipped}
        locs = {key: page_url.page_url(key, site) for key in self._skipped}
        self._unlisted = SiteUrls({key: loc for key, loc in locs.items() if isinstance(loc, str)}, site)
        self._folders = {str(locs[key]): skipped for key, skipped in self._skipped.items() if key.endswith("/")}

    def mismatch(self, loc: str) -> Mismatch | None:
        """Why a loc should not be listed as it is, or None if it should."""
        own = self._own_spelling(loc)
        if loc in self._pages or own in self._pages:
            return None
        plain = own.partition("?")[0]
        served, skipped = self._listed.loc_or_none(plain), self._skipped_at(own, plain)
        if skipped and (served is None or own == page_url.page_url(skipped.key, self._site)):
            code = _CODES.get(skipped.reason, "listed-left-out")
            meaning = skipped.reason.meaning if code == "listed-left-out" else skipped.detail
            return Mismatch(code, meaning or skipped.reason.meaning)
        return Mismatch("listed-variant", served) if served else Mismatch("listed-missing")

    def _skipped_at(self, own: str, plain: str) -> Skipped | None:
        """What is left out at a URL: a file, or a folder around it."""
        key = self._unlisted.key(own) or self._unlisted.key(plain)
        return self._skipped[key] if key else self._folder(own)

    def unlisted(self, listed: Iterable[str]) -> list[str]:
        """The locs of pages that no sitemap lists, in their order."""
        return sorted(self._pages.difference(map(self._own_spelling, listed)))

    def _own_spelling(self, loc: str) -> str:
        """A loc as Waypost spells it: other spellings are findings of their own."""
        return loc if loc in self._pages else urls.normalize(loc, self._site.base_url) or loc

    def _folder(self, loc: str) -> Skipped | None:
        """The folder around a loc that is left out as a whole."""
        if not self._folders:
            return None
        ends = (n + 1 for n, character in enumerate(loc) if character == "/")
        return next((self._folders[loc[:end]] for end in ends if loc[:end] in self._folders), None)
