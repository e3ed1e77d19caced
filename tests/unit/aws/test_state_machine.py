"""The state machine: when it is used, how a rebuild is started and observed, and what its steps answer."""

from __future__ import annotations

import json
from typing import Any

import pytest
from distributed_sites import execution, simulated_site
from unit.aws.memory_function import EXECUTION_ARN, MACHINE_ARN, NEXT_STEP, MemoryFunction

from waypost.aws import state_machine
from waypost.aws.function_answers import FinalStepAnswer, StepAnswer, TaskFile
from waypost.aws.state_machine import StateMachine, progress
from waypost.core.errors import ConfigurationError, SourceError
from waypost.ledger.ledger_state import Run
from waypost.sync.rebuild_options import RebuildOptions
from waypost.sync.status_answers import RebuildProgress

VARIABLE = "WAYPOST_STATE_MACHINE"


@pytest.fixture
def function() -> MemoryFunction:
    """A function whose state machine rebuilds a bucket of three or more objects; it has three."""
    made = MemoryFunction(min_objects=3)
    made.put_pages("a.html", "b.html", "c.html")
    return made


def machine_of(function: MemoryFunction) -> StateMachine:
    assert function.machine
    return function.machine


def tasks(function: MemoryFunction, answer: StepAnswer) -> list[dict[str, Any]]:
    """The payloads of the workers that an answer asks for, from the file in the ledger's bucket."""
    if not isinstance(answer.tasks, TaskFile):
        return []
    assert answer.tasks.bucket == "private"
    found: list[dict[str, Any]] = json.loads(function.site.state.bodies()[answer.tasks.key.removeprefix("ledger/")])
    assert len(found) == answer.task_count
    return found


def test_the_memory_of_the_function_limits_how_many_objects_a_segment_has() -> None:
    small, large = (
        state_machine.settings({VARIABLE: MACHINE_ARN, "AWS_LAMBDA_FUNCTION_MEMORY_SIZE": size})
        for size in ("1000", "3000")
    )
    assert small
    assert large
    assert large.limits.max_segment_objects == 3 * small.limits.max_segment_objects


def test_the_variables_set_when_and_how_the_state_machine_is_used() -> None:
    names = ("WAYPOST_DISTRIBUTE_FROM", "WAYPOST_WORKERS", "WAYPOST_OBJECTS_PER_WORKER")
    found = state_machine.settings({VARIABLE: MACHINE_ARN, **dict(zip(names, ("7", "8", "9"), strict=True))})
    assert found
    assert (found.arn, found.min_objects, found.limits.workers, found.limits.max_objects) == (MACHINE_ARN, 7, 8, 9)


def test_all_issues_about_the_state_machine_are_reported_at_once() -> None:
    wrong = {"WAYPOST_DISTRIBUTE_FROM": "0", "WAYPOST_WORKERS": "many", "WAYPOST_OBJECTS_PER_WORKER": "-1"}
    with pytest.raises(ConfigurationError) as caught:
        state_machine.settings({VARIABLE: "arn", **wrong})
    assert [(each.key, each.problem) for each in caught.value.issues] == [
        (name, f"{value!r} is not a number") for name, value in wrong.items()
    ]
    assert state_machine.settings(wrong) is None  # no state machine is deployed that they could be about


def test_a_second_start_answers_with_the_rebuild_that_is_running(function: MemoryFunction) -> None:
    first, second = (machine_of(function).start(name) for name in ("one", "two"))
    assert (first.is_new, second.is_new) == (True, False)
    assert second.answer.execution == first.answer.execution == f"{EXECUTION_ARN}:one"
    assert first.answer.watch.endswith(f"--execution-arn {EXECUTION_ARN}:one")


def test_a_state_machine_that_cannot_be_started_is_an_error_that_names_it(function: MemoryFunction) -> None:
    function.step_functions.error = "AccessDenied"
    with pytest.raises(SourceError, match=f"{MACHINE_ARN} cannot be started: .*AccessDenied"):
        machine_of(function).start("one")


def test_the_steps_of_a_rebuild_answer_what_comes_next_and_at_last_what_it_did(function: MemoryFunction) -> None:
    answer, result = machine_of(function).take_step({"step": "plan", "run": "one"}, lambda: False)
    assert (answer.next_step, answer.task_count) == ("scan", 1)
    while answer.next_step != "done":
        for task in tasks(function, answer):
            machine_of(function).take_step(task, lambda: False)
        step = NEXT_STEP[answer.next_step] if isinstance(answer.tasks, TaskFile) else answer.next_step
        answer, result = machine_of(function).take_step({"step": step, "run": "one"}, lambda: False)
    assert result
    assert isinstance(answer, FinalStepAnswer)
    assert (answer.finished, answer.url_count, answer.written.count, answer.failed.count) == (True, 3, 1, 0)


def test_the_progress_of_a_rebuild_has_its_status_in_step_functions_if_that_answers(function: MemoryFunction) -> None:
    machine_of(function).start("one")
    machine_of(function).take_step({"step": "plan", "run": "one"}, lambda: False)
    run = function.site.manifest().run
    assert run
    found = machine_of(function).progress(run)
    assert (found.stage, found.execution, found.status) == ("scan", f"{EXECUTION_ARN}:one", "RUNNING")
    function.step_functions.error = "ThrottlingException"
    assert machine_of(function).progress(run).status == "unknown"


def test_what_a_request_accepts_is_the_input_of_the_execution(function: MemoryFunction) -> None:
    machine_of(function).start("one", RebuildOptions(100, 900))
    assert function.step_functions.inputs == {f"{EXECUTION_ARN}:one": {"max_removed": 100, "lag": 900}}


def test_a_rebuild_without_such_a_request_has_no_input(function: MemoryFunction) -> None:
    machine_of(function).start("one")
    assert function.step_functions.inputs == {f"{EXECUTION_ARN}:one": {}}


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
