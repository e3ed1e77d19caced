"""Distributed rebuilds beside updates, late workers, changed settings and earlier rebuilds that crashed."""

from __future__ import annotations

from functools import partial

import pytest
from distributed_sites import KEYS, differing_files, execution, missing_sitemaps, settings, simulated_site
from fake_stores import Crash, SimulatedSite, Writer
from run_harness import Execution, split_at_keys

from waypost.distributed.plan import RunLimits
from waypost.distributed.steps import StepResult
from waypost.sync import rebuild

OTHER_SETTINGS = settings(exclude=["/000.html"])


def test_deferred_keys_that_the_settings_exclude_are_not_listed() -> None:
    site = simulated_site(exclude=["/private/"])
    site.put("private/x.html", "x")
    site.put("robots.txt", "User-agent: *\nDisallow:\n")
    workers = execution(site)
    workers.run(until="scan")
    assert site.updater().defer(["private/x.html", "robots.txt", "001.html"])
    workers.run()
    assert site.manifest().page_count == len(KEYS)


def test_keys_that_change_again_during_the_commit_are_read_again() -> None:
    site = simulated_site()
    rebuild.rebuild(site.updater())
    workers = execution(site)
    workers.run(until="commit")
    site.put("020.html", '<meta name="robots" content="noindex">')
    rebuild.update(site.updater(), ["020.html"])
    commit = Writer(site.gate, partial(workers.take_step, "commit"))
    commit.until("PUT state/manifest.json")
    site.put("020.html", "back again")
    rebuild.update(site.updater(), ["020.html"])
    commit.finish()
    workers.run()
    assert not differing_files(site)


def crash_before_publishing(site: SimulatedSite) -> None:
    """A rebuild by one worker ends between its commit and its files."""
    build = Writer(site.gate, partial(rebuild.rebuild, site.updater()))
    build.until("HEAD outputs/")
    build.step(Crash())


def test_after_two_crashed_rebuilds_an_update_leaves_no_index_that_names_missing_sitemaps() -> None:
    site = simulated_site()
    crash_before_publishing(site)
    site.settings = settings(precision="date")
    crash_before_publishing(site)
    site.put("001.html", "other")
    rebuild.update(site.updater(), ["001.html"])
    assert "sitemap.xml" in site.outputs.files
    assert not missing_sitemaps(site)


@pytest.mark.slow
def test_after_a_rebuild_that_crashed_in_a_later_range_no_index_names_missing_sitemaps() -> None:
    site = simulated_site([f"{n:06}.html" for n in range(26_000)], urls=4_000)
    site.source.page_size = 1_000
    build = Writer(site.gate, partial(rebuild.rebuild, site.updater()))
    build.until("PUT state/manifest.json done")
    build.until("HEAD outputs/")
    build.step(Crash())
    site.put("000001.html", "other")
    rebuild.update(site.updater(), ["000001.html"])
    assert len(site.manifest().files) > 5
    assert not missing_sitemaps(site)


def test_a_run_ends_though_events_never_stop() -> None:
    site = simulated_site()
    workers = execution(site)
    workers.run_workers("publish")
    answer, steps = StepResult("finalize"), 0
    while answer.next_step != "done" and steps < 20:
        steps += 1
        site.put("020.html", f"content {steps}")
        rebuild.update(site.updater(), ["020.html"])
        answer = workers.take_step("finalize")
        for task in workers.tasks(answer):
            workers.take(task)
    assert answer.next_step == "done"
    assert (site.manifest().run, site.manifest().publisher, site.manifest().pending) == (None, None, ())
    assert not differing_files(site)


def test_a_second_plan_after_the_archived_manifest_was_lost_mixes_no_shards() -> None:
    site = simulated_site()
    rebuild.rebuild(site.updater())
    for key in ("020.html", "030.html"):
        site.put(key, "new")
    workers = execution(site)
    items = workers.tasks(workers.run(until="build"))
    own = site.settings
    for n, item in enumerate(items):
        site.settings = own if n else OTHER_SETTINGS
        workers.take(item)
    site.settings = own
    for name in [name for name in site.state.files if name.startswith("manifests/")]:
        del site.state.files[name]
    site.put("001.html", "event")
    rebuild.update(site.updater(), ["001.html"])
    workers.run()
    assert not differing_files(site)


def test_a_range_counts_once_if_a_late_worker_also_scans_it() -> None:
    site = simulated_site()
    workers = Execution("run", site.updater, site.state, RunLimits(4, 40, 5, 2), split_at_keys("010.html"))
    first, second = workers.tasks(workers.run(until="scan"))
    late = Writer(site.gate, partial(workers.take, second))
    late.until("PUT state/")
    workers.take(first)
    workers.split = split_at_keys("020.html")
    workers.run_workers("scan")
    late.finish()
    assert workers.run().next_step == "done"
    assert site.manifest().page_count == len(KEYS)
    assert not differing_files(site)


