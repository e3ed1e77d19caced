"""What a ledger keeps right of pages beside the pages themselves: their versions, news, and what is for people."""

from __future__ import annotations

import re
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from unit.doubles import numbered
from unit.ledgers import NOW, Bucket, article, snapshot, version

from waypost.core.dates import add_seconds
from waypost.core.model import News
from waypost.rules.page_facts import ObjectSnapshot

BASE = "https://example.org/"
NEWS: dict[str, Any] = {"news": {"name": "The Times", "language": "en"}}
Batch = dict[str, ObjectSnapshot | None]


def alternates(bucket: Bucket) -> dict[str, dict[str, str]]:
    """The settled versions of each page that has any."""
    return {
        key: {code: href.removeprefix(BASE) for code, href in record.alternates}
        for key, record in bucket.known().items()
        if record.alternates
    }


def present(batches: list[Batch]) -> dict[str, ObjectSnapshot]:
    """What a bucket holds after all batches."""
    found: Batch = {}
    for batch in batches:
        found |= batch
    return {key: each for key, each in found.items() if each}


# Versions

EN = version(en="/en.html", de="/de.html")
EN_DE = {"en": "en.html", "de": "de.html"}


def family(**values: Any) -> Bucket:
    return Bucket(alternates=True, **values).see({"en.html": EN, "de.html": EN})


def test_pages_that_name_one_another_are_listed_with_their_versions() -> None:
    bucket = family()
    assert alternates(bucket) == {"en.html": EN_DE, "de.html": EN_DE}
    assert bucket.published["sitemap.xml"].count(b'hreflang="de" href="https://example.org/de.html"') == 2


def test_a_page_that_is_named_and_names_none_has_no_versions_until_it_does() -> None:
    bucket = Bucket(alternates=True).see({"en.html": EN, "de.html": version()})
    assert alternates(bucket) == {}
    bucket.see({"de.html": version(en="/en.html")})
    assert alternates(bucket) == {"en.html": EN_DE, "de.html": EN_DE}


@pytest.mark.parametrize(
    "gone", [None, version(), version(noindex=True, en="/en.html", de="/de.html"), version(de="/de.html")]
)
def test_a_version_that_goes_or_names_the_others_no_more_leaves_them(gone: ObjectSnapshot | None) -> None:
    bucket = family().see({"de.html": gone})
    assert alternates(bucket) == {}
    assert b"hreflang" not in bucket.published["sitemap.xml"]
    assert alternates(bucket.see({"de.html": EN})) == {"en.html": EN_DE, "de.html": EN_DE}


def test_a_version_that_joins_is_told_of_by_all() -> None:
    bucket = family().see({"en.html": version(en="/en.html", de="/de.html", fr="/fr.html")})
    assert alternates(bucket) == {"en.html": EN_DE, "de.html": EN_DE}
    bucket.see({"fr.html": version(en="/en.html", fr="/fr.html")})
    assert alternates(bucket) == {name: EN_DE | {"fr": "fr.html"} for name in ("en.html", "de.html", "fr.html")}


def test_a_file_that_takes_a_version_s_place_takes_its_versions_too() -> None:
    values: dict[str, Any] = {"drop_html": True, "trailing_slash": "never"}
    both = version(en="/en", de="/de")
    bucket = Bucket(alternates=True, **values).see({"en.html": both, "de.html": both})
    bucket.see({"de/index.html": both})
    assert alternates(bucket) == {key: {"en": "en", "de": "de"} for key in ("en.html", "de/index.html")}
    bucket.see({"de/index.html": None})
    assert alternates(bucket) == {key: {"en": "en", "de": "de"} for key in ("en.html", "de.html")}


@pytest.mark.parametrize("values", [{"alternates": False}, {}])
def test_versions_are_settled_only_where_they_are_asked_for(values: dict[str, Any]) -> None:
    assert alternates(Bucket(**values).see({"en.html": EN, "de.html": EN})) == {}


def many() -> tuple[Bucket, str, str]:
    """A bucket of many shards with a family of two in it, in different ones."""
    first, last = "page-00010.html", "page-02990.html"
    both = version(en=f"/{first}", de=f"/{last}")
    seen: Batch = dict.fromkeys(numbered(3_000), snapshot())
    bucket = Bucket(urls=100, alternates=True).see(seen | {first: both, last: both})
    assert len(bucket.manifest.entries) > 30
    assert len(alternates(bucket)) == 2
    return bucket, first, last


