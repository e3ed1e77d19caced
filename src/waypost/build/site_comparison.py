"""Compares what sitemaps list with the site: URLs that should not be listed, and pages that should be."""

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from waypost.build.lister import Listing
from waypost.config.schema import Site
from waypost.core import reasons, urls
from waypost.core.model import Skipped
from waypost.rules import page_url
from waypost.validate.url_index import ListedAt

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
_SERVED_LIKE = ("", ".html", ".htm", "/", "/index.html")
"""Endings that servers treat as the same page."""


class Mismatch(NamedTuple):
    """The code of a finding, and what decided."""

    code: str
    detail: str = ""


class SiteComparison:
    """The site that a listing shows, for comparing locs with it."""

    def __init__(self, listing: Listing, site: Site) -> None:
        self._site, self._pages = site, {page.loc for page in listing.pages}
        self._skipped: dict[str, Skipped] = {}
        folders = [skipped for skipped in listing.skipped if skipped.key.endswith("/")]
        for skipped in listing.skipped:
            loc = page_url.page_url(skipped.key, site)
            if isinstance(loc, str):
                self._skipped.setdefault(loc, skipped)
        self._folders = {str(page_url.page_url(folder.key, site)): folder for folder in folders}

    def mismatch(self, loc: str) -> Mismatch | None:
        """Why a loc should not be listed as it is, or None if it should."""
        own = urls.normalize(loc, self._site.base_url) or loc
        if loc in self._pages or own in self._pages:
            return None
        variants = _variants(own)
        served = next((loc for loc in variants if loc in self._pages), None)
        excluded_loc = next((loc for loc in variants if loc in self._skipped), None)
        skipped = self._skipped.get(own) or (None if served or not excluded_loc else self._skipped[excluded_loc])
        if skipped := skipped or self._folder(own):
            code = _CODES.get(skipped.reason, "listed-left-out")
            meaning = skipped.reason.meaning if code == "listed-left-out" else skipped.detail
            return Mismatch(code, meaning or skipped.reason.meaning)
        return Mismatch("listed-variant", served) if served else Mismatch("listed-missing")

    def unlisted(self, listed: Iterable[ListedAt]) -> list[str]:
        """The locs of pages that no sitemap lists, in their order."""
        return sorted(self._pages.difference(each.loc for each in listed))

    def _folder(self, loc: str) -> Skipped | None:
        """The folder around a loc that is left out as a whole."""
        if not self._folders:
            return None
        ends = (n + 1 for n, character in enumerate(loc) if character == "/")
        return next((self._folders[loc[:end]] for end in ends if loc[:end] in self._folders), None)


def _variants(loc: str) -> list[str]:
    """The other URLs at which servers usually serve the same page."""
    plain = loc.partition("?")[0]
    stem = plain.removesuffix("/index.html").removesuffix("/").removesuffix(".html").removesuffix(".htm")
    return [plain, *(stem + ending for ending in _SERVED_LIKE)]


def find_mismatches(against: SiteComparison, listed: Iterable[ListedAt]) -> Iterator[tuple[ListedAt, Mismatch]]:
    """Every listed URL that should not be listed, and why."""
    for each in listed:
        if found := against.mismatch(each.loc):
            yield each, found
