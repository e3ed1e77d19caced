"""Updates of a manifest: any order of changes leads to the files of a full build; only affected shards are built."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace
from unit.ledger_in_memory import NOW, RENDERER, LedgerInMemory, snapshot
from unit.sample_sites import numbered, small_site

from waypost.ledger import records
from waypost.ledger.ledger_state import BuilderLease
from waypost.ledger.manifest import Manifest, ShardEntry
from waypost.ledger.manifest_update import ManifestUpdater
from waypost.ledger.pending_files import ROBOTS
from waypost.ledger.record_changes import PreviousLedger
from waypost.ledger.records import Record
from waypost.rules import page_url
from waypost.rules.facts import PageFacts
from waypost.rules.html_head import Head
from waypost.rules.media import Media
from waypost.rules.page_facts import ObjectSnapshot

KEYS = [
    *numbered(30),
    *(f"blog/{name}" for name in numbered(20)),
    *("index.html", "index.htm", "a.html", "a.htm", "a/index.html", "a/index.htm", "a.HTML", "blog/index.html"),
]
EDITS = st.dictionaries(
    st.sampled_from(KEYS),
    st.one_of(
        st.none(),
        st.builds(snapshot, st.sampled_from("xyz")),
        st.builds(lambda content: snapshot(content, noindex=True), st.sampled_from("xyz")),
    ),
    max_size=12,
)
SETTINGS: list[dict[str, Any]] = [
    {"urls": 4},
    {"urls": 6, "groups": {"blog": ["/blog/"]}},
    {"urls": 6, "drop_html": True, "trailing_slash": "never", "groups": {"blog": ["/blog/"], "a": ["/a/"]}},
    {"urls": 10, "size": 700, "formats": ["xml", "text"]},
    {"urls": 60, "gzip": True},
    {"urls": 4, "sitemaps": 3},
]


@pytest.mark.parametrize("values", SETTINGS)
@given(batches=st.lists(EDITS, max_size=8))
def test_any_order_of_changes_leads_to_the_files_of_a_full_build(
    values: dict[str, Any], batches: list[dict[str, ObjectSnapshot | None]]
) -> None:
    step_by_step = LedgerInMemory(**values, lastmod="none")
    for batch in batches:
        step_by_step.update(batch)
    present: dict[str, ObjectSnapshot | None] = {}
    for batch in batches:
        present |= batch
    at_once = LedgerInMemory(**values, lastmod="none")
    if present:
        at_once.update({key: each for key, each in present.items() if each})
    assert step_by_step.published == at_once.published
    assert step_by_step.published_shards() == at_once.published_shards()


def page_of_size(images: int) -> ObjectSnapshot:
    """A page whose entry is longer, the more images it has."""
    media = Media(images=tuple(f"/{n}.png" for n in range(images)))
    return ObjectSnapshot(f"etag of {images}", PageFacts(Head(), text_digest=str(images), media=media), NOW)


SIZES = st.dictionaries(st.sampled_from(numbered(40)), st.builds(page_of_size, st.integers(0, 4)), max_size=8)


@pytest.mark.parametrize("urls", [4, 7, 12])
@given(batches=st.lists(SIZES, max_size=8))
def test_any_order_of_changes_of_the_sizes_of_pages_leads_to_the_files_of_a_full_build(
    urls: int, batches: list[dict[str, ObjectSnapshot]]
) -> None:
    values: dict[str, Any] = {"urls": urls, "size": 1_200, "images": True, "lastmod": "none"}
    all_pages = dict.fromkeys(numbered(40), page_of_size(0))
    step_by_step = LedgerInMemory(**values).update(all_pages)
    for batch in batches:
        step_by_step.update(batch)
        all_pages |= batch
    at_once = LedgerInMemory(**values).update(all_pages)
    assert step_by_step.published == at_once.published
    assert step_by_step.published_shards() == at_once.published_shards()


@pytest.mark.parametrize("values", SETTINGS)
@given(batches=st.lists(EDITS, min_size=1, max_size=5))
def test_an_update_without_changes_changes_nothing(
    values: dict[str, Any], batches: list[dict[str, ObjectSnapshot | None]]
) -> None:
    ledger = LedgerInMemory(**values, lastmod="content", state="x")
    present: dict[str, ObjectSnapshot | None] = dict.fromkeys(KEYS)
    for n, batch in enumerate(batches):
        ledger.update(batch, now=f"2026-11-2{n}T00:00:00Z")
        present |= batch
    published, shards = dict(ledger.published), ledger.shards()
    ledger.update(present, now="2027-01-01T00:00:00Z")
    assert ledger.changed_files == []
    assert ledger.published == published
    assert ledger.shards() == shards


@pytest.mark.parametrize("values", SETTINGS)
@given(batches=st.lists(EDITS, max_size=6))
def test_every_page_is_in_one_shard_and_no_shard_exceeds_the_limit(
    values: dict[str, Any], batches: list[dict[str, ObjectSnapshot | None]]
) -> None:
    ledger = LedgerInMemory(**values, lastmod="none")
    for batch in batches:
        ledger.update(batch)
    listed = [
        record.key
        for entry in ledger.manifest.entries
        for record in ledger.load(entry)
        if not (record.duplicate_of or record.facts.head.noindex)
    ]
    assert len(listed) == len(set(listed)) == sum(entry.page_count for entry in ledger.manifest.entries)
    locs = [str(page_url.page_url(key, ledger.site)) for key in listed]
    assert len(locs) == len(set(locs))
    assert all(entry.page_count <= ledger.site.file_limits.urls for entry in ledger.manifest.entries)


def test_one_change_among_many_pages_loads_and_changes_few_shards() -> None:
    ledger = LedgerInMemory(urls=100).update(dict.fromkeys(numbered(3_000), snapshot()))
    assert len(ledger.manifest.entries) > 30
    ledger.update({"page-01234.html": None})
    assert len(ledger.loaded_files) <= 2
    assert len([name for name in ledger.changed_files if name != "sitemap.xml"]) <= 2


def test_an_upload_of_the_same_content_changes_no_file() -> None:
    ledger = LedgerInMemory(urls=100, lastmod="content", state="x").update(dict.fromkeys(numbered(500), snapshot()))
    again = ObjectSnapshot("another ETag", PageFacts(Head(), text_digest="x"), "2026-12-01T00:00:00Z")
    ledger.update({"page-00123.html": again})
    assert ledger.changed_files == []


def test_changed_content_has_the_date_of_its_first_upload() -> None:
    ledger = LedgerInMemory(lastmod="content", state="x").update({"a.html": snapshot("one"), "b.html": snapshot("one")})
    assert b"<lastmod>" not in ledger.published["sitemap.xml"]
    ledger.update({"a.html": snapshot("two", modified="2026-03-01T00:00:00Z")})
    ledger.update({"a.html": snapshot("two", modified="2026-04-01T00:00:00Z")})
    assert b"a.html</loc><lastmod>2026-03-01T00:00:00Z</lastmod>" in ledger.published["sitemap.xml"]
    assert ledger.published["sitemap.xml"].count(b"<lastmod>") == 1


def test_a_new_page_of_a_known_bucket_has_the_date_of_its_upload() -> None:
    ledger = LedgerInMemory(lastmod="content", state="x").update({"a.html": snapshot()})
    ledger.update({"b.html": snapshot(modified="2026-05-01T00:00:00Z")})
    assert b"b.html</loc><lastmod>2026-05-01T00:00:00Z</lastmod>" in ledger.published["sitemap.xml"]


def test_an_index_has_the_date_of_each_sitemap_s_last_change() -> None:
    values: dict[str, Any] = {"groups": {"blog": ["/blog/"]}, "lastmod": "content", "state": "x"}
    ledger = LedgerInMemory(**values).update({"a.html": snapshot(), "blog/b.html": snapshot()})
    ledger.update({"blog/b.html": snapshot("two")}, now="2026-12-01T00:00:00Z")
    index = ledger.published["sitemap.xml"].decode()
    assert "sitemap-blog.xml</loc><lastmod>2026-12-01T00:00:00Z</lastmod>" in index
    assert "sitemap-pages.xml</loc></sitemap>" in index


def test_nothing_is_published_of_a_ledger_without_pages() -> None:
    ledger = LedgerInMemory().update({"a.html": snapshot(), "b.html": snapshot(noindex=True)})
    ledger.update({"a.html": None})
    assert ledger.published == {}
    assert [entry.page_count for entry in ledger.manifest.entries] == [0]
    ledger.update({"a.html": snapshot()})
    assert list(ledger.published) == ["sitemap.xml"]


def test_robots_txt_is_pending_if_the_sitemaps_for_crawlers_are_others_than_before() -> None:
    updater = ManifestUpdater(small_site(urls=6, sitemaps=3, robots_sitemaps=True), RENDERER, NOW)
    files: dict[str, bytes] = {}

    def update(before: Manifest, seen: Mapping[str, ObjectSnapshot | None]) -> Manifest:
        found = updater.update(
            replace(before, pending=()), seen, lambda entry: records.load(files[entry.records_file], "x")
        )
        files.update(found.records)
        return found.manifest

    first = update(Manifest(), dict.fromkeys(numbered(3), snapshot()))
    assert is_robots_pending(first)
    one_index = update(first, dict.fromkeys(numbered(8), snapshot()))
    assert one_index.indexes
    assert not is_robots_pending(one_index), "sitemap.xml was the only sitemap, and is the only index now"
    several = update(one_index, dict.fromkeys(numbered(60), snapshot()))
    assert len(several.indexes) > 1
    assert is_robots_pending(several)
    assert is_robots_pending(update(several, dict.fromkeys(numbered(60)[3:])))


def is_robots_pending(manifest: Manifest) -> bool:
    return ROBOTS in {each.name for each in manifest.pending}


def test_the_first_build_of_a_ledger_makes_all_its_files_pending() -> None:
    updater = ManifestUpdater(small_site(), RENDERER, NOW)
    previous = PreviousLedger(files=updater.update(Manifest(), {"a.html": snapshot()}, no_records).manifest.files)
    before = Manifest(builder=BuilderLease("process", 1_000, position=""))
    found = updater.update(before, {"a.html": snapshot()}, no_records, previous, None)
    assert [each.name for each in found.manifest.pending] == ["sitemap.xml"], "its bytes are those of the ledger before"


def test_of_a_build_in_progress_nothing_is_pending_and_there_is_no_index() -> None:
    updater = ManifestUpdater(small_site(urls=4), RENDERER, NOW)
    builder = BuilderLease("process", 1_000, position="")
    seen = dict.fromkeys(numbered(20), snapshot())
    found = updater.update(
        Manifest(builder=builder), seen, no_records, None, replace(builder, position="page-00019.html")
    )
    assert (found.manifest.pending, found.manifest.indexes) == ((), ())
    assert len(found.manifest.entries) > 3


def test_an_update_names_the_keys_whose_records_changed_because_of_another_file_with_their_url() -> None:
    keys = ["a.html", "index.html", "index.htm"]
    ledger = LedgerInMemory(urls=6, lastmod="none").update(dict.fromkeys(keys, snapshot()))
    updater = ManifestUpdater(ledger.site, RENDERER, NOW)
    found = updater.update(ledger.manifest, {"index.html": None}, ledger.load)
    assert list(found.changed_etags) == ["index.html"]
    assert sorted(found.changed_keys) == ["index.htm", "index.html"]
    unrelated = updater.update(ledger.manifest, {"a.html": None}, ledger.load)
    assert list(unrelated.changed_etags) == sorted(unrelated.changed_keys) == ["a.html"]


def no_records(entry: ShardEntry) -> Sequence[Record] | None:
    """No records of any entry, as if all of their files were lost."""
    del entry
    return None


def test_an_update_names_the_entries_that_it_needs_and_that_are_lost() -> None:
    ledger = LedgerInMemory(urls=6, lastmod="content", state="x").update(dict.fromkeys(numbered(60), snapshot()))
    updater = ManifestUpdater(ledger.site, RENDERER, NOW)
    found = updater.update(ledger.manifest, {"page-00020.html": snapshot("new")}, no_records)
    assert 0 < len(found.lost_entries) < len(ledger.manifest.entries)
    in_range = [entry for entry in found.lost_entries if entry.first_key <= "page-00020.html"]
    assert max(entry.first_key for entry in ledger.manifest.entries if entry.first_key <= "page-00020.html") in {
        entry.first_key for entry in in_range
    }


def test_an_update_of_a_lost_range_with_all_of_its_objects_gives_undated_pages_there_and_keeps_all_others() -> None:
    ledger = LedgerInMemory(urls=6, lastmod="content", state="x").update(dict.fromkeys(numbered(60), snapshot()))
    ledger.update({key: snapshot("two", modified="2026-03-01T00:00:00Z") for key in numbered(60)})
    lost = ledger.manifest.entries[2]
    before = ledger.records_by_key()
    lost_keys = [record.key for record in ledger.load(lost)]

    def load(entry: ShardEntry) -> Sequence[Record] | None:
        return None if entry == lost else ledger.load(entry)

    updater = ManifestUpdater(ledger.site, RENDERER, NOW)
    seen = {key: snapshot("two", modified="2026-11-20T00:00:00Z") for key in lost_keys}
    assert updater.update(ledger.manifest, seen, load).lost_entries == (lost,)
    found = updater.update(ledger.manifest, seen, load, lost=[lost])
    assert found.lost_entries == ()
    files = {**ledger.record_files, **found.records}
    after = {
        record.key: record
        for entry in found.manifest.entries
        for record in records.load(files[entry.records_file], entry.records_file)
    }
    assert after.keys() == before.keys()
    assert {key: after[key].lastmod for key in lost_keys} == dict.fromkeys(lost_keys)
    others = before.keys() - set(lost_keys)
    assert {key: after[key] for key in others} == {key: before[key] for key in others}


def test_the_names_of_files_of_records_are_never_used_again() -> None:
    ledger = LedgerInMemory().update({"a.html": snapshot("one")})
    names = {ledger.manifest.entries[0].records_file}
    for content in ("two", "one", "two"):
        ledger.update({"a.html": snapshot(content)})
        (entry,) = ledger.manifest.entries
        assert entry.records_file not in names
        names.add(entry.records_file)