def test_what_a_page_says_of_its_versions_loads_the_shards_of_its_family_alone() -> None:
    bucket, first, last = many()
    bucket.see({first: version()})
    assert len(bucket.loaded) <= 4
    assert len(bucket.made) <= 3
    assert alternates(bucket) == {}
    bucket.see({first: version(en=f"/{first}", de=f"/{last}")})
    assert len(bucket.loaded) <= 4
    assert len(alternates(bucket)) == 2


def test_a_change_of_content_alone_opens_no_shard_of_the_other_versions() -> None:
    bucket, first, last = many()
    homes = {
        key: entry.records_file
        for entry in bucket.manifest.entries
        for key in (first, last)
        if holds(bucket, entry, key)
    }
    bucket.see({first: version(content="other", en=f"/{first}", de=f"/{last}")})
    assert homes[first] in bucket.loaded
    assert homes[last] not in bucket.loaded
    assert len(alternates(bucket)) == 2


def holds(bucket: Bucket, entry: Any, key: str) -> bool:
    return any(record.key == key for record in bucket.load(entry))


LANGUAGES = ("en", "de", "fr")
KEYS = [f"{language}/{name}.html" for language in LANGUAGES for name in "ab"] + ["a/index.html", "a.html", "a.htm"]
HREFLANGS = st.sampled_from(["en", "de", "fr", "x_default", "EN", "xx"])
ODD = st.dictionaries(
    HREFLANGS,
    st.sampled_from(["/a", "/a/", "/a/index", "/en/a", "/de/a", "../de/b", "/en/gone", "https://example.de/"]),
    max_size=2,
)
OWN = st.sampled_from([LANGUAGES, LANGUAGES, LANGUAGES, ("en", "de"), ()])
"""The languages in which a page names its own namesakes."""
SAID = st.tuples(st.sampled_from(["", "en"]), st.sampled_from("xy"), st.integers(0, 7), OWN, st.just({}) | ODD)
Said = tuple[str, str, int, tuple[str, ...], dict[str, str]]
BATCH = st.lists(st.tuples(st.sampled_from(KEYS), SAID | SAID | SAID | st.none()), min_size=1, max_size=8).map(dict)
BATCHES = st.lists(BATCH, min_size=1, max_size=6)
SETTINGS: list[dict[str, Any]] = [
    {"urls": 4},
    {"urls": 50, "formats": ["xml", "html"]},
    {"urls": 4, "groups": {language: [f"/{language}/"] for language in LANGUAGES}},
    {"urls": 6, "drop_html": True, "trailing_slash": "never"},
]


def seen(key: str, facts: Said | None, ending: str) -> ObjectSnapshot | None:
    """A page of a key whose names of others, but for folders, have an ending."""
    if facts is None:
        return None
    language, content, chance, own, odd = facts
    namesakes = {code: f"/{code}/{key.rpartition('/')[2].removesuffix('.html')}" for code in own}
    hrefs = {code: href if href.endswith("/") else href + ending for code, href in (namesakes | odd).items()}
    return version(language, content, noindex=chance == 0, **hrefs)


@pytest.mark.parametrize("values", SETTINGS)
@settings(max_examples=150)
@given(facts=BATCHES)
def test_any_order_of_changes_settles_the_versions_that_a_build_of_all_settles(
    values: dict[str, Any], facts: list[dict[str, Said | None]]
) -> None:
    ending = "" if "drop_html" in values else ".html"
    batches = [{key: seen(key, each, ending) for key, each in batch.items()} for batch in facts]
    step_by_step = Bucket(**values, alternates=True, lastmod="none")
    for batch in batches:
        step_by_step.see(batch)
    at_once = Bucket(**values, alternates=True, lastmod="none").see(present(batches))
    assert alternates(step_by_step) == alternates(at_once)
    assert step_by_step.published == at_once.published


# News


def of_news(bucket: Bucket) -> list[str]:
    """The URLs that the news sitemaps list."""
    bodies = [body.decode() for name, body in bucket.published.items() if name.startswith("sitemap-news")]
    return [loc.removeprefix(BASE) for body in bodies for loc in re.findall("<loc>(.*?)</loc>", body)]