def test_a_late_commit_of_a_run_that_has_started_again_commits_nothing() -> None:
    site = simulated_site()
    workers = execution(site)
    workers.run_workers("build")
    late = Writer(site.gate, partial(workers.take_step, "commit"))
    late.until("PUT state/manifest.json")
    own, site.settings = site.settings, OTHER_SETTINGS
    site.clock.sleep(60)
    workers.take_step("plan")
    site.settings = own
    site.clock.sleep(60)
    site.put("new.html", "x")
    workers.run_workers("build")
    late.finish()
    assert late.result.next_step == "plan"
    workers.run()
    assert not differing_files(site)


def rebuild_daily(site: SimulatedSite, days: int = 3) -> None:
    """Let days pass, with a rebuild after each."""
    for _ in range(days):
        site.clock.sleep(90_000)
        rebuild.rebuild(site.updater())


@pytest.mark.parametrize("by_many", [True, False])
def test_files_of_an_earlier_name_are_deleted_a_day_after_the_run_that_renamed_them_failed(*, by_many: bool) -> None:
    site = simulated_site()
    rebuild.rebuild(site.updater())
    old = set(site.outputs.files)
    site.clock.sleep(60)
    site.settings = settings(name="pages")
    first = execution(site, "first")
    first.run_workers("publish")
    first.take_step("handle-failure")
    if by_many:
        execution(site, "second").run()
    else:
        rebuild.rebuild(site.updater())
    assert old <= site.outputs.files.keys()
    rebuild_daily(site)
    assert not old & site.outputs.files.keys()
    assert not differing_files(site)


def test_files_of_an_earlier_name_are_deleted_after_two_renamings_of_which_the_first_crashed() -> None:
    site = simulated_site()
    rebuild.rebuild(site.updater())
    site.clock.sleep(60)
    site.settings = settings(name="pages")
    build = Writer(site.gate, partial(rebuild.rebuild, site.updater()))
    build.until("PUT outputs/pages.xml")
    build.step(Crash())
    site.clock.sleep(60)
    site.settings = settings(name="other")
    rebuild.rebuild(site.updater())
    rebuild_daily(site)
    assert not differing_files(site)


def test_an_index_of_an_earlier_name_is_deleted_before_its_sitemaps() -> None:
    site = simulated_site()
    rebuild.rebuild(site.updater())
    site.clock.sleep(60)
    site.settings = settings(name="pages")
    rebuild.rebuild(site.updater())
    site.clock.sleep(90_000)
    daily = Writer(site.gate, partial(rebuild.rebuild, site.updater()))
    while not daily.is_done:
        daily.step()
        assert not missing_sitemaps(site)
    assert "sitemap.xml" not in site.outputs.files


def test_robots_txt_names_no_sitemap_of_an_earlier_name() -> None:
    site = simulated_site(robots_sitemaps=True)
    rebuild.rebuild(site.updater())
    site.settings = SimulatedSite(urls=6, lastmod="content", state="x", robots_sitemaps=True, name="pages").settings
    rebuild.rebuild(site.updater())
    assert site.outputs.bodies()["robots.txt"] == b"Sitemap: https://example.org/pages.xml\n"


@pytest.mark.slow
def test_a_build_in_progress_recovers_from_a_lost_file_of_records() -> None:
    site = simulated_site([f"{n:06}.html" for n in range(26_000)], urls=4_000)
    site.source.page_size = 1_000
    answers = iter([False, True])
    assert rebuild.rebuild(site.updater(), lambda: next(answers, True)).resume_after is not None
    del site.state.files[site.manifest().entries[-1].records_file]
    for _ in range(2):  # the second one finds the records that were in the file
        rebuild.rebuild(site.updater())
    assert site.manifest().page_count == 26_000


def test_events_of_files_that_the_run_removes_do_not_replace_the_manifest() -> None:
    site = simulated_site(urls=2, max_removed=100)
    rebuild.rebuild(site.updater())
    for key in KEYS[4:]:
        site.delete(key)
    workers = execution(site)
    workers.run_workers("publish")
    removed = sorted(set(site.outputs.files) - site.manifest().files.keys())
    assert len(removed) > 5
    assert not [
        request
        for request in site.counted(partial(rebuild.update, site.updater(), removed))
        if request.startswith("PUT state/")
    ]
