"""Merging the fragments of several ranges into segments: their boundaries, duplicates, and shards that are kept."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from unit.sample_sites import small_site

from waypost.distributed.artifacts import OpenKey, ScanResult, Segment
from waypost.distributed.merge import merge_fragments, resolve_duplicates
from waypost.ledger.manifest import PublishedFile, ShardEntry
from waypost.sitemaps.sharding import begins_segment, key_hash

LIMIT = 6
SITE = small_site(urls=LIMIT, groups={"blog": ["/blog/"]})
KEYS = [f"{folder}{n:03}.html" for folder in ("", "blog/") for n in range(120)]
BOUNDARIES = [key for key in KEYS[:120] if begins_segment(key, LIMIT)]


def fragment(first_key: str, pages: int = 4, group: str = "", **values: Any) -> ShardEntry:
    shard_id = f"{key_hash(first_key):016x}" if begins_segment(first_key, LIMIT) else None
    return ShardEntry(group, shard_id, first_key, pages, f"shards/{first_key}", **values)


def shard(first_key: str, pages: int = 4, group: str = "") -> ShardEntry:
    """A shard of a ledger, with its file."""
    shard_id = f"{key_hash(first_key):016x}" if first_key else "0" * 16
    files = (PublishedFile(f"sitemap-{shard_id}.xml", "d"),)
    return ShardEntry(group, shard_id, first_key, pages, f"shards/{first_key}", files)


def scan(*fragments: ShardEntry, open_keys: tuple[OpenKey, ...] = ()) -> ScanResult:
    return ScanResult("", None, fragments, open_keys)


def outlines(segments: list[Segment]) -> list[tuple[str, str, str | None, list[str]]]:
    return [
        (each.group, each.first_key, each.end_key, [part.first_key for part in each.fragments]) for each in segments
    ]


@given(range_ends=st.sets(st.sampled_from(range(120)), max_size=20), first=st.integers(0, 40))
def test_segments_begin_at_the_same_keys_wherever_ranges_end(range_ends: set[int], first: int) -> None:
    keys = KEYS[first:120]
    edges = sorted(
        {0, *(n for n, key in enumerate(keys) if begins_segment(key, LIMIT)), *(n for n in range_ends if n < len(keys))}
    )
    parts = [fragment(keys[start], stop - start) for start, stop in zip(edges, [*edges[1:], len(keys)], strict=True)]
    segments = merge_fragments([scan(part) for part in parts], (), SITE)
    expected = [key for key in keys[1:] if begins_segment(key, LIMIT)]
    assert [segment.first_key for segment in segments] == ["", *expected]
    assert [segment.end_key for segment in segments] == [*expected, None]
    assert sum(len(segment.fragments) for segment in segments) == len(parts)


def test_segments_are_in_the_order_of_the_groups_in_the_settings() -> None:
    parts = [fragment("000.html", 9, "blog"), fragment("001.html", 9)]
    assert [segment.group for segment in merge_fragments([scan(*parts)], (), SITE)] == ["", "blog"]


def test_a_group_that_may_fit_in_one_sitemap_is_one_segment_despite_boundaries() -> None:
    (segment,) = merge_fragments([scan(fragment("000.html", 2)), scan(fragment(BOUNDARIES[0], 4))], (), SITE)
    assert (segment.is_whole_group, segment.first_key, segment.end_key, len(segment.fragments)) == (True, "", None, 2)


def test_unlisted_keys_before_the_first_boundary_belong_to_the_first_segment() -> None:
    parts = [fragment("!.html", 0), fragment(BOUNDARIES[0]), fragment(BOUNDARIES[1])]
    assert outlines(merge_fragments([scan(*parts)], (), SITE)) == [
        ("", "", BOUNDARIES[1], ["!.html", BOUNDARIES[0]]),
        ("", BOUNDARIES[1], None, [BOUNDARIES[1]]),
    ]


def test_a_bucket_without_pages_has_no_segments() -> None:
    assert merge_fragments([scan()], (), SITE) == []


def test_segments_without_a_change_are_unchanged() -> None:
    base = [shard(""), shard(BOUNDARIES[0]), shard(BOUNDARIES[1])]
    changed = fragment(BOUNDARIES[1], 5)
    segments = merge_fragments([scan(*base[:2], changed)], base, SITE)
    assert [segment.is_unchanged for segment in segments] == [True, True, False]


def halves(first_key: str) -> tuple[ShardEntry, ShardEntry]:
    """The two shards of a segment that needs two sitemaps."""
    inner = next(key for key in KEYS[:120] if key > first_key and not begins_segment(key, LIMIT))
    return shard(first_key), shard(inner)


@pytest.mark.parametrize(
    ("remaining", "is_unchanged"),
    [([0, 1, 2, 3], True), ([0, 1, 3], False), ([0, 2, 3], False)],
    ids=["both halves", "without the second", "without the first"],
)
def test_a_segment_of_two_shards_is_unchanged_only_with_both(remaining: list[int], is_unchanged: bool) -> None:
    base = [shard("", 6), *halves(BOUNDARIES[0]), shard(BOUNDARIES[-1], 6)]
    segments = merge_fragments([scan(*(base[n] for n in remaining))], base, SITE)
    assert all(segment.is_unchanged for segment in segments) is is_unchanged


def test_the_only_sitemap_of_a_group_is_built_again_when_the_group_needs_several() -> None:
    whole = ShardEntry("", None, "", 5, "shards/whole", (PublishedFile("sitemap.xml", "d"),))
    segments = merge_fragments([scan(whole, fragment(BOUNDARIES[0]))], [whole], SITE)
    assert [segment.is_unchanged for segment in segments] == [False, False]
    (alone,) = merge_fragments([scan(whole)], [whole], SITE)
    assert alone.is_unchanged


def test_shards_of_a_group_that_fits_in_one_sitemap_again_are_built_again() -> None:
    base = [shard(""), shard(BOUNDARIES[0])]
    (segment,) = merge_fragments([scan(base[0])], base, SITE)
    assert (segment.is_whole_group, segment.is_unchanged) == (True, False)


def test_a_segment_that_becomes_the_first_is_built_again() -> None:
    base = [shard(""), shard(BOUNDARIES[0]), shard(BOUNDARIES[1])]
    segments = merge_fragments([scan(*base[1:])], base, SITE)
    assert [segment.is_unchanged for segment in segments] == [False, True]


def test_duplicates_in_different_ranges_are_resolved() -> None:
    site = small_site(drop_html=True, trailing_slash="never")
    locs = {"a.html": "/a", "a/index.html": "/a", "b.html": "/b", "a.htm": "/a"}
    open_keys = [OpenKey(key, True, loc) for key, loc in locs.items()]
    assert resolve_duplicates(open_keys, site) == {"a.html": "a/index.html", "a.htm": "a/index.html"}


def test_a_duplicate_of_another_range_begins_no_segment() -> None:
    site = small_site(urls=LIMIT, drop_html=True, trailing_slash="never")
    key = BOUNDARIES[0]
    other = key.removesuffix(".html") + "/index.html"
    parts = [fragment("!.html", 6), fragment(key, 3), fragment(other, 3)]
    assert not begins_segment(other, LIMIT)
    open_keys = (OpenKey(key, True, "/k"), OpenKey(other, True, "/k"))
    (segment,) = merge_fragments([scan(*parts, open_keys=open_keys)], (), site)
    assert segment.duplicates == {key: other}
    assert [each.first_key for each in segment.fragments] == ["!.html", key, other]


def test_without_its_duplicates_a_group_may_fit_in_one_sitemap() -> None:
    site = small_site(urls=LIMIT, drop_html=True, trailing_slash="never")
    parts = [fragment("a.html", 4), fragment("a/index.html", 3)]
    open_keys = (OpenKey("a.html", True, "/a"), OpenKey("a/index.html", True, "/a"))
    (segment,) = merge_fragments([scan(*parts, open_keys=open_keys)], (), site)
    assert segment.is_whole_group
    unlisted = (OpenKey("a.html", False, "/a"), OpenKey("a/index.html", False, "/a"))
    assert not merge_fragments([scan(*parts, open_keys=unlisted)], (), site)[0].is_whole_group


def test_a_segment_with_a_duplicate_of_another_range_is_built_again() -> None:
    site = small_site(urls=LIMIT, drop_html=True, trailing_slash="never")
    base = [shard("", 6), shard(BOUNDARIES[0], 6)]
    open_keys = (OpenKey("a.html", True, "/a"), OpenKey("a/index.html", True, "/a"))
    later = fragment("a/index.html", 6)
    segments = merge_fragments([scan(*base), scan(later, open_keys=open_keys)], base, site)
    assert segments[0].is_unchanged
    assert not segments[-1].is_unchanged
