"""Rebuilding a ledger and its sitemaps by a listing of the bucket."""

from __future__ import annotations

import pytest
from fake_stores import SimulatedSite
from run_harness import Execution
from unit.sync.rebuilt_sites import (
    after,
    dated_site,
    dates,
    lose,
    lost_warnings,
    published,
    reads_of,
    rewrite_by_newer_release,
    simulated_site,
    started_build,
)

from waypost.core.errors import OtherRunError, RemovalError
from waypost.distributed.plan import RUN_LEASE
from waypost.ledger.ledger_state import LedgerState
from waypost.sync import rebuild


def test_a_first_rebuild_reads_all_objects_and_publishes_a_complete_ledger() -> None:
    site = simulated_site()
    site.put("style.css", "x")
    result = rebuild.rebuild(site.updater())
    assert (result.objects_listed, result.objects_read, result.records_changed) == (11, 10, 10)
    assert (result.ignored, result.resume_after) == ({"not-a-page": 1}, None)
    assert set(result.written) == site.outputs.files.keys() == site.manifest().files.keys()
    assert site.manifest().state == LedgerState.COMPLETE
    assert result.manifest == site.manifest()


def test_an_update_of_a_ledger_of_other_settings_becomes_a_rebuild() -> None:
    site = simulated_site()
    rebuild.rebuild(site.updater())
    site.settings = simulated_site(exclude=["/000.html"]).settings
    site.put("050.html", "x")
    rebuild.update(site.updater(), ["001.html"])
    assert site.manifest().page_count == 10
    assert site.is_in_sync()


def test_the_older_of_two_releases_warns_that_it_builds_again_what_the_newer_one_has_built() -> None:
    site = simulated_site()
    rebuild.rebuild(site.updater())
    rewrite_by_newer_release(site)
    site.put("001.html", "changed")
    result = rebuild.update(site.updater(), ["001.html"])
    assert "newer-release" in [warning.code for warning in result.warnings]
    assert site.is_in_sync()
    assert rebuild.rebuild(site.updater()).warnings == ()


def test_a_distributed_rebuild_by_the_older_of_two_releases_warns_as_well() -> None:
    site = simulated_site()
    rebuild.rebuild(site.updater())
    rewrite_by_newer_release(site)
    answer = Execution("run", site.updater, site.state).run()
    assert answer.result
    assert "newer-release" in [warning.code for warning in answer.result.warnings]


def test_an_update_that_becomes_a_rebuild_has_the_same_deadline() -> None:
    assert rebuild.update(simulated_site().updater(), ["001.html"], after(1)).resume_after == ""


def test_a_rebuild_does_not_disturb_a_run_of_many_workers_and_fails_until_that_has_ended() -> None:
    site = simulated_site()
    Execution("run", site.updater, site.state).run(until="build")
    before, started = site.manifest(), site.clock.time()
    with pytest.raises(OtherRunError, match="another rebuild is under way") as raised:
        rebuild.rebuild(site.updater())
    assert site.manifest() == before
    assert before.builder is not None
    assert raised.value.retry_after == pytest.approx(before.builder.expires - site.clock.time(), abs=2)
    assert 120 <= site.clock.time() - started < 150


def test_a_rebuild_replaces_a_run_of_many_workers_that_takes_no_step_any_more() -> None:
    site = simulated_site()
    Execution("run", site.updater, site.state).run(until="build")
    site.clock.sleep(RUN_LEASE)
    rebuild.rebuild(site.updater())
    assert (site.manifest().state, site.manifest().builder) == (LedgerState.COMPLETE, None)
    assert site.is_in_sync()


def test_a_rebuild_ends_a_run_that_reads_a_complete_bucket_again_and_takes_no_step_any_more() -> None:
    site = simulated_site()
    rebuild.rebuild(site.updater())
    Execution("run", site.updater, site.state).run(until="scan")
    assert site.manifest().state == LedgerState.RESCANNING
    site.clock.sleep(RUN_LEASE)
    rebuild.rebuild(site.updater())
    assert site.manifest().builder is None
    assert site.is_in_sync()


def test_a_second_rebuild_waits_for_a_build_and_then_fails_with_the_time_that_is_left() -> None:
    site = simulated_site()
    started_build(site)
    with pytest.raises(OtherRunError, match=r"another rebuild is under way; it has at least \d+ seconds") as raised:
        rebuild.rebuild(site.updater())
    assert raised.value.retry_after is not None
    assert 150 < raised.value.retry_after <= 180


def test_an_update_makes_lost_records_anew_in_their_range_only_with_a_warning() -> None:
    site = dated_site()
    before, lost = dates(site), lose(site, 2)
    key = min(lost)
    site.put(key, "three")
    results = []
    read = set(reads_of(site, lambda: results.append(site.updater().update([key]))))
    assert read == lost
    assert lost_warnings(results[0]) == [1]
    assert dates(site) == before | dict.fromkeys(lost)
    assert site.is_in_sync()


def test_an_update_that_needs_no_lost_records_leaves_them_lost() -> None:
    site = dated_site()
    lost = lose(site, 2)
    key = next(key for key in ("029.html", "000.html") if key not in lost)
    site.put(key, "three")
    assert lost_warnings(site.updater().update([key])) == []


def test_publishing_makes_the_records_anew_that_it_needs_and_that_are_lost() -> None:
    site = dated_site()
    before = site.outputs.bodies()
    name = site.manifest().entries[2].files[0].name
    lost = lose(site, 2)
    site.outputs.remove(name)
    result = site.updater().update([name])
    assert lost_warnings(result) == [1]
    assert site.outputs.bodies().keys() == before.keys()
    assert {key for key, date in dates(site).items() if date is None} == lost
    assert site.is_in_sync()


def test_a_rebuild_that_would_remove_too_much_changes_neither_manifest_nor_files() -> None:
    site = simulated_site(30)
    rebuild.rebuild(site.updater())
    before = published(site)
    for n in range(20):
        site.delete(f"{n:03}.html")
    with pytest.raises(RemovalError, match="20 of the 30 listed pages"):
        rebuild.rebuild(site.updater())
    assert published(site) == before
    rebuild.rebuild(site.updater(), max_removed=100)
    assert site.manifest().page_count == 10
    assert site.is_in_sync()


def test_a_rebuild_under_other_settings_that_would_remove_too_much_does_not_begin() -> None:
    site = simulated_site(30)
    rebuild.rebuild(site.updater())
    before = published(site)
    site.settings = SimulatedSite(urls=4, lastmod="none", exclude=["00*.html", "01*.html"]).settings
    with pytest.raises(RemovalError, match="20 of the 30 listed pages"):
        rebuild.update(site.updater(), ["020.html"])
    assert published(site) == before


def test_a_rebuild_without_time_to_count_removals_continues_without_the_count() -> None:
    site = simulated_site(30)
    rebuild.rebuild(site.updater())
    for n in range(20):
        site.delete(f"{n:03}.html")
    result = rebuild.rebuild(site.updater(), lambda: True)
    assert result.resume_after == " "
    rebuild.rebuild(site.updater(), start_after=result.resume_after)
    assert (site.manifest().page_count, site.is_in_sync()) == (10, True)
