"""Two or three processes over one bucket, in exact interleavings: what is listed when one is late, or ends early."""

from __future__ import annotations

from typing import Any

from distributed_sites import differing_files, missing_sitemaps
from fake_stores import Crash, SimulatedSite, Writer

from waypost.sitemaps.sharding import begins_segment
from waypost.sync import rebuild

NO_PAGE = '<meta name="robots" content="noindex">'


def built_site(*keys: str, **values: Any) -> SimulatedSite:
    site = SimulatedSite(**{"lastmod": "none", **values})
    for key in keys:
        site.put(key, "one")
    rebuild.rebuild(site.updater())
    return site


def started_update(site: SimulatedSite, *keys: str) -> Writer:
    return Writer(site.gate, lambda: rebuild.update(site.updater(), keys))


def published(site: SimulatedSite) -> bytes:
    return site.outputs.bodies()["sitemap.xml"]


def finish(*writers: Writer) -> None:
    """Let processes end, which take turns; none of them may fail."""
    while not all(writer.is_done for writer in writers):
        for writer in writers:
            if not writer.is_done:
                writer.step()
    assert [writer.error for writer in writers] == [None] * len(writers)


def test_a_process_delayed_before_it_publishes_does_not_replace_a_newer_sitemap() -> None:
    site = built_site("a.html", "b.html")
    site.put("c.html", "one")
    slow = started_update(site, "c.html")
    slow.until("PUT outputs")
    site.clock.sleep(100)
    site.put("d.html", "one")
    finish(started_update(site, "d.html"))
    newer = published(site)
    assert b"d.html" in newer
    while not slow.is_done:
        slow.step()
        assert published(site) == newer
    assert slow.error is None


def test_a_process_that_waits_for_a_publisher_finds_its_page_listed_by_that() -> None:
    site = built_site("a.html", "b.html")
    site.put("c.html", "one")
    first = started_update(site, "c.html")
    first.until("PUT outputs")
    site.put("d.html", "one")
    second = started_update(site, "d.html")
    second.until("HEAD state/manifest.json")
    finish(first, second)
    assert b"d.html" in published(site)
    assert not differing_files(site)


def test_a_page_deleted_before_a_slow_process_commits_is_not_listed() -> None:
    site = built_site("a.html", "b.html")
    site.put("c.html", "one")
    slow = started_update(site, "c.html")
    slow.until("PUT state/manifest.json")
    site.delete("c.html")
    finish(started_update(site, "c.html"))
    finish(slow)
    assert b"c.html" not in published(site)
    assert not differing_files(site)


def test_after_a_build_that_crashed_before_publishing_no_index_names_a_missing_sitemap() -> None:
    site = SimulatedSite(urls=2, lastmod="none")
    for key in ("a.html", "b.html", "c.html", "d.html"):
        site.put(key, "one")
    building = Writer(site.gate, lambda: rebuild.rebuild(site.updater()))
    building.until("PUT outputs")
    building.step(Crash())
    site.clock.sleep(100)
    site.put("a.html", NO_PAGE)
    writer = started_update(site, "a.html")
    while not writer.is_done:
        writer.step()
        assert not missing_sitemaps(site)
    assert not differing_files(site)


def test_a_build_reads_objects_again_that_changed_after_its_listing() -> None:
    site = SimulatedSite(lastmod="none")
    for key in ("a.html", "b.html"):
        site.put(key, "one")
    building = Writer(site.gate, lambda: rebuild.rebuild(site.updater()))
    building.until("PUT state/shards")
    site.delete("a.html")
    finish(started_update(site, "a.html"))
    finish(building)
    assert b"a.html" not in published(site)


def test_sitemaps_that_a_crashed_process_did_not_write_are_written_by_the_next() -> None:
    keys = [f"p{n:02}.html" for n in range(14)]
    boundary = next(key for key in keys[4:] if begins_segment(key, 4))
    site = built_site(*(key for key in keys if key != boundary), urls=4)
    site.put(boundary, "one")
    writer = started_update(site, boundary)
    writer.until("PUT outputs")
    writer.step(Crash())
    site.clock.sleep(100)
    finish(started_update(site, boundary))
    assert not differing_files(site)
