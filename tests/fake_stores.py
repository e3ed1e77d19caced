"""A bucket, a state and published files in memory; every request to them can be delayed, lost or made to fail."""

from __future__ import annotations

import threading
from bisect import bisect_right
from dataclasses import dataclass, field
from hashlib import md5
from typing import TYPE_CHECKING, Any

from waypost.core.errors import ConflictError, UncertainError
from waypost.core.model import Body, Item, Skipped
from waypost.core.reasons import Reason
from waypost.files.source import ItemChangedError
from waypost.files.store import NO_METADATA, FileInfo, StoredFile
from waypost.sitemaps.render import Renderer

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence


RENDERER = Renderer()
START = 1_795_219_200.0
"""2026-11-21T00:00:00Z in Unix seconds."""
MAX_REQUEST_SECONDS = 20
"""How long after its beginning a request may take effect: less than a publisher's margin."""


def etag_of(content: bytes) -> str:
    """As S3 does for most objects: the same bytes have the same ETag."""
    return f'"{md5(content, usedforsecurity=False).hexdigest()}"'


class Crash(BaseException):
    """A writer ends at a request, as when its process is killed; nothing may catch it."""


class RequestGate:
    """Counts all requests, and makes the thread of a `Writer` wait before each of them."""

    def __init__(self) -> None:
        self.requests: list[str] = []
        self._writers: dict[int, Writer] = {}

    def register(self, writer: Writer) -> None:
        """Make the calling thread's requests wait for this writer's steps."""
        self._writers[threading.get_ident()] = writer

    def admit(self, request: str) -> None:
        """Called by a store or bucket at each request."""
        self.requests.append(request)
        if writer := self._writers.get(threading.get_ident()):
            writer.wait(request)


@dataclass
class VirtualClock:
    """A clock that only sleeping and the test itself move."""

    seconds: float = START

    def time(self) -> float:
        return self.seconds

    def sleep(self, seconds: float) -> None:
        self.seconds += seconds


@dataclass
class MemoryStore:
    """A ConditionalStore in memory; a request that changes it is atomic, and waits at the gate before and after.

    `label` is its name in the list of requests. A write that has waited too long has no answer, and no effect. Without
    `has_content_etags` each upload has an ETag of its own, as in multipart uploads.
    """

    gate: RequestGate
    label: str
    files: dict[str, tuple[bytes, Mapping[str, str]]] = field(default_factory=dict)
    width: int = 1
    clock: VirtualClock = field(default_factory=VirtualClock)
    has_content_etags: bool = True
    uploads: dict[str, int] = field(default_factory=dict)

    def names(self, stem: str = "") -> Iterable[str]:
        self.gate.admit(f"LIST {self.label}/{stem}")
        return sorted(name for name in self.files if name.startswith(stem) and "/" not in name[len(stem) :])

    def read(self, name: str) -> bytes | None:
        stored = self.get(name)
        return stored.content if stored else None

    def write(self, name: str, content: bytes) -> None:
        self.gate.admit(f"PUT {self.label}/{name}")
        self.files[name] = content, NO_METADATA
        self.gate.admit(f"PUT {self.label}/{name} done")

    def remove(self, name: str) -> None:
        self.gate.admit(f"DELETE {self.label}/{name}")
        self.files.pop(name, None)
        self.gate.admit(f"DELETE {self.label}/{name} done")

    def get(self, name: str) -> StoredFile | None:
        self.gate.admit(f"GET {self.label}/{name}")
        found = self.files.get(name)
        return StoredFile(found[0], self._etag(name) or "") if found else None

    def get_start(self, name: str, size: int) -> bytes | None:
        self.gate.admit(f"GET {self.label}/{name} start")
        found = self.files.get(name)
        return found[0][:size] if found else None

    def head(self, name: str) -> FileInfo | None:
        self.gate.admit(f"HEAD {self.label}/{name}")
        found = self.files.get(name)
        return FileInfo(self._etag(name) or "", found[1]) if found else None

    def put_if_match(
        self, name: str, content: bytes, etag: str | None, metadata: Mapping[str, str] = NO_METADATA
    ) -> str:
        self._admit_write(f"PUT {self.label}/{name}")
        self._expect(name, etag)
        self.files[name] = content, metadata
        self.uploads[name] = self.uploads.get(name, 0) + 1
        etag = self._etag(name)
        self.gate.admit(f"PUT {self.label}/{name} done")
        return etag or ""

    def delete_if_match(self, name: str, etag: str) -> None:
        self._admit_write(f"DELETE {self.label}/{name}")
        self._expect(name, etag)
        del self.files[name]
        self.gate.admit(f"DELETE {self.label}/{name} done")

    def delete_many(self, names: Sequence[str]) -> None:
        for name in names:
            self.remove(name)

    def list_files(self, stem: str) -> Iterable[str]:
        return self.names(stem)

    def _admit_write(self, request: str) -> None:
        started = self.clock.time()
        self.gate.admit(request)
        if self.clock.time() - started > MAX_REQUEST_SECONDS:
            raise UncertainError(f"{request} had no answer")

    def _etag(self, name: str) -> str | None:
        found = self.files.get(name)
        if found is None:
            return None
        return etag_of(found[0]) if self.has_content_etags else f'"{self.uploads.get(name, 0)}-1"'

    def _expect(self, name: str, etag: str | None) -> None:
        if self._etag(name) != etag:
            raise ConflictError(f"{name} was changed")

    def bodies(self) -> dict[str, bytes]:
        return {name: content for name, (content, _) in self.files.items()}


