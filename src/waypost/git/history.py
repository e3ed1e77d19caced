"""Finds when each file last changed, in one pass over a repository's history.

`git log -c --raw` lists the files whose content each commit set; for a merge, those that differ from all its parents. A
second pass over the merges finds the parent that each of the other files comes from (a third pass, if merges have more
than two parents). So a file's date is exactly what `git log -1 -- FILE` shows: a change that a merge discarded, or that
was undone on its branch, dates no file.
"""

import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence, Set
from functools import cached_property
from typing import IO, NamedTuple

from msgspec.structs import replace

from waypost.core import concurrency, tree_files
from waypost.core.errors import SourceError
from waypost.core.model import History
from waypost.core.page_changes import ChangeCheck, PageChange
from waypost.git.command import DIFF_OPTIONS, names
from waypost.git.page_walk import PageWalk, page_change
from waypost.git.repository import GitFolder

_CHUNK_BYTES = 1 << 20
_RAW = ("--raw", "--no-abbrev", *DIFF_OPTIONS, "--format=%x01%H %ct %P")
_TREE = ("ls-tree", "-r", "-z", "--name-only", "HEAD", "--", ".")
_DIFF = ("diff", "--raw", "--no-abbrev", "--relative", *DIFF_OPTIONS, "HEAD", "--")


def read_history(at: GitFolder, check: ChangeCheck | None = None, *, follows_moves: bool = False) -> History:
    """Read the history of the files below a folder; the number of subprocesses does not depend on the number of files.

    The folder may be the root of a repository, a subfolder, or in a submodule. `check` decides which commits changed
    pages; without it, the history has no `page_times`. With `follows_moves`, a page that was only moved was not
    changed. The commits that `.git-blame-ignore-revs` in the repository's root lists, other than merges, date no file
    that existed before.
    """
    if at.repository.head.commit is None:
        return History()
    walk, found = _walked(at, check, follows_moves=follows_moves)
    return walk.pages.fill(found) if walk.pages else found


def read_newer(
    at: GitFolder, known: History, check: ChangeCheck | None = None, *, follows_moves: bool = False
) -> History | None:
    """The same history as `read_history` reads, from the commits since one of which it is known; None if it may differ.

    `known` was read in the same way, of a clone with its whole history, in which nothing was uncommitted.
    """
    if at.repository.head.commit is None or at.repository.shallow_commits:
        return None
    try:
        walk, found = _walked(at, check, known.head, follows_moves=follows_moves)
    except SourceError:  # the commit is gone, after the history was written anew
        return None
    if not walk.continue_with(known, walk.pending.get(known.head.encode(), set())):
        return None
    found = replace(found, moved_from=known.moved_from, blockers=known.blockers)
    return walk.pages.fill(found) if walk.pages else found


def _walked(
    at: GitFolder, check: ChangeCheck | None, since: str = "", *, follows_moves: bool
) -> tuple["_HistoryWalk", History]:
    """The walk from HEAD to the first commit, or to the known one `since`; and the history, yet without its pages."""
    tree, diff = concurrency.map_concurrently(lambda command: at.output(*command), (_TREE, _DIFF), 2)
    present, uncommitted = names(tree), _uncommitted(diff)
    pages = PageWalk(check, present, follows_moves=follows_moves) if check else None
    if pages:
        edits = [page_change(path, line) for path, line in uncommitted.items() if pages.is_page(path)]
        pages.add_uncommitted([edit._replace(after=edit.path) for edit in edits if edit], uncommitted.keys())
    shallow, head = at.repository.shallow_commits, at.repository.head.commit or ""
    log = _Log(at, since, is_below=not follows_moves)
    walk = _HistoryWalk(present, head, log.merge_differences, shallow, ignored_commits(at), pages)
    commits = log.commits("-c", pages=pages)
    for commit in pages.announced(commits) if pages else commits:
        walk.add(commit)
    return walk, History(
        walk.commit_times, walk.removal_times, frozenset(uncommitted), is_shallow=bool(shallow), head=head
    )


def _uncommitted(diff: bytes) -> dict[str, bytes]:
    """The files that differ from HEAD, and their lines in the output of `git diff --raw`."""
    tokens = diff.split(b"\0")
    return dict(zip(names(b"\0".join(tokens[1::2])), tokens[::2], strict=False))


_NO_PATHS: set[str] = set()
_IGNORED_COMMITS, _MOST_IGNORED = ".git-blame-ignore-revs", 1_048_576
"""The file that hosts and editors read for `git blame`, and how many of its bytes count."""
_UNREADABLE_TIME = 1 << 62
"""The time of a commit whose time cannot be read: far in the future, so it is rejected like any future time."""


