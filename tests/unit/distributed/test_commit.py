"""The commit of a distributed rebuild: dates, keys that were deferred to it, and missing or damaged results."""

from __future__ import annotations

from typing import Any

import pytest
from distributed_sites import KEYS, execution, simulated_site
from fake_stores import SimulatedSite, Writer
from unit.sync.rebuilt_sites import DATED, dated_site, dates, lose, lost_warnings
from unit.sync.rebuilt_sites import simulated_site as rebuilt_site

from waypost.core.errors import EventError, LedgerError, RemovalError
from waypost.distributed.steps import Steps
from waypost.ledger.ledger_state import LedgerState
from waypost.sync import rebuild


def test_a_first_rebuild_dates_no_sitemap_and_a_later_one_dates_those_that_changed() -> None:
    site = simulated_site()
    execution(site, "first").run()
    assert {file.changed_at for entry in site.manifest().entries for file in entry.files} == {None}
    site.put("020.html", "other")
    started = site.now()
    execution(site, "second").run()
    dates = [file.changed_at for entry in site.manifest().entries for file in entry.files if file.changed_at]
    assert len(dates) == 1
    assert dates[0] > started


def test_sitemaps_of_unchanged_pages_keep_their_dates() -> None:
    site = simulated_site()
    rebuild.rebuild(site.updater())
    site.put("020.html", "other")
    rebuild.update(site.updater(), ["020.html"])
    before = site.outputs.bodies()
    found = execution(site).run()
    assert found.result is not None
    assert found.result.written == ()
    assert site.outputs.bodies() == before


def test_keys_of_events_that_arrive_during_the_rebuild_are_read_again() -> None:
    site = simulated_site()
    workers = execution(site)
    workers.run(until="build")
    site.put("041.html", "new")
    site.delete("003.html")
    site.put("007.html", '<meta name="robots" content="noindex">')
    rebuild.update(site.updater(), ["041.html", "003.html", "007.html"])
    assert not site.outputs.files
    assert workers.run().next_step == "done"
    assert site.manifest().page_count == 40 - 2 + 1
    assert b"041.html" in b"".join(site.outputs.bodies().values())


def test_updates_of_a_complete_ledger_are_published_while_it_is_rebuilt() -> None:
    site = simulated_site()
    rebuild.rebuild(site.updater())
    workers = execution(site)
    workers.run(until="commit")
    site.put("041.html", "new")
    rebuild.update(site.updater(), ["041.html"])
    assert b"041.html" in b"".join(site.outputs.bodies().values())
    assert workers.run().next_step == "done"
    assert b"041.html" in b"".join(site.outputs.bodies().values())


def test_a_key_whose_object_equals_its_record_is_deferred_all_the_same() -> None:
    site = simulated_site()
    rebuild.rebuild(site.updater())
    workers = execution(site)
    site.put("007.html", "other")
    workers.run(until="build")  # a worker has read the other content
    site.put("007.html", "x")
    rebuild.update(site.updater(), ["007.html"])  # the ledger's record has this content
    before = site.outputs.bodies()
    workers.run()
    assert site.outputs.bodies() == before


@pytest.mark.parametrize("content", ["x", None], ids=["as recorded", "neither there nor recorded"])
def test_a_key_of_a_redelivered_message_is_deferred_also_if_it_needs_no_reading(content: str | None) -> None:
    site = simulated_site()
    key = "007.html" if content else "new.html"
    rebuild.rebuild(site.updater())
    before = site.outputs.bodies()
    workers = execution(site)
    site.put(key, "other")
    workers.run(until="build")  # a worker has read the other content
    if content:
        site.put(key, content)
    else:
        site.delete(key)
    site.updater().update([key], redelivered=[key])
    workers.run()
    assert site.outputs.bodies() == before


def test_a_missing_result_of_a_worker_leads_back_to_the_plan_and_changes_no_file() -> None:
    site = simulated_site()
    rebuild.rebuild(site.updater())
    site.put("020.html", "other")
    before = site.outputs.bodies()
    workers = execution(site)
    workers.run(until="build")
    assert workers.take_step("commit").next_step == "plan"
    assert site.outputs.bodies() == before


def test_a_damaged_result_of_a_worker_fails_the_commit_and_changes_no_file() -> None:
    site = simulated_site()
    steps = with_built_shards(site)
    damaged = next(name for name in site.state.files if "built-" in name)
    site.state.files[damaged] = b"{", site.state.files[damaged][1]
    with pytest.raises(LedgerError, match=r"is damaged .*; start the rebuild again"):
        steps.take_step({"step": "commit", "run": "run"})
    assert site.outputs.bodies() == {}


