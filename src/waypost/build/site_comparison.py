"""What sitemaps list beside what the site holds: pages that should not be listed, and pages that should."""

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
"""What readers make of a page that is listed, though the site gives a reason to leave it out."""
_SERVED_LIKE = ("", ".html", ".htm", "/", "/index.html")
"""Endings that servers take for each other."""


class Mismatch(NamedTuple):
    """The code of a finding, and what decided."""

    code: str
    detail: str = ""


class SiteComparison:
    """The site that a listing shows, to be asked of locs."""

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
        """Why a loc should not be listed as it is, or None where it should."""
        own = urls.normalize(loc, self._site.base_url) or loc
        if loc in self._pages or own in self._pages:
            return None
        variants = _variants(own)
        served = next((loc for loc in variants if loc in self._pages), None)
        left_out = next((loc for loc in variants if loc in self._skipped), None)
        skipped = self._skipped.get(own) or (None if served or not left_out else self._skipped[left_out])
        if skipped := skipped or self._folder(own):
            code = _CODES.get(skipped.reason, "listed-left-out")
            meaning = skipped.reason.meaning if code == "listed-left-out" else skipped.detail
            return Mismatch(code, meaning or skipped.reason.meaning)
        return Mismatch("listed-variant", served) if served else Mismatch("listed-missing")

    def unlisted(self, listed: Iterable[ListedAt]) -> list[str]:
        """The locs of pages that no sitemap lists, in their order."""
        return sorted(self._pages.difference(sighting.loc for sighting in listed))

    def _folder(self, loc: str) -> Skipped | None:
        """The folder left out as a whole that a loc lies in."""
        if not self._folders:
            return None
        ends = (n + 1 for n, character in enumerate(loc) if character == "/")
        return next((self._folders[loc[:end]] for end in ends if loc[:end] in self._folders), None)


def _variants(loc: str) -> list[str]:
    """The other URLs under which servers usually give the same page."""
    plain = loc.partition("?")[0]
    stem = plain.removesuffix("/index.html").removesuffix("/").removesuffix(".html").removesuffix(".htm")
    return [plain, *(stem + ending for ending in _SERVED_LIKE)]


def find_mismatches(against: SiteComparison, listed: Iterable[ListedAt]) -> Iterator[tuple[ListedAt, Mismatch]]:
    """Every sighting that should not be, and why."""
    for sighting in listed:
        if found := against.mismatch(sighting.loc):
            yield sighting, found
