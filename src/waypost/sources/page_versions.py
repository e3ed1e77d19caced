"""Reads the older versions of pages by one `git cat-file --batch`, and fetches those that a partial clone lacks."""

import subprocess
import tempfile
from collections.abc import Iterator, Sequence, Set
from pathlib import Path
from typing import IO

from waypost.core import git_command
from waypost.sources.page_walk import Version

_FETCH = (
    *("--no-tags", "--no-write-fetch-head", "--no-auto-gc", "--recurse-submodules=no", "--quiet"),
    *("--filter=blob:none", "--stdin"),
)
"""What Git itself fetches missing objects with."""

_PIPE_BYTES = 1 << 20
"""Git reads ahead by so much while we compare."""


class PageVersions:
    """The versions of the pages below a folder; a context manager, which ends the process that reads them.

    `remote` is the one that a partial clone (`git clone --filter=…`) fetches missing objects from, else None.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._process: subprocess.Popen[bytes] | None = None
        self.remote = _promisor_remote(folder)
        self._local = _local_objects(folder) if self.remote else None

    def __enter__(self) -> "PageVersions":
        return self

    def __exit__(self, *_: object) -> None:
        self._stop()

    def is_local(self, version: Version) -> bool:
        """Whether a version can be read without fetching it."""
        return self._local is None or isinstance(version, str) or version in self._local

    def read(self, versions: Sequence[Version]) -> Iterator[bytes | None]:
        """The contents of at most a thousand versions, to be read to the end; None for one that is not there."""
        blobs = [version for version in versions if isinstance(version, bytes) and self.is_local(version)]
        stream = self._request(blobs) if blobs else None
        for version in versions:
            if isinstance(version, str):
                yield _file_content(self._folder / version)
            else:
                yield _next_content(stream) if stream and self.is_local(version) else None

    def fetch(self, blobs: Set[bytes]) -> bool:
        """Fetch blobs with one command; returns whether they are there now."""
        if self.remote is None or self._local is None:
            return False
        self._stop()
        done = subprocess.run(
            git_command.git_command(
                self._folder, "-c", "fetch.negotiationAlgorithm=noop", "fetch", self.remote, *_FETCH
            ),
            input=b"".join(blob + b"\n" for blob in sorted(blobs)),
            capture_output=True,
            check=False,
            env=git_command.environment(),
        )
        if done.returncode == 0:
            self._local |= blobs
        return done.returncode == 0

    def _request(self, blobs: Sequence[bytes]) -> IO[bytes]:
        """Ask for blobs: a thousand ids fit into a pipe, so Git never waits for us while we wait for Git."""
        if self._process is None:
            self._process = subprocess.Popen(
                git_command.git_command(self._folder, "cat-file", "--batch"),
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                env=git_command.environment(),
                pipesize=_PIPE_BYTES,
            )
        stdin, stdout = self._process.stdin, self._process.stdout
        if stdin is None or stdout is None:
            raise AssertionError("both are pipes")
        stdin.write(b"".join(blob + b"\n" for blob in blobs))
        stdin.flush()
        return stdout

    def _stop(self) -> None:
        if self._process is not None:
            self._process.communicate()
            self._process = None


def _next_content(stream: IO[bytes]) -> bytes | None:
    header = stream.readline().split()
    if len(header) != 3:
        return None
    content = stream.read(int(header[2]))
    stream.read(1)
    return content


def _file_content(file: Path) -> bytes | None:
    try:
        return file.read_bytes()
    except OSError:
        return None


def _promisor_remote(folder: Path) -> str | None:
    listed = _lines(folder, "config", "--name-only", "--get-regexp", r"^remote\..*\.promisor$")
    names = [line.decode("utf-8", "surrogateescape") for line in listed]
    return names[0].removeprefix("remote.").removesuffix(".promisor") if names else None


def _local_objects(folder: Path) -> set[bytes]:
    """The blobs that a partial clone has: Git would fetch each other one by itself, with a process of its own."""
    listing = (
        "cat-file",
        "--batch-all-objects",
        "--unordered",
        "--buffer",
        "--batch-check=%(objecttype) %(objectname)",
    )
    return {line[5:] for line in _lines(folder, *listing) if line.startswith(b"blob ")}


def _lines(folder: Path, *arguments: str) -> Iterator[bytes]:
    with (
        tempfile.TemporaryFile() as stderr_file,
        subprocess.Popen(
            git_command.git_command(folder, *arguments),
            stdout=subprocess.PIPE,
            stderr=stderr_file,
            env=git_command.environment(),
        ) as process,
    ):
        for line in process.stdout or ():
            yield line.rstrip(b"\n")
