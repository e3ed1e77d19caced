"""A cloud whose buckets are in memory."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fake_buckets import StatefulBucket
from fake_stores import MemoryBucket, MemoryStore

from waypost.build.locations import Location, Provider

if TYPE_CHECKING:
    from collections.abc import Mapping

    from waypost.core.clock import Retry


class Cloud:
    """Buckets in memory; each prefix of a bucket is a store of its own."""

    def __init__(self) -> None:
        self.site = StatefulBucket()
        self.stores: dict[str, MemoryStore] = {}

    def connect(self, retry: Retry) -> Provider:
        self.retry = retry
        return Provider(lambda location, headers: self.store(location), self.source)

    def store(self, location: Location) -> MemoryStore:
        return self.stores.setdefault(str(location), MemoryStore(self.site.gate, "cloud"))

    def source(self, location: Location) -> MemoryBucket:
        del location
        return self.site.source

    def published(self, place: str) -> Mapping[str, bytes]:
        return self.stores[place].bodies()
