from __future__ import annotations

from bisect import bisect_right
from dataclasses import dataclass, field
from itertools import pairwise

import pytest
from fake_stores import MemoryBucket, RequestGate
from hypothesis import given
from hypothesis import strategies as st

from waypost.distributed import ranges
from waypost.distributed.plan import RunLimits, split_ranges
from waypost.ledger.manifest import Manifest, ShardEntry
from waypost.sources.parallel_listing import KeyRange

KEYS = st.lists(st.text("ab/.0é🦀\x01 ", min_size=1, max_size=6), max_size=60, unique=True)


@dataclass
class SortedBucket(MemoryBucket):
    """A bucket whose keys are sorted only once."""

    keys: list[str] = field(default_factory=list)

    def _keys_of_page(self, after: str, through: str | None) -> list[str]:
        self.gate.admit(f"LIST site/ after {after}")
        start = bisect_right(self.keys, after)
        stop = len(self.keys) if through is None else bisect_right(self.keys, through)
        return self.keys[start : min(stop, start + self.page_size)]


def source(*keys: str, page_size: int = 3) -> MemoryBucket:
    return SortedBucket(RequestGate(), dict.fromkeys(keys, (b"", "")), page_size=page_size, keys=sorted(keys))


def entry(first_key: str, pages: int = 10) -> ShardEntry:
    return ShardEntry("", "0", first_key, pages, "shards/x", (), {"noindex": 5})


def is_gapless(parts: list[KeyRange], whole: KeyRange) -> bool:
    return [parts[0].start_after, parts[-1].through] == list(whole) and all(
        a.through == b.start_after for a, b in pairwise(parts)
    )


@given(keys=KEYS, wanted=st.integers(1, 30), small=st.integers(0, 9))
def test_ranges_found_by_probing_have_no_gap(keys: list[str], wanted: int, small: int) -> None:
    assert is_gapless(ranges.split_by_probing([KeyRange("")], source(*keys), wanted, small), KeyRange(""))


@given(keys=KEYS, edges=st.tuples(st.text("ab/.", max_size=3), st.text("ab/.é", min_size=1, max_size=3)))
def test_probing_splits_a_range_within_its_ends(keys: list[str], edges: tuple[str, str]) -> None:
    after, through = min(edges), max(edges)
    if after < through:
        assert is_gapless(
            ranges.split_by_probing([KeyRange(after, through)], source(*keys), 9, 3), KeyRange(after, through)
        )


@pytest.mark.parametrize(
    "keys",
    [
        [f"catalogue/item-{n:05}.html" for n in range(10_000)],
        [f"news/{2000 + n // 500}/{n // 50 % 10:02}/{n:05}-slug.html" for n in range(10_000)],
        [f"{chr(0x3042 + n % 40)}/{n:05}.html" for n in range(10_000)],
        [*(f"small/{n}.css" for n in range(40)), *(f"z/z/z/z/{n:05}.html" for n in range(10_000))],
    ],
    ids=["catalogue", "news", "kana", "one deep folder"],
)
def test_ranges_found_by_probing_have_about_the_same_size(keys: list[str]) -> None:
    keys = sorted(keys)
    parts = ranges.split_by_probing([KeyRange("")], source(*keys, page_size=20), 40, 100)
    sizes = [
        (bisect_right(keys, p.through) if p.through else len(keys)) - bisect_right(keys, p.start_after) for p in parts
    ]
    assert sum(sizes) == len(keys)
    assert max(sizes) <= 3 * len(keys) / 40


def test_probing_splits_keys_of_which_each_is_a_prefix_of_the_next() -> None:
    parts = ranges.split_by_probing([KeyRange("")], source(*("a" * n for n in range(1, 40))), 8, 3)
    assert len(parts) >= 3


def test_probing_finds_a_large_folder_after_small_ones() -> None:
    few = [f"{folder}/{n:02}.html" for folder in ("about", "blog") for n in range(60)]
    keys = sorted([*few, *(f"products/{n:05}.html" for n in range(20_000))])
    parts = ranges.split_by_probing([KeyRange("")], source(*keys, page_size=250), 40, 1_000)
    sizes = [
        (bisect_right(keys, p.through) if p.through else len(keys)) - bisect_right(keys, p.start_after) for p in parts
    ]
    assert max(sizes) <= 1_000
    assert ranges.estimate_exceeds(source(*keys, page_size=1_000), 15_000)


def test_probing_takes_few_requests_for_each_range() -> None:
    known = source(*(f"item-{n:06}.html" for n in range(20_000)), page_size=20)
    parts = ranges.split_by_probing([KeyRange("")], known, 100, 100)
    assert len(parts) >= 100
    assert len(known.gate.requests) < 6 * len(parts)


