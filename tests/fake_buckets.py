"""A site in a bucket with a state, all of it in memory: what runs over it did, and what a build from nothing gives."""

from __future__ import annotations

from itertools import count
from typing import TYPE_CHECKING, Any

from fake_stores import RENDERER, MemoryBucket, MemoryStore, RequestGate, VirtualClock
from page_content import file_bytes
from unit.sample_sites import small_site

from waypost.build import bucket_run
from waypost.build.bucket_run import RebuildOptions
from waypost.build.bucket_site import BucketResult, BucketSite
from waypost.build.bucket_state import StateFile
from waypost.core.clock import Retry
from waypost.core.dates import format_unix_time
from waypost.core.gzip import decompress_if_gzip

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from waypost.build.bucket_state import BucketState
    from waypost.core.model import NamedSource
    from waypost.notify import Subscriber
    from waypost.settings.schema import Site

BASE = "https://example.org/"


class StatefulBucket:
    """A site in a bucket; each upload takes a second of its clock. `named` is what its settings name besides."""

    def __init__(self, **values: Any) -> None:
        self.gate, self.clock = RequestGate(), VirtualClock()
        self.settings: Site = small_site(**{"lastmod": "content", "state": "state", **values})
        self.source = MemoryBucket(self.gate)
        self.state = MemoryStore(self.gate, "state", clock=self.clock)
        self.outputs = MemoryStore(self.gate, "outputs", clock=self.clock)
        self.named: list[NamedSource] = []
        self.subscribers: list[Subscriber] = []
        self.site_uri, self.settings_since, self.renderer = "s3://site/", 0.0, RENDERER
        self._ids = count(1)

    def put(self, key: str, content: str | bytes) -> None:
        self.clock.sleep(1)
        self.source.objects[key] = file_bytes(key, content), format_unix_time(int(self.clock.time()))

    def delete(self, key: str) -> None:
        self.source.objects.pop(key, None)

    def site(self) -> BucketSite:
        return BucketSite(
            self.settings,
            self.site_uri,
            self.source,
            self.outputs,
            StateFile(self.state, "s3://state/", self._new_id, self.site_uri),
            self.renderer,
            self.clock,
            named_sources=lambda: self.named,
            subscribers=tuple(self.subscribers),
            settings_since=self.settings_since,
        )

    def _new_id(self) -> str:
        return f"{next(self._ids):012x}"

    def update(
        self, *keys: str, etags: Mapping[str, str] = bucket_run.NO_ETAGS, retry: Retry | None = None
    ) -> BucketResult:
        """A run for the events of these keys."""
        self.clock.sleep(1)
        return bucket_run.update(self.site(), keys, retry or Retry(lambda: False, self.clock.sleep), etags)

    def rebuild(self, retry: Retry | None = None, **options: Any) -> BucketResult:
        self.clock.sleep(1)
        return bucket_run.rebuild(
            self.site(), retry or Retry(lambda: False, self.clock.sleep), RebuildOptions(**options)
        )

    def change(self, key: str, content: str | bytes | None) -> BucketResult:
        """An upload, or a deletion, and the run for its event."""
        if content is None:
            self.delete(key)
        else:
            self.put(key, content)
        return self.update(key)

    def remembered(self) -> BucketState:
        return StateFile(self.state, "s3://state/", self._new_id).read()

    def files(self) -> dict[str, bytes]:
        """The published files, uncompressed, without those that are left to be deleted."""
        left = {each.name for each in self.remembered().head.leaving}
        bodies = self.outputs.bodies()
        return {name: decompress_if_gzip(name, body) for name, body in bodies.items() if name not in left}

    def from_nothing(self) -> dict[str, bytes]:
        """What a first build of the same objects publishes."""
        other = StatefulBucket()
        other.settings, other.source.objects = self.settings, dict(self.source.objects)
        other.clock.seconds, other.named = self.clock.seconds, self.named
        other.rebuild()
        return other.files()

    def counted(self, run: Callable[[], object]) -> list[str]:
        """The requests that a run makes."""
        self.gate.requests.clear()
        run()
        return [request for request in self.gate.requests if not request.endswith(" done")]
