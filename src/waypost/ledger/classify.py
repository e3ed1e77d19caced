"""Decides what becomes of a record: the page to list, or the reason to leave it out."""

from collections.abc import Callable

from waypost.config.schema import Site
from waypost.core import reasons
from waypost.core.dates import at_precision
from waypost.core.model import Page
from waypost.core.reasons import Reason
from waypost.ledger.records import Record
from waypost.rules.decision import decide
from waypost.rules.hreflang import Alternates
from waypost.rules.page_metadata import with_metadata
from waypost.rules.page_url import recorded_url
from waypost.rules.selection import Selection
from waypost.rules.url_entries import entry_page


class PageClassifier:
    """Applies one site's rules at the time `now`; `is_disallowed` says whether robots.txt disallows a URL."""

    def __init__(self, site: Site, now: str, is_disallowed: Callable[[str], bool] = lambda loc: False) -> None:
        self._site, self._now, self._is_disallowed = site, now, is_disallowed
        self.selection = Selection(site)

    def at(self, now: str) -> "PageClassifier":
        """A classifier with the same rules for another time."""
        return self if now == self._now else PageClassifier(self._site, now, self._is_disallowed)

    def page(self, record: Record) -> Page | None:
        """The page to list for a record, or None if it is left out."""
        found = self.classify(record)
        return found if isinstance(found, Page) else None

    def exclusion_reason(self, record: Record) -> Reason | None:
        """Why a record is left out, or None if it is listed."""
        found = self.classify(record)
        return None if isinstance(found, Page) else found

    def classify(self, record: Record) -> Page | Reason:
        """The page to list, or the reason to leave it out."""
        entry = record.facts.entry
        loc = recorded_url(record.key, self._site, record.facts)
        if isinstance(loc, Reason):
            return loc
        if record.duplicate_of:
            return reasons.OWN_FILE if entry else reasons.DUPLICATE
        if self._is_disallowed(loc):
            return reasons.ROBOTS_TXT
        if entry:
            return entry_page(record.key, entry, self._alternates(record), self.selection, self._site)
        if skipped := decide(record.key, loc, record.facts, self._site, self._now).skipped:
            return skipped.reason
        return self._page(record, loc)

    def _page(self, record: Record, loc: str) -> Page:
        date = at_precision(record.lastmod if self._site.lastmod == "content" else None, self._site.precision)
        frequency_and_priority = self.selection.changefreq_and_priority(record.key)
        group, alternates = self.selection.group(record.key), self._alternates(record)
        page = Page(record.key, loc, group, date, *frequency_and_priority, alternates=alternates)
        return with_metadata(page, record.facts, self._site, self._now)

    def _alternates(self, record: Record) -> Alternates:
        return record.alternates if self._site.alternates else ()
