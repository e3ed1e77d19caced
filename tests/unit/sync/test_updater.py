"""Updating a ledger and its sitemaps for some keys."""

from __future__ import annotations

from typing import Any

import pytest
from fake_stores import SimulatedSite, Writer
from msgspec.structs import replace
from run_harness import Execution
from unit.published_sites import published_site

from waypost.core.errors import SettingsChangedError, StoreError
from waypost.ledger.ledger_state import LedgerState, PublisherLease
from waypost.sync import rebuild
from waypost.sync.result import RunResult

NOINDEX = '<meta name="robots" content="noindex">'


def built(*keys: str, **values: Any) -> SimulatedSite:
    site = SimulatedSite(**{"lastmod": "none", **values})
    for key in keys:
        site.put(key, "x")
    rebuild.rebuild(site.updater())
    return site


def update(site: SimulatedSite, *keys: str, **options: Any) -> RunResult:
    return site.updater().update(keys, **options)


def sitemap(site: SimulatedSite) -> bytes:
    return site.outputs.bodies()["sitemap.xml"]


def test_new_changed_and_deleted_objects_are_read_and_published_in_one_update() -> None:
    site = built("a.html", "b.html", "c.html")
    site.put("new.html", "x")
    site.put("b.html", NOINDEX)
    site.delete("c.html")
    result = update(site, "new.html", "b.html", "c.html", "a.html")
    assert (result.objects_read, result.records_changed, result.written) == (4, 3, ("sitemap.xml",))
    assert result.changes.counts == {"added": 1, "removed": 2, "lastmod_changed": 0, "metadata_changed": 0}
    assert [key for key in ("a", "b", "c", "new") if f"/{key}.html<".encode() in sitemap(site)] == ["a", "new"]
    assert site.is_in_sync()


def test_an_update_without_a_ledger_asks_for_a_rebuild_and_writes_nothing() -> None:
    site = SimulatedSite()
    with pytest.raises(SettingsChangedError, match="there is no ledger yet"):
        update(site, "a.html")
    assert not site.state.files


def test_an_update_under_other_settings_asks_for_a_rebuild_and_writes_nothing() -> None:
    site = built("a.html")
    site.settings = SimulatedSite(lastmod="none", exclude=["/x/"]).settings
    before = site.state.bodies()
    with pytest.raises(SettingsChangedError, match="other settings or another release"):
        update(site, "a.html")
    assert site.state.bodies() == before


def test_an_event_of_robots_txt_asks_for_a_rebuild_only_if_its_rules_changed() -> None:
    site = built("a.html")
    site.put("robots.txt", "# no rules")
    update(site, "robots.txt")
    site.put("robots.txt", "User-agent: *\nDisallow: /a")
    with pytest.raises(SettingsChangedError, match=r"robots\.txt has other rules"):
        update(site, "robots.txt")


def test_keys_that_cannot_be_pages_are_counted_and_not_read() -> None:
    site = built("a.html")
    requests = site.counted(lambda: update(site, "style.css", "logo.png", ".git/config"))
    assert requests == []
    assert update(site, "style.css", "logo.png", ".git/config").ignored == {"hidden": 1, "not-a-page": 2}


def test_keys_without_object_and_record_are_reported() -> None:
    assert update(built("a.html"), "never.html").not_found == ("never.html",)


def test_a_published_file_that_was_overwritten_is_restored_by_its_own_event() -> None:
    site = built("a.html")
    before = sitemap(site)
    site.outputs.write("sitemap.xml", b"overwritten")
    assert update(site, "sitemap.xml").written == ("sitemap.xml",)
    assert sitemap(site) == before


def test_a_rebuild_s_update_removes_records_of_keys_that_the_settings_now_exclude() -> None:
    site = built("a.html", "b.html")
    site.settings = SimulatedSite(lastmod="none", exclude=["/b.html"]).settings
    changed = site.updater()
    changed.config_digest = site.manifest().config_digest
    assert changed.update(["b.html"]).records_changed == 0
    assert changed.update(["b.html"], refresh_etags=True).records_changed == 1
    assert b"b.html" not in sitemap(site)


