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
class Sorted(MemoryBucket):
    """Objects whose keys are sorted once."""

    keys: list[str] = field(default_factory=list)

    def _listed(self, after: str, upto: str | None) -> list[str]:
        self.gate.passing(f"LIST site/ after {after}")
        start = bisect_right(self.keys, after)
        stop = len(self.keys) if upto is None else bisect_right(self.keys, upto)
        return self.keys[start : min(stop, start + self.some)]


def source(*keys: str, some: int = 3) -> MemoryBucket:
    return Sorted(RequestGate(), dict.fromkeys(keys, (b"", "")), some=some, keys=sorted(keys))


def entry(begins: str, pages: int = 10) -> ShardEntry:
    return ShardEntry("", "0", begins, pages, "shards/x", (), {"noindex": 5})


def is_gapless(parts: list[KeyRange], whole: KeyRange) -> bool:
    return [parts[0].start_after, parts[-1].through] == list(whole) and all(
        a.through == b.start_after for a, b in pairwise(parts)
    )


@given(keys=KEYS, wanted=st.integers(1, 30), small=st.integers(0, 9))
def test_probed_ranges_follow_each_other_without_a_gap(keys: list[str], wanted: int, small: int) -> None:
    assert is_gapless(ranges.split_by_probing([KeyRange("")], source(*keys), wanted, small), KeyRange(""))


@given(keys=KEYS, edges=st.tuples(st.text("ab/.", max_size=3), st.text("ab/.é", min_size=1, max_size=3)))
def test_a_part_of_the_key_space_is_probed_within_its_ends(keys: list[str], edges: tuple[str, str]) -> None:
    after, upto = min(edges), max(edges)
    if after < upto:
        assert is_gapless(ranges.split_by_probing([KeyRange(after, upto)], source(*keys), 9, 3), KeyRange(after, upto))


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
def test_ranges_of_unknown_keys_are_about_even(keys: list[str]) -> None:
    keys = sorted(keys)
    parts = ranges.split_by_probing([KeyRange("")], source(*keys, some=20), 40, 100)
    sizes = [
        (bisect_right(keys, p.through) if p.through else len(keys)) - bisect_right(keys, p.start_after) for p in parts
    ]
    assert sum(sizes) == len(keys)
    assert max(sizes) <= 3 * len(keys) / 40


def test_keys_of_which_one_begins_all_others_can_be_parted() -> None:
    parts = ranges.split_by_probing([KeyRange("")], source(*("a" * n for n in range(1, 40))), 8, 3)
    assert len(parts) >= 3


def test_a_giant_behind_small_folders_is_not_taken_for_small() -> None:
    few = [f"{folder}/{n:02}.html" for folder in ("about", "blog") for n in range(60)]
    keys = sorted([*few, *(f"products/{n:05}.html" for n in range(20_000))])
    parts = ranges.split_by_probing([KeyRange("")], source(*keys, some=250), 40, 1_000)
    sizes = [
        (bisect_right(keys, p.through) if p.through else len(keys)) - bisect_right(keys, p.start_after) for p in parts
    ]
    assert max(sizes) <= 1_000
    assert ranges.estimate_exceeds(source(*keys, some=1_000), 15_000)


def test_feeling_out_costs_a_few_requests_a_range() -> None:
    known = source(*(f"item-{n:06}.html" for n in range(20_000)), some=20)
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
    ids=["none", "as many", "fewer", "many small folders", "not so many", "one folder"],
)
def test_a_bucket_is_large_where_its_parts_are_seen_to_be(keys: list[str], objects: int, expected: bool) -> None:
    known = source(*keys, some=1_000)
    assert ranges.estimate_exceeds(known, objects) is expected
    assert len(known.gate.requests) < 3_000


def test_ranges_that_are_many_already_are_left_as_they_are_without_a_request() -> None:
    known = source("a", "b")
    gaps = [KeyRange(f"{n:02}", f"{n:02}x") for n in range(20)]
    assert ranges.split_by_probing(gaps, known, 20, 1_000) == gaps
    assert known.gate.requests == []


