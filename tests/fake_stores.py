"""A bucket, a ledger and published files in memory, whose every request can be held up, lost or made to fail."""

from __future__ import annotations

import threading
from dataclasses import dataclass, field
from hashlib import md5
from heapq import nsmallest
from typing import TYPE_CHECKING, Any

from unit.doubles import small_site

from waypost.core.dates import add_seconds
from waypost.core.errors import ConflictError, StoreError
from waypost.core.model import Body, Item, Skipped
from waypost.core.reasons import Reason
from waypost.ledger.store import Ledger
from waypost.sitemaps.render import Renderer
from waypost.stores.base import NO_METADATA, FileInfo, ListedFile, PublishMetadata, StoredFile
from waypost.sync.updater import Updater

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

RENDERER = Renderer()


def etag_of(content: bytes) -> str:
    """As S3 does for most objects: the same bytes have the same ETag."""
    return f'"{md5(content, usedforsecurity=False).hexdigest()}"'


class Crash(BaseException):
    """The end of a writer in the middle of what it did; nothing may catch it."""


class RequestGate:
    """Where every request passes: counted, and held up where the writer is one that is stepped."""

    def __init__(self) -> None:
        self.requests: list[str] = []
        self._writers: dict[int, Writer] = {}

    def enter(self, writer: Writer) -> None:
        self._writers[threading.get_ident()] = writer

    def passing(self, request: str) -> None:
        self.requests.append(request)
        if writer := self._writers.get(threading.get_ident()):
            writer.wait(request)


@dataclass
class MemoryStore:
    """A SwapStore in memory: the requests that change it happen at once, between two waits at the gate.

    `modified` is when all of its files were written, in Unix seconds.
    """

    gate: RequestGate
    label: str
    files: dict[str, tuple[bytes, PublishMetadata]] = field(default_factory=dict)
    width: int = 1
    modified: float = float("inf")

    def names(self, stem: str = "") -> Iterable[str]:
        self.gate.passing(f"LIST {self.label}/{stem}")
        return sorted(name for name in self.files if name.startswith(stem) and "/" not in name[len(stem) :])

    def read(self, name: str) -> bytes | None:
        stored = self.get(name)
        return stored.content if stored else None

    def write(self, name: str, content: bytes) -> None:
        self.gate.passing(f"PUT {self.label}/{name}")
        self.files[name] = content, NO_METADATA
        self.gate.passing(f"PUT {self.label}/{name} done")

    def remove(self, name: str) -> None:
        self.gate.passing(f"DELETE {self.label}/{name}")
        self.files.pop(name, None)
        self.gate.passing(f"DELETE {self.label}/{name} done")

    def get(self, name: str) -> StoredFile | None:
        self.gate.passing(f"GET {self.label}/{name}")
        found = self.files.get(name)
        return StoredFile(found[0], etag_of(found[0])) if found else None

    def head(self, name: str) -> FileInfo | None:
        self.gate.passing(f"HEAD {self.label}/{name}")
        found = self.files.get(name)
        return FileInfo(etag_of(found[0]), found[1]) if found else None

    def put_if_match(self, name: str, content: bytes, etag: str | None, metadata: PublishMetadata = NO_METADATA) -> str:
        self.gate.passing(f"PUT {self.label}/{name}")
        self._expect(name, etag)
        self.files[name] = content, metadata
        self.gate.passing(f"PUT {self.label}/{name} done")
        return etag_of(content)

    def delete_if_match(self, name: str, etag: str) -> None:
        self.gate.passing(f"DELETE {self.label}/{name}")
        self._expect(name, etag)
        del self.files[name]
        self.gate.passing(f"DELETE {self.label}/{name} done")

    def delete_many(self, names: Sequence[str]) -> None:
        for name in names:
            self.remove(name)

    def list_files(self, stem: str) -> Iterable[ListedFile]:
        return [ListedFile(name, self.modified) for name in self.names(stem)]

    def _expect(self, name: str, etag: str | None) -> None:
        found = self.files.get(name)
        if (etag_of(found[0]) if found else None) != etag:
            raise ConflictError(f"{name} was changed")

    def bodies(self) -> dict[str, bytes]:
        return {name: content for name, (content, _) in self.files.items()}


