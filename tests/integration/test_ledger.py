"""A ledger over several runs: unreadable objects, lost and foreign files, deadlines, news, and changed settings."""

from __future__ import annotations

from collections import Counter
from itertools import chain, repeat

import pytest
from fake_stores import MemoryBucket, SimulatedSite
from page_content import undated
from unit.sample_sites import small_site

from waypost.core.dates import add_seconds
from waypost.core.model import Body, Item
from waypost.ledger.store import MANIFEST_NAME
from waypost.sync import rebuild

DAY = 86_400


def built(*keys: str, **values: object) -> SimulatedSite:
    site = SimulatedSite(**{"lastmod": "content", "state": "x", **values})
    for key in keys:
        site.put(key, "one")
    rebuild.rebuild(site.updater())
    return site


def rebuild_daily(site: SimulatedSite, days: int = 3) -> None:
    """Let days pass, with a rebuild after each."""
    for _ in range(days):
        site.clock.sleep(DAY)
        rebuild.rebuild(site.updater(), max_removed=100)


def test_a_rebuild_deletes_records_that_an_earlier_one_has_found_unnamed_a_day_ago() -> None:
    site = built("a.html")
    site.put("a.html", "two")
    old = set(site.state.files)
    rebuild.update(site.updater(), ["a.html"])
    rebuild.rebuild(site.updater())
    assert old <= site.state.files.keys()
    rebuild_daily(site)
    named = {entry.records_file for entry in site.manifest().entries}
    assert site.state.files.keys() == {MANIFEST_NAME, "unreferenced.json", *named}


def test_a_rebuild_leaves_files_that_it_did_not_publish_whatever_their_names_and_contents_are() -> None:
    site = built("a.html")
    site.outputs.write("sitemap-0123456789abcdef.xml", site.outputs.bodies()["sitemap.xml"])
    site.outputs.write("sitemap-video.xml", b"<urlset/>")
    rebuild_daily(site)
    assert site.wrong_files() == {}
    assert site.outputs.files.keys() == {"sitemap.xml", "sitemap-0123456789abcdef.xml", "sitemap-video.xml"}


@pytest.mark.parametrize("has_event", [True, False])
def test_an_overwritten_sitemap_is_restored_by_its_own_event_or_by_the_next_rebuild(*, has_event: bool) -> None:
    site = built("a.html", "b.html")
    site.outputs.write("sitemap.xml", b"overwritten")
    if has_event:
        rebuild.update(site.updater(), ["sitemap.xml"])
    else:
        rebuild.rebuild(site.updater())
    assert b"b.html" in site.outputs.bodies()["sitemap.xml"]


def test_an_object_that_cannot_be_read_does_not_keep_others_from_being_updated() -> None:
    site = built("a.html", "b.html")
    site.put("a.html", "two")
    site.put("c.html", "new")
    site.source = Unreadable(site.gate, site.source.objects)
    result = rebuild.update(site.updater(), ["a.html", "c.html"])
    assert result.failed == {"a.html": "AccessDenied"}
    assert b"c.html" in site.outputs.bodies()["sitemap.xml"]
    assert b"a.html" in site.outputs.bodies()["sitemap.xml"]


def test_robots_txt_keeps_its_rules_and_gets_the_sitemaps() -> None:
    site = SimulatedSite(lastmod="none", robots_sitemaps=True, urls=2)
    site.put("robots.txt", "User-agent: *\nDisallow: /x/\n")
    site.outputs.write("robots.txt", b"User-agent: *\nDisallow: /x/\n")
    for key in ("a.html", "b.html", "x/c.html"):
        site.put(key, "one")
    rebuild.rebuild(site.updater())
    robots = b"User-agent: *\nDisallow: /x/\nSitemap: https://example.org/sitemap.xml\n"
    assert site.outputs.bodies()["robots.txt"] == robots
    assert b"x/c" not in site.outputs.bodies()["sitemap.xml"]
    before = site.outputs.bodies()
    assert rebuild.rebuild(site.updater()).written == ()
    assert site.outputs.bodies() == before


