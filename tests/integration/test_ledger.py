"""The ledger over time: what it forgets, what it is asked, and what a run leaves behind."""

from __future__ import annotations

from collections import Counter

import pytest
from concurrency_harness import undated
from fake_stores import MemoryBucket, SimulatedSite
from unit.doubles import small_site

from waypost.core.dates import add_seconds
from waypost.core.errors import StoreError
from waypost.core.model import Body, Item
from waypost.ledger.store import MANIFEST_NAME
from waypost.sync import inspect, rebuild

DAY = 86_400


def built(*keys: str, **values: object) -> SimulatedSite:
    world = SimulatedSite(**{"lastmod": "content", "state": "x", **values})
    for key in keys:
        world.put(key, "one")
    rebuild.rebuild(world.updater())
    return world


def test_records_that_no_manifest_names_are_kept_for_a_day_and_then_removed() -> None:
    world = built("a.html")
    world.put("a.html", "two")
    rebuild.update(world.updater(), ["a.html"])
    assert len(world.state.files) == 3
    rebuild.rebuild(world.updater())
    assert len(world.state.files) == 3
    world.state.modified = 0.0
    rebuild.rebuild(world.updater())
    named = {entry.records_file for entry in world.updater().ledger.read().manifest.entries}
    assert world.state.files.keys() == {MANIFEST_NAME, *named}


def test_a_file_of_ours_that_no_manifest_names_goes_with_the_next_build_and_others_stay() -> None:
    world = built("a.html")
    body = world.outputs.bodies()["sitemap.xml"]
    world.outputs.write("sitemap-0123456789abcdef.xml", body)
    world.outputs.write("sitemap-video.xml", b"<urlset/>")
    found = inspect.check(world.updater())
    assert found.files == {"sitemap-0123456789abcdef.xml": "should be removed"}
    result = rebuild.rebuild(world.updater())
    assert result.removed == ("sitemap-0123456789abcdef.xml",)
    assert world.outputs.files.keys() == {"sitemap.xml", "sitemap-video.xml"}


def test_an_overwritten_sitemap_is_put_right_by_the_next_update_that_concerns_it() -> None:
    world = built("a.html", "b.html")
    world.outputs.write("sitemap.xml", b"overwritten")
    rebuild.update(world.updater(), ["a.html"])
    assert b"b.html" in world.outputs.bodies()["sitemap.xml"]


def test_one_object_that_cannot_be_read_costs_the_others_nothing() -> None:
    world = built("a.html", "b.html")
    world.put("a.html", "two")
    world.put("c.html", "new")
    updater = world.updater()
    updater.source = Unreadable(world.gate, world.source.objects)
    result = rebuild.update(updater, ["a.html", "c.html"])
    assert result.failed == {"a.html": "AccessDenied"}
    assert b"c.html" in world.outputs.bodies()["sitemap.xml"]
    assert b"a.html" in world.outputs.bodies()["sitemap.xml"]


def test_robots_txt_of_the_site_is_kept_and_told_of_the_sitemaps() -> None:
    world = SimulatedSite(lastmod="none", robots_sitemaps=True, urls=2)
    world.put("robots.txt", "User-agent: *\nDisallow: /x/\n")
    world.outputs.write("robots.txt", b"User-agent: *\nDisallow: /x/\n")
    for key in ("a.html", "b.html", "x/c.html"):
        world.put(key, "one")
    rebuild.rebuild(world.updater())
    robots = b"User-agent: *\nDisallow: /x/\nSitemap: https://example.org/sitemap.xml\n"
    assert world.outputs.bodies()["robots.txt"] == robots
    assert b"x/c" not in world.outputs.bodies()["sitemap.xml"]
    before = world.outputs.bodies()
    assert rebuild.rebuild(world.updater()).written == ()
    assert world.outputs.bodies() == before