@dataclass
class MemoryBucket:
    """An ObjectSource in memory; `modified` is the time of each upload."""

    gate: RequestGate
    objects: dict[str, tuple[bytes, str]] = field(default_factory=dict)
    width: int = 1
    has_etags: bool = True
    some: int = 3

    def items(self, prunes: Callable[[str], Reason | None]) -> Iterator[Item | Skipped]:
        del prunes
        for some in self.list_items("", ()):
            yield from some

    def list_items(
        self, after: str, cuts: Iterable[str], upto: str | None = None
    ) -> Iterator[Sequence[Item | Skipped]]:
        del cuts
        while True:
            keys = self._listed(after, upto)
            if not keys:
                return
            yield [Item(key, key, *self._about(key)) for key in keys]
            after = keys[-1]

    def first_key_after(self, key: str) -> str | None:
        return next(iter(self._listed(key, None)), None)

    def first_keys(self, after: str, upto: str | None, most: int = 1_000) -> tuple[Sequence[str], bool]:
        del most
        keys = self._listed(after, upto)
        return keys, len(keys) < self.some or keys[-1] == upto

    def _listed(self, after: str, upto: str | None) -> Sequence[str]:
        self.gate.passing(f"LIST site/ after {after}")
        return nsmallest(self.some, (key for key in self.objects if key > after and (upto is None or key <= upto)))

    def read(self, item: Item, size: int | None = None) -> Body:
        self.gate.passing(f"GET site/{item.key}")
        if item.key not in self.objects:
            raise FileNotFoundError(2, "it is gone", item.key)
        content, modified = self.objects[item.key]
        is_whole = size is None or len(content) <= size
        return Body(content[:size], is_whole, etag=etag_of(content), modified=modified)

    def etags(self, keys: Iterable[str]) -> dict[str, str | None]:
        return {key: self._etag(key) for key in keys}

    def _etag(self, key: str) -> str | None:
        self.gate.passing(f"HEAD site/{key}")
        found = self.objects.get(key)
        return etag_of(found[0]) if found else None

    def find(self, key: str) -> bytes | None:
        self.gate.passing(f"GET site/{key}")
        found = self.objects.get(key)
        return found[0] if found else None

    def _about(self, key: str) -> tuple[int, str, str]:
        content, modified = self.objects[key]
        return len(content), etag_of(content), modified


class SimulatedSite:
    """A site in a bucket, with a ledger and published files beside it; time goes by a second at every question."""

    def __init__(self, **values: Any) -> None:
        self.gate = RequestGate()
        self.site = small_site(**values)
        self.source, self.state = MemoryBucket(self.gate), MemoryStore(self.gate, "state")
        self.outputs = MemoryStore(self.gate, "outputs")
        self.seconds = 0
        self.told: list[str] = []

    def now(self) -> str:
        self.seconds += 1
        return add_seconds("2026-11-21T00:00:00Z", self.seconds)

    def put(self, key: str, content: str) -> None:
        self.source.objects[key] = content.encode(), self.now()

    def delete(self, key: str) -> None:
        self.source.objects.pop(key, None)

    def updater(self) -> Updater:
        ledger = Ledger(self.state, "s3://site/", self.told.append)
        return Updater(self.source, self.site, ledger, self.outputs, RENDERER, self.now)

    def twin(self) -> SimulatedSite:
        """The same bucket, of which nothing is remembered or published."""
        other = SimulatedSite()
        other.site, other.source.objects = self.site, dict(self.source.objects)
        return other

    def counted(self, run: Callable[[], Any]) -> list[str]:
        """The requests of a run."""
        self.gate.requests.clear()
        run()
        return [request for request in self.gate.requests if not request.endswith(" done")]


class Writer:
    """A run in a thread that takes one request at a time, when it is told to."""

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
        self._gate.enter(self)
        try:
            self.result = self._run()
        except (Crash, Exception) as error:
            self.error = error
        self.is_done = True
        self._stopped.release()

    def wait(self, request: str) -> None:
        """Called in the run's thread: stop here until told to go on."""
        self.at = request
        self._stopped.release()
        self._go.acquire()
        if self._failure:
            failure, self._failure = self._failure, None
            raise failure

    def step(self, failure: BaseException | None = None) -> None:
        """Let the run take the request that it waits at, or end there."""
        self._failure = failure
        self._go.release()
        self._stopped.acquire()

    def until(self, request: str) -> None:
        """Go on until the run waits at such a request, which it has not taken yet."""
        while not self.is_done and not self.at.startswith(request):
            self.step()
        assert not self.is_done, f"it never came to {request}"

    def finish(self) -> None:
        while not self.is_done:
            self.step()


def lost() -> StoreError:
    """A request whose answer never came."""
    return StoreError("the connection was lost")
