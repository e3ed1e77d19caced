"""The steps of a distributed rebuild: their answers, their requests, late workers, and the end of failed runs."""

from __future__ import annotations

from functools import partial
from typing import Any

import pytest
from distributed_sites import KEYS, LIMITS, execution, settings, simulated_site
from fake_stores import Crash, SimulatedSite, Writer
from run_harness import Execution, split_at_keys
from unit.published_sites import BASE, listed_urls

from waypost.core.errors import EventError, OtherRunError
from waypost.core.model import LinkedShapes, UrlForm
from waypost.distributed.plan import RUN_LEASE, RunLimits
from waypost.distributed.steps import Steps
from waypost.sync import rebuild


@pytest.mark.parametrize(
    "payload", [{"step": "gather", "run": "run"}, {"step": "scan", "run": "run"}, {"step": 1, "run": "run"}]
)
def test_an_unknown_or_incomplete_step_is_an_error(payload: dict[str, Any]) -> None:
    with pytest.raises(EventError, match="is unknown or incomplete"):
        Steps(simulated_site().updater(), RunLimits()).take_step(payload)


def test_a_step_without_a_run_is_an_error_and_changes_nothing() -> None:
    site = simulated_site()
    with pytest.raises(EventError, match="has no run"):
        Steps(site.updater(), RunLimits()).take_step({"step": "plan"})
    assert not site.state.files


def test_a_first_rebuild_scans_builds_publishes_and_is_done() -> None:
    steps = [step for step, _ in completed_run(simulated_site()).history]
    assert steps == ["scan", "build", "publish", "done"]


def completed_run(site: SimulatedSite, name: str = "run") -> Execution:
    workers = execution(site, name)
    workers.run()
    return workers


def test_a_rebuild_of_an_unchanged_bucket_builds_no_shard() -> None:
    site = simulated_site()
    rebuild.rebuild(site.updater())
    workers = execution(site)
    workers.run()
    assert [step for step, _ in workers.history] == ["scan", "commit", "publish", "done"]


def test_a_scan_reads_the_records_of_its_own_range_and_no_manifest() -> None:
    site = simulated_site()
    rebuild.rebuild(site.updater())
    workers = execution(site)
    for item in workers.tasks(workers.run(until="scan")):
        requests = site.counted(partial(Steps(site.updater(), workers.limits).take_step, item))
        assert not any("manifest.json" in request for request in requests)
        read = [request for request in requests if request.startswith("GET state/shards/")]
        assert len(read) <= len(item["scan_task"]["base"]) < 8 < len(site.manifest().entries)


def test_a_publish_task_reads_no_manifest_also_if_another_writer_has_replaced_it() -> None:
    site = simulated_site()
    workers = execution(site)
    for n, task in enumerate(workers.tasks(workers.run(until="publish"))):
        site.put(f"{n}41.html", "new")
        rebuild.update(site.updater(), [f"{n}41.html"])
        requests = site.counted(partial(Steps(site.updater(), workers.limits).take_step, task))
        assert not any("manifest.json" in request for request in requests)


def test_an_update_during_publication_writes_nothing_and_the_run_publishes_what_it_has_committed() -> None:
    site = simulated_site()
    workers = execution(site)
    workers.run(until="publish")
    site.put("041.html", "new")
    done = rebuild.update(site.updater(), ["041.html"])
    assert (done.records_changed, done.written) == (1, ())
    assert "sitemap.xml" not in site.outputs.files
    workers.run()
    assert BASE + "041.html" in listed_urls(site)
    assert (site.manifest().run, site.manifest().pending) == (None, ())
    assert site.is_in_sync()


def test_a_run_that_another_run_replaced_is_superseded() -> None:
    site = simulated_site()
    first = execution(site, "first")
    first.run(until="build")
    completed_run(site, "second")
    for step in ("plan", "commit", "finalize"):
        assert first.take_step(step).next_step == "superseded"


def test_a_late_worker_of_a_superseded_run_changes_nothing() -> None:
    site = simulated_site()
    first = execution(site, "first")
    late = first.tasks(first.run(until="scan"))
    completed_run(site, "second")
    before = site.outputs.bodies()
    for item in late:
        Steps(site.updater(), first.limits).take_step(item)
    assert site.outputs.bodies() == before
    assert site.manifest().run is None


def test_the_first_result_of_a_task_counts_if_it_is_taken_twice() -> None:
    site = simulated_site()
    workers = execution(site)
    items = workers.tasks(workers.run(until="scan"))
    steps = Steps(site.updater(), workers.limits)
    for item in items:
        steps.take_step(item)
    before = dict(site.state.files)
    site.put("000.html", "other")
    for item in items:
        steps.take_step(item)
    results = {name for name in before if "scanned" in name}
    assert results
    assert all(site.state.files[name] == before[name] for name in results)


def test_a_second_plan_has_tasks_for_the_unscanned_ranges_only() -> None:
    site = simulated_site()
    workers = execution(site)
    items = workers.tasks(workers.run(until="scan"))
    steps = Steps(site.updater(), workers.limits)
    for item in items[1:]:
        steps.take_step(item)
    again = steps.take_step({"step": "plan", "run": "run"})
    (task,) = workers.tasks(again)
    assert (task["scan_task"]["start_after"], task["scan_task"]["through"]) == (
        items[0]["scan_task"]["start_after"],
        items[0]["scan_task"]["through"],
    )
    assert task["number"] == len(items)