def test_the_status_describes_a_build_before_during_and_after_it() -> None:
    site = SimulatedSite(lastmod="none")
    site.put("a.html", "one")
    assert site.status_text() == "there is no ledger yet; `waypost build`, or the action rebuild, creates it"
    result = rebuild.rebuild(site.updater(), lambda: True)
    assert result.resume_after == ""
    assert site.status_text().startswith("a rebuild is in progress")
    rebuild.rebuild(site.updater())
    assert site.manifest().page_count == 1


def test_a_publication_that_reaches_its_deadline_is_continued_and_writes_the_index_last() -> None:
    site = SimulatedSite(lastmod="none", urls=2)
    for n in range(120):
        site.put(f"{n:03}.html", "one")
    answers = iter([False] * 2 + [True] * 99)
    result = rebuild.rebuild(site.updater(), lambda: next(answers))
    assert result.resume_after is not None
    assert result.written
    assert "sitemap.xml" not in site.outputs.files
    listed = site.counted(lambda: rebuild.rebuild(site.updater(), start_after=result.resume_after or ""))
    assert len([request for request in listed if request.startswith("LIST site")]) == 1
    assert "sitemap.xml" in site.outputs.files
    assert site.is_in_sync()


@pytest.mark.parametrize(("first", "last"), [(0, 60), (20, 60), (45, 99), (0, 88)])
def test_an_update_may_remove_many_neighbouring_pages(first: int, last: int) -> None:
    keys = [f"page-{n:03}.html" for n in range(100)]
    site = built(*keys, urls=10)
    removed = keys[first:last]
    for key in removed:
        site.delete(key)
    rebuild.update(site.updater(), removed)
    twin = site.twin()
    rebuild.rebuild(twin.updater())
    rebuild_daily(site)
    assert undated(site.outputs.bodies()) == undated(twin.outputs.bodies())
    assert site.is_in_sync()


def test_a_text_sitemap_that_waypost_did_not_write_is_not_removed() -> None:
    site = SimulatedSite(lastmod="none")
    site.put("a.html", "one")
    site.outputs.write("sitemap.txt", b"https://example.org/a.html\n")
    rebuild.rebuild(site.updater())
    assert "sitemap.txt" in site.outputs.files


def test_sitemaps_that_a_deployment_deletes_are_restored() -> None:
    site = built(*(f"{n:02}.html" for n in range(30)), urls=4)
    before = site.outputs.bodies()
    site.outputs.files.clear()
    rebuild.update(site.updater(), sorted(before))
    assert site.outputs.bodies() == before


def test_an_update_of_many_shards_loads_each_of_them_once_and_commits_a_few_at_a_time() -> None:
    keys = [f"page-{n:04}.html" for n in range(600)]
    site = built(*keys, urls=10)
    for key in keys[::3]:
        site.put(key, "two")
    requests = site.counted(lambda: rebuild.update(site.updater(), keys[::3]))
    loaded = Counter(request for request in requests if request.startswith("GET state/shards"))
    assert len(loaded) > 40
    assert set(loaded.values()) == {1}
    assert sum(request.startswith("PUT state/manifest") for request in requests) < 10
    assert site.is_in_sync()


def test_an_update_that_reaches_its_deadline_reports_the_remaining_keys_as_failed() -> None:
    keys = [f"page-{n:04}.html" for n in range(600)]
    site = built(*keys, urls=10)
    for key in keys:
        site.put(key, "two")
    answers = chain([False], repeat(True))
    result = rebuild.update(site.updater(), keys, lambda: next(answers))
    assert 0 < len(result.failed) < 600
    rebuild.update(site.updater(), list(result.failed))
    assert site.is_in_sync()


def test_a_rebuild_keeps_the_record_of_a_page_that_cannot_be_read() -> None:
    site = built("a.html", "b.html")
    site.source = Unreadable(site.gate, site.source.objects)
    updater = SimulatedSite.updater(site)
    updater.site = small_site(lastmod="content", state="x", page_dates=True)
    updater.config_digest = "other settings"
    result = rebuild.rebuild(updater)
    assert result.failed == {"a.html": "AccessDenied"}
    assert b"a.html</loc></url>" in site.outputs.bodies()["sitemap.xml"]


