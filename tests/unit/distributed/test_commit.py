"""The commit of a distributed build: dates, what happened meanwhile, and what is missing."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest
from fake_stores import SimulatedSite, Writer
from run_harness import Execution

from waypost.core.errors import LedgerError
from waypost.distributed.plan import RunLimits
from waypost.distributed.steps import Steps
from waypost.ledger.manifest import Manifest
from waypost.sync import rebuild

KEYS = [f"{n:03}.html" for n in range(40)]


def world(keys: Sequence[str] = KEYS, **values: Any) -> SimulatedSite:
    made = SimulatedSite(**{"urls": 6, "lastmod": "content", "state": "x", **values})
    made.source.some = 100
    for key in keys:
        made.put(key, "x")
    return made


def execution(given: SimulatedSite, name: str = "run") -> Execution:
    return Execution(
        name, given.updater, given.state, RunLimits(workers=4, min_objects=5, max_objects=10, files_per_batch=2)
    )


def manifest(given: SimulatedSite) -> Manifest:
    return given.updater().ledger.read().manifest


def test_a_first_build_dates_no_sitemap_and_a_later_one_those_that_changed() -> None:
    given = world()
    execution(given, "first").run()
    assert {file.changed_at for entry in manifest(given).entries for file in entry.files} == {None}
    given.put("020.html", "other")
    began = given.now()
    execution(given, "second").run()
    dates = [file.changed_at for entry in manifest(given).entries for file in entry.files if file.changed_at]
    assert len(dates) == 1
    assert dates[0] > began


def test_what_nothing_happened_to_is_published_with_the_dates_it_had() -> None:
    given = world()
    rebuild.rebuild(given.updater())
    given.put("020.html", "other")
    rebuild.update(given.updater(), ["020.html"])
    before = given.outputs.bodies()
    found = execution(given).run()
    assert found.result is not None
    assert found.result.written == ()
    assert given.outputs.bodies() == before


def test_keys_that_events_tell_of_meanwhile_are_looked_at_again() -> None:
    given = world()
    many = execution(given)
    many.run(until="build")
    given.put("041.html", "new")
    given.delete("003.html")
    given.put("007.html", '<meta name="robots" content="noindex">')
    rebuild.update(given.updater(), ["041.html", "003.html", "007.html"])
    assert not given.outputs.files
    assert many.run().next_step == "done"
    assert manifest(given).page_count == 40 - 2 + 1
    assert b"041.html" in b"".join(given.outputs.bodies().values())


def test_a_ledger_that_is_whole_goes_on_to_publish_events_while_it_is_rebuilt() -> None:
    given = world()
    rebuild.rebuild(given.updater())
    many = execution(given)
    many.run(until="commit")
    given.put("041.html", "new")
    rebuild.update(given.updater(), ["041.html"])
    assert b"041.html" in b"".join(given.outputs.bodies().values())
    assert many.run().next_step == "done"
    assert b"041.html" in b"".join(given.outputs.bodies().values())


def test_a_key_that_is_as_it_was_known_is_noted_all_the_same() -> None:
    given = world()
    rebuild.rebuild(given.updater())
    many = execution(given)
    given.put("007.html", "other")
    many.run(until="build")  # a worker has seen the other content
    given.put("007.html", "x")
    rebuild.update(given.updater(), ["007.html"])  # which is what the ledger has
    before = given.outputs.bodies()
    many.run()
    assert given.outputs.bodies() == before


def test_shards_of_a_worker_that_are_missing_are_asked_for_again_and_nothing_changes() -> None:
    given = world()
    rebuild.rebuild(given.updater())
    given.put("020.html", "other")
    before = given.outputs.bodies()
    many = execution(given)
    many.run(until="build")
    assert Steps(given.updater(), many.limits).take_step({"step": "commit", "run": "run"}).next_step == "plan"
    assert given.outputs.bodies() == before


def test_shards_of_a_worker_that_are_damaged_fail_the_commit_and_change_nothing() -> None:
    given = world()
    steps = shaped(given)
    damaged = next(name for name in given.state.files if "built-" in name)
    given.state.files[damaged] = b"{", given.state.files[damaged][1]
    with pytest.raises(LedgerError, match=r"is damaged .*; start the rebuild again"):
        steps.take_step({"step": "commit", "run": "run"})
    assert given.outputs.bodies() == {}


@pytest.mark.parametrize("content", [None, b"?"], ids=["missing", "damaged"])
def test_records_that_are_lost_are_made_anew_though_nothing_else_has_changed(content: bytes | None) -> None:
    given = world()
    rebuild.rebuild(given.updater())
    given.put("new.html", "x")
    rebuild.update(given.updater(), ["new.html"])
    lost = manifest(given).entries[-1].records_file
    before = given.state.files.pop(lost)
    if content:
        given.state.files[lost] = content, before[1]
    execution(given).run()
    assert given.updater().ledger.records(manifest(given).entries[-1])


def shaped(given: SimulatedSite) -> Steps:
    """All but the commit of a build."""
    many = execution(given)
    for item in many.items(many.run(until="build")):
        Steps(given.updater(), many.limits).take_step(item)
    return Steps(given.updater(), many.limits)


def test_a_commit_whose_time_is_over_goes_on_where_it_was() -> None:
    given = world(urls=2)
    steps = shaped(given)
    touched = [f"{n:03}.html" for n in range(0, 40, 2)]
    for key in touched:
        given.put(key, "other")
    rebuild.update(given.updater(), touched)
    left = [False, True]
    assert (
        steps.take_step({"step": "commit", "run": "run"}, lambda: left.pop(0) if left else True).next_step == "commit"
    )
    requests = given.counted(lambda: steps.take_step({"step": "commit", "run": "run"}))
    looked_at = [request for request in requests if request.startswith("GET site/")]
    assert 0 < len(looked_at) < len(touched)
    assert manifest(given).run is not None
    assert execution(given).run().next_step == "done"
    twin = given.twin()
    rebuild.rebuild(twin.updater())
    assert given.outputs.files.keys() == twin.outputs.files.keys()


def test_a_writer_that_commits_first_is_not_lost() -> None:
    given = world()
    steps = shaped(given)
    commit = Writer(given.gate, lambda: steps.take_step({"step": "commit", "run": "run"}))
    commit.until("PUT state/manifest.json")
    given.put("041.html", "new")
    rebuild.update(given.updater(), ["041.html"])
    commit.finish()
    assert commit.error is None
    assert execution(given).run().next_step == "done"
    assert b"041.html" in b"".join(given.outputs.bodies().values())
