"""Updates of a manifest: any order of changes leads to the files of a full build; only affected shards are built."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from unit.ledger_in_memory import LedgerInMemory, snapshot
from unit.sample_sites import numbered

from waypost.rules import page_url
from waypost.rules.facts import PageFacts
from waypost.rules.html_head import Head
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
@settings(max_examples=150)
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


@pytest.mark.parametrize("values", SETTINGS)
@settings(max_examples=60)
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
@settings(max_examples=60)
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


def test_a_page_is_a_duplicate_while_a_file_of_higher_rank_has_the_same_url() -> None:
    ledger = LedgerInMemory(drop_html=True, trailing_slash="never").update({"a.html": snapshot("one")})
    ledger.update({"a/index.html": snapshot("two")})
    ledger.update({"a/index.html": None})
    (entry,) = ledger.manifest.entries
    assert [(record.key, record.duplicate_of) for record in ledger.load(entry)] == [("a.html", "")]
    ledger.update({"a/index.html": snapshot("two"), "b.html": snapshot()})
    (entry,) = ledger.manifest.entries
    assert [(r.key, r.duplicate_of) for r in ledger.load(entry)][:2] == [
        ("a.html", "a/index.html"),
        ("a/index.html", ""),
    ]


def test_nothing_is_published_of_a_ledger_without_pages() -> None:
    ledger = LedgerInMemory().update({"a.html": snapshot(), "b.html": snapshot(noindex=True)})
    ledger.update({"a.html": None})
    assert ledger.published == {}
    assert [entry.page_count for entry in ledger.manifest.entries] == [0]
    ledger.update({"a.html": snapshot()})
    assert list(ledger.published) == ["sitemap.xml"]
