"""Reads the items that may be pages, and decides on each by what was read."""

from collections.abc import Callable, Iterator, Sequence

from msgspec import Struct

from waypost.config.schema import Site
from waypost.core import concurrency, reasons
from waypost.core.model import Example, Item, Skipped, printable
from waypost.core.reasons import Reason
from waypost.rules import page_facts, page_url
from waypost.rules.decision import Decision, decide
from waypost.rules.facts import PageFacts
from waypost.rules.html_head import NO_HEAD
from waypost.rules.page_url import PagePath
from waypost.sources.base import Source
from waypost.sources.one_at_a_time import OneAtATime

Progress = Callable[[str, int, int | None], None]
_BATCH = 1_000
"""The number of items that are read before the first of them is used."""


class ReadPage(Struct, frozen=True, gc=False):
    """An item that may be listed, with its loc, what the rules decide by its content, and what was read of it.

    `path` has what decided the form of its loc, `checksum` is equal for equal first bytes, and `canonicals` are the
    URLs that it names as canonical.
    """

    item: Item
    loc: str
    path: PagePath
    decision: Decision
    facts: PageFacts
    checksum: int
    canonicals: tuple[str, ...]


class PageReader:
    """Reads the items of one source at the time `now`; pages that expire do so by the time `as_of`."""

    def __init__(
        self, source: Source, site: Site, now: str, progress: Progress, as_of: Callable[[], str] | None = None
    ) -> None:
        self._source, self._site, self._now, self._progress = OneAtATime(source), site, now, progress
        self._as_of = as_of or (lambda: now)

    def pages(self, items: Sequence[Item]) -> Iterator[ReadPage | Skipped]:
        """Each item with what was read, in order; as many items are read at once as the source allows."""
        for n, found in enumerate(concurrency.map_in_batches(self._read, items, self._source.width, _BATCH)):
            self._progress("reading pages", n, len(items))
            yield found

    def _read(self, item: Item) -> ReadPage | Skipped:
        try:
            with self._source:
                facts, checksum = page_facts.read_file(self._source, self._site, item)
        except OSError as error:
            return self._unreadable(item, error)
        path = page_url.page_path(item.key, self._site, facts.head, item.url_path)
        loc = page_url.url_at(path, self._site)
        if isinstance(loc, Reason):
            return Skipped(printable(item.key), loc)
        now = self._as_of() if facts.head.unavailable_after else self._now
        decision = decide(item.key, loc, facts, self._site, now)
        return ReadPage(item, loc, path, decision, self._needed(facts), checksum, facts.head.canonicals)

    def _unreadable(self, item: Item, error: OSError) -> ReadPage:
        key, detail = printable(item.key), error.strerror or str(error)
        warnings = (("unreadable", Example(key, detail)),)
        decision = Decision(Skipped(key, reasons.UNREADABLE, detail), warnings=warnings)
        path = page_url.page_path(item.key, self._site, NO_HEAD, item.url_path)
        return ReadPage(item, str(page_url.url_at(path, self._site)), path, decision, PageFacts(), 0, ())

    def _needed(self, facts: PageFacts) -> PageFacts:
        """The facts that are needed after all pages have been read; the others would only take memory."""
        return (
            facts
            if self._site.alternates or facts.media
            else PageFacts(text_digest=facts.text_digest, is_cut=facts.is_cut)
        )
