"""Warns of dates that say little, because nearly all pages have the same one."""

from collections import Counter

from waypost.build.lister import Listing
from waypost.core.model import SiteWarning

_MIN_PAGES, _MIN_SHARE = 20, 0.95
"""The warning is for so many dated pages, of which this share has one date."""
_WHY = {
    "commit": "one commit changed nearly all pages, such as an import, or a deployment that changed the text of each; "
    "if a generator builds them, run Waypost where the site is built, so that their sources date them",
    "content": "nearly all pages changed at once, as after a new design",
}
_WHY_SOURCES = "one commit changed nearly all source files, such as an import or a reformatting"


def same_dates(listing: Listing) -> list[SiteWarning]:
    """The warning that nearly all dates are one, and why; empty if they differ."""
    if listing.datings and len(listing.pages) >= _MIN_PAGES:
        counts = Counter(page.lastmod for page in listing.pages if page.lastmod)
        (date, count), dated = counts.most_common(1)[0] if counts else ("", 0), counts.total()
        if dated >= _MIN_PAGES and count >= _MIN_SHARE * dated:
            by = Counter(listing.datings[page.key].dated_by for page in listing.pages if page.lastmod == date)
            why = _WHY.get(str(by.most_common(1)[0][0]), _WHY_SOURCES)
            return [SiteWarning("same-dates", f"{count:,} of {dated:,} dates are {date}: {why}", count)]
    return []
