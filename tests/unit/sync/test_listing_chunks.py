from __future__ import annotations

from fake_stores import MemoryBucket, RequestGate

from waypost.core import reasons
from waypost.core.reasons import Reason
from waypost.ledger.manifest import Manifest
from waypost.sync.listing_chunks import iter_chunks


def reason(key: str) -> Reason | None:
    return None if key.endswith(".html") else reasons.NOT_A_PAGE


def test_chunks_have_no_gap_and_the_last_has_no_end() -> None:
    objects = {f"{n:03}.{'html' if n % 2 else 'css'}": (b"x", "2026-01-01T00:00:00Z") for n in range(30)}
    found = list(iter_chunks(MemoryBucket(RequestGate(), objects), Manifest(), "", reason, max_items=4))
    assert len(found) > 2
    assert [chunk.start_after for chunk in found] == ["", *(chunk.through for chunk in found[:-1])]
    assert found[-1].through is None
    assert [item.key for chunk in found for item in chunk.items] == sorted(k for k in objects if "html" in k)
    assert sum(chunk.objects_listed for chunk in found) == 30
    assert sum(chunk.ignored["not-a-page"] for chunk in found) == 15


def test_an_empty_bucket_gives_one_empty_chunk() -> None:
    (chunk,) = iter_chunks(MemoryBucket(RequestGate()), Manifest(), "", reason)
    assert (chunk.start_after, chunk.through, chunk.items, chunk.objects_listed) == ("", None, [], 0)