@dataclass
class MemoryBucket:
    """An ObjectSource in memory: the content and time of upload of each key, listed `page_size` keys a request.

    `robots` has the robots rules in the metadata of some objects, `broken` the errors of those that cannot be read.
    """

    gate: RequestGate
    objects: dict[str, tuple[bytes, str]] = field(default_factory=dict)
    robots: dict[str, str] = field(default_factory=dict)
    broken: dict[str, OSError] = field(default_factory=dict)
    width: int = 1
    has_etags: bool = True
    page_size: int = 3

    def items(self, prunes: Callable[[str], Reason | None]) -> Iterator[Item | Skipped]:
        del prunes
        for listing_page in self.list_items("", ()):
            yield from listing_page

    def list_items(
        self, start_after: str, split_points: Iterable[str], through: str | None = None
    ) -> Iterator[Sequence[Item | Skipped]]:
        del split_points
        while keys := self._keys_of_page(start_after, through):
            yield [self._item(key) for key in keys]
            start_after = keys[-1]

    def first_key_after(self, key: str) -> str | None:
        return next(iter(self._keys_of_page(key, None)), None)

    def _keys_of_page(self, after: str, through: str | None) -> Sequence[str]:
        self.gate.admit(f"LIST site/ after {after}")
        keys = sorted(self.objects)
        start, stop = bisect_right(keys, after), len(keys) if through is None else bisect_right(keys, through)
        return keys[start : min(stop, start + self.page_size)]

    def read(self, item: Item, size: int | None = None) -> Body:
        self.gate.admit(f"GET site/{item.key}")
        if item.key in self.broken:
            raise self.broken[item.key]
        if item.key not in self.objects:
            raise FileNotFoundError(2, "no such object", item.key)
        content, modified = self.objects[item.key]
        if item.required_etag not in ("", etag_of(content)):
            raise ItemChangedError(11, "the object was replaced while it was read", item.key)
        is_whole = size is None or len(content) <= size
        robots = self.robots.get(item.key, "")
        return Body(content[:size], is_whole, robots_header=robots, etag=etag_of(content), modified=modified)

    def etags(self, keys: Iterable[str]) -> dict[str, str | None]:
        return {key: self._etag(key) for key in keys}

    def _etag(self, key: str) -> str | None:
        self.gate.admit(f"HEAD site/{key}")
        found = self.objects.get(key)
        return etag_of(found[0]) if found else None

    def find(self, key: str) -> bytes | None:
        self.gate.admit(f"GET site/{key}")
        if key in self.broken:
            raise self.broken[key]
        found = self.objects.get(key)
        return found[0] if found else None

    def _item(self, key: str) -> Item:
        content, modified = self.objects[key]
        return Item(key, key, len(content), etag_of(content), modified)


class Writer:
    """A run in a thread of its own, which waits before each request until `step` is called."""

    def __init__(self, gate: RequestGate, run: Callable[[], Any]) -> None:
        self._gate, self._run = gate, run
        self._go, self._stopped = threading.Semaphore(0), threading.Semaphore(0)
        self._failure: BaseException | None = None
        self.is_done = False
        self.error: BaseException | None = None
        self.result: Any = None
        self.at = ""
        self._thread = threading.Thread(target=self._work, daemon=True)
        self._thread.start()
        self._stopped.acquire()

    def _work(self) -> None:
        self._gate.register(self)
        try:
            self.result = self._run()
        except (Crash, Exception) as error:
            self.error = error
        self.is_done = True
        self._stopped.release()

    def wait(self, request: str) -> None:
        """Called in the run's thread: wait for the next `step`."""
        self.at = request
        self._stopped.release()
        self._go.acquire()
        if self._failure:
            failure, self._failure = self._failure, None
            raise failure

    def step(self, failure: BaseException | None = None) -> None:
        """Let the run make the request that it waits before, or fail at it."""
        self._failure = failure
        self._go.release()
        self._stopped.acquire()

    def until(self, request: str) -> None:
        """Step until the run waits before a request that begins so."""
        while not self.is_done and not self.at.startswith(request):
            self.step()
        assert not self.is_done, f"the run ended without the request {request}"

    def finish(self) -> None:
        while not self.is_done:
            self.step()
