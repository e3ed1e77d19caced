"""Starts Git: the only place that does, so that no file of a repository, and no setting of one, can run a program.

Hooks, the file system monitor and external diffs are switched off in every command; filters, once a repository is open.
A command that makes no progress is ended: Git reads files that its settings name, and one of these may never end.
Includes cannot be switched off, so only a deadline helps: a repository that is not the workspace's own may be
anybody's.
"""

import io
import math
import os
import select
import subprocess
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import IO, NamedTuple

from waypost.core.errors import SourceError

_SETTINGS = (
    "safe.bareRepository=explicit",
    f"core.hooksPath={os.devnull}",
    "core.fsmonitor=false",
    "core.fileMode=false",
    "diff.relative=false",
    "fetch.recurseSubmodules=false",
    "gc.auto=0",
    "http.lowSpeedLimit=1000",
    "http.lowSpeedTime=300",
    "i18n.logOutputEncoding=UTF-8",
    "log.showRoot=true",
    "log.showSignature=false",
    "maintenance.auto=false",
    "push.gpgSign=false",
    "push.recurseSubmodules=no",
    "submodule.recurse=false",
)
_REMOVED_VARIABLES = (
    *("GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE", "GIT_PREFIX", "GIT_COMMON_DIR", "GIT_OBJECT_DIRECTORY"),
    *("GIT_ALTERNATE_OBJECT_DIRECTORIES", "GIT_NAMESPACE", "GIT_CEILING_DIRECTORIES", "GIT_GRAFT_FILE"),
    *("GIT_LITERAL_PATHSPECS", "GIT_GLOB_PATHSPECS", "GIT_NOGLOB_PATHSPECS", "GIT_ICASE_PATHSPECS"),
    *("GIT_EXTERNAL_DIFF", "GIT_DIFF_OPTS", "GIT_PAGER", "PAGER", "GIT_ATTR_SOURCE", "GIT_REPLACE_REF_BASE"),
)
"""Variables that point Git to another repository (as in a Git hook), run a program, or change how it reads paths."""
DIFF_OPTIONS = ("--no-renames", "--no-ext-diff", "--no-textconv", "--ignore-submodules", "-z")
"""What each comparison needs: no attribute of a repository names a program for it, and paths end with NUL."""
Config = Sequence[tuple[str, str]]
"""Settings of Git by name, for one command; a later one overrides an earlier one."""
NO_FILES: Config = [
    (name, os.devnull) for name in ("core.attributesFile", "core.excludesFile", "diff.orderFile", "mailmap.file")
]
"""The settings that name files, of which a repository may name endless ones; one's own keeps them."""


class Patience(NamedTuple):
    """The seconds after which a command is ended: in all (None: never), and without any output."""

    total: float | None = None
    idle: float = 600

    def end(self) -> float:
        """The monotonic time at which a command that starts now is ended."""
        return math.inf if self.total is None else time.monotonic() + self.total

    def left(self, end: float) -> float:
        """The seconds to wait for more output of a command that is ended at a monotonic time."""
        return min(self.idle, max(0, end - time.monotonic()))


OWN = Patience()
"""For the workspace's own repository: its commands end only if they make no progress."""
REMOTE = Patience(idle=3_600)
"""For a command that talks to a remote and says nothing meanwhile; of HTTP, Git itself ends a slow transfer."""
OTHERS = Patience(total=60, idle=10)
"""For another repository, of whose history a log of 100,000 commits takes about ten seconds."""


def run(
    folder: Path, arguments: Sequence[str], environment: Mapping[str, str], stdin: bytes = b"", patience: Patience = OWN
) -> subprocess.CompletedProcess[bytes]:
    """Run a command of Git in a folder, and wait for its end; its exit code is not checked.

    Raises SourceError if it takes longer than allowed.
    """
    command, pipe = _command(folder, arguments), subprocess.PIPE
    with subprocess.Popen(command, stdin=pipe, stdout=pipe, stderr=pipe, env=dict(environment)) as process:
        output, messages = _wait(process, stdin, patience, f"git {arguments[0]} in {folder}")
    return subprocess.CompletedProcess(command, process.returncode, output, messages)


