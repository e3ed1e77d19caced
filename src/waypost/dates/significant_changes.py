"""Decides whether a commit changed what counts of a page: its title and visible text without boilerplate."""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence, Set
from functools import cached_property
from itertools import repeat
from math import inf
from typing import Literal

from waypost.core.hashing import sample_by_hash
from waypost.core.page_changes import PageChange, Read, Verdicts, Version
from waypost.dates import merges
from waypost.dates.changed_text import ChangedText, Lines, changed_text
from waypost.pages import html_head
from waypost.settings.values import PAGE_TYPES

ReadAhead = Callable[[Sequence[Version]], object]
"""Begins to read versions that will probably be wanted next."""
_SAMPLE_PAGES = 100
"""50 and 200: `test_the_sample_is_a_hundred_pages_at_most_and_ten_at_least`."""
_BOILERPLATE_PAGES, _BOILERPLATE_PERCENT, _LEAST_SHARING = 10, 30, 3
"""The numbers that `SignificantChanges` says.

The first: 5 `test_on_a_small_site_most_pages_make_a_frame`, 20 `test_lines_that_many_pages_share_are_frame`. The
second: 15 and 60 `test_more_than_three_of_ten_pages_make_a_frame`. The third: 2
`test_two_pages_of_three_that_change_alike_have_changed`, 6 `test_on_a_small_site_most_pages_make_a_frame`.
"""
_VERSION_BYTES = 65_536
"""A larger page counts as several versions, and is compared last.

131,072: `test_large_pages_are_compared_only_where_small_ones_leave_a_line_open`; no test tells it from 32,768.
"""
_KEPT_BYTES = 1 << 26
"""How much is kept to be compared with older versions; versions beyond it are read again.

Without it: `test_the_older_text_is_kept_for_the_commit_before`. More costs memory only.
"""


_Unread = Literal["beyond-budget", "not-there"]
"""Why a version was not read."""
_ChangedLine = tuple[str, str, int]
_Difference = frozenset[_ChangedLine]
"""What differs between two texts: `+` or `-`, a line, and a number that counts this line in this page.

The words of a title that differ count as one line, and so does a part of the text that is in another order.
"""
_SAME: _Difference = frozenset()
_ALL: _Difference = frozenset({("bytes", "", 0)})
"""The difference of versions without text."""


class _Content:
    """The bytes of a version, and the lines of its text, read at most once; no lines if the page's bytes count."""

    def __init__(self, data: bytes) -> None:
        self.data = data

    @cached_property
    def lines(self) -> tuple[str, ...]:
        """The title, and then the text of each of its blocks."""
        return html_head.text_lines(self.data)


