"""Chooses among the pages that were read those that are listed: what one page says of another counts here."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

from waypost.build.copies import Readable, find_copies
from waypost.build.listing_notes import ListingNotes
from waypost.build.page_reader import ReadPage
from waypost.config.schema import Site
from waypost.core import reasons
from waypost.core.model import Example, printable
from waypost.rules import page_url
from waypost.sources.base import Source

IsDisallowed = Callable[[str], bool]
_MIN_HOME_CANONICALS = 3
"""So many pages that name the home page as canonical show a mistake in the template."""


class PageChoice:
    """The choice for one site; `is_disallowed` says whether robots.txt disallows a URL."""

    def __init__(self, source: Source, site: Site, is_disallowed: IsDisallowed | None, notes: ListingNotes) -> None:
        self._source, self._site, self._notes = source, site, notes
        self._is_disallowed = is_disallowed or (lambda url: False)

    def listed(self, pages: Sequence[ReadPage]) -> Iterator[ReadPage]:
        """The pages that nothing leaves out; a page that servers never answer, or may not be crawled, is not judged."""
        duplicates = page_url.duplicates({page.item.key: page.loc for page in pages}, self._site)
        self._warn_of_home_canonicals(pages)
        copies = self._copies(page for page in pages if page.item.key not in duplicates)
        for page in pages:
            if self._is_listed(page, duplicates, copies):
                yield page

    def _is_listed(self, page: ReadPage, duplicates: Mapping[str, str], copies: Mapping[str, str]) -> bool:
        key, decision = page.item.key, page.decision
        if other := duplicates.get(key):
            self._notes.leave_out(key, reasons.DUPLICATE, other)
            return False
        if self._is_disallowed(page.loc):
            self._notes.leave_out(key, reasons.ROBOTS_TXT)
            return False
        for code, example in decision.warnings:
            self._notes.warn(code, example)
        if decision.skipped:
            self._notes.skip(decision.skipped)
            return False
        if other := copies.get(key):
            self._notes.leave_out(key, reasons.COPY, other)
            return False
        return True

    def _copies(self, pages: Iterable[ReadPage]) -> Mapping[str, str]:
        """The copies to leave out; where the settings keep them, a warning names them."""
        readable = (Readable(page.item, page.checksum) for page in pages if self._may_be_copy(page))
        copies = find_copies(readable, self._source)
        if self._site.duplicates == "first":
            return {key: first for key, first in copies.items() if self._site.exclude.decision(key) is not False}
        for key, first in copies.items():
            self._notes.warn("copies", Example(printable(key), f"has the same bytes as {printable(first)}"))
        return {}

    def _may_be_copy(self, page: ReadPage) -> bool:
        """Whether a page is listed without naming a canonical URL; of generated pages the bytes are not known."""
        if not page.checksum or page.item.url_path or page.decision.skipped or page.canonicals:
            return False
        return not self._is_disallowed(page.loc)

    def _warn_of_home_canonicals(self, pages: Iterable[ReadPage]) -> None:
        """Warn if the canonical links of all pages that have one name the home page."""
        named = [page for page in pages if page.canonicals and page.loc != self._site.base_url]
        skipped = [page.decision.skipped for page in named]
        to_home = [each for each in skipped if each and (each.reason, each.detail) == _home(self._site)]
        if len(to_home) >= _MIN_HOME_CANONICALS and len(to_home) == len(named):
            for each in to_home:
                self._notes.warn("canonical-home", Example(each.key))


def _home(site: Site) -> tuple[str, str]:
    return reasons.CANONICAL, site.base_url