@given(entries=st.lists(st.text("ab/0", max_size=4), unique=True), most=st.integers(1, 100))
def test_remembered_ranges_follow_each_other_and_end_where_shards_do(entries: list[str], most: int) -> None:
    known = ranges.counts(entry(begins) for begins in entries)
    found = ranges.split_by_records(known, KeyRange(""), most)
    assert is_gapless([each.range for each in found], KeyRange(""))
    starts = {ranges.just_before(begins) for begins in entries if begins}
    assert {each.range.through for each in found[:-1]} <= starts
    assert sum(each.object_count for each in found) == 15 * len(known)


def test_a_range_has_about_as_many_remembered_objects_as_are_asked_for() -> None:
    known = ranges.counts(entry(f"{n:03}") for n in range(100))
    assert [each.object_count for each in ranges.split_by_records(known, KeyRange(""), 150)] == [150] * 10
    assert len(ranges.split_by_records(known, KeyRange("050"), 150)) == 5


def test_many_groups_of_one_shard_each_are_parted_by_feeling_out() -> None:
    keys = [f"{folder:02}/{n:02}.html" for folder in range(40) for n in range(20)]
    groups = [ShardEntry(f"g{n}", None, "", 20, "shards/x") for n in range(40)]
    parted = split_ranges(source(*keys, some=5), RunLimits(workers=10, max_objects=80, min_objects=10))
    parts = parted([KeyRange("")], Manifest(entries=tuple(groups)))
    assert is_gapless(parts, KeyRange(""))
    assert len(parts) >= 10


def test_ranges_that_are_remembered_well_cost_no_request() -> None:
    known = source(*(f"{n:03}" for n in range(100)))
    entries = tuple(entry(f"{n:03}") for n in range(100))
    assert len(split_ranges(known, RunLimits(10, 100, 50))([KeyRange("")], Manifest(entries=entries))) > 5
    assert known.gate.requests == []


@given(keys=st.lists(st.text("ab/.0é\ue000 ", min_size=1, max_size=5), min_size=2, unique=True))
def test_an_edge_before_a_key_is_behind_all_keys_before_it(keys: list[str]) -> None:
    for earlier, key in pairwise(sorted(keys)):
        assert earlier <= ranges.just_before(key) < key


def test_an_edge_is_a_text_that_utf_8_can_carry() -> None:
    for key in ("a\ue000", "\x00", "a\x00", "\x01"):
        assert ranges.just_before(key).encode() < key.encode()


def test_an_edge_is_no_longer_than_a_key_may_be() -> None:
    for key in ("a" * 1_024, "é" * 512, "\ue000" * 341 + "a"):
        assert len(ranges.just_before(key).encode()) <= 1_024
        assert ranges.just_before(key) < key


@given(cuts=st.lists(st.text("abc", min_size=1, max_size=3), unique=True), chosen=st.data())
def test_what_is_not_covered_is_all_the_rest(cuts: list[str], chosen: st.DataObject) -> None:
    parts = ranges.split_at_points(sorted(cuts), KeyRange(""))
    covered = chosen.draw(st.lists(st.sampled_from(parts), unique=True))
    left = ranges.uncovered(covered)
    assert is_gapless(sorted([*covered, *left]), KeyRange(""))
    assert all(a.through != b.start_after for a, b in pairwise(left))


def test_nothing_is_left_of_what_is_covered() -> None:
    assert ranges.uncovered([KeyRange("", "b"), KeyRange("b")]) == []
    assert ranges.uncovered([]) == [KeyRange("")]


def test_a_range_knows_the_shards_that_are_responsible_for_any_of_its_keys() -> None:
    known = [entry(begins) for begins in ("", "b", "d", "f")]
    found = ranges.overlapping(known, KeyRange("c", "e"))
    assert [each.first_key for each in found] == ["b", "d"]
    assert [each.first_key for each in ranges.overlapping(known, KeyRange("f"))] == ["f"]
    assert [each.first_key for each in ranges.overlapping(known, KeyRange(""))] == ["", "b", "d", "f"]
    assert ranges.overlapping([], KeyRange("")) == ()
