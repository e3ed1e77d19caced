"""Reads the items that may be pages, and decides on each by what was read."""

from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING

from msgspec import Struct

from waypost.core import concurrency, reasons
from waypost.core.model import OPEN_SHAPES, Example, Item, LinkedShapes, Skipped, printable
from waypost.core.reasons import Reason
from waypost.files.one_at_a_time import OneAtATime
from waypost.files.source import Source
from waypost.pages import page_facts, page_url
from waypost.pages.decision import Decision, decide
from waypost.pages.facts import PageFacts
from waypost.pages.html_head import NO_HEAD
from waypost.pages.page_url import PagePath
from waypost.pages.site_links import SiteLinks
from waypost.settings.schema import Site

if TYPE_CHECKING:
    from waypost.build.bucket_listing import ObjectMemory

Progress = Callable[[str, int, int | None], None]
_BATCH = 1_000
"""The number of items that are read before the first of them is used."""


class ReadPage(Struct, frozen=True, gc=False):
    """An item that may be listed, with its loc, what the rules decide by its content, and what was read of it.

    `path` has what decided the form of its loc, `checksum` is equal for equal first bytes, and `canonicals` are the
    URLs that it names as canonical. `bytes_digest` is the digest of its bytes, where that is known.
    """

    item: Item
    loc: str
    path: PagePath
    decision: Decision
    facts: PageFacts
    checksum: int
    canonicals: tuple[str, ...]
    bytes_digest: str = ""


class SiteVotes(Struct, frozen=True, array_like=True):
    """What the pages of a site decided together: what their links say, and the form of URLs in present sitemaps."""

    links: SiteLinks = SiteLinks()
    of_sitemaps: LinkedShapes = OPEN_SHAPES


class PageReader:
    """Reads the items of one source at the time `now`; pages that expire do so by the time `as_of`.

    What a `memory` has is not read.
    """

    def __init__(
        self,
        source: Source,
        site: Site,
        now: str,
        progress: Progress,
        as_of: Callable[[], str] | None = None,
        memory: "ObjectMemory | None" = None,
    ) -> None:
        self._source, self._site, self._now, self._progress = OneAtATime(source), site, now, progress
        self._as_of, self._memory = as_of or (lambda: now), memory

    def pages(self, items: Sequence[Item]) -> Iterator[ReadPage | Skipped]:
        """Each item with what was read, in order; as many items are read at once as the source allows."""
        if self._memory:
            yield from (self._remembered(self._memory, item) for item in items)
            return
        for n, found in enumerate(concurrency.map_in_batches(self._read, items, self._source.width, _BATCH)):
            self._progress("reading pages", n, len(items))
            yield found

    def _remembered(self, memory: "ObjectMemory", item: Item) -> ReadPage | Skipped:
        """What was decided on an item, or is decided now by what was read of it."""
        if found := memory.decided(item, self._site):
            return found
        facts, digest = memory.facts(item)
        decided = self._decided(item, facts, hash(digest), digest)
        memory.keep(item, decided)
        return decided

    def _read(self, item: Item) -> ReadPage | Skipped:
        try:
            with self._source:
                facts, checksum = page_facts.read_file(self._source, self._site, item)
        except OSError as error:
            return self._unreadable(item, error)
        return self._decided(item, facts, checksum)

    def _decided(self, item: Item, facts: PageFacts, checksum: int, digest: str = "") -> ReadPage | Skipped:
        path = page_url.page_path(item.key, self._site, facts.head, item.url_path)
        loc = page_url.url_at(path, self._site)
        if isinstance(loc, Reason):
            return Skipped(printable(item.key), loc)
        now = self._as_of() if facts.head.unavailable_after else self._now
        decision = decide(item.key, loc, facts, self._site, now)
        return ReadPage(item, loc, path, decision, self._needed(facts), checksum, facts.head.canonicals, digest)

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
