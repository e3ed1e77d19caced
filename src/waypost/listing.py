"""The first half of a build: a source's items become pages, and what is left out gets its reason."""

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping
from hashlib import blake2b

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
"""Beyond 32 MiB a page's digest is of its bytes: parsing takes ten times their memory."""
_EXAMPLES = 3


class Memory(Struct, frozen=True):
    """What dates may be drawn from: commits, what an earlier run saw, and the time of this one."""

    now: str
    commits: CommitDates | None = None
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
        pages = []
        for n, (item, loc) in enumerate(chosen):
            self._progress("reading pages", n, len(chosen))
            found = self._page(item, loc)
            if isinstance(found, Skipped):
                self._skipped.append(found)
            else:
                pages.append(found)
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
        text = self._source.find("robots.txt") if self._site.respect_robots else None
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

    def _page(self, item: Item, loc: str) -> Page | Skipped:
        try:
            return self._read(item, loc)
        except OSError as error:
            self._warnings["unreadable"].append(Example(printable(item.key), error.strerror or str(error)))
            return Skipped(printable(item.key), Reason.UNREADABLE, error.strerror or str(error))

    def _read(self, item: Item, loc: str) -> Page | Skipped:
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
        date = self._date(item, content, self._believed(item, own_date))
        changefreq, priority = self._selection.hints(item.key)
        return Page(
            item.key,
            loc,
            self._selection.group(item.key),
            lastmod.at_precision(date, self._site.precision),
            changefreq,
            priority,
        )

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
        return page.read_date(content if content is not None else self._source.read(item))

    def _believed(self, item: Item, own_date: str | None) -> str | None:
        if not self._site.page_dates or own_date is None:
            return None
        if lastmod.is_future(own_date, self._memory.now):
            self._warnings["future-date"].append(Example(printable(item.key), own_date))
            return None
        return own_date

    def _date(self, item: Item, content: bytes | None, own_date: str | None) -> str | None:
        if content is not None:
            before = self._memory.ledger.pages.get(item.key)
            self._seen[item.key] = ledger.remember(
                before, _digest(item.key, content), now=self._memory.now, at_first=own_date
            )
            return self._seen[item.key].lastmod
        if self._memory.commits is not None:
            committed = self._memory.commits.of(item)
            if not isinstance(committed, Undated):
                self._dates[item.key] = committed
                return own_date or committed
            if own_date is None:
                self._undated[item.key] = committed
                self._warnings[committed].append(Example(printable(item.key)))
        return own_date

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
    if key.lower().endswith(_HTML) and len(content) <= _TEXT_LIMIT:
        content = page.visible_text(content).encode("utf-8", "replace")
    return blake2b(content, digest_size=16).hexdigest()