class _Commit(NamedTuple):
    """A commit, and the paths whose content it set or removed; of a merge, those that differ from all parents.

    `changes` are the changes of pages that it modified, if they are asked for. `added` and `removed` are the files that
    it added, and those that it removed if it is no merge, with their blobs.
    """

    id: bytes
    time: int
    parents: list[bytes]
    paths: set[str]
    changes: list[PageChange]
    added: dict[str, bytes]
    removed: dict[str, bytes]


class _HistoryWalk:
    """Follows the history of all files at once, from HEAD to the first commit, children before parents.

    Each path is passed from a commit to a parent until a commit changed it. A merge passes it to its first parent that
    has the same content, as `git log -- FILE` does. Pages are followed further, to the commit that changed them in what
    counts.
    """

    def __init__(
        self,
        present: Sequence[str],
        head: str,
        read_merge_differences: Callable[[], Mapping[bytes, list[set[str]]]],
        shallow: frozenset[bytes],
        ignored: frozenset[bytes],
        pages: PageWalk | None,
    ) -> None:
        self.commit_times: dict[str, int | None] = dict.fromkeys(present)
        self.removal_times: dict[str, int] = {}
        self._read_merge_differences, self._shallow, self.pages = read_merge_differences, shallow, pages
        self._ignored = ignored
        self._followed: set[str] = set()
        self.pending: dict[bytes, set[str]] = {head.encode(): set(self.commit_times)}

    def add(self, commit: _Commit) -> None:
        """Take the next commit: date the paths that it changed, and pass the other paths to its parents."""
        paths = self.pending.pop(commit.id, set())
        if commit.id in self._shallow:
            return  # its parents are missing, so it seems to add every file
        if commit.id in self._ignored and len(commit.parents) == 1:
            paths -= (unchanged := paths & commit.paths - commit.added.keys())
            _add_pending(self.pending, commit.parents[0], unchanged)
        changed_here = paths & commit.paths
        self.commit_times.update(dict.fromkeys(changed_here - self._followed, commit.time))
        for path in commit.paths.difference(self.commit_times):  # `-` would visit every key of the dictionary
            if not path.startswith("/"):
                self.removal_times[path] = max(commit.time, self.removal_times.get(path, commit.time))
        paths -= changed_here
        of_merge = self._merge_differences.get(commit.id, ()) if len(commit.parents) > 1 else ()
        differences = [*of_merge, _NO_PATHS]
        for parent, differing in zip(commit.parents, differences, strict=False):
            of_later_parents = paths & differing
            _add_pending(self.pending, parent, paths - of_later_parents if of_later_parents else paths)
            paths = of_later_parents
        if self.pages:
            if changed_here:
                self._follow(commit, self.pages.add(commit.time, commit.changes, changed_here))
            self.pages.count_back(commit.added, commit.removed)

    def continue_with(self, known: History, paths: Set[str]) -> bool:
        """Take the rest from the known history of a commit that these paths reached; false if that is not enough."""
        times = {path: known.commit_times.get(path) for path in paths if self.commit_times.get(path, 0) is None}
        self.commit_times |= times
        removed = known.commit_times.keys() - self.commit_times.keys()
        newest = max([0, *filter(None, known.commit_times.values()), *known.removal_times.values()])
        is_removal_known = all(self.removal_times.get(path, -1) >= newest for path in removed)
        for path in known.removal_times.keys() - self.commit_times.keys():
            self.removal_times[path] = max(known.removal_times[path], self.removal_times.get(path, 0))
        has_pages = self.pages is None or self.pages.continue_with(known, paths)
        return is_removal_known and has_pages and None not in self.commit_times.values()

    @cached_property
    def _merge_differences(self) -> Mapping[bytes, list[set[str]]]:
        """What merges differ in: read when the first one comes, since many histories have none."""
        return self._read_merge_differences()

    def _follow(self, commit: _Commit, pages: Mapping[int, set[str]]) -> None:
        """Pass pages to the parents that have their older versions."""
        for number, paths in pages.items():
            self._followed |= paths
            _add_pending(self.pending, commit.parents[number], paths)


def _add_pending(pending: dict[bytes, set[str]], parent: bytes, paths: set[str]) -> None:
    """Add paths to those that a parent will receive, by adding the smaller set to the larger."""
    smaller, larger = sorted((paths, pending.get(parent, set())), key=len)
    larger |= smaller
    if larger:
        pending[parent] = larger


