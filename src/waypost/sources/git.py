"""When files last changed, from one pass over a repository's history.

`git log -c --raw` lists, for each commit, the files whose content it set; merges list those
that differ from all parents. A second pass over merges alone tells by which parent the rest came
(a third where merges have more than two), so that a file's date is exactly that of
`git log -1 -- FILE`: a change on a branch that a merge threw away, or that the branch took back,
dates nothing.
"""

import subprocess
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import IO, NamedTuple

from waypost.core import git_command
from waypost.core.errors import SourceError
from waypost.core.model import History

_CHUNK = 1 << 20
_RAW = (
    *("--raw", "-z", "--no-abbrev", "--no-renames", "--no-ext-diff", "--ignore-submodules"),
    "--format=%x01%H %ct %P",
)


def repository_root(folder: Path) -> Path | None:
    """The working tree's root that holds a folder, or None where no repository does.

    Raises SourceError where Git is missing or refuses the repository.
    """
    try:
        found = _run(folder, "rev-parse", "--show-toplevel")
    except FileNotFoundError:
        return None
    if found.returncode == 0:
        return Path(found.stdout.decode("utf-8", "surrogateescape").rstrip("\n"))
    message = found.stderr.decode("utf-8", "replace").strip()
    if "not a git repository" in message or "must be run in a work tree" in message:
        return None
    raise SourceError(f"git cannot read the repository at {folder}: {message}")


def branch(folder: Path) -> str:
    """The branch that is checked out; `main` where HEAD is on none."""
    name = _run(folder, "symbolic-ref", "--quiet", "--short", "HEAD").stdout
    return name.decode("utf-8", "replace").strip() or "main"


def ignored(folder: Path) -> frozenset[str]:
    """Untracked paths below the folder that Git ignores; those of folders end with `/`."""
    listed = _output(folder, "ls-files", "--others", "--ignored", "--exclude-standard", "--directory", "-z")
    return frozenset(_names(listed))


def history(folder: Path) -> History:
    """Read the history of the files below a folder, in a handful of subprocesses however many there are.

    The folder may be the root of a repository, a subfolder, or within a submodule.
    """
    if _run(folder, "rev-parse", "--verify", "--quiet", "HEAD").returncode:
        return History()
    shallow, _, prefix = _output(folder, "rev-parse", "--is-shallow-repository", "--show-prefix").partition(b"\n")
    is_shallow, prefix = shallow == b"true", prefix.removesuffix(b"\n")
    present = _names(_output(folder, "ls-tree", "-r", "-z", "--name-only", "HEAD", "--", "."))
    differing = (
        "diff",
        "--name-only",
        "--relative",
        "--no-renames",
        "--no-ext-diff",
        "--ignore-submodules",
        "-z",
        "HEAD",
    )
    uncommitted = frozenset(_names(_output(folder, *differing)))
    walk = _HistoryWalk(present, _submodules(folder, prefix), _shallow_commits(folder) if is_shallow else frozenset())
    for commit in _logged(folder, prefix, "-c"):
        walk.pass_by(commit)
    return History(walk.changed, walk.removed, uncommitted, is_shallow)


_NONE: set[str] = set()
_NO_TIME = 1 << 62
"""A commit whose time cannot be read counts as one from the future: neither is to be believed."""


class _Commit(NamedTuple):
    """A commit, and the paths whose content it set or removed: at a merge, those unlike in all parents."""

    id: bytes
    when: int
    parents: list[bytes]
    paths: set[str]


class _HistoryWalk:
    """Follows every file's history at once, from HEAD towards the beginning, children before parents.

    Each path is carried from commit to parent until a commit that changed it. At a merge it goes
    on to a parent that has it as the merge has it, the first of them, as `git log -- FILE` does.
    """

    def __init__(self, present: Sequence[str], asides: Mapping[bytes, list[set[str]]], edge: frozenset[bytes]) -> None:
        self.changed: dict[str, int | None] = dict.fromkeys(present)
        self.removed: dict[str, int] = {}
        self._asides, self._edge = asides, edge
        self._carried: dict[bytes, set[str]] | None = None

    def pass_by(self, commit: _Commit) -> None:
        """Take the next commit: date what it changed, and hand on the rest."""
        if self._carried is None:
            self._carried = {commit.id: set(self.changed)}
        carried = self._carried.pop(commit.id, set())
        if commit.id in self._edge:
            return  # it seems to add every file, because its parents are missing
        here = carried & commit.paths
        self.changed.update(dict.fromkeys(here, commit.when))
        for path in commit.paths - self.changed.keys():
            self.removed[path] = max(commit.when, self.removed.get(path, commit.when))
        carried -= here
        asides = [*self._asides.get(commit.id, ()), _NONE]
        for parent, unlike in zip(commit.parents, asides, strict=False):
            aside = carried & unlike
            self._hand_on(self._carried, parent, carried - aside if aside else carried)
            carried = aside

    def _hand_on(self, carried: dict[bytes, set[str]], parent: bytes, paths: set[str]) -> None:
        fewer, more = sorted((paths, carried.get(parent, set())), key=len)
        more |= fewer
        if more:
            carried[parent] = more


