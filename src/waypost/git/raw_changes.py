"""Reads what commits changed, in Git's raw format: of a whole log, or between a merge and one of its parents."""

import io
import subprocess
import tempfile
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import IO, NamedTuple

from waypost.core.errors import SourceError
from waypost.core.page_changes import PageChange
from waypost.git.command import DIFF_OPTIONS
from waypost.git.repository import GitFolder

_CHUNK_BYTES = 1 << 20
_RAW = ("--raw", "--no-abbrev", *DIFF_OPTIONS, "--format=%x01%H %ct %P")
_UNREADABLE_TIME = 1 << 62
"""The time of a commit whose time cannot be read: far in the future, so it is rejected like any future time."""
FILE_MODE = b"100"
"""The modes of regular files begin so (the modes of symbolic links and submodules do not)."""
_NO_FILE = b"000000"


class Commit(NamedTuple):
    """A commit, and the paths whose content it set or removed; of a merge, those that differ from all parents.

    `before` and `after` have the blobs that these files had in a parent and have in the commit; a file that a side
    lacks is not in it. `changes` are the regular files that the commit modified, if they are asked for.
    """

    id: bytes
    time: int
    parents: list[bytes]
    paths: set[str]
    before: dict[str, bytes]
    after: dict[str, bytes]
    changes: list[PageChange]


def log(at: GitFolder, since: str, *, is_below: bool, is_page: Callable[[str], bool]) -> Iterator[Commit]:
    """The commits of HEAD's history, children before parents, but not those of `since`.

    If it is not `is_below`, files outside of the folder are listed, too; their paths begin with `/`.
    """
    only = ("HEAD", f"^{since}") if since else ()
    below = ("--full-history", "--sparse", "--", ".") if at.prefix and is_below else ("--",)
    yield from _commits(_log_tokens(at, ["log", "--topo-order", "-c", *_RAW, *only, *below]), at, is_page)


class ParentDifferences:
    """What merges changed compared with each of their parents; a context manager, which ends the process that tells.

    One `git diff-tree --stdin` answers all questions. It is started with the first, as many histories have no merges.
    """

    def __init__(self, at: GitFolder, *, is_below: bool, is_page: Callable[[str], bool]) -> None:
        self._at, self._is_page = at, is_page
        below = ("--", ".") if at.prefix and is_below else ()
        self._command = ("diff-tree", "--stdin", "-r", "--always", *_RAW, *below)
        self._process: subprocess.Popen[bytes] | None = None
        self._asked, self._merge = 0, b""
        self._found: dict[int, Commit] = {}

    def __enter__(self) -> "ParentDifferences":
        return self

    def __exit__(self, *_: object) -> None:
        if self._process is not None:
            self._process.communicate()

    def of(self, merge: Commit, number: int) -> Commit:
        """What a merge changed compared with the parent of this number; the last merge's answers are remembered."""
        if self._merge != merge.id:
            self._merge, self._found = merge.id, {}
        if number not in self._found:
            self._found[number] = self._ask(merge.id, merge.parents[number])
        return self._found[number]

    def _ask(self, commit: bytes, parent: bytes) -> Commit:
        if self._process is None:
            self._process = self._at.start(*self._command, stdin=subprocess.PIPE)
        stdin, stdout = self._process.stdin, self._process.stdout
        if stdin is None or not isinstance(stdout, io.BufferedReader):
            raise AssertionError("they are pipes")
        # Git repeats a line that names no commit, and flushes; no path of a tree begins with a slash.
        self._asked += 1
        end = b"//%d\n" % self._asked
        try:
            stdin.write(b"%b %b\n%b" % (commit, parent, end))
            stdin.flush()
        except BrokenPipeError:
            pass
        answer = bytearray()
        while not answer.endswith(end):
            chunk = stdout.read1(_CHUNK_BYTES)
            if not chunk:
                raise SourceError(f"git diff-tree failed in {self._at.folder}: is a commit missing?")
            answer += chunk
        tokens = bytes(answer[: -len(end)]).split(b"\0")
        return next(_commits(tokens, self._at, self._is_page))


def _commits(tokens: Iterable[bytes], at: GitFolder, is_page: Callable[[str], bool]) -> Iterator[Commit]:
    """The commits in the tokens of an output with the options `_RAW`; a change of only a file's mode is ignored."""
    commit: Commit | None = None
    raw, prefix = b"", at.prefix.encode("utf-8", "surrogateescape")
    for token in tokens:
        if raw:
            if commit:
                _add(commit, _below(token, prefix).decode("utf-8", "surrogateescape"), raw, is_page)
            raw = b""
        elif (line := token.lstrip(b"\n")).startswith(b"\x01"):
            if commit:
                yield commit
            id, seconds, *parents = line[1:].split(b" ")
            time = int(seconds) if seconds.isdigit() else _UNREADABLE_TIME
            commit = Commit(id, time, list(filter(None, parents)), set(), {}, {}, [])
        else:
            raw = line  # the next token is the path
    if commit:
        yield commit


def _add(commit: Commit, path: str, raw: bytes, is_page: Callable[[str], bool]) -> None:
    """Add a file to a commit: `:mode mode blob blob status`, with a colon, a mode and a blob more for each parent."""
    parents = len(raw) - len(raw.lstrip(b":"))
    fields = raw[parents:].split(b" ")
    *modes, mode = fields[: parents + 1]
    *blobs, blob = fields[parents + 1 : 2 * parents + 2]
    if blob in blobs:
        return
    commit.paths.add(path)
    if mode != _NO_FILE:
        commit.after[path] = blob
    existing = next((number for number, each in enumerate(modes) if each != _NO_FILE), None)
    if existing is None:
        return
    commit.before[path] = blobs[existing]
    if parents == 1 and is_page(path) and (change := page_change(path, raw)):
        commit.changes.append(change)


def page_change(path: str, raw: bytes) -> PageChange | None:
    """A line of a difference from one commit as the change of a page; None if no regular file is there before or after.

    The blob of a file in the working tree is unknown.
    """
    old_mode, mode, old, new, _ = raw[1:].split(b" ")
    return PageChange(path, old, new) if old_mode.startswith(FILE_MODE) and mode.startswith(FILE_MODE) else None


def _below(path: bytes, prefix: bytes) -> bytes:
    """A path relative to a folder; one outside of it begins with `/`, as no path in it does."""
    return path.removeprefix(prefix) if path.startswith(prefix) else b"/" + path


def _log_tokens(at: GitFolder, command: Sequence[str]) -> Iterator[bytes]:
    """The NUL-separated tokens that a git command prints, as it prints them."""
    with tempfile.TemporaryFile() as stderr_file:
        with at.start(*command, stderr=stderr_file) as process:
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