def test_a_status_tells_what_a_build_under_way_has_come_to() -> None:
    world = SimulatedSite(lastmod="none")
    world.put("a.html", "one")
    no_ledger = "there is no ledger yet; `waypost build`, or the action rebuild, creates it"
    assert inspect.status(world.updater()).state == no_ledger
    result = rebuild.rebuild(world.updater(), lambda: True)
    assert result.resume_after == ""
    assert inspect.status(world.updater()).state.startswith("a rebuild is in progress")
    rebuild.rebuild(world.updater())
    assert inspect.status(world.updater()).url_count == 1


def test_a_publication_whose_time_is_over_goes_on_where_it_stopped_and_writes_the_index_last() -> None:
    world = SimulatedSite(lastmod="none", urls=2)
    for n in range(20):
        world.put(f"{n:02}.html", "one")
    answers = iter([False] * 4 + [True] * 99)
    result = rebuild.rebuild(world.updater(), lambda: next(answers))
    assert result.resume_after is not None
    assert result.written
    assert "sitemap.xml" not in world.outputs.files
    listed = world.counted(lambda: rebuild.rebuild(world.updater(), start_after=result.resume_after or ""))
    assert len([request for request in listed if request.startswith("LIST site")]) == 1
    assert "sitemap.xml" in world.outputs.files
    assert inspect.check(world.updater()).in_sync


@pytest.mark.parametrize(("first", "last"), [(0, 60), (20, 60), (45, 99), (0, 88)])
def test_many_pages_side_by_side_may_go_at_once(first: int, last: int) -> None:
    keys = [f"page-{n:03}.html" for n in range(100)]
    world = built(*keys, urls=10)
    gone = keys[first:last]
    for key in gone:
        world.delete(key)
    rebuild.update(world.updater(), gone)
    twin = world.twin()
    rebuild.rebuild(twin.updater())
    assert undated(world.outputs.bodies()) == undated(twin.outputs.bodies())
    assert inspect.check(world.updater()).in_sync


def test_a_text_sitemap_of_somebody_else_s_stays() -> None:
    world = SimulatedSite(lastmod="none")
    world.put("a.html", "one")
    world.outputs.write("sitemap.txt", b"https://example.org/a.html\n")
    rebuild.rebuild(world.updater())
    assert "sitemap.txt" in world.outputs.files


def test_sitemaps_that_a_deployment_deletes_are_put_back() -> None:
    world = built(*(f"{n:02}.html" for n in range(30)), urls=4)
    before = world.outputs.bodies()
    world.outputs.files.clear()
    rebuild.update(world.updater(), sorted(before))
    assert world.outputs.bodies() == before


def test_keys_of_many_shards_are_brought_up_some_shards_at_a_time_and_each_shard_once() -> None:
    keys = [f"page-{n:04}.html" for n in range(600)]
    world = built(*keys, urls=10)
    for key in keys[::3]:
        world.put(key, "two")
    requests = world.counted(lambda: rebuild.update(world.updater(), keys[::3]))
    loaded = Counter(request for request in requests if request.startswith("GET state/shards"))
    assert len(loaded) > 40
    assert set(loaded.values()) == {1}
    assert sum(request.startswith("PUT state/manifest") for request in requests) < 10
    assert inspect.check(world.updater()).in_sync


def test_an_update_whose_time_is_over_says_which_keys_it_did_not_come_to() -> None:
    keys = [f"page-{n:04}.html" for n in range(600)]
    world = built(*keys, urls=10)
    for key in keys:
        world.put(key, "two")
    answers = iter([False, True])
    result = rebuild.update(world.updater(), keys, lambda: next(answers))
    assert 0 < len(result.failed) < 600
    rebuild.update(world.updater(), list(result.failed))
    assert inspect.check(world.updater()).in_sync