def test_after_a_failed_run_updates_defer_no_keys() -> None:
    site = simulated_site()
    rebuild.rebuild(site.updater())
    execution(site).run(until="build")
    assert execution(site).take_step("handle-failure").next_step == "done"
    assert site.manifest().run is None
    site.put("041.html", "new")
    rebuild.update(site.updater(), ["041.html"])
    assert not any("deferred" in name for name in site.state.files)


def test_the_next_rebuild_publishes_what_a_failed_run_has_committed() -> None:
    site = simulated_site()
    execution(site).run(until="publish")
    assert execution(site).take_step("handle-failure").next_step == "done"
    assert site.manifest().run is None
    assert site.manifest().pending
    assert "the next event or rebuild publishes them" in site.status_text()
    rebuild.rebuild(site.updater())
    assert "sitemap.xml" in site.outputs.files
    assert (site.manifest().pending, site.manifest().publisher) == ((), None)


def test_a_run_starts_again_when_the_settings_change() -> None:
    site = simulated_site()
    workers = execution(site)
    workers.run(until="build")
    site.settings = settings(exclude=["/000.html"])
    assert workers.run().next_step == "done"
    assert [step for step, _ in workers.history].count("scan") == 2
    assert site.manifest().page_count == len(KEYS) - 1


def test_a_run_starts_again_when_the_rules_of_robots_txt_change() -> None:
    site = simulated_site()
    workers = execution(site)
    workers.run(until="publish")
    site.put("robots.txt", "User-agent: *\nDisallow: /00")
    assert workers.run().next_step == "done"
    assert site.manifest().page_count == len(KEYS) - 10


def test_a_rebuild_by_one_worker_replaces_a_run_that_crashed_once_its_lease_has_ended() -> None:
    site = simulated_site()
    workers = execution(site)
    stopped = Writer(site.gate, workers.run)
    stopped.until("PUT state/manifest.json")
    stopped.until("PUT state/shards")
    stopped.step(Crash())
    assert "distributed rebuild is in progress" in site.status_text()
    with pytest.raises(OtherRunError):
        rebuild.rebuild(site.updater())
    site.clock.sleep(RUN_LEASE)
    rebuild.rebuild(site.updater())
    assert site.manifest().page_count == len(KEYS)
    assert site.status_text() == "up to date with all events received"


@pytest.mark.parametrize("last_step", ["finalize", "handle-failure"])
def test_a_run_that_was_replaced_while_it_published_gives_the_role_of_publisher_back(last_step: str) -> None:
    site = simulated_site()
    first, second = execution(site, "first"), execution(site, "second")
    first.run(until="publish")
    second.run(until="scan")
    first.take_step(last_step)
    assert site.manifest().publisher is None
    started = site.clock.time()
    assert second.run().next_step == "done"
    assert site.clock.time() - started < 600
    assert site.is_in_sync()


def test_a_rebuild_of_an_empty_bucket_writes_nothing() -> None:
    site = SimulatedSite(urls=6)
    workers = execution(site)
    assert workers.run().next_step == "done"
    assert site.outputs.files == {}


def test_a_payload_that_is_too_large_for_step_functions_is_in_a_file_of_its_own() -> None:
    site = SimulatedSite(urls=50_000)
    keys = [f"{n:05}-{'x' * 200}.html" for n in range(2_000)]
    site.source.objects = dict.fromkeys(keys, (b"<title>x</title>", "2026-01-01T00:00:00Z"))
    site.source.page_size = 1_000
    workers = Execution("run", site.updater, site.state, split=split_at_keys(*keys[::4]))
    (item,) = workers.tasks(workers.run(until="build"))
    assert item.keys() == {"step", "run", "start_generation", "number", "is_in_file"}
    workers.run()
    assert site.manifest().page_count == len(keys)


def linked_site(ending: str) -> SimulatedSite:
    """Pages in two languages that link to one another without `.html`, or with another ending."""
    menu = "".join(f'<a href="/x/{language}/{n}{ending}">' for n in range(4) for language in ("en", "de"))
    site = SimulatedSite(urls=2, alternates=True, drop_html=None, trailing_slash=None)
    for n in range(4):
        links = "".join(f'<link rel=alternate hreflang={code} href="../../{code}/{n}/">' for code in ("en", "de"))
        for language in ("en", "de"):
            site.put(f"x/{language}/{n}.html", f"<head>{links}</head><body>{menu}")
    return site


def test_a_distributed_rebuild_lists_pages_and_alternates_in_the_form_of_the_links_as_a_single_one_does() -> None:
    single = linked_site("/")
    distributed = single.twin()
    rebuild.rebuild(single.updater())
    Execution("run", distributed.updater, distributed.state, LIMITS).run()
    shapes = LinkedShapes(page="slash")
    assert distributed.manifest().url_form == UrlForm(folders=(("x/de/", shapes), ("x/en/", shapes)))
    assert distributed.outputs.bodies() == single.outputs.bodies()


def test_a_distributed_rebuild_warns_if_the_form_of_the_links_changed() -> None:
    site = linked_site("/")
    rebuild.rebuild(site.updater())
    for key, (content, _) in linked_site(".html").source.objects.items():
        site.put(key, content)
    workers = Execution("run", site.updater, site.state, LIMITS)
    result = workers.run().result
    assert result is not None
    assert "url-form-changed" in [warning.code for warning in result.warnings]
    assert [shapes.page for _, shapes in site.manifest().url_form.folders] == ["file", "file"]