class Unreadable(MemoryBucket):
    """A bucket that denies access to one of its objects."""

    def read(self, item: Item, size: int | None = None) -> Body:
        if item.key == "a.html":
            raise PermissionError(13, "AccessDenied")
        return super().read(item, size)


NEWS = {"news": {"name": "The Times of Example", "language": "en"}}


def article(published: str, title: str = "It happened") -> str:
    return f'<title>{title}</title><meta property="article:published_time" content="{published}">'


def newspaper() -> SimulatedSite:
    """A site with an article of today and one of the week before."""
    site = SimulatedSite(**NEWS, lastmod="content", state="x")
    site.put("today.html", article(site.now()))
    site.put("before.html", article(add_seconds(site.now(), -7 * DAY)))
    rebuild.rebuild(site.updater())
    return site


def news(site: SimulatedSite) -> bytes:
    return site.outputs.bodies().get("sitemap-news.xml", b"")


def test_a_rebuild_removes_articles_older_than_two_days_from_the_news_sitemap() -> None:
    site = newspaper()
    assert b"today.html" in news(site)
    assert b"before.html" not in news(site)
    assert b"sitemap-news.xml" in site.outputs.bodies()["sitemap.xml"]
    site.clock.sleep(3 * DAY)
    result = rebuild.rebuild(site.updater())
    assert (set(result.written), result.removed) == ({"sitemap-news.xml", "sitemap.xml"}, ())
    assert b"<url>" not in news(site)
    assert b"sitemap-news.xml" in site.outputs.bodies()["sitemap.xml"]
    site.clock.sleep(DAY)
    assert rebuild.rebuild(site.updater()).removed == ()
    assert site.is_in_sync()


def test_a_deleted_news_sitemap_is_restored_unchanged_at_any_later_time() -> None:
    site = newspaper()
    before = news(site)
    site.outputs.remove("sitemap-news.xml")
    site.clock.sleep(3 * DAY)
    rebuild.update(site.updater(), ["sitemap-news.xml"])
    assert news(site) == before


def test_an_update_adds_new_articles_to_the_news_sitemap_and_removes_deleted_ones() -> None:
    site = newspaper()
    site.put("new.html", article(site.now(), "New & <bold>"))
    rebuild.update(site.updater(), ["new.html"])
    assert b"<news:title>New &amp; &lt;bold&gt;</news:title>" in news(site)
    site.delete("today.html")
    rebuild.update(site.updater(), ["today.html"])
    assert b"today.html" not in news(site)
    assert b"new.html" in news(site)


def test_metadata_that_the_settings_no_longer_ask_for_is_no_longer_published() -> None:
    links = "".join(f'<link rel="alternate" hreflang="{code}" href="/{code}.html">' for code in ("de", "en"))
    site = SimulatedSite(alternates=True, images=True, videos=True, lastmod="none")
    site.put("en.html", f'{links}<img src="/a.png">')
    site.put("de.html", links)
    rebuild.rebuild(site.updater())
    assert b"hreflang" in site.outputs.bodies()["sitemap.xml"]
    for settings in (
        small_site(lastmod="none", images=True, videos=True),
        small_site(lastmod="none", alternates=True, videos=True),
    ):
        site.settings = settings
        rebuild.rebuild(site.updater())
        twin = site.twin()
        rebuild.rebuild(twin.updater())
        assert site.outputs.bodies() == twin.outputs.bodies()


def test_an_html_page_that_waypost_did_not_write_is_not_replaced_by_the_html_sitemap() -> None:
    site = SimulatedSite(formats=["xml", "html"], lastmod="none")
    site.put("a.html", "one")
    site.outputs.write("sitemap.html", b"mine")
    result = rebuild.rebuild(site.updater())
    assert "output-blocked" in {warning.code for warning in result.warnings}
    assert site.outputs.bodies()["sitemap.html"] == b"mine"
