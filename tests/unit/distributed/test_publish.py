"""Publishing what a distributed rebuild has committed: by its workers, beside updates, and by the next rebuild."""

from __future__ import annotations

from functools import partial

import pytest
from distributed_sites import KEYS, execution, missing_sitemaps, settings, simulated_site
from fake_stores import Writer, connection_lost

from waypost.sync import rebuild


def test_after_a_failed_run_no_index_names_a_missing_sitemap_until_the_next_run_has_published_all() -> None:
    site = simulated_site()
    rebuild.rebuild(site.updater())
    for n in range(100, 160):
        site.put(f"{n}.html", "new")
    execution(site, "first").run(until="publish")
    execution(site, "first").take_step("handle-failure")
    second = execution(site, "second")
    second.run(until="scan")
    site.put("105.html", "other")
    rebuild.update(site.updater(), ["105.html"])
    assert not missing_sitemaps(site)
    second.run()
    assert not missing_sitemaps(site)
    assert (site.manifest().pending, site.manifest().publisher) == ((), None)


def test_a_publish_task_taken_under_other_settings_is_taken_again() -> None:
    site = simulated_site()
    workers = execution(site)
    own, other = site.settings, settings(exclude=["/000.html"])
    for n, task in enumerate(workers.tasks(workers.run(until="publish"))):
        site.settings = own if n else other
        workers.take(task)
    site.settings = own
    assert workers.take_step("finalize").next_step == "publish"
    assert workers.run().next_step == "done"
    assert not missing_sitemaps(site)
    assert site.manifest().page_count == len(KEYS)


def test_a_build_task_taken_under_other_settings_is_taken_again() -> None:
    site = simulated_site()
    workers = execution(site)
    own, other = site.settings, settings(exclude=["/000.html"])
    for n, task in enumerate(workers.tasks(workers.run(until="build"))):
        site.settings = own if n else other
        workers.take(task)
    site.settings = own
    assert workers.take_step("commit").next_step == "plan"
    assert workers.run().next_step == "done"
    assert site.manifest().page_count == len(KEYS)


def test_an_index_that_is_deleted_during_the_last_step_is_written_again() -> None:
    site = simulated_site()
    workers = execution(site)
    workers.run_workers("publish")
    last = Writer(site.gate, partial(workers.take_step, "finalize"))
    last.until("PUT outputs/sitemap.xml done")
    del site.outputs.files["sitemap.xml"]
    rebuild.update(site.updater(), ["sitemap.xml"])
    last.finish()
    assert "sitemap.xml" in site.outputs.files
    assert site.manifest().run is None


def test_files_of_a_site_without_pages_are_deleted_a_day_after_there_is_a_page_again() -> None:
    site = simulated_site(max_removed=100)
    rebuild.rebuild(site.updater())
    before = set(site.outputs.files)
    for key in KEYS:
        site.delete(key)
    execution(site).run()
    assert set(site.outputs.files) == before
    site.put("new.html", "x")
    site.clock.sleep(90_000)
    rebuild.update(site.updater(), ["new.html"])
    rebuild.rebuild(site.updater())
    assert set(site.outputs.files) == before
    site.clock.sleep(90_000)
    rebuild.rebuild(site.updater())
    assert set(site.outputs.files) == {"sitemap.xml"}


def test_a_run_ends_well_even_if_its_garbage_cannot_be_deleted() -> None:
    site = simulated_site()
    workers = execution(site)
    workers.run_workers("publish")
    last = Writer(site.gate, partial(workers.take_step, "finalize"))
    last.until("LIST state/shards/")
    last.step(connection_lost())
    last.finish()
    assert last.result.next_step == "done"


@pytest.mark.parametrize("others", [("run-2",), ("run-2", "run-20")])
def test_files_of_a_run_whose_name_begins_with_this_run_s_name_are_ignored(others: tuple[str, ...]) -> None:
    site = simulated_site()
    for name in others:
        execution(site, name).run()
    found = execution(site, "run").run()
    assert found.result is not None
    assert found.result.objects_listed == len(KEYS)


def test_removed_sitemaps_are_deleted_by_a_run_a_day_later_without_being_read() -> None:
    site = simulated_site(max_removed=100)
    rebuild.rebuild(site.updater())
    for key in KEYS[5:]:
        site.delete(key)
    execution(site, "first").run()
    site.clock.sleep(90_000)
    workers = execution(site, "second")
    workers.run_workers("publish")
    before = set(site.outputs.files)
    requests = site.counted(partial(workers.take_step, "finalize"))
    assert not [request for request in requests if request.startswith("GET outputs/")]
    assert before - set(site.outputs.files)
    assert set(site.outputs.files) == {"sitemap.xml"}
