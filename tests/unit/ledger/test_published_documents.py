"""The documents of a ledger beside its sitemaps: news sitemaps, the HTML sitemap and its stylesheet."""

from __future__ import annotations

import re
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from unit.ledger_in_memory import NOW, LedgerInMemory, article, snapshot
from unit.sample_sites import numbered

from waypost.core.dates import add_seconds
from waypost.core.model import News
from waypost.ledger.classify import PageClassifier
from waypost.rules.page_facts import ObjectSnapshot
from waypost.sitemaps.documents import documents
from waypost.sitemaps.render import Renderer

BASE = "https://example.org/"
NEWS: dict[str, Any] = {"news": {"name": "The Times", "language": "en"}}
HTML: dict[str, Any] = {"formats": ["xml", "html"], "stylesheet": True}
Batch = dict[str, ObjectSnapshot | None]


def present(batches: list[Batch]) -> dict[str, ObjectSnapshot]:
    """The objects that exist after all batches."""
    found: Batch = {}
    for batch in batches:
        found |= batch
    return {key: each for key, each in found.items() if each}


def news_urls(ledger: LedgerInMemory) -> list[str]:
    """The URLs that the news sitemaps list."""
    bodies = [body.decode() for name, body in ledger.published.items() if name.startswith("sitemap-news")]
    return [loc.removeprefix(BASE) for body in bodies for loc in re.findall("<loc>(.*?)</loc>", body)]


def test_an_article_is_in_the_news_sitemap_for_two_days() -> None:
    ledger = LedgerInMemory(**NEWS).update({"a.html": article(NOW), "b.html": article("2026-11-20T12:00:00Z")})
    assert news_urls(ledger) == ["a.html", "b.html"]
    assert news_urls(ledger.refresh("2026-11-22T12:00:00Z")) == ["a.html", "b.html"]
    assert news_urls(ledger.refresh("2026-11-22T12:00:01Z")) == ["a.html"]
    assert news_urls(ledger.refresh("2026-11-23T12:00:01Z")) == []
    assert ledger.published.keys() == {"sitemap.xml", "sitemap-pages.xml", "sitemap-news.xml"}
    assert ledger.published["sitemap-pages.xml"].count(b"<url>") == 2


def test_a_refresh_loads_no_records_of_outdated_articles() -> None:
    ledger = LedgerInMemory(**NEWS).update({"a.html": article(NOW)}).refresh("2026-12-01T00:00:00Z")
    assert ledger.loaded_files == []


def test_an_article_of_the_future_is_listed_from_its_time_on_and_hides_no_other() -> None:
    ledger = LedgerInMemory(**NEWS).update({"a.html": article(NOW), "b.html": article("2026-11-22T00:00:00Z")})
    assert news_urls(ledger) == ["a.html"]
    assert news_urls(ledger.refresh("2026-11-22T00:00:00Z")) == ["a.html", "b.html"]


def test_an_article_with_a_date_and_no_time_is_news_until_the_end_of_its_second_day() -> None:
    ledger = LedgerInMemory(**NEWS).update({"a.html": article("2026-11-21"), "b.html": article("2026-11-21T01:00:00Z")})
    assert news_urls(ledger.refresh("2026-11-23T20:00:00Z")) == ["a.html"]
    assert news_urls(ledger.refresh("2026-11-24T00:00:00Z")) == []


def test_an_entry_records_when_its_newest_listed_article_was_published() -> None:
    ledger = LedgerInMemory(**NEWS).update(
        {
            "a.html": article("2026-11-20"),
            "b.html": article("2026-11-20T05:00:00Z"),
            "c.html": article(NOW, noindex=True),
            "d.html": snapshot(),
        }
    )
    assert [entry.latest_news for entry in ledger.manifest.entries] == ["2026-11-20"]
    assert [entry.latest_news for entry in ledger.update({"a.html": None, "b.html": None}).manifest.entries] == [""]
    without = LedgerInMemory().update({"a.html": article(NOW)})
    assert [entry.latest_news for entry in without.manifest.entries] == [""]


def test_an_old_article_is_recorded_and_not_in_the_news_sitemap() -> None:
    ledger = LedgerInMemory(**NEWS).update({"a.html": article("2001-01-01")})
    assert [entry.latest_news for entry in ledger.manifest.entries] == ["2001-01-01"]
    assert (news_urls(ledger), [file.name for file in ledger.manifest.news_files]) == ([], ["sitemap-news.xml"])