def test_an_article_is_news_for_two_days_and_then_leaves() -> None:
    bucket = Bucket(**NEWS).see({"a.html": article(NOW), "b.html": article("2026-11-20T12:00:00Z")})
    assert of_news(bucket) == ["a.html", "b.html"]
    assert of_news(bucket.refresh("2026-11-22T12:00:00Z")) == ["a.html", "b.html"]
    assert of_news(bucket.refresh("2026-11-22T12:00:01Z")) == ["a.html"]
    assert of_news(bucket.refresh("2026-11-23T12:00:01Z")) == []
    assert bucket.published.keys() == {"sitemap.xml", "sitemap-pages.xml"}
    assert bucket.published["sitemap-pages.xml"].count(b"<url>") == 2


def test_what_has_left_loads_no_records_when_time_goes_by() -> None:
    bucket = Bucket(**NEWS).see({"a.html": article(NOW)}).refresh("2026-12-01T00:00:00Z")
    assert bucket.loaded == []


def test_an_article_of_the_future_enters_when_its_time_comes_and_hides_no_other() -> None:
    bucket = Bucket(**NEWS).see({"a.html": article(NOW), "b.html": article("2026-11-22T00:00:00Z")})
    assert of_news(bucket) == ["a.html"]
    assert of_news(bucket.refresh("2026-11-22T00:00:00Z")) == ["a.html", "b.html"]


def test_a_date_alone_is_news_until_the_end_of_its_day_whatever_stands_beside_it() -> None:
    bucket = Bucket(**NEWS).see({"a.html": article("2026-11-21"), "b.html": article("2026-11-21T01:00:00Z")})
    assert of_news(bucket.refresh("2026-11-23T20:00:00Z")) == ["a.html"]
    assert of_news(bucket.refresh("2026-11-24T00:00:00Z")) == []


def test_a_shard_remembers_when_its_newest_article_was_published() -> None:
    bucket = Bucket(**NEWS).see(
        {
            "a.html": article("2026-11-20"),
            "b.html": article("2026-11-20T05:00:00Z"),
            "c.html": article(NOW, noindex=True),
            "d.html": snapshot(),
        }
    )
    assert [entry.latest_news for entry in bucket.manifest.entries] == ["2026-11-20"]
    assert [entry.latest_news for entry in bucket.see({"a.html": None, "b.html": None}).manifest.entries] == [""]
    without = Bucket().see({"a.html": article(NOW)})
    assert [entry.latest_news for entry in without.manifest.entries] == [""]


def test_an_old_article_is_remembered_and_no_news() -> None:
    bucket = Bucket(**NEWS).see({"a.html": article("2001-01-01")})
    assert [entry.latest_news for entry in bucket.manifest.entries] == ["2001-01-01"]
    assert (of_news(bucket), bucket.manifest.news_files) == ([], ())


def test_the_index_lists_the_news_and_the_manifest_knows_them() -> None:
    bucket = Bucket(**NEWS).see({"a.html": article(NOW)})
    assert [file.name for file in bucket.manifest.news_files] == ["sitemap-news.xml"]
    assert b"<loc>https://example.org/sitemap-news.xml</loc>" in bucket.published["sitemap.xml"]
    bucket.see({"a.html": snapshot()})
    assert bucket.manifest.news_files == ()
    assert b"sitemap-news" not in bucket.published["sitemap.xml"]


def test_more_than_a_thousand_news_are_split_and_all_are_in_the_index() -> None:
    seen: Batch = dict.fromkeys(numbered(1_001), article(NOW))
    bucket = Bucket(urls=5_000, **NEWS).see(seen)
    names = [file.name for file in bucket.manifest.news_files]
    assert len(names) > 1
    assert all(re.fullmatch(r"sitemap-news-[0-9a-f]{16}\.xml", name) for name in names)
    assert of_news(bucket) == list(numbered(1_001))
    assert all(bucket.published["sitemap.xml"].count(f"/{name}<".encode()) == 1 for name in names)
    bucket.see({"page-00000.html": None})
    assert [file.name for file in bucket.manifest.news_files] == ["sitemap-news.xml"]