@pytest.mark.parametrize(
    ("keys", "objects", "expected"),
    [
        ([], 1, False),
        ([f"{n:05}" for n in range(500)], 500, True),
        ([f"{n:05}" for n in range(499)], 500, False),
        ([f"{n // 20:03}/{n % 20}" for n in range(20_000)], 5_000, True),
        ([f"{n // 20:03}/{n % 20}" for n in range(20_000)], 200_000, False),
        ([f"{n:06}" for n in range(60_000)], 20_000, True),
    ],
    ids=["empty", "as many", "one fewer", "many small folders", "far fewer", "one folder"],
)
def test_an_estimate_says_whether_a_bucket_holds_so_many_objects(keys: list[str], objects: int, expected: bool) -> None:
    known = source(*keys, page_size=1_000)
    assert ranges.estimate_exceeds(known, objects) is expected
    assert len(known.gate.requests) < 3_000


def test_as_many_ranges_as_wanted_are_not_split_and_take_no_request() -> None:
    known = source("a", "b")
    gaps = [KeyRange(f"{n:02}", f"{n:02}x") for n in range(20)]
    assert ranges.split_by_probing(gaps, known, 20, 1_000) == gaps
    assert known.gate.requests == []


@given(entries=st.lists(st.text("ab/0", max_size=4), unique=True), most=st.integers(1, 100))
def test_ranges_split_by_records_have_no_gap_and_end_before_first_keys_of_shards(entries: list[str], most: int) -> None:
    known = ranges.counts(entry(first_key) for first_key in entries)
    found = ranges.split_by_records(known, KeyRange(""), most)
    assert is_gapless([each.range for each in found], KeyRange(""))
    starts = {ranges.just_before(first_key) for first_key in entries if first_key}
    assert {each.range.through for each in found[:-1]} <= starts
    assert sum(each.object_count for each in found) == 15 * len(known)


def test_a_range_split_by_records_has_about_the_requested_number_of_objects() -> None:
    known = ranges.counts(entry(f"{n:03}") for n in range(100))
    assert [each.object_count for each in ranges.split_by_records(known, KeyRange(""), 150)] == [150] * 10
    assert len(ranges.split_by_records(known, KeyRange("050"), 150)) == 5


def test_a_ledger_of_many_groups_with_one_shard_each_is_split_by_probing() -> None:
    keys = [f"{folder:02}/{n:02}.html" for folder in range(40) for n in range(20)]
    groups = [ShardEntry(f"g{n}", None, "", 20, "shards/x") for n in range(40)]
    split = split_ranges(source(*keys, page_size=5), RunLimits(workers=10, max_objects=80, min_objects=10))
    parts = split([KeyRange("")], Manifest(entries=tuple(groups)))
    assert is_gapless(parts, KeyRange(""))
    assert len(parts) >= 10


def test_splitting_by_records_takes_no_request() -> None:
    known = source(*(f"{n:03}" for n in range(100)))
    entries = tuple(entry(f"{n:03}") for n in range(100))
    assert len(split_ranges(known, RunLimits(10, 100, 50))([KeyRange("")], Manifest(entries=entries))) > 5
    assert known.gate.requests == []


@given(keys=st.lists(st.text("ab/.0é\ue000 ", min_size=1, max_size=5), min_size=2, unique=True))
def test_the_text_just_before_a_key_sorts_after_all_earlier_keys(keys: list[str]) -> None:
    for earlier, key in pairwise(sorted(keys)):
        assert earlier <= ranges.just_before(key) < key


def test_the_text_just_before_a_key_is_valid_utf_8() -> None:
    for key in ("a\ue000", "\x00", "a\x00", "\x01"):
        assert ranges.just_before(key).encode() < key.encode()


def test_the_text_just_before_a_key_is_not_longer_than_a_key_may_be() -> None:
    for key in ("a" * 1_024, "é" * 512, "\ue000" * 341 + "a"):
        assert len(ranges.just_before(key).encode()) <= 1_024
        assert ranges.just_before(key) < key


@given(split_points=st.lists(st.text("abc", min_size=1, max_size=3), unique=True), chosen=st.data())
def test_covered_and_uncovered_ranges_make_up_the_whole(split_points: list[str], chosen: st.DataObject) -> None:
    parts = ranges.split_at_points(sorted(split_points), KeyRange(""))
    covered = chosen.draw(st.lists(st.sampled_from(parts), unique=True))
    uncovered = ranges.uncovered(covered)
    assert is_gapless(sorted([*covered, *uncovered]), KeyRange(""))
    assert all(a.through != b.start_after for a, b in pairwise(uncovered))


def test_a_whole_that_is_covered_has_no_uncovered_range() -> None:
    assert ranges.uncovered([KeyRange("", "b"), KeyRange("b")]) == []
    assert ranges.uncovered([]) == [KeyRange("")]


def test_overlapping_entries_are_those_that_hold_any_key_of_the_range() -> None:
    known = [entry(first_key) for first_key in ("", "b", "d", "f")]
    found = ranges.overlapping(known, KeyRange("c", "e"))
    assert [each.first_key for each in found] == ["b", "d"]
    assert [each.first_key for each in ranges.overlapping(known, KeyRange("f"))] == ["f"]
    assert [each.first_key for each in ranges.overlapping(known, KeyRange(""))] == ["", "b", "d", "f"]
    assert ranges.overlapping([], KeyRange("")) == ()
