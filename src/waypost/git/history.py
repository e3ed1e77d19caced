"""Finds when each file last changed, in one pass over a repository's history.

`git log -c --raw` lists the files whose content each commit set; for a merge, those that differ from all its parents.
`git diff-tree` tells of the others which parent they come from. So a file's date is exactly what `git log -1 -- FILE`
shows: a change that a merge discarded, or that was undone on its branch, dates no file.
"""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence, Set

from waypost.core import concurrency, tree_files
from waypost.core.errors import SourceError
from waypost.core.model import History
from waypost.core.page_changes import ChangeCheck, PageChange, path_of_part
from waypost.git.command import DIFF_OPTIONS, names
from waypost.git.page_walk import PageWalk
from waypost.git.raw_changes import Commit, ParentDifferences, log, page_change
from waypost.git.repository import GitFolder

_TREE = ("ls-tree", "-r", "-z", "--name-only", "HEAD", "--", ".")
_DIFF = ("diff", "--raw", "--no-abbrev", "--relative", *DIFF_OPTIONS, "HEAD", "--")
_IGNORED_COMMITS, _MOST_IGNORED = ".git-blame-ignore-revs", 1_048_576
"""The file that hosts and editors read for `git blame`, and how many of its bytes count."""


def read_history(
    at: GitFolder, check: ChangeCheck | None = None, *, follows_moves: bool = False, parts: Collection[str] = ()
) -> History:
    """Read the history of the files below a folder; the number of subprocesses does not depend on the number of files.

    The folder may be the root of a repository, a subfolder, or in a submodule. `check` decides which commits changed
    pages; without it, the history has no `page_times`. With `follows_moves`, a page that was only moved was not
    changed. With `parts` of files, named as by `part_name`, the history has the times of these alone. The commits that
    `.git-blame-ignore-revs` in the repository's root lists, other than merges, date no file that existed before.
    """
    if at.repository.head.commit is None:
        return History()
    walk, found = _walked(at, check, parts=parts, follows_moves=follows_moves)
    return walk.pages.fill(found) if walk.pages else found


def read_newer(
    at: GitFolder,
    known: History,
    check: ChangeCheck | None = None,
    *,
    follows_moves: bool = False,
    parts: Collection[str] = (),
) -> History | None:
    """The same history as `read_history` reads, from the commits since one of which it is known; None if it may differ.

    `known` was read in the same way, of a clone with its whole history, in which nothing was uncommitted.
    """
    if at.repository.head.commit is None or at.repository.shallow_commits:
        return None
    try:
        walk, found = _walked(at, check, known.head, parts=parts, follows_moves=follows_moves)
    except SourceError:  # the commit is gone, after the history was written anew
        return None
    if not walk.continue_with(known):
        return None
    return walk.pages.fill(found) if walk.pages else found


def _walked(
    at: GitFolder, check: ChangeCheck | None, since: str = "", *, parts: Collection[str], follows_moves: bool
) -> tuple["_HistoryWalk", History]:
    """The walk from HEAD to the first commit, or to the known one `since`; and the history, yet without its pages."""
    tree, diff = concurrency.map_concurrently(lambda command: at.output(*command), (_TREE, _DIFF), 2)
    present, uncommitted = names(tree), _uncommitted(diff)
    pages = PageWalk(check, parts or present, follows_moves=follows_moves) if check else None
    if pages:
        edits = [page_change(path, line) for path, line in uncommitted.items() if pages.is_page(path)]
        pages.add_uncommitted([edit._replace(after=edit.path) for edit in edits if edit], uncommitted.keys())
    shallow, head = at.repository.shallow_commits, at.repository.head.commit or ""
    is_below, is_page = not follows_moves, pages.is_page if pages else lambda path: False
    with ParentDifferences(at, is_below=is_below, is_page=is_page) as differences:
        start = _of_parts(parts) if parts else _Waiting(set(present))
        walk = _HistoryWalk(start, head, differences, shallow, ignored_commits(at), pages)
        commits = log(at, since, is_below=is_below, is_page=is_page)
        for commit in pages.announced(commits) if pages else commits:
            walk.add(commit)
    return walk, History(
        walk.commit_times, walk.removal_times, frozenset(uncommitted), is_shallow=bool(shallow), head=head
    )


def _uncommitted(diff: bytes) -> dict[str, bytes]:
    """The files that differ from HEAD, and their lines in the output of `git diff --raw`."""
    tokens = diff.split(b"\0")
    return dict(zip(names(b"\0".join(tokens[1::2])), tokens[::2], strict=False))


class _Waiting:
    """What reached a commit from its children.

    `own` are the files under the paths that they have at HEAD, `moved` the pages at each other path: several pages may
    have been one file before.
    """

    def __init__(self, own: set[str] | None = None, moved: dict[str, set[str]] | None = None) -> None:
        self.own, self.moved = own or set(), moved or {}

    def __bool__(self) -> bool:
        return bool(self.own or self.moved)

    @property
    def paths(self) -> dict[str, str]:
        """The path of each file, by its path at HEAD."""
        return {path: path for path in self.own} | {page: path for path, pages in self.moved.items() for page in pages}

    def take(self, paths: Set[str]) -> "_Waiting":
        """Remove what is at these paths."""
        own, moved = self.own & paths, {path: self.moved.pop(path) for path in self.moved.keys() & paths}
        self.own -= own
        return _Waiting(own, moved)

    def with_others(self, others: "_Waiting") -> "_Waiting":
        """Both together, made by adding the smaller sets to the larger ones."""
        fewer, own = sorted((self.own, others.own), key=len)
        own |= fewer
        smaller, moved = sorted((self.moved, others.moved), key=len)
        for path, pages in smaller.items():
            moved.setdefault(path, set()).update(pages)
        return _Waiting(own, moved)


