"""Shards that are built from the records of a segment: their entries, files, counts and dates."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import count
from typing import Any

import pytest
from msgspec.structs import replace
from unit.ledger_in_memory import NOW, RENDERER
from unit.sample_sites import numbered, small_site

from waypost.core import reasons
from waypost.core.hashing import content_digest
from waypost.core.model import Page
from waypost.core.reasons import Reason
from waypost.ledger import records
from waypost.ledger.classify import PageClassifier
from waypost.ledger.dirty_segments import DirtySegment
from waypost.ledger.manifest import PublishedFile
from waypost.ledger.records import Record
from waypost.ledger.shard_builder import BuiltShard, ShardBuilder, count_exclusions
from waypost.rules.facts import PageFacts
from waypost.rules.html_head import Head
from waypost.rules.media import Media

NOINDEX = PageFacts(Head("noindex"))


def new_ids() -> Callable[[], str]:
    """A function that returns another id at each call."""
    ids = (f"id{n}" for n in count())
    return lambda: next(ids)


def build(
    *known: Record,
    files: dict[str, PublishedFile] | None = None,
    segment: tuple[str, str | None] | None = None,
    changed_at: str | None = NOW,
    records_files: Sequence[str] = (),
    **values: Any,
) -> list[BuiltShard]:
    """The shards of a group, or of the segment between two keys."""
    site = small_site(**values)
    builder = ShardBuilder(site, RENDERER, PageClassifier(site, NOW), changed_at, new_ids())
    first_key, end_key = segment or ("", None)
    by_key = {record.key: record for record in known}
    dirty = DirtySegment("", by_key, first_key, end_key, segment is None, records_files)
    return list(builder.build(dirty, files or {}))


def test_a_group_that_fits_has_one_shard_with_its_records_and_its_sitemap() -> None:
    (shard,) = build(Record("b.html", "2"), Record("a.html", "1"), Record("c.html", "3", NOINDEX))
    assert shard.data is not None
    assert [record.key for record in records.load(shard.data, "x")] == ["a.html", "b.html", "c.html"]
    (document,) = shard.documents
    entry = shard.entry
    assert (entry.group, entry.shard_id, entry.first_key, entry.page_count) == ("", None, "", 2)
    assert entry.records_file == records.records_name(None, shard.data, (), lambda: "id0")
    assert entry.excluded_by_reason == {"noindex": 1}
    assert entry.files == (PublishedFile("sitemap.xml", content_digest(document.body), NOW),)


def test_a_group_over_the_limit_has_a_shard_for_each_span_and_every_record_in_one() -> None:
    keys = numbered(60)
    shards = build(*(Record(key, "x", NOINDEX if n % 7 == 0 else PageFacts()) for n, key in enumerate(keys)), urls=8)
    assert len(shards) > 3
    stored = [record.key for shard in shards for record in records.load(shard.data, "x")]
    assert stored == list(keys)
    assert all(shard.entry.page_count <= 8 for shard in shards)
    assert sum(shard.entry.page_count for shard in shards) == 60 - 9
    assert sum(shard.entry.excluded_by_reason.get("noindex", 0) for shard in shards) == 9
    first_keys = [shard.entry.first_key for shard in shards]
    assert first_keys[0] == ""
    assert all(records.load(shard.data, "x")[0].key == shard.entry.first_key for shard in shards[1:])


def test_a_segment_gives_the_same_shards_as_its_whole_group() -> None:
    keys = numbered(60)
    whole = [shard.entry for shard in build(*(Record(key, "x") for key in keys), urls=8)]
    first, second = (entry.first_key for entry in whole[2:4])
    some = build(*(Record(key, "x") for key in keys if first <= key < second), urls=8, segment=(first, second))
    assert [replace(shard.entry, records_file="") for shard in some] == [replace(whole[2], records_file="")]


def test_a_group_of_which_nothing_is_listed_keeps_its_records_without_a_file() -> None:
    (shard,) = build(Record("a.html", "1", NOINDEX), Record("b.html", "2", duplicate_of="a.html"))
    assert (shard.documents, shard.entry.files) == ((), ())
    assert shard.entry.page_count == 0
    assert shard.entry.excluded_by_reason == {"duplicate-loc": 1, "noindex": 1}
    assert len(records.load(shard.data, "x")) == 2


def test_a_segment_without_records_has_no_shard() -> None:
    assert build() == []


def test_a_file_with_the_same_bytes_keeps_its_date_and_a_changed_one_gets_the_new_date() -> None:
    (first,) = build(Record("a.html", "1"), changed_at="2026-01-01T00:00:00Z")
    known = {file.name: file for file in first.entry.files}
    (same,) = build(Record("a.html", "new etag"), files=known)
    (changed,) = build(Record("a.html", "1"), Record("b.html", "2"), files=known)
    assert [file.changed_at for file in same.entry.files] == ["2026-01-01T00:00:00Z"]
    assert [file.changed_at for file in changed.entry.files] == [NOW]


def test_a_file_of_records_keeps_its_name_only_while_its_content_is_the_same() -> None:
    (before,) = build(Record("a.html", "1"))
    name = before.entry.records_file
    (same,) = build(Record("a.html", "1"), records_files=["shards/whole-x-id7", name])
    (other,) = build(Record("a.html", "2"), records_files=[name])
    assert same.entry.records_file == name
    assert other.entry.records_file != name


def test_a_content_that_comes_back_has_a_file_of_records_with_another_name() -> None:
    site = small_site()
    builder = ShardBuilder(site, RENDERER, PageClassifier(site, NOW), NOW, new_ids())
    first, second = (
        next(builder.build(DirtySegment("", {"a.html": Record("a.html", "1")}, "", None, is_whole_group=True), {}))
        for _ in range(2)
    )
    assert first.data == second.data
    assert first.entry.records_file != second.entry.records_file


@pytest.mark.parametrize(
    ("published", "is_listed", "latest"),
    [("2026-11-21T00:00:00Z", True, "2026-11-21T00:00:00Z"), ("2026-11-21T00:00:00Z", False, ""), ("", True, "")],
)
def test_an_entry_records_its_latest_listed_article(published: str, latest: str, *, is_listed: bool) -> None:
    facts = PageFacts(Head() if is_listed else Head("noindex"), media=Media(headline="H", published=published))
    shards = build(Record("a.html", "1", facts), Record("b.html", "2"), news={"name": "The Times", "language": "en"})
    assert [shard.entry.latest_news for shard in shards] == [latest]
    assert [bool(shard.news) for shard in shards] == [bool(latest)]


def test_exclusions_are_counted_by_reason_in_the_order_of_their_names() -> None:
    classified: list[Page | Reason] = [
        reasons.REDIRECT,
        Page("a.html", "https://example.org/a.html"),
        reasons.NOINDEX,
        reasons.REDIRECT,
    ]
    assert list(count_exclusions(classified).items()) == [("noindex", 1), ("redirect", 2)]


@pytest.mark.parametrize(
    ("key", "group", "expected"),
    [("b", "", True), ("c", "", True), ("d", "", False), ("a", "", False), ("c", "blog", False)],
)
def test_a_segment_contains_the_keys_of_its_group_from_its_first_key_up_to_its_end(
    key: str, group: str, *, expected: bool
) -> None:
    assert DirtySegment("", {}, "b", "d", is_whole_group=False).contains(key, group) is expected
    assert DirtySegment("", {}, "", None, is_whole_group=True).contains(key, "")