class _Log:
    """The commits of HEAD's history, but not those of `since`; if not `is_below`, with files outside of the folder."""

    def __init__(self, at: GitFolder, since: str, *, is_below: bool) -> None:
        self._at, self._is_below = at, is_below
        self._range = ("HEAD", f"^{since}") if since else ()

    def commits(self, *options: str, pages: PageWalk | None = None) -> Iterator[_Commit]:
        """The commits, children before parents."""
        below = ("--full-history", "--sparse", "--", ".") if self._at.prefix and self._is_below else ("--",)
        return _commits(self._at, ["log", "--topo-order", *options, *_RAW, *self._range, *below], pages=pages)

    def merge_differences(self) -> dict[bytes, list[set[str]]]:
        """For each merge, and each of its parents but the last, the paths that differ.

        The history of those paths continues at a later parent.
        """
        differences: dict[bytes, list[set[str]]] = {}
        pairs = []
        for commit in self.commits("--min-parents=2", "--diff-merges=first-parent"):
            differences[commit.id] = [commit.paths]
            pairs += [b"%b %b\n" % (commit.id, parent) for parent in commit.parents[1:-1]]
        if pairs:
            below = ["--", "."] if self._at.prefix and self._is_below else []
            command = ["diff-tree", "--stdin", "-r", "--always", *_RAW, *below]
            for commit in _commits(self._at, command, b"".join(pairs)):
                differences[commit.id].append(commit.paths)
        return differences


def _commits(
    at: GitFolder, command: Sequence[str], stdin: bytes = b"", pages: PageWalk | None = None
) -> Iterator[_Commit]:
    """The commits in the output of a command with the options `_RAW`; a change of only a file's mode is ignored."""
    commit: _Commit | None = None
    is_path = is_same = False
    status = blob = old_blob = b""
    raw, prefix = b"", at.prefix.encode("utf-8", "surrogateescape")
    for token in _output_tokens(at, command, stdin):
        if is_path:
            is_path = False
            if commit and not is_same:
                commit.paths.add(path := _below(token, prefix).decode("utf-8", "surrogateescape"))
                if pages and pages.is_page(path) and (change := page_change(path, raw)):
                    commit.changes.append(change)
                if not status.strip(b"A"):
                    commit.added[path] = blob
                elif status == b"D":
                    commit.removed[path] = old_blob
        elif (line := token.lstrip(b"\n")).startswith(b"\x01"):
            if commit:
                yield _with_moves(commit, pages)
            id, seconds, *parents = line[1:].split(b" ")
            time = int(seconds) if seconds.isdigit() else _UNREADABLE_TIME
            commit = _Commit(id, time, list(filter(None, parents)), set(), [], {}, {})
        elif line:
            *before, blob, status = line.split(b" ")  # `:mode mode blob blob status`, a mode and a blob more a parent
            is_path, is_same, raw, old_blob = True, blob in before, line, before[-1]
    if commit:
        yield _with_moves(commit, pages)


def _below(path: bytes, prefix: bytes) -> bytes:
    """A path relative to a folder; one outside of it begins with `/`, as no path in it does."""
    return path.removeprefix(prefix) if path.startswith(prefix) else b"/" + path


def _with_moves(commit: _Commit, pages: PageWalk | None) -> _Commit:
    """A commit, whose changes of pages have its moves, too."""
    commit.changes.extend(pages.moves(commit.added, commit.removed) if pages else ())
    return commit


def ignored_commits(at: GitFolder) -> frozenset[bytes]:
    """The commits that the project itself names as meaningless, such as those that only reformat (git blame)."""
    try:
        text = tree_files.read_start(at.root / _IGNORED_COMMITS, at.root, size=_MOST_IGNORED)
    except OSError:
        return frozenset()
    return frozenset(line.partition(b"#")[0].strip() for line in text.splitlines())


def _output_tokens(at: GitFolder, command: Sequence[str], stdin: bytes) -> Iterator[bytes]:
    """The NUL-separated tokens that a git command prints, as it prints them."""
    with tempfile.TemporaryFile() as stdin_file, tempfile.TemporaryFile() as stderr_file:
        stdin_file.write(stdin)
        stdin_file.seek(0)
        with at.start(*command, stdin=stdin_file, stderr=stderr_file) as process:
            if process.stdout is not None:
                yield from _tokens(process.stdout)
        if process.returncode:
            stderr_file.seek(0)
            message = stderr_file.read().decode("utf-8", "replace").strip()
            raise SourceError(f"git {command[0]} failed in {at.folder}: {message}")


def _tokens(stream: IO[bytes]) -> Iterator[bytes]:
    rest = b""
    while chunk := stream.read(_CHUNK_BYTES):
        *tokens, rest = (rest + chunk).split(b"\0")
        yield from tokens
    if rest:
        yield rest
