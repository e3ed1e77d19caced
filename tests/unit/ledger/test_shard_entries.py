"""Entries of a manifest: finding them by key, and the ranges of them that a change affects."""

import pytest

from waypost.ledger.manifest import ShardEntry
from waypost.ledger.shard_entries import affected_ranges, by_group, entry_index
from waypost.sitemaps.sharding import begins_segment

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
    assert affected_ranges(ENTRIES, keys, LIMIT) == expected


def test_the_whole_of_a_group_is_affected_if_it_is_new_or_has_one_sitemap() -> None:
    assert affected_ranges([], ["a"], LIMIT) == [(0, 0)]
    assert affected_ranges([ShardEntry("", None, "", 3, "r")], ["a"], LIMIT) == [(0, 1)]


def test_keys_that_stay_listed_affect_only_their_own_segment() -> None:
    assert affected_ranges(ENTRIES, [], LIMIT, [BOUNDARIES[0]]) == [(1, 2)]
    assert affected_ranges(ENTRIES, ["a"], LIMIT, ["z"]) == [(0, 1), (4, 5)]


@pytest.mark.parametrize(("key", "index"), [("", 0), ("a", 0), ("b", 1), ("bb", 1), ("d", 2), ("z", 2)])
def test_a_key_belongs_to_the_last_entry_that_begins_at_or_before_it(key: str, index: int) -> None:
    entries = [ShardEntry("", None, first_key, 1, "r") for first_key in ("", "b", "d")]
    assert entry_index(entries, key) == index


def test_a_key_before_all_entries_belongs_to_the_first() -> None:
    assert entry_index([ShardEntry("", None, "b", 1, "r"), ShardEntry("", None, "d", 1, "r")], "a") == 0


def test_entries_are_grouped_in_their_order() -> None:
    entries = [ShardEntry(group, None, first_key, 1, "r") for group, first_key in [("", ""), ("blog", ""), ("", "m")]]
    assert by_group(entries) == {"": [entries[0], entries[2]], "blog": [entries[1]]}
