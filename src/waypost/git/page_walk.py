"""Follows pages back through history, past the commits that changed nothing that counts."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from itertools import takewhile
from typing import Protocol, TypeVar

from msgspec.structs import replace

from waypost.core.model import History
from waypost.core.page_changes import ChangeCheck, PageChange, Verdicts

_GROUP_SIZE = 100
_NO_FILE = b"000000"
_MOST_COPIES = 50
"""Of more files with one blob, such as empty ones, none was moved to a certain place."""
FILE_MODE = b"100"
"""The modes of regular files begin so (the modes of symbolic links and submodules do not)."""


class _Commit(Protocol):
    """A commit with the pages that it modified."""

    @property
    def changes(self) -> Sequence[PageChange]:
        """The changes of pages."""


C = TypeVar("C", bound=_Commit)


def page_change(path: str, raw: bytes) -> PageChange | None:
    """A line of `git log --raw` as the change of a page; None if no regular file is there before or after.

    The line of a merge has a colon, a mode and a blob for each parent; the first parent that has the file counts.
    """
    colons = len(raw) - len(raw.lstrip(b":"))
    fields = raw[colons:].split(b" ")
    *modes, mode = fields[: colons + 1]
    *blobs, blob = fields[colons + 1 : 2 * colons + 2]
    parent = next((number for number, each in enumerate(modes) if each != _NO_FILE), None)
    if parent is None or not (mode.startswith(FILE_MODE) and modes[parent].startswith(FILE_MODE)):
        return None
    return PageChange(path, blobs[parent], blob, parent)


def moves(added: Mapping[str, bytes], removed: Mapping[str, bytes]) -> Iterator[PageChange]:
    """The files that one commit added and, under another path, removed: with the same blob, or else the same name.

    Both are given by path with their blobs. Of several that were removed with one blob, the nearest path counts, and
    of equally near ones the first, as of several versions the oldest had the text first. Files of which several were
    removed with one name are paired by their blobs alone.
    """
    same = _same_blobs(added, removed)
    names = Counter(map(_file_name, removed))
    by_name = {_file_name(path): path for path in removed.keys() - same.values() if names[_file_name(path)] == 1}
    for path, blob in added.items():
        if old := same.get(path) or by_name.get(_file_name(path)):
            yield PageChange(path, removed[old], blob, 0, old)


def _same_blobs(added: Mapping[str, bytes], removed: Mapping[str, bytes]) -> dict[str, str]:
    """The removed file of each added one that has the same blob; each removed file is one's at most."""
    by_blob: dict[bytes, list[str]] = {}
    for path in sorted(removed):
        by_blob.setdefault(removed[path], []).append(path)
    found: dict[str, str] = {}
    for path, blob in added.items():
        free = by_blob.get(blob, [])
        if 0 < len(free) <= _MOST_COPIES:
            found[path] = max(free, key=lambda old: _nearness(path, old))
            free.remove(found[path])
    return found


def _nearness(path: str, other: str) -> tuple[int, int, int]:
    """How many parts of two paths are equal at their ends, how many anywhere, and how many characters at the start.

    Folders may have changed their order, or `1.6.6` become `1.6.7`.
    """
    parts, others = path.split("/"), other.split("/")
    at_end = _common_length(reversed(parts), reversed(others))
    return at_end, len(set(parts).intersection(others)), _common_length(path, other)


def _common_length(one: Iterable[str], other: Iterable[str]) -> int:
    """How many parts or characters are equal from the start on."""
    return sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(one, other, strict=False)))


def _file_name(path: str) -> str:
    return path.rpartition("/")[2]