class SignificantChanges:
    """Compares the versions of pages before and after each commit.

    With `has_boilerplate`, changes of lines that more than 30% of the pages which the commit modified share do not
    count, if these are at least 10, or three and more than half of the site. At most `budget` versions are read, where
    each 64 KiB begun count as one.
    """

    endings = PAGE_TYPES["html"]

    def __init__(
        self, read: Read, *, has_boilerplate: bool, budget: int, read_ahead: ReadAhead = lambda versions: None
    ) -> None:
        self._has_boilerplate, self._read_ahead = has_boilerplate, read_ahead
        self._texts = _Texts(read, budget)
        self._least_modified = _BOILERPLATE_PAGES

    def begin(self, page_count: int) -> None:
        """Prepare for a commit after which the site had so many pages."""
        self._least_modified = min(_BOILERPLATE_PAGES, max(_LEAST_SHARING, page_count // 2 + 1))

    def expect(self, changes: Sequence[PageChange]) -> None:
        """Begin to read what the next checks will probably need."""
        self._read_ahead(self._texts.needed(changes))

    def sample(self, changes: Sequence[PageChange]) -> Sequence[PageChange]:
        """The pages that are compared to find the boilerplate of a commit; none if it modified too few."""
        is_large = self._has_boilerplate and len(changes) >= self._least_modified
        return sample_by_hash(changes, _SAMPLE_PAGES, _path) if is_large else ()

    def check(self, changes: Sequence[PageChange], undecided: Set[str]) -> Verdicts:
        """Decide for the undecided pages whether the commit changed them."""
        boilerplate = _Boilerplate(self.sample(changes), self._texts)
        own = [change for change in changes if change.path in undecided]
        unchanged: set[str] = set()
        unread: dict[str, str] = {}
        for batch in _batches(own):
            found = self._texts.differences(batch)
            boilerplate.note(found)
            for path, difference in found.items():
                if isinstance(has_own := boilerplate.leaves(difference), str):
                    unread[path] = has_own
                elif not has_own:
                    unchanged.add(path)
            self._texts.forget(found.keys() - unchanged - boilerplate.sample.keys())
        beyond_budget = {path for path, reason in unread.items() if reason == "beyond-budget"}
        return Verdicts(unchanged, beyond_budget, unread.keys() - beyond_budget)

    def combined(self, by_parent: Sequence[Sequence[PageChange]], undecided: Set[str]) -> Set[str]:
        """The undecided pages in which a merge only combines what its parents have; beyond the budget none."""
        return merges.combined(by_parent, undecided, self._texts.read_charged)


class _Boilerplate:
    """What changed alike in many of the pages that a commit modified; it is found when a change asks for it.

    Large pages take most of the time and have the boilerplate of the others, so they are compared only if these leave
    open whether a line is shared.
    """

    def __init__(self, sample: Sequence[PageChange], texts: "_Texts") -> None:
        self.sample = {change.path: change for change in sample}
        self._texts = texts
        self._pages: Counter[_ChangedLine] = Counter()
        """How many pages each line changed in."""
        self._compared: set[str] = set()
        self._unread: _Unread | None = None
        self._is_begun = False

    def note(self, found: Mapping[str, _Difference | _Unread]) -> None:
        """Remember differences of pages in the sample, so that they are not read again."""
        if not self._is_begun:
            self._add({path: difference for path, difference in found.items() if path in self.sample})

    def leaves(self, difference: _Difference | _Unread) -> bool | _Unread:
        """Whether a difference has a line that is no boilerplate."""
        if isinstance(difference, str):
            return difference
        if not difference:
            return False
        if not self._is_begun:  # the small pages of the sample, once
            self._is_begun = True
            self._add(self._texts.differences(self._rest(), _VERSION_BYTES))
        if not (self._unread or self._decides(difference)):
            self._add(self._texts.differences(self._rest()))
        return self._unread or not all(map(self._is_shared, difference))

    def _rest(self) -> list[PageChange]:
        return [change for path, change in self.sample.items() if path not in self._compared]

    def _add(self, found: Mapping[str, _Difference | _Unread]) -> None:
        self._compared |= found.keys()
        for difference in found.values():
            if isinstance(difference, str):
                self._unread = self._unread or difference
            else:
                self._pages.update(difference)

    def _decides(self, difference: _Difference) -> bool:
        """Whether some line can no longer be shared, or all are."""
        rest = len(self.sample) - len(self._compared)
        return any(not self._is_shared(line, rest) for line in difference) or all(map(self._is_shared, difference))

    def _is_shared(self, line: _ChangedLine, more: int = 0) -> bool:
        """Whether the line changed in so many pages that it is boilerplate, or would if it did in so many more."""
        pages = self._pages[line] + more
        is_enough = pages >= _LEAST_SHARING and pages * 100 > _BOILERPLATE_PERCENT * len(self.sample)
        return is_enough and line not in _ALL


class _Texts:
    """Reads versions, and keeps those that are compared again with an older one."""

    def __init__(self, read: Read, budget: int) -> None:
        self._read, self._budget = read, budget
        self._kept: dict[str, tuple[Version, _Content]] = {}
        self._kept_bytes = 0

    def needed(self, changes: Sequence[PageChange]) -> list[Version]:
        """The versions that must be read to compare these pages; none beyond the budget."""
        return [
            version
            for change in (changes if self._budget > 0 else ())
            for version in (change.after, change.before)
            if version != change.after or not self._has(change.path, version)
        ]

    def differences(self, changes: Sequence[PageChange], most_bytes: float = inf) -> dict[str, _Difference | _Unread]:
        """What differs in each page, if both versions can be read; nothing of a page of which one is larger."""
        contents = self._read(self.needed(changes)) if self._budget > 0 else repeat(None)
        kept = {change.path: text for change in changes if (text := self._take(change.path, change.after)) is not None}
        found: dict[str, _Difference | _Unread] = {}
        for change in changes:
            after = kept[change.path] if change.path in kept else self._charged(next(contents))
            before = self._charged(next(contents))
            if isinstance(after, str):
                found[change.path] = after
            elif isinstance(before, str):
                found[change.path] = before
            else:
                self._keep(change.path, change.before, before)
                if max(len(before.data), len(after.data)) <= most_bytes:
                    found[change.path] = _difference(before, after)
        return found

    def read_charged(self, versions: Sequence[Version]) -> Iterator[bytes | None]:
        """The contents of versions, as far as the budget goes."""
        for data in self._read(versions) if self._budget > 0 else repeat(None, len(versions)):
            charged = self._charged(data)
            yield None if isinstance(charged, str) else charged.data

    def forget(self, paths: Set[str]) -> None:
        """Keep no text of these pages."""
        for path in paths & self._kept.keys():
            self._take(path, self._kept[path][0])

    def _has(self, path: str, version: Version) -> bool:
        return path in self._kept and self._kept[path][0] == version

    def _take(self, path: str, version: Version) -> _Content | None:
        if not self._has(path, version):
            return None
        _, content = self._kept.pop(path)
        self._kept_bytes -= len(content.data)
        return content

    def _keep(self, path: str, version: Version, content: _Content) -> None:
        self.forget({path})
        if self._kept_bytes + len(content.data) <= _KEPT_BYTES:
            self._kept[path] = version, content
            self._kept_bytes += len(content.data)

    def _charged(self, data: bytes | None) -> _Content | _Unread:
        """A version that was read, after its size was taken from the budget."""
        if self._budget <= 0:
            return "beyond-budget"
        if data is None:
            return "not-there"
        self._budget -= max(1, -(-len(data) // _VERSION_BYTES))
        return _Content(data)


def _batches(changes: Sequence[PageChange]) -> Iterator[Sequence[PageChange]]:
    """The changes in the order of the sample, so that the first batch has all that are in the sample."""
    ordered = sample_by_hash(changes, len(changes), _path)
    return (ordered[n : n + _SAMPLE_PAGES] for n in range(0, len(ordered), _SAMPLE_PAGES))


def _path(change: PageChange) -> str:
    return change.path


def _difference(before: _Content, after: _Content) -> _Difference:
    changed = changed_text(before.data, after.data)
    if changed is None:
        if not (before.lines and after.lines):
            return _ALL
        changed = _compared(before.lines, after.lines)
    return _title_difference(*changed.titles) | _line_difference(changed.removed, changed.added)


def _compared(before: Lines, after: Lines) -> ChangedText:
    """What differs between two texts, each of which begins with its title."""
    is_same = " ".join(before[1:]) == " ".join(after[1:])
    lines = ((), ()) if is_same else _without_common_ends(before[1:], after[1:])
    return ChangedText((before[0], after[0]), *lines)


def _line_difference(removed: Lines, added: Lines) -> _Difference:
    if len({*removed, *added}) == len(removed) + len(added):  # at once, as most are
        return frozenset((*zip(repeat("-"), removed, repeat(0)), *zip(repeat("+"), added, repeat(0))))
    counts = Counter(added)
    counts.subtract(removed)
    lines = frozenset(("+" if n > 0 else "-", line, number) for line, n in counts.items() for number in range(abs(n)))
    is_moved = bool(removed or added) and not lines
    return frozenset({("order", "\n".join([*removed, "", *added]), 0)}) if is_moved else lines


def _title_difference(before: str, after: str) -> _Difference:
    """The words that differ between two titles: a version in all titles changes alike, although no two are the same."""
    if before == after:
        return _SAME
    removed, added = _without_common_ends(tuple(before.split()), tuple(after.split()))
    return frozenset({("title", " ".join([*removed, "\n", *added]), 0)})


def _without_common_ends(before: Lines, after: Lines) -> tuple[Lines, Lines]:
    shorter = min(len(before), len(after))
    start = next((n for n in range(shorter) if before[n] != after[n]), shorter)
    end = next((n for n in range(shorter - start) if before[-1 - n] != after[-1 - n]), shorter - start)
    return before[start : len(before) - end], after[start : len(after) - end]