def _submodules(folder: Path, prefix: bytes) -> dict[bytes, list[set[str]]]:
    """For each merge, and each of its parents but the last, the paths in which they differ.

    Their history goes by a later parent.
    """
    asides: dict[bytes, list[set[str]]] = {}
    pairs = []
    for commit in _logged(folder, prefix, "--min-parents=2", "--diff-merges=first-parent"):
        asides[commit.id] = [commit.paths]
        pairs += [b"%b %b\n" % (commit.id, parent) for parent in commit.parents[1:-1]]
    if pairs:
        command = ["diff-tree", "--stdin", "-r", "--always", *_RAW, *(["--", "."] if prefix else [])]
        for commit in _commits(folder, prefix, command, b"".join(pairs)):
            asides[commit.id].append(commit.paths)
    return asides


def _logged(folder: Path, prefix: bytes, *options: str) -> Iterator[_Commit]:
    """The commits of HEAD's history, children first."""
    below = ("--full-history", "--sparse", "--", ".") if prefix else ()
    return _commits(folder, prefix, ["log", "--topo-order", *options, *_RAW, *below])


def _commits(folder: Path, prefix: bytes, command: Sequence[str], stdin: bytes = b"") -> Iterator[_Commit]:
    """The commits that a command tells of in `_RAW`; a change of a file's mode alone is none."""
    commit: _Commit | None = None
    is_path = is_same = False
    for token in _tokens_of(folder, command, stdin):
        if is_path:
            is_path = False
            if commit and not is_same:
                commit.paths.add(token[len(prefix) :].decode("utf-8", "surrogateescape"))
        elif (line := token.lstrip(b"\n")).startswith(b"\x01"):
            if commit:
                yield commit
            id, seconds, *parents = line[1:].split(b" ")
            when = int(seconds) if seconds.isdigit() else _NO_TIME
            commit = _Commit(id, when, list(filter(None, parents)), set())
        elif line:
            *before, blob, _ = line.split(b" ")  # `:mode mode blob blob status`, a mode and a blob more a parent
            is_path, is_same = True, blob in before
    if commit:
        yield commit


def _tokens_of(folder: Path, command: Sequence[str], stdin: bytes) -> Iterator[bytes]:
    """The NUL-separated tokens that a git command prints, as it prints them."""
    with tempfile.TemporaryFile() as given, tempfile.TemporaryFile() as complaints:
        given.write(stdin)
        given.seek(0)
        with subprocess.Popen(
            git_command.git_command(folder, *command),
            stdin=given,
            stdout=subprocess.PIPE,
            stderr=complaints,
            env=_environment(),
        ) as process:
            if process.stdout is not None:
                yield from _tokens(process.stdout)
        if process.returncode:
            complaints.seek(0)
            complaint = complaints.read().decode("utf-8", "replace").strip()
            raise SourceError(f"git {command[0]} failed in {folder}: {complaint}")


def _tokens(stream: IO[bytes]) -> Iterator[bytes]:
    rest = b""
    while chunk := stream.read(_CHUNK):
        *tokens, rest = (rest + chunk).split(b"\0")
        yield from tokens
    if rest:
        yield rest


def _shallow_commits(folder: Path) -> frozenset[bytes]:
    """The commits whose parents a shallow clone lacks."""
    path = _output(folder, "rev-parse", "--git-path", "shallow").removesuffix(b"\n")
    file = folder / path.decode("utf-8", "surrogateescape")
    return frozenset(file.read_bytes().split()) if file.exists() else frozenset()


def _names(output: bytes) -> list[str]:
    return [name.decode("utf-8", "surrogateescape") for name in output.split(b"\0") if name]


def _environment() -> dict[str, str]:
    return git_command.environment({"GIT_OPTIONAL_LOCKS": "0"})


def _run(folder: Path, *arguments: str) -> subprocess.CompletedProcess[bytes]:
    return subprocess.run(
        git_command.git_command(folder, *arguments), capture_output=True, check=False, env=_environment()
    )


def _output(folder: Path, *arguments: str) -> bytes:
    done = _run(folder, *arguments)
    if done.returncode:
        raise SourceError(f"git {arguments[0]} failed in {folder}: {done.stderr.decode('utf-8', 'replace').strip()}")
    return done.stdout
