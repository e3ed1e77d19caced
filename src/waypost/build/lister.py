"""The first half of a build: a source's items become pages, and what is left out gets its reason."""

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from msgspec import Struct
from msgspec.structs import replace

from waypost.build.state import ContentDate, State
from waypost.config.schema import Site
from waypost.core import concurrency, dates, reasons
from waypost.core.model import Example, Item, Page, SiteWarning, Skipped, printable
from waypost.core.reasons import Reason
from waypost.core.urls import origin_of
from waypost.core.warnings import MESSAGES
from waypost.rules import page_facts, page_url, robots
from waypost.rules.commit_dates import CommitDates, NoDateReason
from waypost.rules.decision import Decision, decide
from waypost.rules.facts import PageFacts
from waypost.rules.hreflang import DeclaredAlternates, mutual_sets
from waypost.rules.html_head import alternates
from waypost.rules.page_metadata import with_metadata
from waypost.rules.selection import Selection
from waypost.sources.base import Source

Progress = Callable[[str, int, int | None], None]

_EXAMPLES = 3
_BATCH = 1_000
"""How many reads are asked for before the first of them is used."""


class DateSources(Struct, frozen=True):
    """What dates may be drawn from: commits, what an earlier run saw, and the time of this one.

    `commits` waits for a history that is being read meanwhile.
    """

    now: str
    commits: Callable[[], CommitDates] | None = None
    state: State = State()


class Listing(Struct, frozen=True):
    """The pages in the order of their keys, and all that was learnt on the way to them.

    `dates` are pages' commit dates, `seen` is what to remember of each page's content, `undated` why
    Git gave a page no date.
    """

    pages: list[Page]
    skipped: list[Skipped]
    warnings: list[SiteWarning]
    commit_dates: Mapping[str, str]
    contents: Mapping[str, ContentDate]
    no_date_reason: Mapping[str, str]


class _ReadPage(NamedTuple):
    """A page that is to be listed, with the date of its own that is believed, and what it says."""

    item: Item
    loc: str
    own_date: str | None
    facts: PageFacts


