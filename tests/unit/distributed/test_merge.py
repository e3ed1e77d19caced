"""Fragments of several ranges joined: beside shards that the whole gives, and what is kept of those there were."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace
from unit.doubles import small_site

from waypost.distributed.artifacts import OpenKey, ScanResult, Segment
from waypost.distributed.merge import merge_fragments, resolve_duplicates
from waypost.ledger.manifest import PublishedFile, ShardEntry
from waypost.sitemaps.sharding import begins_segment, key_hash

LIMIT = 6
SITE = small_site(urls=LIMIT, groups={"blog": ["/blog/"]})
KEYS = [f"{folder}{n:03}.html" for folder in ("", "blog/") for n in range(120)]
BOUNDARIES = [key for key in KEYS[:120] if begins_segment(key, LIMIT)]


def fragment(begins: str, pages: int = 4, group: str = "", **values: Any) -> ShardEntry:
    shard = f"{key_hash(begins):016x}" if begins_segment(begins, LIMIT) else None
    return ShardEntry(group, shard, begins, pages, f"shards/{begins}", **values)


def shard(begins: str, pages: int = 4, group: str = "") -> ShardEntry:
    """A shard as a ledger has it, with its file."""
    id = f"{key_hash(begins):016x}" if begins else "0" * 16
    return ShardEntry(group, id, begins, pages, f"shards/{begins}", (PublishedFile(f"sitemap-{id}.xml", "d"),))


def gathered(*fragments: ShardEntry, opens: tuple[OpenKey, ...] = ()) -> ScanResult:
    return ScanResult("", None, fragments, opens)


def shapes(segments: list[Segment]) -> list[tuple[str, str, str | None, list[str]]]:
    return [
        (each.group, each.first_key, each.end_key, [part.first_key for part in each.fragments]) for each in segments
    ]


@settings(max_examples=200)
@given(cuts=st.sets(st.sampled_from(range(120)), max_size=20), begun=st.integers(0, 40))
def test_wherever_ranges_end_segments_begin_at_the_same_keys(cuts: set[int], begun: int) -> None:
    keys = KEYS[begun:120]
    edges = sorted(
        {0, *(n for n, key in enumerate(keys) if begins_segment(key, LIMIT)), *(c for c in cuts if c < len(keys))}
    )
    parts = [fragment(keys[start], stop - start) for start, stop in zip(edges, [*edges[1:], len(keys)], strict=True)]
    segments = merge_fragments([gathered(part) for part in parts], (), SITE)
    expected = [key for key in keys[1:] if begins_segment(key, LIMIT)]
    assert [segment.first_key for segment in segments] == ["", *expected]
    assert [segment.end_key for segment in segments] == [*expected, None]
    assert sum(len(segment.fragments) for segment in segments) == len(parts)


def test_groups_follow_each_other_in_the_order_of_the_settings() -> None:
    parts = [fragment("000.html", 9, "blog"), fragment("001.html", 9)]
    assert [segment.group for segment in merge_fragments([gathered(*parts)], (), SITE)] == ["", "blog"]


def test_a_group_that_may_fit_in_one_sitemap_is_whole_whatever_its_boundaries() -> None:
    (segment,) = merge_fragments([gathered(fragment("000.html", 2)), gathered(fragment(BOUNDARIES[0], 4))], (), SITE)
    assert (segment.is_whole_group, segment.first_key, segment.end_key, len(segment.fragments)) == (True, "", None, 2)


def test_what_is_not_listed_before_the_first_boundary_goes_with_the_first_segment() -> None:
    parts = [fragment("!.html", 0), fragment(BOUNDARIES[0]), fragment(BOUNDARIES[1])]
    assert shapes(merge_fragments([gathered(*parts)], (), SITE)) == [
        ("", "", BOUNDARIES[1], ["!.html", BOUNDARIES[0]]),
        ("", BOUNDARIES[1], None, [BOUNDARIES[1]]),
    ]


def test_a_bucket_without_pages_has_no_segments() -> None:
    assert merge_fragments([gathered()], (), SITE) == []


def test_shards_that_nothing_happened_to_are_kept() -> None:
    base = [shard(""), shard(BOUNDARIES[0]), shard(BOUNDARIES[1])]
    changed = fragment(BOUNDARIES[1], 5)
    segments = merge_fragments([gathered(*base[:2], changed)], base, SITE)
    assert [segment.is_unchanged for segment in segments] == [True, True, False]


def halves(begins: str) -> tuple[ShardEntry, ShardEntry]:
    """A segment that is split within."""
    inner = next(key for key in KEYS[:120] if key > begins and not begins_segment(key, LIMIT))
    return shard(begins), shard(inner)


@pytest.mark.parametrize(
    ("left", "is_kept"),
    [([0, 1, 2, 3], True), ([0, 1, 3], False), ([0, 2, 3], False)],
    ids=["both", "the second is gone", "the first is gone"],
)
def test_a_split_segment_is_kept_only_with_all_its_halves(left: list[int], is_kept: bool) -> None:
    base = [shard("", 6), *halves(BOUNDARIES[0]), shard(BOUNDARIES[-1], 6)]
    segments = merge_fragments([gathered(*(base[n] for n in left))], base, SITE)
    assert all(segment.is_unchanged for segment in segments) is is_kept


def test_a_shard_whose_group_was_one_sitemap_is_not_kept_once_there_are_several() -> None:
    whole = ShardEntry("", None, "", 5, "shards/whole", (PublishedFile("sitemap.xml", "d"),))
    segments = merge_fragments([gathered(whole, fragment(BOUNDARIES[0]))], [whole], SITE)
    assert [segment.is_unchanged for segment in segments] == [False, False]
    (alone,) = merge_fragments([gathered(whole)], [whole], SITE)
    assert alone.is_unchanged


def test_shards_of_a_group_that_fits_in_one_sitemap_again_are_made_anew() -> None:
    base = [shard(""), shard(BOUNDARIES[0])]
    (segment,) = merge_fragments([gathered(base[0])], base, SITE)
    assert (segment.is_whole_group, segment.is_unchanged) == (True, False)


def test_the_first_segment_is_made_anew_where_what_was_before_it_is_gone() -> None:
    base = [shard(""), shard(BOUNDARIES[0]), shard(BOUNDARIES[1])]
    segments = merge_fragments([gathered(*base[1:])], base, SITE)
    assert [segment.is_unchanged for segment in segments] == [False, True]


def test_who_gives_a_loc_is_settled_over_the_edges_of_ranges() -> None:
    site = small_site(drop_html=True, trailing_slash="never")
    opens = [OpenKey("a.html", True), OpenKey("a/index.html", True), OpenKey("b.html", True), OpenKey("a.htm")]
    assert resolve_duplicates(opens, site) == {"a.html": "a/index.html", "a.htm": "a/index.html"}


def test_a_boundary_that_turns_out_to_be_a_copy_bounds_nothing() -> None:
    site = small_site(urls=LIMIT, drop_html=True, trailing_slash="never")
    key = BOUNDARIES[0]
    rival = key.removesuffix(".html") + "/index.html"
    parts = [fragment("!.html", 6), fragment(key, 3), fragment(rival, 3)]
    assert not begins_segment(rival, LIMIT)
    opens = (OpenKey(key, True), OpenKey(rival, True))
    (segment,) = merge_fragments([gathered(*parts, opens=opens)], (), site)
    assert segment.duplicates == {key: rival}
    assert [each.first_key for each in segment.fragments] == ["!.html", key, rival]


def test_a_copy_that_is_counted_no_more_may_make_a_group_whole() -> None:
    site = small_site(urls=LIMIT, drop_html=True, trailing_slash="never")
    parts = [fragment("a.html", 4), fragment("a/index.html", 3)]
    opens = (OpenKey("a.html", True), OpenKey("a/index.html", True))
    (segment,) = merge_fragments([gathered(*parts, opens=opens)], (), site)
    assert segment.is_whole_group
    (_, *_), told = merge_fragments([gathered(*parts)], (), site), OpenKey("a.html")
    assert not merge_fragments([gathered(*parts, opens=(told, OpenKey("a/index.html")))], (), site)[0].is_whole_group


def test_a_kept_shard_with_a_copy_of_another_range_is_made_anew() -> None:
    site = small_site(urls=LIMIT, drop_html=True, trailing_slash="never")
    base = [shard("", 6), shard(BOUNDARIES[0], 6)]
    opens = (OpenKey("a.html", True), OpenKey("a/index.html", True))
    later = replace(fragment("a/index.html", 6))
    segments = merge_fragments([gathered(*base), gathered(later, opens=opens)], base, site)
    assert segments[0].is_unchanged
    assert not segments[-1].is_unchanged
