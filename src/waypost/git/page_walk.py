"""Follows pages back through history, past the commits that moved them, or changed nothing that counts."""

from bisect import bisect
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence, Set
from itertools import takewhile
from posixpath import splitext

from msgspec.structs import replace

from waypost.core.model import History
from waypost.core.page_changes import ChangeCheck, PageChange, Verdicts, name_at
from waypost.git.raw_changes import Commit

_GROUP_SIZE = 100
_MOST_PARTS = 32
"""How many parts of a path are compared from its end."""
_MOST_COMPARED = 50
"""Of more candidates, those count that stand beside the path in the order of paths: they begin alike."""


class PageWalk:
    """Dates pages by the newest commit that changed them in what counts.

    With `follows_moves`, a commit that moved a page and changed nothing that counts dates it no more than another one.
    """

    def __init__(self, check: ChangeCheck, present: Iterable[str], *, follows_moves: bool = False) -> None:
        """Begin with the files at HEAD, of which those with other endings than the check's are no pages."""
        self._check, self._follows_moves = check, follows_moves
        self._times: dict[str, int | None] = dict.fromkeys(path for path in present if self.is_page(path))
        self._undecided = set(self._times)
        self._page_count = len(self._times)
        self._combined: set[str] = set()
        """Pages that a merge combined, which are followed on several ways: the newest date of them counts."""
        self._beyond_budget: set[str] = set()
        self._unread: set[str] = set()

    def is_page(self, path: str) -> bool:
        """Whether a path has the ending of a page."""
        return path.lower().endswith(self._check.endings)

    def add_uncommitted(self, changes: Sequence[PageChange], uncommitted: Set[str]) -> None:
        """Take the files that differ from HEAD, as the newest of all commits."""
        self._check.begin(self._page_count)
        undecided = self._undecided & uncommitted
        found = self._check.check(changes, undecided) if undecided and changes else Verdicts()
        self._decide(None, found, undecided - found.unchanged)

    def announced(self, commits: Iterable[Commit]) -> Iterator[Commit]:
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

    def add(
        self, time: int, by_parent: Iterable[Sequence[PageChange]], paths: Mapping[str, str]
    ) -> Mapping[int, Mapping[str, str]]:
        """Take a commit that set the content of these pages, given with the paths that they have in it.

        `by_parent` are the changes of files compared with each parent; a page that a commit left as it was in one of
        them is followed there, and one that only combines what they have to each of them. Returns these pages, by the
        parent's number, with the paths that they have in it.
        """
        self._check.begin(self._page_count)
        undecided, unread = self._undecided & paths.keys(), Verdicts()
        at = _pages_by_path(paths)
        followed: dict[int, dict[str, str]] = {}
        compared: list[list[PageChange]] = []
        for number, changes in enumerate(by_parent):
            of_pages = list(_of_pages(changes, at, undecided))
            compared.append(of_pages)
            found = self._check.check(of_pages, undecided) if undecided and of_pages else Verdicts()
            unread = Verdicts(
                beyond_budget=unread.beyond_budget | found.beyond_budget, unread=unread.unread | found.unread
            )
            if found.unchanged:
                followed[number] = _places_before(of_pages, found.unchanged)
            undecided -= found.unchanged
            if not undecided:
                break
        if undecided and len(compared) > 1 and (combined := self._check.combined(compared, undecided)):
            self._combined |= combined
            undecided -= combined
            for number, of_pages in enumerate(compared):
                followed[number] = followed.get(number, {}) | _places_before(of_pages, combined)
        self._decide(time, unread, undecided)
        return followed

    def leave_undated(self, pages: Set[str]) -> None:
        """Follow these pages no further, and give them no date: an unknown commit may have changed them."""
        self._undecided -= pages
        self._times |= dict.fromkeys(pages & self._times.keys())

    def count_back(self, added: Iterable[str], removed: Iterable[str]) -> None:
        """Go on to the commits before one that added and removed these files."""
        self._page_count += sum(map(self.is_page, removed)) - sum(map(self.is_page, added))

    def with_moves(self, commit: Commit) -> Sequence[PageChange]:
        """The changes of a commit with its moves, if moves are followed, in place of what it changed at these paths."""
        if not (self._follows_moves and commit.before and commit.after):
            return commit.changes
        moved = list(moves(commit.before, commit.after, self.is_page))
        new_paths = {change.path for change in moved}
        return [*(change for change in commit.changes if change.path not in new_paths), *moved]

    def _decide(self, time: int | None, found: Verdicts, decided: Set[str]) -> None:
        """Date the pages that a commit changed; those that the working tree changed have no time at all."""
        self._beyond_budget |= found.beyond_budget & decided
        self._unread |= found.unread & decided
        lost = decided & (found.beyond_budget | found.unread) if time is not None else decided
        self._undecided -= (decided - self._combined) | lost
        for path in decided:
            if time is None or path in lost:
                del self._times[path]
            else:
                self._times[path] = max(time, self._times[path] or time)

    def continue_with(self, known: History, paths: Mapping[str, str]) -> bool:
        """Date the pages that reached a known commit, under these paths; false if too little is known of it.

        Of a page that is followed on several ways it is not known whether all of them reached it.
        """
        if self._combined:
            return False
        names = {page: name_at(page, path) for page, path in paths.items() if page in self._undecided}
        times = {page: known.page_times.get(name) for page, name in names.items()}
        if len(times) < len(self._undecided) or None in times.values():
            return False
        self._times |= times
        self._undecided = set()
        return True

    def fill(self, history: History) -> History:
        """The history with the dates of its pages."""
        return replace(
            history,
            page_times=self._times,
            beyond_budget=frozenset(self._beyond_budget),
            unread=frozenset(self._unread),
        )


