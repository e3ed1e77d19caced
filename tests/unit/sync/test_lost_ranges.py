"""The objects of the ranges whose records are lost are read again, and no others."""

from __future__ import annotations

from contextlib import nullcontext
from typing import TYPE_CHECKING, Any

import pytest
from fake_stores import MemoryBucket, SimulatedSite

from waypost.build.object_reader import Snapshots
from waypost.core.errors import BusyError, SourceError
from waypost.core.model import Body, Item
from waypost.core.retry import Retry
from waypost.ledger.manifest import Manifest, ShardEntry
from waypost.sync.lost_ranges import read_ranges, require_few

if TYPE_CHECKING:
    from collections.abc import Mapping

FIRST, SECOND, THIRD = (ShardEntry("", key or "0", key, 2, f"shards/{key}") for key in ("", "c.html", "m.html"))
BLOG = ShardEntry("blog", None, "", 2, "shards/blog")
MANIFEST = Manifest(entries=(FIRST, SECOND, THIRD, BLOG))
KEYS = ["a.html", "b.html", "blog/x.html", "c.html", "d.html", "d.css", "m.html", "z.html"]


def read(*entries: ShardEntry, **values: Any) -> tuple[Snapshots, list[str]]:
    """What is read of the ranges of these entries, and the requests for objects."""
    found, _, requested = read_all(*entries, **values)
    return found, requested


def read_all(*entries: ShardEntry, **values: Any) -> tuple[Snapshots, Mapping[str, str], list[str]]:
    """The same, and the errors of the objects that cannot be read."""
    site = SimulatedSite(groups={"blog": ["/blog/"]})
    site.source = values.get("source", MemoryBucket)(site.gate)
    for key in KEYS:
        site.put(key, "x")
    updater = site.updater()
    site.gate.requests.clear()
    retry = Retry(lambda: False, site.clock.sleep)
    of_key = updater.exclusion_reason, updater.group
    found, failed = read_ranges(site.source, updater.site, MANIFEST, entries, *of_key, retry)
    requests = (each for each in site.gate.requests if each.startswith("GET site/"))
    return found, failed, [each.removeprefix("GET site/") for each in requests]


@pytest.mark.parametrize(
    ("entry", "keys"),
    [
        (FIRST, ["a.html", "b.html"]),
        (SECOND, ["c.html", "d.html"]),
        (THIRD, ["m.html", "z.html"]),
        (BLOG, ["blog/x.html"]),
    ],
)
def test_the_possible_pages_of_a_range_and_group_are_read_and_no_others(entry: ShardEntry, keys: list[str]) -> None:
    found, requested = read(entry)
    assert sorted(found) == sorted(requested) == keys
    assert all(found.values())


def test_several_ranges_are_read_together() -> None:
    assert sorted(read(FIRST, THIRD)[0]) == ["a.html", "b.html", "m.html", "z.html"]


def test_a_first_key_whose_object_is_gone_is_gone() -> None:
    class WithoutFirstKey(MemoryBucket):
        def read(self, item: Item, size: int | None = None) -> Body:
            self.objects.pop("c.html", None)
            return super().read(item, size)

    found, _ = read(SECOND, source=WithoutFirstKey)
    assert (found["c.html"], bool(found["d.html"])) == (None, True)


def bucket_that_fails(error: OSError, attempts: int) -> type[MemoryBucket]:
    """A bucket that answers these first attempts to read one object with an error."""
    left = [error] * attempts

    class FailingBucket(MemoryBucket):
        def read(self, item: Item, size: int | None = None) -> Body:
            if item.key == "d.html" and left:
                raise left.pop()
            return super().read(item, size)

    return FailingBucket


def test_an_object_that_cannot_be_read_for_good_is_left_out_with_its_error_and_the_others_are_not() -> None:
    denied = bucket_that_fails(PermissionError(13, "AccessDenied"), 1)
    found, failed, _ = read_all(SECOND, source=denied)
    assert (list(found), failed) == (["c.html"], {"d.html": "AccessDenied"})


@pytest.mark.parametrize(
    ("unreadable", "listed", "max_removed", "is_refused"),
    [(1, 2, 50, False), (2, 3, 50, True), (1, 1, 50, True), (1, 1, 100, False), (29, 30, 90, True), (0, 0, 50, False)],
)
def test_objects_that_cannot_be_read_are_left_out_unless_too_many_pages_would_go(
    unreadable: int, listed: int, max_removed: int, is_refused: bool
) -> None:
    errors = {f"{n}.html": "AccessDenied" for n in range(unreadable)}
    expected = f"{unreadable} objects whose records are lost cannot be read.*the first is 0.html: AccessDenied"
    with pytest.raises(SourceError, match=expected) if is_refused else nullcontext():
        require_few(errors, listed, max_removed)


def test_a_bucket_that_throttles_is_asked_again() -> None:
    assert sorted(read(SECOND, source=bucket_that_fails(TimeoutError(1, "SlowDown"), 3))[0]) == ["c.html", "d.html"]


def test_a_bucket_that_throttles_for_long_is_an_error_since_pages_would_be_missing() -> None:
    with pytest.raises(BusyError, match=r"d\.html cannot be read now: SlowDown"):
        read(SECOND, source=bucket_that_fails(TimeoutError(1, "SlowDown"), 99))
