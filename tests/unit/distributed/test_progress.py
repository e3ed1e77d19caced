"""How far a distributed rebuild has come."""

from __future__ import annotations

from distributed_sites import execution, simulated_site

from waypost.distributed.progress import progress
from waypost.ledger.ledger_state import Run
from waypost.sync.status_answers import RebuildProgress


def test_a_run_without_tasks_is_planning() -> None:
    ledger = simulated_site().ledger()
    assert progress(ledger, Run("run", 1)) == RebuildProgress("run", "plan", 0, 0)


def test_progress_counts_the_tasks_and_results_of_the_last_step_that_has_tasks() -> None:
    site = simulated_site()
    workers = execution(site)
    tasks = workers.tasks(workers.run(until="scan"))
    run = site.manifest().run
    assert run is not None
    assert progress(site.ledger(), run) == RebuildProgress("run", "scan", 0, len(tasks))
    workers.take(tasks[0])
    assert progress(site.ledger(), run) == RebuildProgress("run", "scan", 1, len(tasks))
    tasks = workers.tasks(workers.run(until="build"))
    assert progress(site.ledger(), run) == RebuildProgress("run", "build", 0, len(tasks))
    workers.run(until="publish")
    assert progress(site.ledger(), run).stage == "publish"


def test_files_of_another_run_do_not_count() -> None:
    site = simulated_site()
    execution(site, "first").run_workers("scan")
    run = site.manifest().run
    assert run is not None
    assert progress(site.ledger(), Run("first", run.start_generation + 1)).stage == "plan"
    assert progress(site.ledger(), Run("firs", run.start_generation)).stage == "plan"
