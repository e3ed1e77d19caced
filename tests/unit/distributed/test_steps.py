"""The steps of a distributed build: who may take them, what they cost, and how they end."""

from __future__ import annotations

from functools import partial
from typing import Any

import pytest
from fake_stores import Crash, SimulatedSite, Writer
from run_harness import Execution, at
from unit.distributed.test_commit import KEYS, execution, manifest, world

from waypost.core.errors import EventError
from waypost.distributed.plan import RunLimits, is_large
from waypost.distributed.progress import progress
from waypost.distributed.steps import Steps
from waypost.sync import inspect, rebuild
from waypost.sync.answers import RebuildProgress


def taken(given: SimulatedSite, step: str, run: str = "run") -> Any:
    return Steps(given.updater(), RunLimits(4, 10, 5, 2)).take_step({"step": step, "run": run})


@pytest.mark.parametrize(
    "asked", [{"step": "gater", "run": "run"}, {"step": "scan", "run": "run"}, {"step": 1, "run": "run"}]
)
def test_what_is_no_step_is_told(asked: dict[str, Any]) -> None:
    with pytest.raises(EventError, match="is unknown or incomplete"):
        Steps(world().updater(), RunLimits()).take_step(asked)


def test_a_step_of_no_run_is_refused() -> None:
    given = world()
    with pytest.raises(EventError, match="has no run"):
        Steps(given.updater(), RunLimits()).take_step({"step": "plan"})
    assert not given.state.files


def test_every_step_has_an_answer() -> None:
    trail = [todo for todo, _ in run_of(world()).trail]
    assert trail == ["scan", "build", "publish", "done"]


def run_of(given: SimulatedSite, name: str = "run") -> Execution:
    many = execution(given, name)
    many.run()
    return many


def test_a_quiet_rebuild_publishes_nothing_and_shapes_nothing() -> None:
    given = world()
    rebuild.rebuild(given.updater())
    many = execution(given)
    many.run()
    assert [todo for todo, _ in many.trail] == ["scan", "commit", "publish", "done"]


def test_workers_read_the_manifest_of_their_own_range_alone() -> None:
    given = world()
    rebuild.rebuild(given.updater())
    many = execution(given)
    for item in many.items(many.run(until="scan")):
        requests = given.counted(partial(Steps(given.updater(), many.limits).take_step, item))
        assert not any("manifest.json" in request for request in requests)
        read = [request for request in requests if request.startswith("GET state/shards/")]
        assert len(read) <= len(item["scan_task"]["base"]) < 8 < len(manifest(given).entries)


def test_publishing_a_batch_reads_the_manifest_only_if_another_writer_came() -> None:
    given = world()
    many = execution(given)
    first, second, *_ = many.items(many.run(until="publish"))
    requests = given.counted(lambda: Steps(given.updater(), many.limits).take_step(first))
    assert "GET state/manifest.json" not in requests
    given.put("041.html", "new")
    rebuild.update(given.updater(), ["041.html"])
    assert "GET state/manifest.json" in given.counted(lambda: Steps(given.updater(), many.limits).take_step(second))


def test_an_event_meanwhile_writes_its_sitemap_and_leaves_the_index_to_the_run() -> None:
    given = world()
    many = execution(given)
    many.run(until="publish")
    given.put("041.html", "new")
    done = rebuild.update(given.updater(), ["041.html"])
    assert len(done.written) == 1
    assert "sitemap.xml" not in given.outputs.files
    many.run()
    assert "sitemap.xml" in given.outputs.files
    assert manifest(given).run is None


def test_a_run_whose_place_another_took_ends_without_a_word() -> None:
    given = world()
    first = execution(given, "first")
    first.run(until="build")
    run_of(given, "second")
    for step in ("plan", "commit", "finalize"):
        assert taken(given, step, "first").next_step == "superseded"


def test_a_worker_that_comes_late_changes_nothing() -> None:
    given = world()
    first = execution(given, "first")
    late = first.items(first.run(until="scan"))
    run_of(given, "second")
    before = given.outputs.bodies()
    for item in late:
        Steps(given.updater(), first.limits).take_step(item)
    assert given.outputs.bodies() == before
    assert manifest(given).run is None


def test_what_a_worker_told_first_is_believed() -> None:
    given = world()
    many = execution(given)
    items = many.items(many.run(until="scan"))
    steps = Steps(given.updater(), many.limits)
    for item in items:
        steps.take_step(item)
    before = dict(given.state.files)
    given.put("000.html", "other")
    for item in items:
        steps.take_step(item)
    told = {name for name in before if "scanned" in name}
    assert told
    assert all(given.state.files[name] == before[name] for name in told)


