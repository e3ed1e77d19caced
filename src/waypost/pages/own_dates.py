"""The dates that pages, and the sources of pages, give themselves: by which names they do, and which one counts.

A date of the last change is better than what Git knows, which is better than the date of the first publication.
"""

from collections.abc import Iterable
from itertools import islice

from msgspec import Struct

from waypost.core import dates

MODIFICATION_KEYS = (
    "lastmod",
    "last_modified_at",
    "last_modified",
    "modified",
    "date-modified",
    "updated",
    "last_updated",
    "updatedDate",
    "last_update",
    "revdate",
)
"""The keys of front matter that say when a page last changed, the first one first.

Upper and lower case, `-` and `_` make no difference: `lastUpdated` is `last_updated`. `last_update` may have a `date`
and an `author` (Docusaurus).
"""
PUBLICATION_KEYS = ("date", "pubDate")
MODIFICATION_META = ("article:modified_time", "og:updated_time", "last-modified")
PUBLICATION_META = ("article:published_time",)
MODIFICATION_PROPERTY = "dateModified"
"""The property of schema.org, in JSON-LD and in microdata."""


class OwnDate(Struct, frozen=True, gc=False):
    """A date, in the form of W3C, and the name by which a page gives it."""

    date: str
    name: str


class OwnDates(Struct, frozen=True, gc=False, omit_defaults=True):
    """When a page says that it last changed, and when it was published."""

    modified: OwnDate | None = None
    published: OwnDate | None = None

    def possible(self, now: str) -> "OwnDates":
        """Those at which the page may have changed by `now`."""
        return OwnDates(*(each if each and dates.may_be_change(each.date, now) else None for each in self._both))

    def impossible(self, now: str) -> list[OwnDate]:
        """The others."""
        return [each for each in self._both if each and not dates.may_be_change(each.date, now)]

    def chosen(self, known: str | None) -> OwnDate | None:
        """The one that comes before a date which is known otherwise, such as Git's; None if that date comes first."""
        return self.modified or (None if known else self.published)

    def date(self, known: str | None) -> str | None:
        """The date of a page of which another one is known."""
        chosen = self.chosen(known)
        return chosen.date if chosen else known

    def name_of(self, date: str | None) -> str:
        """The name by which the page gives itself a date; `""` if it does not."""
        return next((each.name for each in self._both if each and each.date == date), "")

    @property
    def _both(self) -> tuple[OwnDate | None, OwnDate | None]:
        return self.modified, self.published


NO_DATES = OwnDates()


def folded(key: str) -> str:
    """A key as it is compared with others."""
    return key.lower().replace("-", "").replace("_", "")


def first_date(written: Iterable[tuple[str, str]]) -> OwnDate | None:
    """The first text, each after its name, that is a date."""
    tried = ((dates.parse_page_date(text), name) for name, text in islice(written, dates.MOST_TRIED))
    return next((OwnDate(date, name) for date, name in tried if date), None)
