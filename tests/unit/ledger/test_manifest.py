import msgspec
import pytest

from waypost.core.errors import LedgerError
from waypost.ledger import manifest as manifests
from waypost.ledger.manifest import Manifest, PublishedFile, ShardEntry
from waypost.ledger.shard_entries import affected_ranges
from waypost.sitemaps.sharding import begins_segment

MANIFEST = Manifest(
    "configuration",
    generation=7,
    entries=(
        ShardEntry("", "0" * 16, "", 2, "shards/a", (PublishedFile("sitemap-0.xml", "d", "2026-01-01T00:00:00Z"),)),
        ShardEntry("blog", None, "", 0, "shards/b"),
    ),
    indexes=(PublishedFile("sitemap.xml", "e"),),
)


def test_what_is_dumped_is_loaded_again_and_dumped_the_same() -> None:
    data = manifests.dump(MANIFEST)
    assert manifests.load(data, "x") == MANIFEST
    assert manifests.dump(manifests.load(data, "x")) == data


def test_a_manifest_that_is_not_there_yet_is_empty() -> None:
    assert manifests.load(None, "x") == Manifest()


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"", "manifest.json is damaged"),
        (b"{}", "manifest.json is damaged"),
        (manifests.dump(MANIFEST)[:-9], "manifest.json is damaged"),
        (
            msgspec.json.encode({"format": "else", "version": 1}),
            "manifest.json is not in the format 'waypost/manifest'",
        ),
        (
            msgspec.json.encode({"format": "waypost/manifest", "version": 2, "manifest": "?"}),
            "has version 2, and this program reads versions up to 1; update Waypost",
        ),
    ],
)
def test_a_damaged_or_newer_manifest_is_named(data: bytes, message: str) -> None:
    with pytest.raises(LedgerError, match=message):
        manifests.load(data, "manifest.json")


LIMIT = 10
BOUNDARIES = [key for key in (f"k{n:04}" for n in range(200)) if begins_segment(key, LIMIT)][:5]
SPLIT = next(key for key in (f"{BOUNDARIES[1]}-m{n}" for n in range(100)) if not begins_segment(key, LIMIT))
ENTRIES = [
    ShardEntry("", "0" * 16, "", 5, "r"),
    ShardEntry("", "1", BOUNDARIES[0], 5, "r"),
    ShardEntry("", "2", BOUNDARIES[1], 5, "r"),
    ShardEntry("", "3", SPLIT, 5, "r"),
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
def test_whole_segments_are_concerned_and_the_one_beside_where_a_boundary_or_all_pages_may_go(
    keys: list[str], expected: list[tuple[int, int]]
) -> None:
    assert affected_ranges(ENTRIES, keys, LIMIT) == expected


def test_all_of_a_group_is_concerned_that_is_new_or_has_one_sitemap() -> None:
    assert affected_ranges([], ["a"], LIMIT) == [(0, 0)]
    assert affected_ranges([ShardEntry("", None, "", 3, "r")], ["a"], LIMIT) == [(0, 1)]
