"""How long a command of Git may take: Git reads files that its settings name, and one of these may never end.

Includes cannot be switched off, so only a deadline helps: a repository that is not the workspace's own may be
anybody's.
"""

import io
import math
import os
import select
import subprocess
import time
from typing import IO, NamedTuple

from waypost.core.errors import SourceError


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


def wait(process: "subprocess.Popen[bytes]", stdin: bytes, patience: Patience, what: str) -> tuple[bytes, bytes]:
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


def watched(process: "subprocess.Popen[bytes]", buffer: int, patience: Patience, what: str) -> io.BufferedReader:
    """The output of a command, which is read while it runs; reading raises SourceError if it makes no progress."""
    if process.stdout is None:
        raise AssertionError("it is a pipe")
    return io.BufferedReader(_Output(process, process.stdout, patience, what), buffer)


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