def _pages_by_path(paths: Mapping[str, str]) -> Mapping[str, list[str]]:
    found: dict[str, list[str]] = {}
    for page, path in paths.items():
        found.setdefault(path, []).append(page)
    return found


def _places_before(changes: Iterable[PageChange], pages: Set[str]) -> dict[str, str]:
    """The paths that these pages had before a commit that changed them so."""
    return {change.path: change.old_path or change.at for change in changes if change.path in pages}


def _of_pages(
    changes: Iterable[PageChange], at: Mapping[str, Sequence[str]], undecided: Set[str]
) -> Iterator[PageChange]:
    """The changes of files as those of the pages that are at their paths; a path may have had several.

    Other files keep their own paths, as pages are compared with all that a commit changed alike; but for a path that
    is now the name of a page that was elsewhere then.
    """
    for change in changes:
        for page in at.get(change.path, () if change.path in undecided else (change.path,)):
            yield change._replace(path=page, at=change.path)


def _groups(commits: Iterable[Commit]) -> Iterator[Sequence[Commit]]:
    """Consecutive commits, each group with a limited number of commits and changes, or one large commit at its end."""
    group: list[Commit] = []
    size = 0
    for commit in commits:
        group.append(commit)
        size += 1 + len(commit.changes)
        if size >= _GROUP_SIZE:
            yield group
            group, size = [], 0
    yield group


def moves(
    before: Mapping[str, bytes], after: Mapping[str, bytes], is_page: Callable[[str], bool] = lambda path: True
) -> Iterator[PageChange]:
    """The files of a commit that were at another path in its parent: each file continues at most one path.

    Given are the changed files with their blobs.

    A file continues the path that held its bytes in the parent and no longer holds them, because it is gone or has
    another content now. A file that was added, and continues no such path, continues the only removed file of the same
    name, or else the page that differs from it in the ending alone. Of several, those whose paths are nearest belong
    together, and pages are paired before other files.
    """
    same = _pairs_of_pages_first(after, before, is_page)
    gone, added = before.keys() - after.keys() - set(same.values()), after.keys() - before.keys() - same.keys()
    names = Counter(_file_name(path) for path in before.keys() - after.keys())
    named = _pairs_of_pages_first(
        {path: _file_name(path) for path in added},
        {path: name for path in gone if names[name := _file_name(path)] == 1},
        is_page,
    )
    other = _pairs(
        {path: splitext(path)[0] for path in added - named.keys() if is_page(path)},
        {path: splitext(path)[0] for path in gone - set(named.values()) if is_page(path)},
    )
    for path, old in sorted((same | named | other).items()):
        yield PageChange(path, before[old], after[path], old)


def _pairs_of_pages_first(
    new: Mapping[str, object], old: Mapping[str, object], is_page: Callable[[str], bool]
) -> dict[str, str]:
    """The old path of each new one that has the same key; no old path belongs to two, and pages come first."""
    free, found = dict(old), dict[str, str]()
    for pages in (True, False):
        chosen = _pairs({path: key for path, key in new.items() if is_page(path) == pages}, free)
        taken = set(chosen.values())
        free = {path: key for path, key in free.items() if path not in taken}
        found |= chosen
    return found


def _pairs(new: Mapping[str, object], old: Mapping[str, object]) -> dict[str, str]:
    shared = set(new.values()).intersection(old.values())
    groups: dict[object, tuple[list[str], list[str]]] = {key: ([], []) for key in shared}
    for side, paths in enumerate((new, old)):
        for path, key in paths.items():
            if key in shared:
                groups[key][side].append(path)
    return {path: other for group in groups.values() for path, other in _nearest(*group)}


def _nearest(new: Sequence[str], old: Sequence[str]) -> Iterator[tuple[str, str]]:
    """Pairs of paths, those first of which most parts are equal at their ends."""
    waiting, free = sorted(new), sorted(old)
    depth = min(_MOST_PARTS, max(path.count("/") for path in (*waiting, *free)) + 1)
    for length in range(depth, -1, -1):
        by_end: dict[str, list[str]] = {}
        for path in free:
            by_end.setdefault(_end(path, length), []).append(path)
        rest = []
        for path in waiting:
            if candidates := by_end.get(_end(path, length)):
                yield path, _take_nearest(path, candidates)
            else:
                rest.append(path)
        waiting, free = rest, sorted(path for paths in by_end.values() for path in paths)
        if not (waiting and free):
            return


def _take_nearest(path: str, candidates: list[str]) -> str:
    """Remove the candidate of which most parts are equal anywhere, then most characters at the start.

    Folders may have changed their order, or `1.6.6` become `1.6.7`. Of equally near ones the first counts, as of
    several versions the oldest had the text first. The candidates are sorted.
    """
    at = 0 if len(candidates) <= _MOST_COMPARED else max(0, bisect(candidates, path) - 1)
    compared = candidates[at : at + _MOST_COMPARED]
    parts = set(path.split("/"))
    nearest = max(
        range(len(compared)),
        key=lambda n: (len(parts.intersection(compared[n].split("/"))), _common_length(path, compared[n]), -n),
    )
    return candidates.pop(at + nearest)


def _end(path: str, length: int) -> str:
    return "/".join(path.split("/")[-length:]) if length else ""


def _common_length(one: Iterable[str], other: Iterable[str]) -> int:
    """How many characters are equal from the start on."""
    return sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(one, other, strict=False)))


def _file_name(path: str) -> str:
    return path.rpartition("/")[2]