def test_a_plan_that_is_made_again_hands_out_what_is_left_alone() -> None:
    given = world()
    many = execution(given)
    items = many.items(many.run(until="scan"))
    steps = Steps(given.updater(), many.limits)
    for item in items[1:]:
        steps.take_step(item)
    again = steps.take_step({"step": "plan", "run": "run"})
    (left,) = many.items(again)
    assert (left["scan_task"]["start_after"], left["scan_task"]["through"]) == (
        items[0]["scan_task"]["start_after"],
        items[0]["scan_task"]["through"],
    )
    assert left["number"] == len(items)


def test_a_failed_run_is_forgotten_and_events_need_not_note_their_keys_any_more() -> None:
    given = world()
    rebuild.rebuild(given.updater())
    execution(given).run(until="build")
    assert taken(given, "handle-failure").next_step == "done"
    assert manifest(given).run is None
    given.put("041.html", "new")
    rebuild.update(given.updater(), ["041.html"])
    assert not any("touched" in name for name in given.state.files)


def test_a_run_that_fails_once_it_has_committed_is_finished_by_the_next() -> None:
    given = world()
    execution(given).run(until="publish")
    assert taken(given, "handle-failure").next_step == "done"
    assert manifest(given).run is None
    assert not manifest(given).is_published
    assert "start a rebuild to publish the rest" in inspect.status(given.updater()).state
    rebuild.rebuild(given.updater())
    assert "sitemap.xml" in given.outputs.files
    assert manifest(given).is_published


def test_new_settings_in_the_middle_of_a_run_begin_it_again() -> None:
    given = world()
    many = execution(given)
    many.run(until="build")
    given.site = SimulatedSite(urls=6, lastmod="content", state="x", exclude=["/000.html"]).site
    assert many.run().next_step == "done"
    assert [todo for todo, _ in many.trail].count("scan") == 2
    assert manifest(given).page_count == len(KEYS) - 1


def test_a_robots_txt_that_rules_otherwise_in_the_middle_begins_it_again() -> None:
    given = world()
    many = execution(given)
    many.run(until="publish")
    given.put("robots.txt", "User-agent: *\nDisallow: /00")
    assert many.run().next_step == "done"
    assert manifest(given).page_count == len(KEYS) - 10


def test_one_rebuild_alone_takes_the_place_of_a_run_that_died() -> None:
    given = world()
    many = execution(given)
    stopped = Writer(given.gate, many.run)
    stopped.until("PUT state/shards")
    stopped.step(Crash())
    assert "a distributed rebuild is in progress" in inspect.status(given.updater()).state
    rebuild.rebuild(given.updater())
    assert manifest(given).page_count == len(KEYS)
    assert inspect.status(given.updater()).state == "up to date with all events received"


def test_progress_is_told_from_the_names_of_files() -> None:
    given = world()
    many = execution(given)
    items = many.items(many.run(until="scan"))
    run = manifest(given).run
    assert run is not None
    ledger = given.updater().ledger
    assert progress(ledger, run) == RebuildProgress("run", "scan", 0, len(items))
    Steps(given.updater(), many.limits).take_step(items[0])
    assert progress(ledger, run).done == 1
    many.run(until="publish")
    assert progress(ledger, run).stage == "publish"


def test_what_a_run_left_is_removed_a_day_later_and_a_run_s_own_files_stay() -> None:
    given = world()
    run_of(given, "first")
    given.put("000.html", "other")
    execution(given, "second").run(until="build")
    given.state.modified = 0.0
    given.updater().ledger.collect_garbage("2026-11-23T00:00:00Z")
    names = [name for name in given.state.files if name.startswith("runs/")]
    assert names
    assert all(name.startswith("runs/second-") for name in names)


@pytest.mark.parametrize(("objects", "expected"), [(40, True), (41, False)])
def test_a_bucket_is_large_by_what_is_remembered_of_it(objects: int, expected: bool) -> None:
    given = world()
    rebuild.rebuild(given.updater())
    assert is_large(given.updater(), objects) is expected


def test_a_bucket_of_which_nothing_is_known_is_felt_out() -> None:
    given = world()
    assert is_large(given.updater(), 40)
    assert not is_large(given.updater(), 41)


def test_an_empty_bucket_is_rebuilt_to_nothing() -> None:
    given = SimulatedSite(urls=6)
    many = execution(given)
    assert many.run().next_step == "done"
    assert given.outputs.files == {}


def test_a_payload_that_is_too_large_to_be_passed_on_is_in_a_file_of_its_own() -> None:
    given = SimulatedSite(urls=50_000)
    keys = [f"{n:05}-{'x' * 200}.html" for n in range(2_000)]
    given.source.objects = dict.fromkeys(keys, (b"x", "2026-01-01T00:00:00Z"))
    given.source.some = 1_000
    many = Execution("run", given.updater, given.state, parted=at(*keys[::4]))
    (item,) = many.items(many.run(until="build"))
    assert item.keys() == {"step", "run", "start_generation", "number", "is_in_file"}
    many.run()
    assert manifest(given).page_count == len(keys)
