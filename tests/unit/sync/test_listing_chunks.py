from __future__ import annotations

import pytest
from fake_stores import MemoryBucket, RequestGate

from waypost.core import reasons
from waypost.core.model import Item
from waypost.core.reasons import Reason
from waypost.ledger.manifest import Manifest
from waypost.ledger.records import Record
from waypost.rules.facts import PageFacts
from waypost.sync.listing_chunks import is_as_recorded, iter_chunks

START = 1_795_219_200.0
"""2026-11-21T00:00:00Z in Unix seconds."""


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


@pytest.mark.parametrize(
    ("etag", "modified", "listed_since", "expected"),
    [
        ("other", "2026-11-21T00:00:00Z", None, False),
        ("same", "2026-11-21T00:00:10Z", None, True),
        ("same", "2026-11-20T23:59:00Z", START, True),
        ("same", "2026-11-21T00:00:10Z", START, False),
        ("same", "2026-11-20T23:59:59Z", START, False),
        ("same", "2026-11-22T00:00:00Z", START, True),
    ],
    ids=["other bytes", "not asked for", "before", "after", "as the clocks differ", "the upload that dates it"],
)
def test_an_upload_of_the_same_bytes_since_the_listing_may_have_other_metadata(
    etag: str, modified: str, listed_since: float | None, expected: bool
) -> None:
    record = Record("a.html", "same", PageFacts(), "2026-11-22T00:00:00Z")
    assert is_as_recorded(record, Item("a.html", "a.html", 1, etag, modified), listed_since) is expected