class PageWalk:
    """Dates pages by the newest commit that changed them in what counts.

    With `follows_moves`, a commit that moved a page and changed nothing that counts dates it no more than another one.
    """

    def __init__(self, check: ChangeCheck, present: Iterable[str], *, follows_moves: bool = False) -> None:
        """Begin with the files at HEAD, of which those with other endings than the check's are no pages."""
        self._check, self._follows_moves = check, follows_moves
        self._times: dict[str, int | None] = dict.fromkeys(path for path in present if self.is_page(path))
        self._moved: dict[str, str] = {}
        self._blockers: set[str] = set()
        self._undecided = set(self._times)
        self._page_count = len(self._times)
        self._beyond_budget: set[str] = set()
        self._unread: set[str] = set()

    def is_page(self, path: str) -> bool:
        """Whether a path has the ending of a page."""
        return path.lower().endswith(self._check.endings)

    def add_uncommitted(self, changes: Sequence[PageChange], uncommitted: Set[str]) -> None:
        """Take the files that differ from HEAD, as the newest of all commits."""
        self._check.begin(self._page_count)
        self._decide(None, changes, self._undecided & uncommitted)

    def announced(self, commits: Iterable[C]) -> Iterator[C]:
        """The same commits; groups of small ones are announced to the check before they are added."""
        for group in _groups(commits):
            self._expect(commit.changes for commit in group if len(commit.changes) <= _GROUP_SIZE)
            yield from group

    def _expect(self, commits: Iterable[Sequence[PageChange]]) -> None:
        """Announce the newest change of each page: those before it are rarely compared."""
        newest: dict[str, PageChange] = {}
        for changes in commits:
            for change in changes:
                if change.path in self._undecided:
                    newest.setdefault(change.path, change)
        if newest:
            self._check.expect(list(newest.values()))

    def add(self, time: int, changes: Sequence[PageChange], set_here: Set[str]) -> dict[int, set[str]]:
        """Take a commit that set the content of these files; returns the pages to follow, by the parent's number.

        Pages are followed under the paths that they have in that parent.
        """
        self._check.begin(self._page_count)
        paths = {self._path_at_head(path): path for path in set_here}
        changes = list(self._followed([change._replace(path=self._path_at_head(change.path)) for change in changes]))
        unchanged = self._decide(time, changes, self._undecided & paths.keys())
        followed: dict[int, set[str]] = {}
        for change in changes if unchanged else ():
            if change.path in unchanged:
                if change.old_path:
                    self._moved[change.old_path] = change.path
                followed.setdefault(change.parent, set()).add(change.old_path or paths[change.path])
        return followed

    def count_back(self, added: Iterable[str], removed: Iterable[str]) -> None:
        """Go on to the commits before one that added and removed these files."""
        self._page_count += sum(map(self.is_page, removed)) - sum(map(self.is_page, added))

    def _followed(self, changes: Sequence[PageChange]) -> Iterator[PageChange]:
        """The changes without the moves from a path that is, or was, another page's: those date their pages."""
        taken: set[str] = set()
        for change in changes:
            old = change.old_path
            owner = old if old in self._times else self._moved.get(old, change.path)
            if not old or (old not in taken and owner == change.path):
                taken.add(old)
                yield change
            elif owner != change.path:
                self._blockers.add(owner)

    def _path_at_head(self, path: str) -> str:
        return self._moved.get(path, path)

    def moves(self, added: Mapping[str, bytes], removed: Mapping[str, bytes]) -> Iterator[PageChange]:
        """The moves that one commit made, if moves are followed; both are given by path with their blobs.

        A page may have had another ending before. Pages come first: no other file takes the older path of one.
        """
        if self._follows_moves and added and removed:
            pages_first = sorted(added, key=lambda path: not self.is_page(path))
            yield from moves({path: added[path] for path in pages_first}, removed)

    def _decide(self, time: int | None, changes: Sequence[PageChange], undecided: Set[str]) -> Set[str]:
        """Date the pages that a commit changed; those that the working tree changed have no time at all."""
        found = self._check.check(changes, undecided) if undecided and changes else Verdicts()
        self._beyond_budget |= found.beyond_budget
        self._unread |= found.unread
        decided = undecided - found.unchanged
        self._undecided -= decided
        for path in decided:
            if time is None or path in found.beyond_budget or path in found.unread:
                del self._times[path]
            else:
                self._times[path] = time
        return found.unchanged

    def continue_with(self, known: History, paths: Set[str]) -> bool:
        """Date the pages that reached a commit, by these paths, by what is known of it; false if that is not enough.

        Which moves were followed to that commit's older ones depends on the pages that there were: if a page is gone,
        dated since then, or new, this may be another one now.
        """
        times = {self._path_at_head(path): known.page_times.get(path) for path in paths if self.is_page(path)}
        taken = self._moved.keys() | (self._times.keys() - known.commit_times.keys())
        is_enough = known.moved_from.isdisjoint(taken) and known.blockers <= times.keys()
        if not is_enough or None in (times.get(path) for path in self._undecided):
            return False
        self._times |= {path: times[path] for path in self._undecided}
        self._undecided = set()
        return True

    def fill(self, history: History) -> History:
        """The history with the dates of its pages."""
        return replace(
            history,
            page_times=self._times,
            beyond_budget=frozenset(self._beyond_budget),
            unread=frozenset(self._unread),
            moved_from=frozenset(self._moved) | history.moved_from,
            blockers=frozenset(self._blockers) | history.blockers,
        )


def _groups(commits: Iterable[C]) -> Iterator[Sequence[C]]:
    """Consecutive commits, each group with a limited number of commits and changes, or one large commit at its end."""
    group: list[C] = []
    size = 0
    for commit in commits:
        group.append(commit)
        size += 1 + len(commit.changes)
        if size >= _GROUP_SIZE:
            yield group
            group, size = [], 0
    yield group