def test_a_build_keeps_a_page_that_cannot_be_read_for_the_moment() -> None:
    world = built("a.html", "b.html")
    updater = SimulatedSite.updater(world)
    updater.site = small_site(lastmod="content", state="x", page_dates=True)
    updater.config_digest = "other settings"
    updater.source = Unreadable(world.gate, world.source.objects)
    result = rebuild.rebuild(updater)
    assert result.failed == {"a.html": "AccessDenied"}
    assert b"a.html</loc></url>" in world.outputs.bodies()["sitemap.xml"]


class Unreadable(MemoryBucket):
    """A bucket one of whose objects may not be read."""

    def read(self, item: Item, size: int | None = None) -> Body:
        if item.key == "a.html":
            raise PermissionError(13, "AccessDenied")
        return super().read(item, size)


NEWS = {"news": {"name": "The Times of Example", "language": "en"}}


def article(published: str, title: str = "It happened") -> str:
    return f'<title>{title}</title><meta property="article:published_time" content="{published}">'


def newspaper() -> SimulatedSite:
    """A site that has had an article of today and one of the week before."""
    world = SimulatedSite(**NEWS, lastmod="content", state="x")
    world.put("today.html", article(world.now()))
    world.put("before.html", article(add_seconds(world.now(), -7 * DAY)))
    rebuild.rebuild(world.updater())
    return world


def news(world: SimulatedSite) -> bytes:
    return world.outputs.bodies().get("sitemap-news.xml", b"")


def test_news_are_those_of_two_days_and_leave_at_the_next_rebuild() -> None:
    world = newspaper()
    assert b"today.html" in news(world)
    assert b"before.html" not in news(world)
    assert b"sitemap-news.xml" in world.outputs.bodies()["sitemap.xml"]
    world.seconds += 3 * DAY
    result = rebuild.rebuild(world.updater())
    assert (result.written, result.removed) == (("sitemap.xml",), ("sitemap-news.xml",))
    assert b"sitemap-news.xml" not in world.outputs.bodies()["sitemap.xml"]
    assert inspect.check(world.updater()).in_sync


def test_a_lost_news_sitemap_is_put_back_as_it_was_whatever_the_time() -> None:
    world = newspaper()
    before = news(world)
    world.outputs.remove("sitemap-news.xml")
    world.seconds += 3 * DAY
    rebuild.update(world.updater(), ["sitemap-news.xml"])
    assert news(world) == before


def test_an_article_is_news_with_the_update_that_brings_it_and_reads_no_other_shard() -> None:
    world = newspaper()
    world.put("new.html", article(world.now(), "New & <bold>"))
    rebuild.update(world.updater(), ["new.html"])
    assert b"<news:title>New &amp; &lt;bold&gt;</news:title>" in news(world)
    world.delete("today.html")
    rebuild.update(world.updater(), ["today.html"])
    assert b"today.html" not in news(world)
    assert b"new.html" in news(world)


def test_what_a_setting_no_longer_asks_for_is_forgotten() -> None:
    links = "".join(f'<link rel="alternate" hreflang="{code}" href="/{code}.html">' for code in ("de", "en"))
    world = SimulatedSite(alternates=True, images=True, videos=True, lastmod="none")
    world.put("en.html", f'{links}<img src="/a.png">')
    world.put("de.html", links)
    rebuild.rebuild(world.updater())
    assert b"hreflang" in world.outputs.bodies()["sitemap.xml"]
    for site in (
        small_site(lastmod="none", images=True, videos=True),
        small_site(lastmod="none", alternates=True, videos=True),
    ):
        world.site = site
        rebuild.rebuild(world.updater())
        twin = world.twin()
        rebuild.rebuild(twin.updater())
        assert world.outputs.bodies() == twin.outputs.bodies()


def test_a_page_of_somebody_else_s_is_not_replaced_by_one_for_people() -> None:
    world = SimulatedSite(formats=["xml", "html"], lastmod="none")
    world.put("a.html", "one")
    world.outputs.write("sitemap.html", b"mine")
    with pytest.raises(StoreError, match="Waypost did not create"):
        rebuild.rebuild(world.updater())
    assert world.outputs.bodies()["sitemap.html"] == b"mine"
