"""Counts how many listed pages have what search engines read: a date, images, versions in other languages."""

from collections.abc import Sequence

from msgspec import Struct

from waypost.audit import TextCounts
from waypost.core.model import Page
from waypost.settings.output_formats import with_titles
from waypost.settings.schema import Site

_NAMES = {
    "lastmod": "a date",
    "title": "a title",
    "images": "images",
    "videos": "videos",
    "alternates": "versions in other languages",
}
"""What people call the fields of a page."""


class CoverageBar(Struct, frozen=True):
    """How many listed pages have something, of `total` that may have it (0: of all).

    `parts` divide them, as texts with counts.
    """

    name: str
    pages: int
    parts: Sequence[tuple[str, int]] = ()
    total: int = 0


def with_heads(bars: Sequence[CoverageBar], counts: TextCounts) -> list[CoverageBar]:
    """The bars with those of how many HTML pages have a title and a description; the bar of the dates stays first."""
    if not counts.pages:
        return list(bars)
    titles = CoverageBar(_NAMES["title"], counts.titles, (), counts.pages)
    heads = [titles, CoverageBar("a description", counts.descriptions, (), counts.pages)]
    dates = [each for each in bars if each.name == _NAMES["lastmod"]]
    return [*dates, *heads, *(each for each in bars if each.name not in (_NAMES["lastmod"], _NAMES["title"]))]


class CoverageCounter:
    """Counts what the pages of a site have, as far as the settings have it read."""

    def __init__(self, site: Site) -> None:
        read = {
            "lastmod": site.lastmod != "none" or site.page_dates,
            "title": with_titles(site.formats),
            "images": site.images,
            "videos": site.videos,
            "alternates": site.alternates,
        }
        self._counts = {name: 0 for name, is_read in read.items() if is_read}

    def add(self, page: Page) -> None:
        """Count a listed page."""
        for name in self._counts:
            if getattr(page, name):
                self._counts[name] += 1

    def bars(self, date_counts: Sequence[tuple[str, int]] = ()) -> list[CoverageBar]:
        """A bar for each thing; `date_counts` says what dated pages, and why others have no date."""
        return [
            CoverageBar(_NAMES[name], count, date_counts if name == "lastmod" else ())
            for name, count in self._counts.items()
        ]
