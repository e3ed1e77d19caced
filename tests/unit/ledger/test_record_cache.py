"""Records by key, loaded shard by shard: which shards are loaded, how often, and how many stay in memory."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest
from unit.sample_sites import site

from waypost.ledger.manifest import Manifest, ShardEntry
from waypost.ledger.record_cache import OrderedRecords, RecordCache
from waypost.ledger.records import Record
from waypost.rules.selection import Selection

SELECTION = Selection(site(groups={"blog": ["/blog/"]}))
SHARDS = {
    ("", ""): ["a.html", "b.html"],
    ("", "c.html"): ["c.html", "d.html"],
    ("", "m.html"): ["m.html", "z.html"],
    ("blog", ""): ["blog/a.html", "blog/b.html"],
}
ENTRIES = tuple(ShardEntry(group, None, first, 2, f"shards/{group}-{first}") for group, first in SHARDS)


class Loader:
    """Returns the records of an entry, and lists the entries that were loaded."""

    def __init__(self) -> None:
        self.loaded: list[str] = []

    def __call__(self, entry: ShardEntry) -> Sequence[Record]:
        self.loaded.append(entry.records_file)
        return [Record(key, f"etag of {key}") for key in SHARDS[entry.group, entry.first_key]]


def cache(load: Loader, **values: Any) -> RecordCache:
    return RecordCache(Manifest(entries=ENTRIES), SELECTION, load, **values)


def test_a_record_is_found_in_the_shard_of_its_key_alone() -> None:
    load = Loader()
    record = cache(load).record("d.html")
    assert record == Record("d.html", "etag of d.html")
    assert load.loaded == ["shards/-c.html"]


def test_a_key_of_a_group_is_looked_for_in_that_group_only() -> None:
    load = Loader()
    assert cache(load).record("blog/b.html") == Record("blog/b.html", "etag of blog/b.html")
    assert load.loaded == ["shards/blog-"]


def test_a_key_without_a_record_has_none() -> None:
    records = cache(Loader())
    assert (records.record("bb.html"), records.record("blog/zzz.html")) == (None, None)
    assert RecordCache(Manifest(), SELECTION, Loader()).record("a.html") is None


def test_a_shard_is_loaded_once() -> None:
    load = Loader()
    records = cache(load)
    for key in ("a.html", "b.html", "c.html", "a.html"):
        records.record(key)
    assert load.loaded == ["shards/-", "shards/-c.html"]


def test_with_a_maximum_the_shard_that_was_not_used_longest_is_dropped() -> None:
    load = Loader()
    records = cache(load, max_records=4)
    for key in ("a.html", "c.html", "b.html", "m.html", "a.html"):
        records.record(key)
    assert load.loaded == ["shards/-", "shards/-c.html", "shards/-m.html"]
    records.record("c.html")
    assert load.loaded[-1] == "shards/-c.html"


def test_the_shard_in_use_stays_in_memory_however_large_it_is() -> None:
    load = Loader()
    records = cache(load, max_records=1)
    assert records.record("a.html")
    assert records.record("b.html")
    assert load.loaded == ["shards/-"]


def test_alternates_count_as_records() -> None:
    loaded: list[str] = []

    def load(entry: ShardEntry) -> Sequence[Record]:
        loaded.append(entry.records_file)
        alternates = tuple((f"l{n}", "x") for n in range(10))
        return [Record(key, "etag", alternates=alternates) for key in SHARDS[entry.group, entry.first_key]]

    records = RecordCache(Manifest(entries=ENTRIES), SELECTION, load, max_records=30)
    for key in ("a.html", "c.html", "a.html"):
        records.record(key)
    assert loaded == ["shards/-", "shards/-c.html", "shards/-"]


@pytest.mark.parametrize(
    ("start_after", "through", "keys"),
    [
        ("", None, {"a.html", "b.html", "c.html", "d.html", "m.html", "z.html", "blog/a.html", "blog/b.html"}),
        ("a.html", "c.html", {"b.html", "c.html", "blog/a.html", "blog/b.html"}),
        ("c.html", "d.html", {"d.html"}),
        ("z.html", None, set()),
    ],
)
def test_ordered_records_between_two_keys_exclude_the_first_and_include_the_last(
    start_after: str, through: str | None, keys: set[str]
) -> None:
    ordered = OrderedRecords(Manifest(entries=ENTRIES), Loader())
    assert {record.key for record in ordered.between(start_after, through)} == keys


def test_ordered_records_load_only_the_shards_of_the_range() -> None:
    load = Loader()
    list(OrderedRecords(Manifest(entries=ENTRIES[:3]), load).between("c.html", "d.html"))
    assert load.loaded == ["shards/-c.html"]


def test_ordered_records_find_a_key_in_a_group_of_earlier_settings() -> None:
    moved = ShardEntry("old", None, "", 2, "shards/old")
    found = OrderedRecords(Manifest(entries=(*ENTRIES[:3], moved)), lambda entry: [Record("news/a.html", entry.group)])
    assert found.record("news/a.html") == Record("news/a.html", "")
    in_old_group_only = OrderedRecords(
        Manifest(entries=(*ENTRIES[:3], moved)), lambda entry: [Record("x.html", "")] if entry is moved else []
    )
    assert in_old_group_only.record("x.html") == Record("x.html", "")


def test_a_walk_over_all_keys_loads_each_shard_once_and_keeps_two_for_each_group() -> None:
    load = Loader()
    ordered = OrderedRecords(Manifest(entries=ENTRIES[:3]), load)
    for key in ("a.html", "b.html", "c.html", "d.html", "m.html", "z.html"):
        assert ordered.record(key)
    assert load.loaded == ["shards/-", "shards/-c.html", "shards/-m.html"]
    assert ordered.record("d.html")
    assert len(load.loaded) == 3
    assert ordered.record("a.html")
    assert len(load.loaded) == 4


def test_the_entry_of_a_key_is_found_without_loading_records() -> None:
    load = Loader()
    ordered = OrderedRecords(Manifest(entries=ENTRIES), load)
    assert ordered.entry("d.html", "") == ENTRIES[1]
    assert ordered.entry("d.html", "papers") is None
    assert load.loaded == []


def load_without_second(entry: ShardEntry) -> Sequence[Record] | None:
    """The records of all entries but the second, whose file is lost."""
    return None if entry is ENTRIES[1] else Loader()(entry)


def test_the_entries_whose_records_are_lost_are_known_once_they_were_needed() -> None:
    records = RecordCache(Manifest(entries=ENTRIES), SELECTION, load_without_second)
    assert records.record("a.html")
    assert records.lost_entries == []
    assert records.record("c.html") is None
    assert records.lost_entries == [ENTRIES[1]]
    assert [records.is_lost(key) for key in ("a.html", "c.html", "dd.html", "m.html", "blog/a.html")] == [
        *(False, True, True, False, False)
    ]


def test_no_record_is_lost_in_a_group_without_entries() -> None:
    assert not RecordCache(Manifest(), SELECTION, load_without_second).is_lost("a.html")


def test_ordered_records_know_which_keys_may_be_lost_once_they_were_looked_for() -> None:
    ordered = OrderedRecords(Manifest(entries=ENTRIES[:3]), load_without_second)
    assert not ordered.is_lost("c.html")
    assert ordered.record("c.html") is None
    assert [ordered.is_lost(key) for key in ("b.html", "c.html", "dd.html", "m.html")] == [False, True, True, False]


def test_a_walk_over_all_keys_goes_past_records_that_are_lost() -> None:
    ordered = OrderedRecords(Manifest(entries=ENTRIES[:3]), load_without_second)
    assert [record.key for record in ordered.between("", None)] == ["a.html", "b.html", "m.html", "z.html"]
