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


def coverage_bars(pages: Sequence[Page], site: Site, date_counts: Sequence[tuple[str, int]] = ()) -> list[CoverageBar]:
    """A bar for each thing that listed pages may have, as far as the settings have it read.

    `date_counts` says what dated pages, and why others have no date.
    """
    is_read = {
        "lastmod": site.lastmod != "none" or site.page_dates,
        "title": with_titles(site.formats),
        "images": site.images,
        "videos": site.videos,
        "alternates": site.alternates,
    }
    return [
        CoverageBar(
            _NAMES[name], sum(bool(getattr(page, name)) for page in pages), date_counts if name == "lastmod" else ()
        )
        for name in filter(is_read.get, is_read)
    ]