@pytest.mark.parametrize("content", [None, b"?"], ids=["missing", "damaged"])
@pytest.mark.parametrize("settings", [{}, {"exclude": ["/never/"]}], ids=["same settings", "other settings"])
@pytest.mark.parametrize("number", [0, 2, -1])
def test_a_rebuild_makes_lost_records_again_with_a_warning_and_without_dates(
    content: bytes | None, settings: dict[str, Any], number: int
) -> None:
    site = dated_site()
    before, file = dates(site), site.manifest().entries[number].records_file
    etag = site.state.files[file][1]
    lost = lose(site, number)
    if content:
        site.state.files[file] = content, etag
    site.settings = rebuilt_site(**settings, **DATED).settings
    result = execution(site).run().result
    assert result is not None
    assert lost_warnings(result) == [1]
    assert dates(site) == before | dict.fromkeys(lost)


def with_built_shards(site: SimulatedSite) -> Steps:
    """The steps of a run whose shards are all built and not committed."""
    workers = execution(site)
    workers.run_workers("build")
    return Steps(site.updater(), workers.limits)


def test_a_commit_that_reaches_its_deadline_continues_after_the_keys_that_it_has_read() -> None:
    site = simulated_site(urls=2)
    steps = with_built_shards(site)
    changed = [f"{n:03}.html" for n in range(0, 40, 2)]
    for key in changed:
        site.put(key, "other")
    rebuild.update(site.updater(), changed)
    answers = [False, True]
    assert (
        steps.take_step({"step": "commit", "run": "run"}, lambda: answers.pop(0) if answers else True).next_step
        == "commit"
    )
    requests = site.counted(lambda: steps.take_step({"step": "commit", "run": "run"}))
    read = [request for request in requests if request.startswith("GET site/")]
    assert 0 < len(read) < len(changed)
    assert site.manifest().run is not None
    assert execution(site).run().next_step == "done"
    twin = site.twin()
    rebuild.rebuild(twin.updater())
    assert site.outputs.files.keys() == twin.outputs.files.keys()


def test_an_update_that_commits_first_is_part_of_the_commit() -> None:
    site = simulated_site()
    steps = with_built_shards(site)
    commit = Writer(site.gate, lambda: steps.take_step({"step": "commit", "run": "run"}))
    commit.until("PUT state/manifest.json")
    site.put("041.html", "new")
    rebuild.update(site.updater(), ["041.html"])
    commit.finish()
    assert commit.error is None
    assert execution(site).run().next_step == "done"
    assert b"041.html" in b"".join(site.outputs.bodies().values())


def test_a_run_that_would_remove_too_much_commits_nothing_and_updates_continue_after_it() -> None:
    site = simulated_site()
    rebuild.rebuild(site.updater())
    for key in KEYS[:30]:
        site.delete(key)
    workers = execution(site)
    workers.run_workers("build")
    before, files = site.manifest(), site.outputs.bodies()
    with pytest.raises(RemovalError, match="30 of the 40 listed pages"):
        workers.take_step("commit")
    assert (site.manifest(), site.outputs.bodies()) == (before, files)
    workers.take_step("handle-failure")
    assert (site.manifest().state, site.manifest().entries) == (LedgerState.COMPLETE, before.entries)
    site.put("035.html", "new")
    assert rebuild.update(site.updater(), ["035.html"]).written


def test_a_run_under_other_settings_that_would_clearly_remove_too_much_never_starts() -> None:
    site = simulated_site()
    rebuild.rebuild(site.updater())
    for key in KEYS[:30]:
        site.put(key, "<meta name=robots content=noindex>")
    site.settings = simulated_site(images=True).settings
    before, files = site.manifest(), site.outputs.bodies()
    with pytest.raises(RemovalError, match="30 of the 40 listed pages of a sample"):
        execution(site).take_step("plan")
    assert (site.manifest(), site.outputs.bodies()) == (before, files)


def test_a_run_under_other_settings_may_begin_where_pages_only_have_another_form() -> None:
    site = simulated_site()
    rebuild.rebuild(site.updater())
    for key in KEYS:
        site.delete(key)
        site.put(key.replace(".html", "/index.html"), "x")
    site.settings = simulated_site(images=True).settings
    assert execution(site).take_step("plan").next_step == "scan"


def test_the_execution_s_input_accepts_a_removal() -> None:
    site = simulated_site()
    rebuild.rebuild(site.updater())
    for key in KEYS[:30]:
        site.delete(key)
    workers = execution(site)
    workers.run_workers("build")
    workers.take({"step": "commit", "run": workers.name, "input": {"max_removed": 100}})
    assert site.manifest().page_count == 10


def test_an_input_that_accepts_no_number_is_an_error() -> None:
    workers = execution(simulated_site())
    with pytest.raises(EventError, match=r"the execution's input is not valid: .*max_removed"):
        workers.take({"step": "commit", "run": workers.name, "input": {"max_removed": "all"}})


@pytest.mark.parametrize(("changes_settings", "expected"), [(False, {False}), (True, {True})])
def test_files_are_replaced_at_once_only_if_they_were_published_under_other_settings(
    *, changes_settings: bool, expected: set[bool]
) -> None:
    site = simulated_site()
    rebuild.rebuild(site.updater())
    if changes_settings:
        site.settings = simulated_site(exclude=["/000.html"]).settings
    execution(site).run(until="publish")
    assert {each.is_from_build for each in site.manifest().pending} == expected