class Lister:
    """Lists one site once."""

    def __init__(self, source: Source, site: Site, memory: DateSources, progress: Progress) -> None:
        self._source, self._site, self._memory, self._progress = source, site, memory, progress
        self._selection = Selection(site)
        self._skipped: list[Skipped] = []
        self._warnings: dict[str, list[Example]] = defaultdict(list)
        self._dates: dict[str, str] = {}
        self._seen: dict[str, ContentDate] = {}
        self._undated: dict[str, str] = {}

    def listing(self, ignored: frozenset[str] = frozenset()) -> Listing:
        """Walk, choose, read and date; `ignored` are the keys (folders end with `/`) that Git ignores."""
        chosen = self._allowed(self._unique(self._located(self._selected(ignored))))
        chosen.sort(key=lambda pair: pair[0].key)
        read = list(self._all_read(chosen))
        commits = self._commits()
        pages = self._with_alternates([self._page(each, commits) for each in read], read)
        self._skipped.sort(key=lambda skipped: skipped.key)
        return Listing(pages, self._skipped, list(self._warning_list()), self._dates, self._seen, self._undated)

    def _selected(self, ignored: frozenset[str]) -> Iterator[Item]:
        for n, found in enumerate(self._source.items(self._selection.folder_exclusion_reason)):
            self._progress("finding files", n, None)
            if isinstance(found, Skipped):
                self._skip(found.key, found.reason, found.detail)
            elif reason := self._selection.exclusion_reason(found.key):
                self._skip(found.key, reason)
            elif ignored and _is_ignored(found.key, ignored):
                self._skip(found.key, reasons.GIT_IGNORED)
            else:
                yield found

    def _located(self, items: Iterable[Item]) -> Iterator[tuple[Item, str]]:
        for item in items:
            loc = page_url.page_url(item.key, self._site)
            if isinstance(loc, Reason):
                self._skip(item.key, loc)
            else:
                yield item, loc

    def _unique(self, located: Iterable[tuple[Item, str]]) -> list[tuple[Item, str]]:
        first: dict[str, Item] = {}
        for item, loc in located:
            rival = first.setdefault(loc, item)
            if rival is not item:
                keep, leave = sorted((item, rival), key=lambda item: page_url.duplicate_rank(item.key, self._site))
                first[loc] = keep
                self._skip(leave.key, reasons.DUPLICATE, keep.key)
        return [(item, loc) for loc, item in first.items()]

    def _allowed(self, located: list[tuple[Item, str]]) -> list[tuple[Item, str]]:
        text = self._robots_txt() if self._site.respect_robots else None
        if text is None:
            return located
        if self._site.base_url != origin_of(self._site.base_url) + "/":
            self._warnings["robots-not-at-root"].append(Example("robots.txt"))
            return located
        is_disallowed = robots.is_disallowed_by(text)
        allowed = []
        for item, loc in located:
            if is_disallowed(loc):
                self._skip(item.key, reasons.ROBOTS_TXT)
            else:
                allowed.append((item, loc))
        return allowed

    def _robots_txt(self) -> bytes | None:
        try:
            return self._source.find("robots.txt")
        except OSError as error:
            self._warnings["robots-unreadable"].append(Example("robots.txt", error.strerror or str(error)))
            return None

    def _all_read(self, chosen: list[tuple[Item, str]]) -> Iterator[_ReadPage]:
        for n, ((item, loc), facts) in enumerate(zip(chosen, self._read_facts(chosen), strict=True)):
            self._progress("reading pages", n, len(chosen))
            found = self._decide(item, loc, facts)
            for code, example in found.warnings:
                self._warnings[code].append(example)
            if found.skipped:
                self._skipped.append(found.skipped)
            else:
                yield _ReadPage(item, loc, found.own_date, self._needed_facts(facts))

    def _needed_facts(self, facts: PageFacts | OSError) -> PageFacts:
        """What there is to keep of what a page says, until all have been read."""
        if isinstance(facts, OSError):
            return PageFacts()
        return facts if self._site.alternates or facts.media else PageFacts(text_digest=facts.text_digest)

    def _read_facts(self, chosen: list[tuple[Item, str]]) -> Iterator[PageFacts | OSError]:
        """What each says, as many at once as the source bears, in their order."""

        def read(pair: tuple[Item, str]) -> PageFacts | OSError:
            try:
                return page_facts.read_item(self._source, self._site, pair[0]).facts
            except OSError as error:
                return error

        for start in range(0, len(chosen), _BATCH):
            yield from concurrency.map_concurrently(read, chosen[start : start + _BATCH], self._source.width)

    def _decide(self, item: Item, loc: str, facts: PageFacts | OSError) -> Decision:
        if not isinstance(facts, OSError):
            return decide(item.key, loc, facts, self._site, self._memory.now)
        key, detail = printable(item.key), facts.strerror or str(facts)
        return Decision(Skipped(key, reasons.UNREADABLE, detail), warnings=(("unreadable", Example(key, detail)),))

    def _commits(self) -> CommitDates | None:
        if self._memory.commits is None:
            return None
        self._progress("reading Git's history", 0, None)
        return self._memory.commits()

    def _page(self, read: _ReadPage, commits: CommitDates | None) -> Page:
        key = read.item.key
        date = self._date_by_commit(read, commits) if commits else self._date_by_content(read)
        date = dates.at_precision(date, self._site.precision)
        page = Page(key, read.loc, self._selection.group(key), date, *self._selection.changefreq_and_priority(key))
        return with_metadata(page, read.facts, self._site, self._memory.now)

    def _with_alternates(self, pages: list[Page], read: Sequence[_ReadPage]) -> list[Page]:
        if not self._site.alternates:
            return pages
        keys = {each.loc: each.item.key for each in read}
        facts = {
            each.loc: DeclaredAlternates(tuple(alternates(each.facts.head, each.loc)), each.facts.head.language)
            for each in read
        }
        made, issues = mutual_sets(facts, lambda url: url.startswith(self._site.base_url))
        for doubt in issues:
            self._warnings[doubt.code].append(Example(printable(keys[doubt.loc]), printable(doubt.detail)))
        return [replace(page, alternates=made[page.loc]) if page.loc in made else page for page in pages]

    def _date_by_commit(self, read: _ReadPage, commits: CommitDates) -> str | None:
        committed = commits.of(read.item)
        if not isinstance(committed, NoDateReason):
            self._dates[read.item.key] = committed
            return read.own_date or committed
        if read.own_date is None:
            self._undated[read.item.key] = committed
            self._warnings[committed].append(Example(printable(read.item.key)))
        return read.own_date

    def _date_by_content(self, read: _ReadPage) -> str | None:
        if read.facts.text_digest is None:
            return read.own_date
        key, now = read.item.key, self._memory.now
        self._seen[key] = self._memory.state.date_page(key, read.facts.text_digest, now=now, at_first=read.own_date)
        return self._seen[key].lastmod

    def _skip(self, key: str, reason: Reason, detail: str = "") -> None:
        self._skipped.append(Skipped(printable(key), reason, printable(detail)))

    def _warning_list(self) -> Iterator[SiteWarning]:
        for code, message in MESSAGES.items():
            if examples := self._warnings.get(code):
                yield SiteWarning(code, message, len(examples), tuple(examples[:_EXAMPLES]))


def _is_ignored(key: str, ignored: frozenset[str]) -> bool:
    folders = key.split("/")[:-1]
    return key in ignored or any("/".join(folders[: n + 1]) + "/" in ignored for n in range(len(folders)))