def test_one_article_more_loads_the_shards_that_hold_news_and_no_other() -> None:
    seen: Batch = dict.fromkeys(numbered(3_000), snapshot())
    bucket = Bucket(urls=100, **NEWS).see(seen | {"page-00010.html": article(NOW)})
    bucket.see({"page-02990.html": article(NOW)})
    assert of_news(bucket) == ["page-00010.html", "page-02990.html"]
    assert len(bucket.loaded) <= 4


DATES = st.integers(-400_000, 400_000).map(lambda seconds: add_seconds(NOW, seconds))
ARTICLES = st.builds(
    lambda published, noindex: article(published, noindex=noindex),
    DATES | DATES.map(lambda date: date[:10]),
    st.sampled_from([False, False, False, True]),
)
STORIES = st.dictionaries(
    st.sampled_from([*numbered(12), *(f"blog/{name}" for name in numbered(6))]),
    st.none() | st.just(snapshot()) | ARTICLES,
    max_size=8,
)


@pytest.mark.parametrize("values", [{"urls": 4}, {"urls": 50, "groups": {"blog": ["/blog/"]}, "gzip": True}])
@settings(max_examples=100)
@given(batches=st.lists(st.tuples(STORIES, st.integers(0, 100_000)), max_size=6))
def test_any_order_of_changes_and_times_leads_to_the_news_that_a_build_lists(
    values: dict[str, Any], batches: list[tuple[Batch, int]]
) -> None:
    step_by_step, now = Bucket(**values, **NEWS, lastmod="none"), NOW
    for batch, seconds in batches:
        now = add_seconds(now, seconds)
        step_by_step.see(batch, now)
    step_by_step.refresh(now)
    at_once = Bucket(**values, **NEWS, lastmod="none").see(present([batch for batch, _ in batches]), now)
    assert step_by_step.published == at_once.published


def test_an_article_s_title_is_its_headline() -> None:
    bucket = Bucket(**NEWS).see({"a.html": article(NOW, "Up & away")})
    assert b"<news:title>Up &amp; away</news:title>" in bucket.published["sitemap-news.xml"]
    record = bucket.known()["a.html"]
    assert record.facts.media is not None
    assert News(record.facts.media.headline, record.facts.media.published) == News("Up & away", NOW)


# What is for people

PEOPLE: dict[str, Any] = {"formats": ["xml", "html"], "stylesheet": True}


def test_one_page_for_people_is_the_whole_of_a_small_site() -> None:
    bucket = Bucket(**PEOPLE).see({"a.html": snapshot(), "b.html": snapshot()})
    assert bucket.published.keys() == {"sitemap.xml", "sitemap.html", "sitemap.css"}
    assert [file.name for file in bucket.manifest.auxiliary_files] == ["sitemap.css"]
    assert bucket.published["sitemap.html"].count(b"<li>") == 2


def test_the_page_that_lists_those_of_a_large_site_is_in_the_manifest() -> None:
    bucket = Bucket(urls=10, **PEOPLE).see(dict.fromkeys(numbered(40), snapshot()))
    assert [file.name for file in bucket.manifest.auxiliary_files] == ["sitemap.html", "sitemap.css"]
    assert [file.name for file in bucket.manifest.news_files] == []
    names = [file.name for entry in bucket.manifest.entries for file in entry.files if file.name.endswith(".html")]
    listed = bucket.published["sitemap.html"].decode()
    assert all(f'<a href="{name}">' in listed for name in names)
    assert b"sitemap.html" not in bucket.published["sitemap.xml"]
    bucket.see({"page-00007.html": None})
    assert "sitemap.html" in bucket.made


def test_what_is_for_people_goes_with_the_last_page_and_comes_back() -> None:
    bucket = Bucket(urls=10, **PEOPLE, **NEWS).see(dict.fromkeys(numbered(40), article(NOW)))
    assert {"sitemap.html", "sitemap.css", "sitemap-news.xml"} <= bucket.published.keys()
    bucket.see(dict.fromkeys(numbered(40)))
    assert bucket.published == {}
    assert bucket.manifest.auxiliary_files == ()
    bucket.see({"a.html": article(NOW)})
    assert {"sitemap.html", "sitemap.css", "sitemap-news.xml"} <= bucket.published.keys()
