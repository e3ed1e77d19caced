"""Keys are updated in portions of whole segments."""

from __future__ import annotations

from itertools import count, islice

from waypost.ledger.manifest import Manifest, ShardEntry
from waypost.sitemaps.sharding import begins_segment
from waypost.sync.key_portions import in_order, portions

LIMIT = 20
STARTS = list(islice((f"{n:06}" for n in count() if begins_segment(f"{n:06}", LIMIT)), 40))


def no_group(key: str) -> str:
    del key
    return ""


def entries(group: str = "") -> list[ShardEntry]:
    """Shards that begin a segment, each with one after it that does not."""
    inner = [f"{start}-x" for start in STARTS if not begins_segment(f"{start}-x", LIMIT)]
    return [ShardEntry(group, None, key, 10, "r") for key in ("", *sorted([*STARTS, *inner]))]


def test_a_portion_ends_before_the_seventeenth_segment() -> None:
    manifest = Manifest(entries=tuple(entries()))
    keys = sorted(f"{start}{end}" for start in STARTS for end in ("", "-w", "-y"))
    assert list(portions(keys, manifest, no_group, LIMIT)) == [keys[:48], keys[48:96], keys[96:]]
    assert list(portions(keys[:20], manifest, no_group, LIMIT)) == [keys[:20]]
    assert list(portions([], manifest, no_group, LIMIT)) == []


def test_a_portion_has_at_most_25_000_keys() -> None:
    found = portions([str(n) for n in range(30_000)], Manifest(), no_group, LIMIT)
    assert [len(portion) for portion in found] == [25_000, 5_000]


def test_the_segments_of_each_group_are_counted_apart() -> None:
    def group(key: str) -> str:
        return "blog" if key.endswith("b") else ""

    manifest = Manifest(entries=(*entries(), *entries("blog")))
    keys = in_order((f"{start}{end}" for start in STARTS[:10] for end in ("a", "b")), group)
    assert keys == [f"{start}{end}" for end in ("a", "b") for start in STARTS[:10]]
    assert list(portions(keys, manifest, group, LIMIT)) == [keys[:16], keys[16:]]
    assert in_order(keys, group, after=keys[15]) == keys[16:]
