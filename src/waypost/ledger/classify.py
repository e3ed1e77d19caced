"""What becomes of a record: the page to list, or the reason to leave it out."""

from collections.abc import Callable

from waypost.config.load import Site
from waypost.core import reasons
from waypost.core.dates import at_precision
from waypost.core.model import Page
from waypost.core.reasons import Reason
from waypost.ledger.records import Record
from waypost.rules import page_url
from waypost.rules.decision import decide
from waypost.rules.page_metadata import with_metadata
from waypost.rules.selection import Selection


class PageClassifier:
    """The rules of one site at a time, `now`; `is_disallowed` is robots.txt's word on a loc."""

    def __init__(self, site: Site, now: str, is_disallowed: Callable[[str], bool] = lambda loc: False) -> None:
        self._site, self._now, self._is_disallowed = site, now, is_disallowed
        self._selection = Selection(site)

    def at(self, now: str) -> "PageClassifier":
        """The same rules at another time."""
        return self if now == self._now else PageClassifier(self._site, now, self._is_disallowed)

    def page(self, record: Record) -> Page | None:
        """The page to list for a record, or None where it is left out."""
        found = self.classify(record)
        return found if isinstance(found, Page) else None

    def exclusion_reason(self, record: Record) -> Reason | None:
        """Why a record is left out, or None where it is listed."""
        found = self.classify(record)
        return None if isinstance(found, Page) else found

    def classify(self, record: Record) -> Page | Reason:
        """The page to list, or why there is none."""
        loc = page_url.page_url(record.key, self._site)
        if isinstance(loc, Reason):
            return loc
        if record.duplicate_of:
            return reasons.DUPLICATE
        if self._is_disallowed(loc):
            return reasons.ROBOTS_TXT
        if skipped := decide(record.key, loc, record.facts, self._site, self._now).skipped:
            return skipped.reason
        date = at_precision(record.lastmod if self._site.lastmod == "content" else None, self._site.precision)
        hints = self._selection.changefreq_and_priority(record.key)
        alternates = record.alternates if self._site.alternates else ()
        page = Page(record.key, loc, self._selection.group(record.key), date, *hints, alternates=alternates)
        return with_metadata(page, record.facts, self._site, self._now)
