"""Reading what objects are now, with objects that are gone, denied or throttled."""

from __future__ import annotations

import pytest
from fake_stores import MemoryBucket, RequestGate, etag_of
from unit.sample_sites import site

from waypost.core.errors import BusyError
from waypost.core.model import Body, Item
from waypost.sync.object_reader import read_objects

SITE = site()
UPLOADED = "2026-01-01T00:00:00Z"


class FailingBucket(MemoryBucket):
    """A bucket in which reading `denied.html` and `slow.html` fails."""

    def read(self, item: Item, size: int | None = None) -> Body:
        if item.key == "denied.html":
            raise PermissionError(13, "AccessDenied")
        if item.key == "slow.html":
            raise TimeoutError(110, "SlowDown")
        return super().read(item, size)


def bucket(width: int = 1) -> FailingBucket:
    return FailingBucket(
        RequestGate(),
        {"a.html": (b"<meta name=robots content=noindex>", UPLOADED), "b.html": (b"text", UPLOADED)},
        width=width,
    )


def items(*keys: str) -> list[Item]:
    return [Item(key, key) for key in keys]


@pytest.mark.parametrize("width", [1, 8])
def test_each_object_has_its_snapshot(width: int) -> None:
    snapshots, failed = read_objects(bucket(width), SITE, items("a.html", "b.html"))
    assert list(snapshots) == ["a.html", "b.html"]
    first, second = snapshots.values()
    assert first is not None
    assert second is not None
    assert (first.facts.head.noindex, second.facts.head.noindex) == ("noindex", "")
    assert (second.etag, second.uploaded_at) == (etag_of(b"text"), UPLOADED)
    assert failed == {}


def test_an_object_that_is_gone_has_no_snapshot_and_is_no_failure() -> None:
    assert read_objects(bucket(), SITE, items("gone.html")) == ({"gone.html": None}, {})


def test_an_object_that_cannot_be_read_fails_alone() -> None:
    snapshots, failed = read_objects(bucket(), SITE, items("a.html", "denied.html", "slow.html", "b.html"))
    assert list(snapshots) == ["a.html", "b.html"]
    assert failed == {"denied.html": "AccessDenied", "slow.html": "SlowDown"}


def test_throttling_is_an_error_of_the_whole_read_where_the_caller_asks_for_that() -> None:
    with pytest.raises(BusyError, match=r"slow\.html cannot be read now: SlowDown"):
        read_objects(bucket(), SITE, items("a.html", "slow.html"), raise_when_busy=True)
    assert read_objects(bucket(), SITE, items("denied.html"), raise_when_busy=True)[1] == {
        "denied.html": "AccessDenied"
    }
