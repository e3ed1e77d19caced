"""Finds when each file last changed, in one pass over a repository's history.

`git log -c --raw` lists the files whose content each commit set; for a merge, those that differ from all its parents. A
second pass over the merges finds the parent that each of the other files comes from (a third pass, if merges have more
than two parents). So a file's date is exactly what `git log -1 -- FILE` shows: a change that a merge discarded, or that
was undone on its branch, dates no file.
"""

import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cached_property
from typing import IO, NamedTuple

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
    tree, diff = concurrency.map_concurrently(lambda command: at.output(*command), (_TREE, _DIFF), 2)
    present, uncommitted = names(tree), _uncommitted(diff)
    pages = PageWalk(check, present, follows_moves=follows_moves) if check else None
    if pages:
        edits = [page_change(path, line) for path, line in uncommitted.items() if pages.is_page(path)]
        pages.add_uncommitted([edit._replace(after=edit.path) for edit in edits if edit], uncommitted.keys())
    shallow_commits = at.repository.shallow_commits
    is_below = not follows_moves
    walk = _HistoryWalk(
        present, lambda: _merge_differences(at, is_below=is_below), shallow_commits, _ignored_commits(at), pages
    )
    commits = _log(at, "-c", pages=pages, is_below=is_below)
    for commit in pages.announced(commits) if pages else commits:
        walk.add(commit)
    found = History(walk.commit_times, walk.removal_times, frozenset(uncommitted), bool(shallow_commits))
    return pages.fill(found) if pages else found


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
        read_merge_differences: Callable[[], Mapping[bytes, list[set[str]]]],
        shallow: frozenset[bytes],
        ignored: frozenset[bytes],
        pages: PageWalk | None,
    ) -> None:
        self.commit_times: dict[str, int | None] = dict.fromkeys(present)
        self.removal_times: dict[str, int] = {}
        self._read_merge_differences, self._shallow, self._pages = read_merge_differences, shallow, pages
        self._ignored = ignored
        self._followed: set[str] = set()
        self._pending: dict[bytes, set[str]] = {}
        self._is_begun = False

    def add(self, commit: _Commit) -> None:
        """Take the next commit: date the paths that it changed, and pass the other paths to its parents."""
        if not self._is_begun:
            self._is_begun, self._pending = True, {commit.id: set(self.commit_times)}
        paths = self._pending.pop(commit.id, set())
        if commit.id in self._shallow:
            return  # its parents are missing, so it seems to add every file
        if commit.id in self._ignored and len(commit.parents) == 1:
            paths -= (unchanged := paths & commit.paths - commit.added.keys())
            _add_pending(self._pending, commit.parents[0], unchanged)
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
            _add_pending(self._pending, parent, paths - of_later_parents if of_later_parents else paths)
            paths = of_later_parents
        if self._pages and changed_here:
            self._follow(commit, self._pages.add(commit.time, commit.changes, changed_here))

    @cached_property
    def _merge_differences(self) -> Mapping[bytes, list[set[str]]]:
        """What merges differ in: read when the first one comes, since many histories have none."""
        return self._read_merge_differences()

    def _follow(self, commit: _Commit, pages: Mapping[int, set[str]]) -> None:
        """Pass pages to the parents that have their older versions."""
        for number, paths in pages.items():
            self._followed |= paths
            _add_pending(self._pending, commit.parents[number], paths)


def _add_pending(pending: dict[bytes, set[str]], parent: bytes, paths: set[str]) -> None:
    """Add paths to those that a parent will receive, by adding the smaller set to the larger."""
    smaller, larger = sorted((paths, pending.get(parent, set())), key=len)
    larger |= smaller
    if larger:
        pending[parent] = larger


def _merge_differences(at: GitFolder, *, is_below: bool = True) -> dict[bytes, list[set[str]]]:
    """For each merge, and each of its parents but the last, the paths that differ.

    The history of those paths continues at a later parent.
    """
    differences: dict[bytes, list[set[str]]] = {}
    pairs = []
    for commit in _log(at, "--min-parents=2", "--diff-merges=first-parent", is_below=is_below):
        differences[commit.id] = [commit.paths]
        pairs += [b"%b %b\n" % (commit.id, parent) for parent in commit.parents[1:-1]]
    if pairs:
        command = ["diff-tree", "--stdin", "-r", "--always", *_RAW, *(["--", "."] if at.prefix and is_below else [])]
        for commit in _commits(at, command, b"".join(pairs)):
            differences[commit.id].append(commit.paths)
    return differences


def _log(at: GitFolder, *options: str, pages: PageWalk | None = None, is_below: bool = True) -> Iterator[_Commit]:
    """The commits of HEAD's history, children before parents; if not `is_below`, with files outside of the folder."""
    below = ("--full-history", "--sparse", "--", ".") if at.prefix and is_below else ()
    return _commits(at, ["log", "--topo-order", *options, *_RAW, *below], pages=pages)


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


def _ignored_commits(at: GitFolder) -> frozenset[bytes]:
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
