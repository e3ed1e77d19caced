"""The task of a worker that builds shards: batches of segments, shards from fragments, alternates among all pages."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest
from fake_stores import SimulatedSite

from waypost.distributed.artifacts import MergeResult, Segment
from waypost.distributed.build_shards import BuildOutput, batch_segments, build_shards
from waypost.ledger import records
from waypost.ledger.manifest import Manifest, ShardEntry
from waypost.ledger.records import Record
from waypost.rules.facts import PageFacts
from waypost.rules.html_head import Head

DECLARED = (("en", "/a.html"), ("de", "/m.html"))
ALTERNATES = (("de", "https://example.org/m.html"), ("en", "https://example.org/a.html"))


def entry(pages: int, name: str = "r") -> ShardEntry:
    return ShardEntry("", None, "", pages, name)


def segment(pages: int, *, is_unchanged: bool = False) -> Segment:
    return Segment("", (entry(pages),), is_unchanged=is_unchanged)


def sizes(batches: Sequence[Sequence[Segment]]) -> list[list[int]]:
    return [[each.object_count for each in batch] for batch in batches]


def test_unchanged_segments_are_built_only_if_there_are_alternates_that_may_change() -> None:
    segments = [segment(1), segment(2, is_unchanged=True), segment(3)]
    assert sizes(batch_segments(segments, has_alternates=False)) == [[1, 3]]
    assert sizes(batch_segments(segments, has_alternates=True)) == [[1, 2, 3]]
    assert batch_segments([], has_alternates=True) == []


@pytest.mark.parametrize(
    ("pages", "expected"),
    [
        ([60_000, 60_000, 10], [[60_000, 60_000], [10]]),
        ([500_000, 10, 10], [[500_000], [10, 10]]),
        ([1] * 33, [[1] * 16, [1] * 16, [1]]),
    ],
)
def test_a_batch_ends_after_so_many_objects_or_segments(pages: list[int], expected: list[list[int]]) -> None:
    assert sizes(batch_segments([segment(each) for each in pages], has_alternates=False)) == expected


def fragment(site: SimulatedSite, *known: Record) -> ShardEntry:
    """A fragment whose records are stored."""
    data = records.dump(known)
    name = records.records_name(None, data, (), site.ledger().new_id)
    site.state.write(name, data)
    return ShardEntry("", None, known[0].key, len(known), name)


def build(site: SimulatedSite, *segments: Segment, all_segments: Sequence[Segment] | None = None) -> BuildOutput:
    updater = site.updater()
    merged = MergeResult(tuple(all_segments)) if all_segments is not None else None
    return build_shards(segments, updater, updater.manifest_updater(Manifest()), merged)


def whole(*fragments: ShardEntry, **values: Any) -> Segment:
    return Segment("", fragments, is_whole_group=True, **values)


def built_records(output: BuildOutput) -> dict[str, Record]:
    return {each.key: each for data in output.files.values() for each in records.load(data, "x")}


def test_the_shards_of_a_segment_hold_the_records_of_all_its_fragments_and_have_undated_files() -> None:
    site = SimulatedSite(lastmod="content", state="x")
    parts = fragment(site, Record("a.html", "1"), Record("b.html", "2")), fragment(site, Record("m.html", "3"))
    output = build(site, whole(*parts))
    ((shard,),) = output.result.entries
    assert (shard.first_key, shard.page_count) == ("", 3)
    assert [(file.name, file.changed_at) for file in shard.files] == [("sitemap.xml", None)]
    assert output.files.keys() == {shard.records_file}
    assert list(built_records(output)) == ["a.html", "b.html", "m.html"]


def test_each_segment_has_its_own_entries_in_the_order_of_the_task() -> None:
    site = SimulatedSite(urls=4)
    one, other = (Segment("", (fragment(site, Record(key, "1")),), key) for key in ("m.html", "b.html"))
    output = build(site, one, other)
    assert [[each.first_key for each in entries] for entries in output.result.entries] == [["m.html"], ["b.html"]]


def test_a_duplicate_of_another_range_is_recorded_and_not_listed() -> None:
    site = SimulatedSite(drop_html=True, trailing_slash="never")
    part = fragment(site, Record("a.html", "1"), Record("b.html", "2"))
    output = build(site, whole(part, duplicates={"a.html": "a/index.html"}))
    ((shard,),) = output.result.entries
    assert (shard.page_count, shard.excluded_by_reason) == (1, {"duplicate-loc": 1})
    assert built_records(output)["a.html"].duplicate_of == "a/index.html"


def localized(key: str, *, has_alternates: bool = True, **values: Any) -> Record:
    return Record(key, "etag", PageFacts(Head(alternates=DECLARED if has_alternates else ())), **values)


def test_alternates_are_found_in_segments_of_other_workers() -> None:
    site = SimulatedSite(alternates=True)
    first, second = whole(fragment(site, localized("a.html"))), Segment("", (fragment(site, localized("m.html")),), "m")
    output = build(site, first, all_segments=[first, second])
    assert built_records(output)["a.html"].alternates == ALTERNATES


def test_an_unchanged_segment_whose_alternates_change_is_built_and_others_keep_their_shards() -> None:
    site = SimulatedSite(alternates=True)
    stale = whole(fragment(site, localized("a.html")), is_unchanged=True)
    sound = Segment("", (fragment(site, Record("c.html", "1")),), "c.html", "m.html", is_unchanged=True)
    new = Segment("", (fragment(site, localized("m.html")),), "m.html")
    output = build(site, stale, sound, all_segments=[stale, sound, new])
    rebuilt, kept = output.result.entries
    assert kept == sound.fragments
    assert rebuilt != stale.fragments
    assert output.files.keys() == {each.records_file for each in rebuilt}
    assert built_records(output)["a.html"].alternates == ALTERNATES


def test_a_link_that_is_not_returned_is_no_alternate_and_is_warned_of() -> None:
    site = SimulatedSite(alternates=True)
    one = whole(fragment(site, localized("a.html")))
    other = Segment("", (fragment(site, localized("m.html", has_alternates=False)),), "m.html")
    output = build(site, one, all_segments=[one, other])
    assert built_records(output)["a.html"].alternates == ()
    assert [warning.code for warning in output.result.result.warnings] == ["alternate-unreturned"]