def test_the_index_and_the_manifest_name_the_news_sitemap() -> None:
    ledger = LedgerInMemory(**NEWS).update({"a.html": article(NOW)})
    assert [file.name for file in ledger.manifest.news_files] == ["sitemap-news.xml"]
    assert b"<loc>https://example.org/sitemap-news.xml</loc>" in ledger.published["sitemap.xml"]
    ledger.update({"a.html": snapshot()})
    assert [file.name for file in ledger.manifest.news_files] == ["sitemap-news.xml"]
    assert b"sitemap-news" in ledger.published["sitemap.xml"]
    ledger.update({"a.html": None})
    assert ledger.manifest.news_files == ()


def test_more_than_a_thousand_articles_are_split_into_several_news_sitemaps() -> None:
    seen: Batch = dict.fromkeys(numbered(1_001), article(NOW))
    ledger = LedgerInMemory(urls=5_000, **NEWS).update(seen)
    names = [file.name for file in ledger.manifest.news_files]
    assert len(names) > 1
    assert all(re.fullmatch(r"sitemap-news-[0-9a-f]{16}\.xml", name) for name in names)
    assert news_urls(ledger) == list(numbered(1_001))
    assert all(ledger.published["sitemap.xml"].count(f"/{name}<".encode()) == 1 for name in names)
    ledger.update({"page-00000.html": None})
    assert [file.name for file in ledger.manifest.news_files] == ["sitemap-news.xml"]


def test_a_new_article_loads_only_the_shards_with_news() -> None:
    seen: Batch = dict.fromkeys(numbered(3_000), snapshot())
    ledger = LedgerInMemory(urls=100, **NEWS).update(seen | {"page-00010.html": article(NOW)})
    ledger.update({"page-02990.html": article(NOW)})
    assert news_urls(ledger) == ["page-00010.html", "page-02990.html"]
    assert len(ledger.loaded_files) <= 4


def test_an_index_ends_where_the_first_sitemap_of_the_next_one_begins() -> None:
    values: dict[str, Any] = {"groups": {"blog": ["/blog/"], "docs": ["/docs/"]}}
    keys = [*numbered(60), *(f"blog/{name}" for name in numbered(60)), "docs/a.html"]
    ledger = LedgerInMemory(urls=6, sitemaps=4, **values, **NEWS).update(
        dict.fromkeys(keys, snapshot()) | {"a.html": article(NOW)}
    )
    indexes = ledger.manifest.indexes
    assert len(indexes) > 2
    ends = [index.end for index in indexes]
    assert ends == [*sorted(ends[:-1]), ""]
    positions = {
        file.name: f"{['', 'blog', 'docs'].index(entry.group):04} {entry.first_key}"
        for entry in ledger.manifest.entries
        for file in entry.files
    } | {file.name: f"9999 {file.name}" for file in ledger.manifest.news_files}
    for index, start in zip(indexes, ["", *ends], strict=False):
        for name in re.findall(f"<loc>{BASE}(.*?)</loc>", ledger.published[index.name].decode()):
            assert start <= positions[name]
            assert index.end == "" or positions[name] < index.end


DATES = st.integers(-400_000, 400_000).map(lambda seconds: add_seconds(NOW, seconds))
ARTICLES = st.builds(
    lambda published, noindex: article(published, noindex=noindex),
    DATES | DATES.map(lambda date: date[:10]),
    st.sampled_from([False, False, False, True]),
)
CHANGES = st.dictionaries(
    st.sampled_from([*numbered(12), *(f"blog/{name}" for name in numbered(6))]),
    st.none() | st.just(snapshot()) | ARTICLES,
    max_size=8,
)


@pytest.mark.parametrize("values", [{"urls": 4}, {"urls": 50, "groups": {"blog": ["/blog/"]}, "gzip": True}])
@given(batches=st.lists(st.tuples(CHANGES, st.integers(0, 100_000)), max_size=6))
def test_any_order_of_changes_and_times_leads_to_the_news_of_a_full_build(
    values: dict[str, Any], batches: list[tuple[Batch, int]]
) -> None:
    step_by_step, now = LedgerInMemory(**values, **NEWS, lastmod="none"), NOW
    for batch, seconds in batches:
        now = add_seconds(now, seconds)
        step_by_step.update(batch, now)
    step_by_step.refresh(now)
    at_once = LedgerInMemory(**values, **NEWS, lastmod="none").update(present([batch for batch, _ in batches]), now)
    assert step_by_step.published == at_once.published