def start(
    folder: Path,
    arguments: Sequence[str],
    environment: Mapping[str, str],
    patience: Patience,
    *,
    stdin: IO[bytes] | int = subprocess.DEVNULL,
    stderr: IO[bytes] | int = subprocess.DEVNULL,
    read_ahead: int = 0,
) -> "subprocess.Popen[bytes]":
    """Start a command of Git in a folder, whose output is read while it runs, by so many bytes ahead.

    Reading raises SourceError if it takes longer than allowed.
    """
    process = subprocess.Popen(
        _command(folder, arguments),
        stdin=stdin,
        stdout=subprocess.PIPE,
        stderr=stderr,
        env=dict(environment),
        pipesize=read_ahead or -1,
    )
    if process.stdout is None:
        raise AssertionError("it is a pipe")
    output = _Output(process, process.stdout, patience, f"git {arguments[0]} in {folder}")
    process.stdout = io.BufferedReader(output, read_ahead or io.DEFAULT_BUFFER_SIZE)
    return process


def environment(more: Mapping[str, str], config: Config = ()) -> dict[str, str]:
    """The environment for a command: messages in English, no password prompts; `more` adds variables.

    `config` overrides the settings of files: variables hold any name, and no list of processes shows them.
    """
    inherited = {name: value for name, value in os.environ.items() if name not in _REMOVED_VARIABLES}
    variables = inherited | {"LC_ALL": "C", "GIT_TERMINAL_PROMPT": "0", "GIT_OPTIONAL_LOCKS": "0"} | dict(more)
    first = int(count) if (count := variables.get("GIT_CONFIG_COUNT", "")).isdecimal() else 0
    variables["GIT_CONFIG_COUNT"] = str(first + len(config))
    for number, (name, value) in enumerate(config, first):
        variables |= {f"GIT_CONFIG_KEY_{number}": name, f"GIT_CONFIG_VALUE_{number}": value}
    return variables


def names(output: bytes) -> list[str]:
    """The paths in what a command printed with NUL after each."""
    return [name.decode("utf-8", "surrogateescape") for name in output.split(b"\0") if name]


def _command(folder: Path, arguments: Sequence[str]) -> list[str]:
    settings = (word for setting in _SETTINGS for word in ("-c", setting))
    return [_program(), "--no-pager", "-C", str(folder), *settings, *arguments]


def _program() -> str:
    """The program git on PATH; `git` if there is none. Windows would look for it in the working folder first."""
    folders = [each for each in os.get_exec_path() if Path(each).is_absolute()]
    found = (Path(each) / name for each in folders for name in ("git", "git.exe"))
    return next((str(each) for each in found if each.is_file() and os.access(each, os.X_OK)), "git")


def _wait(process: "subprocess.Popen[bytes]", stdin: bytes, patience: Patience, what: str) -> tuple[bytes, bytes]:
    """The output and the messages of a command, once it has ended; raises SourceError if that takes too long."""
    end = patience.end()
    given: bytes | None = stdin
    size = 0
    while True:
        try:
            return process.communicate(given, timeout=patience.left(end))
        except subprocess.TimeoutExpired as waited:
            given, before, size = None, size, len(waited.stdout or b"") + len(waited.stderr or b"")
            if size == before or time.monotonic() >= end:
                _stop(process)
                raise _error(what) from None


class _Output(io.RawIOBase):
    """The end of a pipe that waits for so long only."""

    def __init__(self, process: "subprocess.Popen[bytes]", pipe: IO[bytes], patience: Patience, what: str) -> None:
        self._process, self._pipe, self._patience, self._what = process, pipe, patience, what
        self._end = patience.end()
        self._poll = select.poll() if hasattr(select, "poll") else None  # Windows cannot wait for a pipe
        if self._poll is not None:
            self._poll.register(pipe, select.POLLIN)

    def readable(self) -> bool:
        return True

    def fileno(self) -> int:
        return self._pipe.fileno()

    def readinto(self, buffer: "bytearray | memoryview") -> int:  # type: ignore[override]
        """Read what is there, or wait for it."""
        if self._poll is not None and not self._poll.poll(1_000 * self._patience.left(self._end)):
            _stop(self._process)
            raise _error(self._what)
        found = os.read(self._pipe.fileno(), len(buffer))
        buffer[: len(found)] = found
        return len(found)

    def close(self) -> None:
        self._pipe.close()
        super().close()


def _stop(process: "subprocess.Popen[bytes]") -> None:
    process.kill()
    process.wait()


def _error(what: str) -> SourceError:
    return SourceError(
        f"{what} was ended, because it made no progress; do the settings of the repository name a file that never ends?"
    )
