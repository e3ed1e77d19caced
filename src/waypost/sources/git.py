"""When files last changed, from one pass over a repository's history.

`git log -c --raw` lists, for each commit, the files whose content it set; merges list those
that differ from all parents. A file's date is the time of the latest commit that gave it the
content it has at HEAD, so a change on a branch that a merge threw away dates nothing.
"""

import os
import subprocess
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import IO

from waypost.errors import SourceError
from waypost.model import History

_CHUNK = 1 << 20


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


def ignored(folder: Path) -> frozenset[str]:
    """Untracked paths below the folder that Git ignores; those of folders end with `/`."""
    listed = _output(folder, "ls-files", "--others", "--ignored", "--exclude-standard", "--directory", "-z")
    return frozenset(_names(listed))


def history(folder: Path) -> History:
    """Read the history of the files below a folder, in four subprocesses however many there are.

    The folder may be the root of a repository, a subfolder, or within a submodule.
    """
    facts = _output(folder, "rev-parse", "--show-prefix", "--is-shallow-repository", "--git-path", "shallow")
    lines = facts.decode("utf-8", "surrogateescape").split("\n")
    if len(lines) < 3 or _run(folder, "rev-parse", "--verify", "--quiet", "HEAD").returncode:
        return History()
    prefix, is_shallow = lines[0], lines[1] == "true"
    cut_off = _shallow_commits(folder / lines[2]) if is_shallow else frozenset()
    blobs = _blobs_at_head(folder)
    uncommitted = frozenset(
        _names(
            _output(folder, "diff", "--name-only", "--relative", "--no-ext-diff", "--ignore-submodules", "-z", "HEAD")
        )
    )
    changed: dict[str, int | None] = dict.fromkeys(blobs)
    touched: dict[str, int] = {}
    for when, path, blob in _changes(folder, prefix, cut_off):
        touched.setdefault(path, when)
        if changed.get(path, when) is None and blobs[path] == blob:
            changed[path] = when
    for path in uncommitted:
        changed.pop(path, None)
    return History(changed, touched, uncommitted, is_shallow)


def _changes(folder: Path, prefix: str, cut_off: frozenset[bytes]) -> Iterator[tuple[int, str, bytes]]:
    """Time, path and resulting blob of each file that each commit set or removed, latest first.

    The commits at a shallow clone's edge seem to add every file, and so say nothing; nor does a
    change of a file's mode alone.
    """
    command = [
        "log",
        "-c",
        "--raw",
        "--no-abbrev",
        "--no-renames",
        "--no-ext-diff",
        "--ignore-submodules",
        "-z",
        "--format=%x01%H %ct",
    ]
    command += ["--full-history", "--", "."] if prefix else []
    skip = len(prefix.encode("utf-8", "surrogateescape"))
    when, is_cut, is_same, blob = 0, False, False, b""
    for token in _log(folder, command):
        if blob:
            if not (is_cut or is_same):
                yield when, token[skip:].decode("utf-8", "surrogateescape"), blob
            blob = b""
            continue
        token = token.lstrip(b"\n")
        if token.startswith(b"\x01"):
            commit, _, seconds = token[1:].partition(b" ")
            when, is_cut = int(seconds), commit in cut_off
        elif token:
            *before, blob, _ = token.split(b" ")  # `:mode mode blob blob status`, a mode and blob more a parent
            is_same = blob in before


def _log(folder: Path, command: Sequence[str]) -> Iterator[bytes]:
    """The NUL-separated tokens that a git command prints, as it prints them."""
    with (
        tempfile.TemporaryFile() as complaints,
        subprocess.Popen(
            _command(folder, command), stdout=subprocess.PIPE, stderr=complaints, env=_environment()
        ) as process,
    ):
        if process.stdout is not None:
            yield from _tokens(process.stdout)
        if process.wait():
            complaints.seek(0)
            raise SourceError(f"git log failed in {folder}: {complaints.read().decode('utf-8', 'replace').strip()}")


def _tokens(stream: IO[bytes]) -> Iterator[bytes]:
    rest = b""
    while chunk := stream.read(_CHUNK):
        *tokens, rest = (rest + chunk).split(b"\0")
        yield from tokens
    if rest:
        yield rest


def _blobs_at_head(folder: Path) -> dict[str, bytes]:
    blobs = {}
    for entry in filter(None, _output(folder, "ls-tree", "-r", "-z", "HEAD", "--", ".").split(b"\0")):
        facts, _, name = entry.partition(b"\t")
        blobs[name.decode("utf-8", "surrogateescape")] = facts.split(b" ")[2]
    return blobs


def _shallow_commits(file: Path) -> frozenset[bytes]:
    return frozenset(file.read_bytes().split()) if file.exists() else frozenset()


def _names(output: bytes) -> list[str]:
    return [name.decode("utf-8", "surrogateescape") for name in output.split(b"\0") if name]


def _command(folder: Path, arguments: Sequence[str]) -> list[str]:
    """A git command that a user's configuration of `log` and `diff` cannot bend."""
    return ["git", "-C", str(folder), "-c", "log.showSignature=false", "-c", "diff.relative=false", *arguments]


def _environment() -> dict[str, str]:
    return os.environ | {"LC_ALL": "C", "GIT_OPTIONAL_LOCKS": "0"}


def _run(folder: Path, *arguments: str) -> subprocess.CompletedProcess[bytes]:
    return subprocess.run(_command(folder, arguments), capture_output=True, check=False, env=_environment())


def _output(folder: Path, *arguments: str) -> bytes:
    done = _run(folder, *arguments)
    if done.returncode:
        raise SourceError(f"git {arguments[0]} failed in {folder}: {done.stderr.decode('utf-8', 'replace').strip()}")
    return done.stdout
