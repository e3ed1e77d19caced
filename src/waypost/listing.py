"""The first half of a build: a source's items become pages, and what is left out gets its reason."""

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping
from hashlib import blake2b
from typing import NamedTuple

from msgspec import Struct

from waypost import ledger
from waypost.address import origin_of
from waypost.cautions import MESSAGES
from waypost.checks import PAGE_TYPES
from waypost.config import Site
from waypost.ledger import Ledger, Remembered
from waypost.model import Example, Item, Page, Reason, Skipped, Warned, printable
from waypost.rules import frontmatter, lastmod, page, robots, url
from waypost.rules.commits import CommitDates, Undated
from waypost.rules.select import Selection
from waypost.sources import Source

Progress = Callable[[str, int, int | None], None]

_HTML = PAGE_TYPES["html"]
_MARKDOWN = PAGE_TYPES["markdown"]
_TEXT_LIMIT = 33_554_432
"""Beyond 32 MiB a page's digest is of its bytes, as that of one too deep: parsing takes ten times their memory."""
_EXAMPLES = 3


class Memory(Struct, frozen=True):
    """What dates may be drawn from: commits, what an earlier run saw, and the time of this one.

    `commits` waits for a history that is being read meanwhile.
    """

    now: str
    commits: Callable[[], CommitDates] | None = None
    ledger: Ledger = Ledger()


class Listing(Struct, frozen=True):
    """The pages in the order of their keys, and all that was learnt on the way to them.

    `dates` are pages' commit dates, `seen` is what to remember of each page's content, `undated` why
    Git gave a page no date.
    """

    pages: list[Page]
    skipped: list[Skipped]
    warned: list[Warned]
    dates: Mapping[str, str]
    seen: Mapping[str, Remembered]
    undated: Mapping[str, str]


class _Read(NamedTuple):
    """A page that is to be listed, with the date it gives itself and its content's digest, where they are asked for."""

    item: Item
    loc: str
    own_date: str | None
    digest: str | None


