"""The objects of the ranges whose records are lost are read again, and no others."""

from __future__ import annotations

from typing import Any

import pytest
from fake_stores import MemoryBucket, SimulatedSite

from waypost.core.errors import BusyError
from waypost.core.model import Body, Item
from waypost.ledger.manifest import Manifest, ShardEntry
from waypost.sync.lost_ranges import read_ranges
from waypost.sync.object_reader import Snapshots

FIRST, SECOND, THIRD = (ShardEntry("", key or "0", key, 2, f"shards/{key}") for key in ("", "c.html", "m.html"))
BLOG = ShardEntry("blog", None, "", 2, "shards/blog")
MANIFEST = Manifest(entries=(FIRST, SECOND, THIRD, BLOG))
KEYS = ["a.html", "b.html", "blog/x.html", "c.html", "d.html", "d.css", "m.html", "z.html"]


def read(*entries: ShardEntry, **values: Any) -> tuple[Snapshots, list[str]]:
    """What is read of the ranges of these entries, and the requests for objects."""
    site = SimulatedSite(groups={"blog": ["/blog/"]})
    site.source = values.get("source", MemoryBucket)(site.gate)
    for key in KEYS:
        site.put(key, "x")
    updater = site.updater()
    site.gate.requests.clear()
    found = read_ranges(site.source, updater.site, MANIFEST, entries, updater.exclusion_reason, updater.group)
    return found, [each.removeprefix("GET site/") for each in site.gate.requests if each.startswith("GET site/")]


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


def test_an_object_that_cannot_be_read_is_an_error_and_not_a_missing_page() -> None:
    class Denied(MemoryBucket):
        def read(self, item: Item, size: int | None = None) -> Body:
            if item.key == "d.html":
                raise PermissionError(13, "AccessDenied")
            return super().read(item, size)

    with pytest.raises(BusyError, match=r"d\.html, whose record is lost, cannot be read now: AccessDenied"):
        read(SECOND, source=Denied)
