"""Entries of a manifest: finding them by key, and the ranges of them that a change affects."""

import pytest
from msgspec.structs import replace

from waypost.ledger.manifest import ShardEntry
from waypost.ledger.shard_entries import AffectedRange, affected_ranges, by_group, entry_index
from waypost.sitemaps.sharding import begins_segment, key_hash

LIMIT = 10
BOUNDARIES = [key for key in (f"k{n:04}" for n in range(200)) if begins_segment(key, LIMIT)][:5]
INNER = next(key for key in (f"{BOUNDARIES[1]}-m{n}" for n in range(100)) if not begins_segment(key, LIMIT))
ENTRIES = [
    ShardEntry("", "0" * 16, "", 5, "r"),
    ShardEntry("", "1", BOUNDARIES[0], 5, "r"),
    ShardEntry("", "2", BOUNDARIES[1], 5, "r"),
    ShardEntry("", "3", INNER, 5, "r"),
    ShardEntry("", "4", BOUNDARIES[2], 5, "r"),
]


def ranges(*found: tuple[int, int]) -> list[AffectedRange]:
    return [AffectedRange(*each) for each in found]


@pytest.mark.parametrize(
    ("keys", "expected"),
    [
        (["a"], [(0, 1)]),
        ([f"{BOUNDARIES[0]}-x"], [(1, 2)]),
        ([f"{BOUNDARIES[1]}-x"], [(2, 4)]),
        ([f"{BOUNDARIES[1]}-a", f"{BOUNDARIES[1]}-z"], [(2, 4)]),
        (["z"], [(4, 5)]),
        (["a", "z"], [(0, 1), (4, 5)]),
        ([BOUNDARIES[0]], [(0, 2)]),
        ([BOUNDARIES[2]], [(2, 5)]),
        ([f"a{n}" for n in range(5)], [(0, 2)]),
        ([f"z{n}" for n in range(5)], [(2, 5)]),
        ([f"a{n}" for n in range(15)], [(0, 5)]),
    ],
)
def test_whole_segments_are_affected_and_a_neighbour_if_a_boundary_or_all_pages_may_go(
    keys: list[str], expected: list[tuple[int, int]]
) -> None:
    assert affected_ranges(ENTRIES, keys, LIMIT) == ranges(*expected)


def test_the_whole_of_a_group_is_affected_if_it_is_new_or_has_one_sitemap() -> None:
    assert affected_ranges([], ["a"], LIMIT) == ranges((0, 0))
    assert affected_ranges([ShardEntry("", None, "", 3, "r")], ["a"], LIMIT) == ranges((0, 1))


def test_keys_that_stay_listed_affect_only_their_own_segment() -> None:
    assert affected_ranges(ENTRIES, [], LIMIT, [BOUNDARIES[0]]) == ranges((1, 2))
    assert affected_ranges(ENTRIES, ["a"], LIMIT, ["z"]) == ranges((0, 1), (4, 5))


def test_keys_that_stay_listed_affect_a_whole_segment_that_was_split_for_its_size_in_bytes() -> None:
    assert affected_ranges(ENTRIES, [], LIMIT, [f"{BOUNDARIES[1]}-a"]) == ranges((2, 4))


def test_keys_that_stay_listed_affect_only_their_part_of_a_segment_that_was_split_for_its_number_of_pages() -> None:
    entries = [*ENTRIES[:2], replace(ENTRIES[2], page_count=6), *ENTRIES[3:]]
    first, second = AffectedRange(2, 3, is_part=True), AffectedRange(3, 4, is_part=True)
    assert affected_ranges(entries, [], LIMIT, [BOUNDARIES[1]]) == [first]
    assert affected_ranges(entries, [], LIMIT, [f"{INNER}-z", "a"]) == [AffectedRange(0, 1), second]
    assert affected_ranges(entries, [], LIMIT, [BOUNDARIES[1], INNER]) == [first, second]


def test_a_part_is_not_affected_alone_if_the_whole_of_its_segment_is() -> None:
    entries = [*ENTRIES[:2], replace(ENTRIES[2], page_count=6), *ENTRIES[3:]]
    assert affected_ranges(entries, [f"{BOUNDARIES[1]}-x"], LIMIT, [INNER]) == ranges((2, 4))


def test_keys_that_stay_listed_affect_a_whole_segment_if_a_half_of_it_was_split_for_its_size_in_bytes() -> None:
    inner = [key for key in (f"{BOUNDARIES[1]}-m{n}" for n in range(100, 110)) if not begins_segment(key, LIMIT)]
    lowest = min(inner[:-1], key=key_hash)  # the segment is halved here, and its second half at the last key
    counts = {BOUNDARIES[1]: 6, lowest: 3, inner[-1]: 3}
    entries = [*ENTRIES[:2], *(ShardEntry("", "x", key, count, "r") for key, count in counts.items()), ENTRIES[4]]
    assert affected_ranges(entries, [], LIMIT, [BOUNDARIES[1]]) == [AffectedRange(2, 3, is_part=True)]
    assert affected_ranges(entries, [], LIMIT, [lowest]) == ranges((2, 5))


@pytest.mark.parametrize(("key", "index"), [("", 0), ("a", 0), ("b", 1), ("bb", 1), ("d", 2), ("z", 2)])
def test_a_key_belongs_to_the_last_entry_that_begins_at_or_before_it(key: str, index: int) -> None:
    entries = [ShardEntry("", None, first_key, 1, "r") for first_key in ("", "b", "d")]
    assert entry_index(entries, key) == index


def test_a_key_before_all_entries_belongs_to_the_first() -> None:
    assert entry_index([ShardEntry("", None, "b", 1, "r"), ShardEntry("", None, "d", 1, "r")], "a") == 0


def test_entries_are_grouped_in_their_order() -> None:
    entries = [ShardEntry(group, None, first_key, 1, "r") for group, first_key in [("", ""), ("blog", ""), ("", "m")]]
    assert by_group(entries) == {"": [entries[0], entries[2]], "blog": [entries[1]]}