class Lister:
    """Lists one site once."""

    def __init__(self, source: Source, site: Site, memory: Memory, progress: Progress) -> None:
        self._source, self._site, self._memory, self._progress = source, site, memory, progress
        self._selection = Selection(site)
        self._skipped: list[Skipped] = []
        self._warnings: dict[str, list[Example]] = defaultdict(list)
        self._dates: dict[str, str] = {}
        self._seen: dict[str, Remembered] = {}
        self._undated: dict[str, str] = {}

    def listing(self, ignored: frozenset[str] = frozenset()) -> Listing:
        """Walk, choose, read and date; `ignored` are the keys (folders end with `/`) that Git ignores."""
        chosen = self._allowed(self._unique(self._located(self._selected(ignored))))
        chosen.sort(key=lambda pair: pair[0].key)
        read = list(self._all_read(chosen))
        commits = self._commits()
        pages = [self._page(each, commits) for each in read]
        self._skipped.sort(key=lambda skipped: skipped.key)
        return Listing(pages, self._skipped, list(self._warned()), self._dates, self._seen, self._undated)

    def _selected(self, ignored: frozenset[str]) -> Iterator[Item]:
        for n, found in enumerate(self._source.items(self._selection.folder_reason)):
            self._progress("finding files", n, None)
            if isinstance(found, Skipped):
                self._skip(found.key, found.reason, found.detail)
            elif reason := self._selection.reason(found.key):
                self._skip(found.key, reason)
            elif ignored and _is_ignored(found.key, ignored):
                self._skip(found.key, Reason.GIT_IGNORED)
            else:
                yield found

    def _located(self, items: Iterable[Item]) -> Iterator[tuple[Item, str]]:
        for item in items:
            loc = url.loc(item.key, self._site)
            if isinstance(loc, Reason):
                self._skip(item.key, loc)
            else:
                yield item, loc

    def _unique(self, located: Iterable[tuple[Item, str]]) -> list[tuple[Item, str]]:
        first: dict[str, Item] = {}
        for item, loc in located:
            rival = first.setdefault(loc, item)
            if rival is not item:
                keep, leave = sorted((item, rival), key=lambda item: url.precedence(item.key, self._site))
                first[loc] = keep
                self._skip(leave.key, Reason.DUPLICATE, keep.key)
        return [(item, loc) for loc, item in first.items()]

    def _allowed(self, located: list[tuple[Item, str]]) -> list[tuple[Item, str]]:
        text = self._robots_txt() if self._site.respect_robots else None
        if text is None:
            return located
        if self._site.base_url != origin_of(self._site.base_url) + "/":
            self._warnings["robots-not-at-root"].append(Example("robots.txt"))
            return located
        is_disallowed = robots.disallows(text)
        allowed = []
        for item, loc in located:
            if is_disallowed(loc):
                self._skip(item.key, Reason.ROBOTS_TXT)
            else:
                allowed.append((item, loc))
        return allowed

    def _robots_txt(self) -> bytes | None:
        try:
            return self._source.find("robots.txt")
        except OSError as error:
            self._warnings["robots-unreadable"].append(Example("robots.txt", error.strerror or str(error)))
            return None

    def _all_read(self, chosen: list[tuple[Item, str]]) -> Iterator[_Read]:
        for n, (item, loc) in enumerate(chosen):
            self._progress("reading pages", n, len(chosen))
            try:
                found = self._read(item, loc)
            except OSError as error:
                detail = error.strerror or str(error)
                self._warnings["unreadable"].append(Example(printable(item.key), detail))
                found = Skipped(printable(item.key), Reason.UNREADABLE, detail)
            if isinstance(found, Skipped):
                self._skipped.append(found)
            else:
                yield found

    def _read(self, item: Item, loc: str) -> _Read | Skipped:
        content = self._source.read(item) if self._site.lastmod == "content" else None
        own_date = None
        if item.key.lower().endswith(_HTML):
            head = self._head(item, content)
            if skipped := self._html_reason(item, loc, head):
                return skipped
            own_date = self._html_date(item, head, content)
        elif item.key.lower().endswith(_MARKDOWN):
            front = frontmatter.read(content if content is not None else self._source.read(item))
            if front.hidden_by:
                return Skipped(printable(item.key), Reason.UNPUBLISHED, front.hidden_by)
            own_date = front.date
        digest = None if content is None else _digest(item.key, content)
        return _Read(item, loc, self._believed(item, own_date), digest)

    def _head(self, item: Item, content: bytes | None) -> page.Head:
        for size in page.HEAD_SIZES:
            data = self._source.read(item, size) if content is None else content[:size]
            is_whole = len(data) < size or size == page.HEAD_SIZES[-1]
            if head := page.read_head(data, is_whole=is_whole, is_dated=self._site.page_dates):
                return head
        raise AssertionError("the largest head size is read as a whole")

    def _html_reason(self, item: Item, loc: str, head: page.Head) -> Skipped | None:
        key = printable(item.key)
        if head.noindex:
            return Skipped(key, Reason.NOINDEX, head.noindex)
        if target := page.refresh_target(head, loc):
            return Skipped(key, Reason.REFRESH, target)
        target = page.canonical(head, loc)
        if target is None or target == loc:
            return None
        if not target.startswith(self._site.base_url):
            return self._foreign(key, target)
        if _is_variant(target, loc):
            self._warnings["canonical-variant"].append(Example(key, target))
        return Skipped(key, Reason.CANONICAL, target)

    def _foreign(self, key: str, target: str) -> Skipped | None:
        if self._site.foreign_canonical == "skip":
            return Skipped(key, Reason.FOREIGN_CANONICAL, target)
        self._warnings["foreign-canonical"].append(Example(key, target))
        return None

    def _html_date(self, item: Item, head: page.Head, content: bytes | None) -> str | None:
        if not self._site.page_dates or head.date:
            return head.date
        return page.read_date(content if content is not None else self._source.read(item, page.HEAD_SIZES[-1]))

    def _believed(self, item: Item, own_date: str | None) -> str | None:
        if not self._site.page_dates or own_date is None:
            return None
        if lastmod.is_future(own_date, self._memory.now):
            self._warnings["future-date"].append(Example(printable(item.key), own_date))
            return None
        return own_date

    def _commits(self) -> CommitDates | None:
        if self._memory.commits is None:
            return None
        self._progress("reading Git's history", 0, None)
        return self._memory.commits()

    def _page(self, read: _Read, commits: CommitDates | None) -> Page:
        key = read.item.key
        date = self._date_by_commit(read, commits) if commits else self._date_by_content(read)
        date = lastmod.at_precision(date, self._site.precision)
        return Page(key, read.loc, self._selection.group(key), date, *self._selection.hints(key))

    def _date_by_commit(self, read: _Read, commits: CommitDates) -> str | None:
        committed = commits.of(read.item)
        if not isinstance(committed, Undated):
            self._dates[read.item.key] = committed
            return read.own_date or committed
        if read.own_date is None:
            self._undated[read.item.key] = committed
            self._warnings[committed].append(Example(printable(read.item.key)))
        return read.own_date

    def _date_by_content(self, read: _Read) -> str | None:
        if read.digest is None:
            return read.own_date
        key, before = read.item.key, self._memory.ledger.pages.get(read.item.key)
        self._seen[key] = ledger.remember(before, read.digest, now=self._memory.now, at_first=read.own_date)
        return self._seen[key].lastmod

    def _skip(self, key: str, reason: Reason, detail: str = "") -> None:
        self._skipped.append(Skipped(printable(key), reason, printable(detail)))

    def _warned(self) -> Iterator[Warned]:
        for code, message in MESSAGES.items():
            if examples := self._warnings.get(code):
                yield Warned(code, message, len(examples), tuple(examples[:_EXAMPLES]))


def _is_ignored(key: str, ignored: frozenset[str]) -> bool:
    folders = key.split("/")[:-1]
    return key in ignored or any("/".join(folders[: n + 1]) + "/" in ignored for n in range(len(folders)))


def _is_variant(target: str, own: str) -> bool:
    """Whether two URLs differ only in how they write an index file, `.html` or the last slash."""

    def plain(loc: str) -> str:
        return loc.removesuffix("/").removesuffix(".html").removesuffix(".htm").removesuffix("/index")

    return plain(target) == plain(own)


def _digest(key: str, content: bytes) -> str:
    if key.lower().endswith(_HTML) and len(content) <= _TEXT_LIMIT and page.is_shallow(content):
        content = page.visible_text(content).encode("utf-8", "replace")
    return blake2b(content, digest_size=16).hexdigest()