def _of_parts(parts: Iterable[str]) -> _Waiting:
    """Parts at the paths of their files."""
    moved: dict[str, set[str]] = {}
    for part in parts:
        moved.setdefault(path_of_part(part), set()).add(part)
    return _Waiting(moved=moved)


class _HistoryWalk:
    """Follows the history of all files at once, from HEAD to the first commit, children before parents.

    Each path is passed from a commit to a parent until a commit changed it. A merge passes it to its first parent that
    has the same content, as `git log -- FILE` does. Pages are followed further, to the commit that changed them in what
    counts; to each parent of a merge that only combined what these have. Where a page is depends on the commit and its
    path there alone, so no later commit changes its history.
    """

    def __init__(
        self,
        start: _Waiting,
        head: str,
        differences: ParentDifferences,
        shallow: frozenset[bytes],
        ignored: frozenset[bytes],
        pages: PageWalk | None,
    ) -> None:
        self.commit_times: dict[str, int | None] = dict.fromkeys(start.own)
        self.removal_times: dict[str, int] = {}
        self._differences, self._shallow, self.pages = differences, shallow, pages
        self._ignored = ignored
        self._followed: set[str] = set()
        self._pending: dict[bytes, _Waiting] = {head.encode(): start}

    def add(self, commit: Commit) -> None:
        """Take the next commit: date the paths that it changed, and pass the other paths to its parents."""
        waiting = self._pending.pop(commit.id, None) or _Waiting()
        if commit.id in self._shallow:  # its parents are missing, so it seems to add every file
            if self.pages:
                self.pages.leave_undated(waiting.paths.keys())
            return
        if commit.id in self._ignored and len(commit.parents) == 1:
            self._pass(commit.parents[0], waiting.take(commit.before.keys() & commit.after.keys()))
        changed = waiting.take(commit.paths)
        self.commit_times.update(dict.fromkeys(changed.own - self._followed, commit.time))
        for path in commit.paths.difference(self.commit_times):  # `-` would visit every key of the dictionary
            if not path.startswith("/"):
                self.removal_times[path] = max(commit.time, self.removal_times.get(path, commit.time))
        for number, parent in enumerate(commit.parents):
            is_last = number == len(commit.parents) - 1
            differing = (
                _Waiting() if is_last or not waiting else waiting.take(self._differences.of(commit, number).paths)
            )
            self._pass(parent, waiting)
            waiting = differing
        if self.pages:
            if changed:
                self._follow(commit, changed, self.pages.add(commit.time, self._by_parent(commit), changed.paths))
            self.pages.count_back(
                commit.after.keys() - commit.before.keys(), commit.before.keys() - commit.after.keys()
            )

    def continue_with(self, known: History) -> bool:
        """Take the rest from the known history of a commit that was reached; false if that is not enough."""
        reached = self._pending.get(known.head.encode(), _Waiting())
        times = {path: known.commit_times.get(path) for path in reached.own if self.commit_times.get(path, 0) is None}
        self.commit_times |= times
        removed = known.commit_times.keys() - self.commit_times.keys()
        newest = max([0, *filter(None, known.commit_times.values()), *known.removal_times.values()])
        is_removal_known = all(self.removal_times.get(path, -1) >= newest for path in removed)
        for path in known.removal_times.keys() - self.commit_times.keys():
            self.removal_times[path] = max(known.removal_times[path], self.removal_times.get(path, 0))
        has_pages = self.pages is None or self.pages.continue_with(known, reached.paths)
        return is_removal_known and has_pages and None not in self.commit_times.values()

    def _by_parent(self, commit: Commit) -> Iterator[Sequence[PageChange]]:
        """The changes of pages that a commit made, compared with each of its parents."""
        if self.pages is None:
            return
        if len(commit.parents) <= 1:
            yield self.pages.with_moves(commit)
            return
        for number in range(len(commit.parents)):
            changes = self.pages.with_moves(self._differences.of(commit, number))
            yield [change for change in changes if change.path in commit.paths]

    def _follow(self, commit: Commit, changed: _Waiting, followed: Mapping[int, Mapping[str, str]]) -> None:
        """Pass pages to the parents that have their older versions, under the paths that they have there."""
        for number, paths in followed.items():
            own = {page for page, path in paths.items() if page == path and page in changed.own}
            moved: dict[str, set[str]] = {}
            for page in paths.keys() - own:
                moved.setdefault(paths[page], set()).add(page)
            self._followed |= paths.keys() & changed.own
            self._pass(commit.parents[number], _Waiting(own, moved))

    def _pass(self, parent: bytes, waiting: _Waiting) -> None:
        if waiting:
            present = self._pending.get(parent)
            self._pending[parent] = present.with_others(waiting) if present else waiting


def ignored_commits(at: GitFolder) -> frozenset[bytes]:
    """The commits that the project itself names as meaningless, such as those that only reformat (git blame)."""
    try:
        text = tree_files.read_start(at.root / _IGNORED_COMMITS, at.root, size=_MOST_IGNORED)
    except OSError:
        return frozenset()
    return frozenset(line.partition(b"#")[0].strip() for line in text.splitlines())