def test_at_the_deadline_the_remaining_keys_are_reported_as_failed_and_not_read() -> None:
    site = built("a.html")
    site.put("b.html", "x")
    result = update(site, "b.html", deadline_reached=lambda: True)
    assert result.failed == {"b.html": "the deadline was reached before it was read"}
    assert b"b.html" not in sitemap(site)


def test_an_object_that_changes_after_it_was_read_is_read_again() -> None:
    site = built("a.html")
    site.put("b.html", "x")
    slow = Writer(site.gate, lambda: update(site, "b.html"))
    slow.until("PUT state/manifest.json")
    site.delete("b.html")
    slow.finish()
    assert slow.result.objects_read == 2
    assert b"b.html" not in sitemap(site)
    assert site.is_in_sync()


def test_an_update_that_another_writer_overtakes_counts_a_conflict_and_loses_nothing() -> None:
    site = built("a.html")
    site.put("b.html", "x")
    site.put("c.html", "x")
    slow = Writer(site.gate, lambda: update(site, "b.html"))
    slow.until("PUT state/manifest.json")
    update(site, "c.html")
    slow.finish()
    assert slow.result.conflicts == 1
    assert site.is_in_sync()


def start_scan(site: SimulatedSite) -> None:
    """Start a distributed rebuild under other settings."""
    site.settings = SimulatedSite(lastmod="none", exclude=["/x/"]).settings
    Execution("run", site.updater, site.state).take_step("plan")
    assert site.manifest().state == LedgerState.SCANNING


def test_while_many_workers_build_new_entries_an_update_only_defers_its_keys() -> None:
    site = built("a.html")
    start_scan(site)
    site.put("b.html", "x")
    requests = site.counted(lambda: update(site, "b.html"))
    assert not any(request.startswith(("GET site/", "PUT outputs/")) for request in requests)
    builder = site.manifest().builder
    assert builder is not None
    assert len(builder.deferred_keys) == 1


def test_keys_are_deferred_only_to_a_distributed_rebuild() -> None:
    site = built("a.html")
    assert not site.updater().defer(["a.html"])
    start_scan(site)
    assert site.updater().defer(["a.html"])


def test_an_event_of_an_index_during_publication_replaces_the_manifest_for_the_rebuild_to_see() -> None:
    site = built(*(f"{n}.html" for n in range(12)), urls=4)
    version = site.ledger().read()
    publishing = replace(version.manifest, publisher=PublisherLease("run", 1))
    site.ledger().commit(version, publishing, {})
    update(site, "sitemap.xml")
    assert site.manifest().generation == publishing.generation + 1


def test_files_for_which_there_is_no_time_stay_pending_and_the_lease_is_given_back() -> None:
    site = built(*(f"{n:03}.html" for n in range(200)), urls=2, sitemaps=1_000, lastmod="content", state="x")
    keys = [entry.first_key for entry in site.manifest().entries[1:]]
    for key in keys:
        site.put(key, "other")
    result = update(site, *keys, deadline_reached=lambda: len(site.manifest().pending) > len(keys) > 60)
    assert (result.is_all_published, len(result.written)) == (False, 50)
    assert (bool(site.manifest().pending), site.manifest().publisher) == (True, None)
    update(site, *keys)
    assert site.is_in_sync()


def test_a_repeated_event_of_robots_txt_publishes_what_a_rebuild_for_it_has_left() -> None:
    site = published_site()
    site.put("robots.txt", "User-agent: *\nDisallow: /000.html\n")
    site.clock.sleep(60)
    writer = Writer(site.gate, lambda: rebuild.update(site.updater(), ["robots.txt"]))
    writer.until("HEAD outputs/")
    writer.step(StoreError("no answer"))
    while not writer.is_done:
        writer.step()
    assert site.manifest().pending
    site.updater().update(["robots.txt"])
    assert site.manifest().pending == ()


def test_records_that_are_made_again_are_no_pages_that_came() -> None:
    keys = [f"{n:02}.html" for n in range(40)]
    site = built(*keys, urls=100)
    (entry,) = site.manifest().entries
    site.state.remove(entry.records_file)
    site.put(keys[0], "y")
    update(site, keys[0])
    for key in keys[:30]:
        site.delete(key)
    update(site, *keys[:30])
    removed = site.manifest().removed
    assert removed
    assert (removed.count, removed.listed) == (30, 40)
