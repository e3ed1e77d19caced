"""Decides whether a commit changed what a source file gives a page: its text, and not only how that is written.

A commit that wraps lines anew, indents them, or marks lists, emphasis and headings in another way changes no page.
"""

from collections.abc import Callable, Iterator, Sequence, Set

from waypost.core.page_changes import PageChange, Verdicts, Version
from waypost.dates import formatting
from waypost.dates.source_text import MAX_BYTES, TEXT_ENDINGS

Read = Callable[[Sequence[Version]], Iterator[bytes | None]]
"""Reads versions of files; None for one that cannot be read."""
_BATCH = 100


class SourceChanges:
    """Compares the versions of source files before and after each commit; at most `budget` changes are looked at."""

    endings: tuple[str, ...] = TEXT_ENDINGS

    def __init__(self, read: Read, budget: int, read_ahead: Callable[[Sequence[Version]], object]) -> None:
        self._read, self._budget, self._read_ahead = read, budget, read_ahead

    def begin(self, page_count: int) -> None:
        """How many files there are decides nothing."""

    def expect(self, changes: Sequence[PageChange]) -> None:
        """Begin to read what the next checks will probably need."""
        self._read_ahead(_versions([change for change in changes if not _is_same(change)]))

    def sample(self, changes: Sequence[PageChange]) -> Sequence[PageChange]:
        """No other file is read to decide on one."""
        del changes
        return ()

    def check(self, changes: Sequence[PageChange], undecided: Set[str]) -> Verdicts:
        """Decide for the undecided files whether the commit changed them; beyond the budget it did."""
        own = [change for change in changes if change.path in undecided]
        unchanged = {change.path for change in own if _is_same(change)}
        others, unread = [change for change in own if not _is_same(change)], set[str]()
        for start in range(0, len(others[: self._budget]), _BATCH):
            batch = others[: self._budget][start : start + _BATCH]
            contents = self._read(_versions(batch))
            for change, after, before in zip(batch, contents, contents, strict=True):
                if after is None or before is None:
                    unread.add(change.path)
                elif _are_alike(change.at or change.path, after, before):
                    unchanged.add(change.path)
        self._budget -= len(others)
        return Verdicts(unchanged, unread=unread)


def _versions(changes: Sequence[PageChange]) -> list[Version]:
    return [version for change in changes for version in (change.after, change.before)]


def _is_same(change: PageChange) -> bool:
    return change.before == change.after


def _are_alike(path: str, after: bytes, before: bytes) -> bool:
    return max(len(after), len(before)) <= MAX_BYTES and formatting.are_alike(path, after, before)