def test_the_news_title_of_an_article_is_its_headline() -> None:
    ledger = LedgerInMemory(**NEWS).update({"a.html": article(NOW, "Up & away")})
    assert b"<news:title>Up &amp; away</news:title>" in ledger.published["sitemap-news.xml"]
    record = ledger.records_by_key()["a.html"]
    assert record.facts.media is not None
    assert News(record.facts.media.headline, record.facts.media.published) == News("Up & away", NOW)


def test_a_small_site_has_one_html_sitemap_with_all_pages() -> None:
    ledger = LedgerInMemory(**HTML).update({"a.html": snapshot(), "b.html": snapshot()})
    assert ledger.published.keys() == {"sitemap.xml", "sitemap.html", "sitemap.css"}
    assert [file.name for file in ledger.manifest.auxiliary_files] == ["sitemap.css"]
    assert ledger.published["sitemap.html"].count(b"<li ") == 2


def test_a_large_site_has_an_html_index_of_its_html_sitemaps() -> None:
    ledger = LedgerInMemory(urls=10, **HTML).update(dict.fromkeys(numbered(40), snapshot()))
    assert [file.name for file in ledger.manifest.auxiliary_files] == ["sitemap.html", "sitemap.css"]
    assert [file.name for file in ledger.manifest.news_files] == []
    names = [file.name for entry in ledger.manifest.entries for file in entry.files if file.name.endswith(".html")]
    listed = ledger.published["sitemap.html"].decode()
    assert all(f'<a href="{name}">' in listed for name in names)
    assert b"sitemap.html" not in ledger.published["sitemap.xml"]
    ledger.update({"page-00007.html": None})
    assert "sitemap.html" in ledger.changed_files


def test_the_lists_of_a_long_html_sitemap_are_the_same_however_its_pages_arrived() -> None:
    keys = [f"part-{n % 3}/p{n:04}.html" for n in range(700)]
    ledger = LedgerInMemory(urls=5_000, **HTML).update(dict.fromkeys(keys[:450], snapshot()))
    assert len([name for name in ledger.published if name.endswith(".html")]) == 1
    ledger.update(dict.fromkeys(keys[450:], snapshot()))
    assert len([name for name in ledger.published if name.endswith(".html")]) > 2
    ledger.update({keys[3]: None})
    changed = [name for name in ledger.changed_files if name.endswith(".html")]
    assert len(changed) == 2  # the list, and its count in the contents
    ledger.update({keys[3]: snapshot()})
    assert ledger.published == LedgerInMemory(urls=5_000, **HTML).update(dict.fromkeys(keys, snapshot())).published
    ledger.update(dict.fromkeys(keys[450:]))
    assert (
        ledger.published == LedgerInMemory(urls=5_000, **HTML).update(dict.fromkeys(keys[:450], snapshot())).published
    )


def test_the_lists_of_a_long_html_sitemap_are_those_of_a_build_of_the_same_pages() -> None:
    keys = sorted(f"part-{n % 3}/p{n:04}.html" for n in range(1_300))
    ledger = LedgerInMemory(urls=5_000, **HTML).update(dict.fromkeys(keys, snapshot()))
    classifier, records = PageClassifier(ledger.site, NOW), ledger.records_by_key()
    pages = [page for key in keys if (page := classifier.page(records[key]))]
    built = {each.name: each.body for each in documents(pages, ledger.site, Renderer(), lambda *_: None)}
    assert len(built) > 6
    assert ledger.published == built


def test_auxiliary_files_are_removed_with_the_last_page_and_restored_with_the_next() -> None:
    ledger = LedgerInMemory(urls=10, **HTML, **NEWS).update(dict.fromkeys(numbered(40), article(NOW)))
    assert {"sitemap.html", "sitemap.css", "sitemap-news.xml"} <= ledger.published.keys()
    ledger.update(dict.fromkeys(numbered(40)))
    assert ledger.published == {}
    assert ledger.manifest.auxiliary_files == ()
    ledger.update({"a.html": article(NOW)})
    assert {"sitemap.html", "sitemap.css", "sitemap-news.xml"} <= ledger.published.keys()
