"""The law of the ledger: however the changes come, what is published is what a full build would publish."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from unit.doubles import numbered
from unit.ledgers import Bucket, snapshot

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
def test_any_order_of_changes_leads_to_what_a_full_build_publishes(
    values: dict[str, Any], batches: list[dict[str, ObjectSnapshot | None]]
) -> None:
    step_by_step = Bucket(**values, lastmod="none")
    for batch in batches:
        step_by_step.see(batch)
    present: dict[str, ObjectSnapshot | None] = {}
    for batch in batches:
        present |= batch
    at_once = Bucket(**values, lastmod="none")
    if present:
        at_once.see({key: each for key, each in present.items() if each})
    assert step_by_step.published == at_once.published
    assert step_by_step.shards() == at_once.shards()


@pytest.mark.parametrize("values", SETTINGS)
@settings(max_examples=60)
@given(batches=st.lists(EDITS, min_size=1, max_size=5))
def test_seeing_again_what_is_known_changes_nothing(
    values: dict[str, Any], batches: list[dict[str, ObjectSnapshot | None]]
) -> None:
    bucket = Bucket(**values, lastmod="content", state="x")
    present: dict[str, ObjectSnapshot | None] = dict.fromkeys(KEYS)
    for n, batch in enumerate(batches):
        bucket.see(batch, now=f"2026-11-2{n}T00:00:00Z")
        present |= batch
    published, shapes = dict(bucket.published), bucket.shapes()
    bucket.see(present, now="2027-01-01T00:00:00Z")
    assert bucket.made == []
    assert bucket.published == published
    assert bucket.shapes() == shapes


@pytest.mark.parametrize("values", SETTINGS)
@settings(max_examples=60)
@given(batches=st.lists(EDITS, max_size=6))
def test_every_page_is_in_one_shard_and_no_limit_is_passed(
    values: dict[str, Any], batches: list[dict[str, ObjectSnapshot | None]]
) -> None:
    bucket = Bucket(**values, lastmod="none")
    for batch in batches:
        bucket.see(batch)
    listed = [
        record.key
        for entry in bucket.manifest.entries
        for record in bucket.load(entry)
        if not (record.duplicate_of or record.facts.head.noindex)
    ]
    assert len(listed) == len(set(listed)) == sum(entry.page_count for entry in bucket.manifest.entries)
    locs = [str(page_url.page_url(key, bucket.site)) for key in listed]
    assert len(locs) == len(set(locs))
    assert all(entry.page_count <= bucket.site.file_limits.urls for entry in bucket.manifest.entries)


def test_one_change_among_many_loads_and_makes_one_shard_and_the_index() -> None:
    bucket = Bucket(urls=100).see(dict.fromkeys(numbered(3_000), snapshot()))
    assert len(bucket.manifest.entries) > 30
    bucket.see({"page-01234.html": None})
    assert len(bucket.loaded) <= 2
    assert len([name for name in bucket.made if name != "sitemap.xml"]) <= 2


def test_a_change_that_is_none_in_content_makes_nothing() -> None:
    bucket = Bucket(urls=100, lastmod="content", state="x").see(dict.fromkeys(numbered(500), snapshot()))
    again = ObjectSnapshot("another ETag", PageFacts(Head(), text_digest="x"), "2026-12-01T00:00:00Z")
    bucket.see({"page-00123.html": again})
    assert bucket.made == []


def test_a_content_has_the_time_of_the_upload_that_brought_it_and_keeps_it() -> None:
    bucket = Bucket(lastmod="content", state="x").see({"a.html": snapshot("one"), "b.html": snapshot("one")})
    assert b"<lastmod>" not in bucket.published["sitemap.xml"]
    bucket.see({"a.html": snapshot("two", modified="2026-03-01T00:00:00Z")})
    bucket.see({"a.html": snapshot("two", modified="2026-04-01T00:00:00Z")})
    assert b"a.html</loc><lastmod>2026-03-01T00:00:00Z</lastmod>" in bucket.published["sitemap.xml"]
    assert bucket.published["sitemap.xml"].count(b"<lastmod>") == 1


def test_a_page_that_is_new_to_a_known_bucket_has_the_time_of_its_upload() -> None:
    bucket = Bucket(lastmod="content", state="x").see({"a.html": snapshot()})
    bucket.see({"b.html": snapshot(modified="2026-05-01T00:00:00Z")})
    assert b"b.html</loc><lastmod>2026-05-01T00:00:00Z</lastmod>" in bucket.published["sitemap.xml"]


def test_an_index_dates_a_sitemap_by_when_its_bytes_last_changed() -> None:
    values: dict[str, Any] = {"groups": {"blog": ["/blog/"]}, "lastmod": "content", "state": "x"}
    bucket = Bucket(**values).see({"a.html": snapshot(), "blog/b.html": snapshot()})
    bucket.see({"blog/b.html": snapshot("two")}, now="2026-12-01T00:00:00Z")
    index = bucket.published["sitemap.xml"].decode()
    assert "sitemap-blog.xml</loc><lastmod>2026-12-01T00:00:00Z</lastmod>" in index
    assert "sitemap-pages.xml</loc></sitemap>" in index


def test_a_page_gives_way_to_a_file_that_goes_before_it_and_comes_back() -> None:
    bucket = Bucket(drop_html=True, trailing_slash="never").see({"a.html": snapshot("one")})
    bucket.see({"a/index.html": snapshot("two")})
    bucket.see({"a/index.html": None})
    (entry,) = bucket.manifest.entries
    assert [(record.key, record.duplicate_of) for record in bucket.load(entry)] == [("a.html", "")]
    bucket.see({"a/index.html": snapshot("two"), "b.html": snapshot()})
    (entry,) = bucket.manifest.entries
    assert [(r.key, r.duplicate_of) for r in bucket.load(entry)][:2] == [
        ("a.html", "a/index.html"),
        ("a/index.html", ""),
    ]


def test_a_bucket_whose_last_page_goes_has_nothing_published() -> None:
    bucket = Bucket().see({"a.html": snapshot(), "b.html": snapshot(noindex=True)})
    bucket.see({"a.html": None})
    assert bucket.published == {}
    assert [entry.page_count for entry in bucket.manifest.entries] == [0]
    bucket.see({"a.html": snapshot()})
    assert list(bucket.published) == ["sitemap.xml"]
