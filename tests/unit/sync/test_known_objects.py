"""Which objects of a redelivered batch must be read again, and what it costs to know that."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from fake_stores import MemoryBucket, RequestGate, etag_of

from waypost.core.errors import BusyError
from waypost.sources.s3 import S3Source
from waypost.sync.known_objects import changed_keys

if TYPE_CHECKING:
    from buckets import MadeBucket

UPLOADED = "2026-01-01T00:00:00Z"


class SilentBucket(MemoryBucket):
    """A bucket that refuses every request for headers."""

    def etags(self, keys: Iterable[str]) -> dict[str, str | None]:
        raise BusyError(f"SlowDown: {len(list(keys))} keys")


def test_objects_that_are_as_recorded_need_no_read() -> None:
    gate = RequestGate()
    bucket = MemoryBucket(gate, {"a.html": (b"a", UPLOADED), "b.html": (b"b", UPLOADED)})
    assert changed_keys(bucket, {"a.html": etag_of(b"a"), "b.html": etag_of(b"b"), "gone.html": None}) == []
    assert not any(request.startswith("GET") for request in gate.requests)


def test_objects_that_are_new_changed_or_deleted_are_named_in_order() -> None:
    objects = {"changed.html": (b"2", UPLOADED), "known.html": (b"1", UPLOADED), "new.html": (b"1", UPLOADED)}
    one = etag_of(b"1")
    recorded = {"changed.html": one, "deleted.html": one, "known.html": one, "new.html": None}
    assert changed_keys(MemoryBucket(RequestGate(), objects), recorded) == ["changed.html", "deleted.html", "new.html"]


def test_if_the_bucket_does_not_answer_every_object_may_have_changed() -> None:
    assert changed_keys(SilentBucket(RequestGate()), {"a.html": "1", "b.html": None}) == ["a.html", "b.html"]


def test_many_known_objects_cost_one_page_of_a_listing(bucket: MadeBucket) -> None:
    bucket.put({f"{n:03}.html": f"{n}".encode() for n in range(100)})
    sent: list[str] = []
    recorded = {f"{n:03}.html": etag_of(f"{n}".encode()) for n in range(100)} | {"099.html": "before", "100.html": None}
    bucket.client.meta.events.register("before-send.s3", lambda request, **_: sent.append(request.method))
    assert changed_keys(S3Source(bucket.client, bucket.name, ""), recorded) == ["099.html"]
    assert sent == ["HEAD", "GET"]
