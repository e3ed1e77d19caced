"""Reads the older versions of pages by one `git cat-file --batch`, and fetches those that a partial clone lacks."""

import subprocess
from collections.abc import Iterator, Sequence, Set
from pathlib import Path
from typing import IO

from waypost.core import tree_files
from waypost.core.page_changes import Version
from waypost.git.repository import GitFolder

_FETCH = (
    *("--no-tags", "--no-write-fetch-head", "--no-auto-gc", "--recurse-submodules=no", "--quiet"),
    *("--filter=blob:none", "--stdin"),
)
"""What Git itself fetches missing objects with."""

_PIPE_BYTES = 1 << 20
"""Git reads ahead by so much while we compare."""
MOST_BYTES = 33_554_432
"""A longer version is not held in memory, and counts as one that cannot be read."""
_HELD_BYTES = 1 << 24
"""How much is held of versions that were read, as they may be wanted again; those beyond it are read again."""


class PageVersions:
    """The versions of the pages in a folder of a repository; a context manager, which ends the process that reads them.

    `remote` is the one that a partial clone (`git clone --filter=…`) fetches missing objects from, else None.
    """

    def __init__(self, at: GitFolder) -> None:
        self._at = at
        self._process: subprocess.Popen[bytes] | None = None
        self._coming: dict[bytes, None] = {}
        self._held: dict[bytes, bytes | None] = {}
        self._held_bytes = 0
        self.remote = at.repository.promisor_remote
        self._local = _local_objects(at) if self.remote else None

    def __enter__(self) -> "PageVersions":
        return self

    def __exit__(self, *_: object) -> None:
        self._stop()

    def is_local(self, version: Version) -> bool:
        """Whether a version can be read without fetching it."""
        return self._local is None or isinstance(version, str) or version in self._local

    def read(self, versions: Sequence[Version]) -> Iterator[bytes | None]:
        """The contents of at most a thousand versions, to be read to the end; None for one that is not there."""
        self._request(self._blobs(versions))
        for version in versions:
            if isinstance(version, str):
                yield _file_content(self._at.folder / version, self._at.root)
            else:
                yield self._content(version) if self.is_local(version) else None

    def read_ahead(self, versions: Sequence[Version]) -> None:
        """Let Git begin to read at most 400 versions; what it read ahead before, and nobody wanted, is dropped."""
        while self._coming:
            self._next()
        self._held, self._held_bytes = {}, 0
        self._request(self._blobs(versions))

    def _blobs(self, versions: Sequence[Version]) -> list[bytes]:
        return [version for version in versions if isinstance(version, bytes) and self.is_local(version)]

    def _content(self, wanted: bytes) -> bytes | None:
        """The content of a blob; it is held, and what comes before it, as far as there is room."""
        if wanted in self._held:
            return self._held[wanted]
        self._request([wanted])
        while True:
            blob, content = self._next()
            if self._held_bytes + len(content or b"") <= _HELD_BYTES:
                self._held[blob] = content
                self._held_bytes += len(content or b"")
            if blob == wanted:
                return content

    def _next(self) -> tuple[bytes, bytes | None]:
        """The next blob that was requested, and its content."""
        if self._process is None or self._process.stdout is None:
            raise AssertionError("blobs were requested")
        blob = next(iter(self._coming))
        del self._coming[blob]
        return blob, _next_content(self._process.stdout)

    def fetch(self, blobs: Set[bytes]) -> bool:
        """Fetch blobs with one command; returns whether they are there now."""
        if self.remote is None or self._local is None:
            return False
        self._stop()
        done = self._at.run(
            *("-c", "fetch.negotiationAlgorithm=noop", "fetch", *_FETCH, "--", self.remote),
            stdin=b"".join(blob + b"\n" for blob in sorted(blobs)),
        )
        if done.returncode == 0:
            self._local |= blobs
        return done.returncode == 0

    def _request(self, blobs: Sequence[bytes]) -> None:
        """Ask for blobs: a thousand ids fit into a pipe, so Git never waits for us while we wait for Git."""
        wanted = dict.fromkeys(blob for blob in blobs if blob not in self._held and blob not in self._coming)
        if not wanted:
            return
        if self._process is None:
            self._process = self._at.start("cat-file", "--batch", stdin=subprocess.PIPE, read_ahead=_PIPE_BYTES)
        if self._process.stdin is None:
            raise AssertionError("it is a pipe")
        self._coming |= wanted
        self._process.stdin.write(b"".join(blob + b"\n" for blob in wanted))
        self._process.stdin.flush()

    def _stop(self) -> None:
        self._coming, self._held, self._held_bytes = {}, {}, 0
        if self._process is not None:
            self._process.communicate()
            self._process = None


def _next_content(stream: IO[bytes]) -> bytes | None:
    header = stream.readline().split()
    if len(header) != 3 or header[1] != b"blob":
        return None
    size = int(header[2])
    if size > MOST_BYTES:
        for start in range(0, size + 1, _PIPE_BYTES):
            stream.read(min(_PIPE_BYTES, size + 1 - start))
        return None
    content = stream.read(size)
    stream.read(1)
    return content


def _file_content(file: Path, root: Path) -> bytes | None:
    try:
        return tree_files.read(file, root, most=MOST_BYTES)
    except OSError:
        return None


def _local_objects(at: GitFolder) -> set[bytes]:
    """The blobs that a partial clone has: Git would fetch each other one by itself, with a process of its own."""
    options = ("--batch-all-objects", "--unordered", "--buffer", "--batch-check=%(objecttype) %(objectname)")
    with at.start("cat-file", *options) as process:
        lines = (line.rstrip(b"\n") for line in process.stdout or ())
        return {line[5:] for line in lines if line.startswith(b"blob ")}
