"""The state machine's definition: generated, valid, complete, and with retries that suit each error."""

from __future__ import annotations

import json
import runpy
from typing import TYPE_CHECKING, Any

import pytest
from cloudformation import load_definition, load_template
from integration.test_infrastructure import tool
from stacks import DEFINITION, ROOT, TOOLS

if TYPE_CHECKING:
    from pathlib import Path

NEXT_STEPS = {"plan", "scan", "build", "commit", "publish", "finalize", "done", "superseded"}
"""All that the function may answer as `next_step`."""
MAPS = {"Scan": "Plan", "Build": "Commit", "Publish": "Finalize"}
"""The steps of many workers, and the state after each."""
STEPS = ("Plan", "Commit", "Finalize")
"""The steps of one worker."""


@pytest.fixture(scope="module")
def definition() -> Any:
    return load_definition()


def _tasks(definition: Any) -> dict[str, Any]:
    """Every Task state, those inside of maps too."""
    states = definition["States"]
    inner = {name: task for each in MAPS for name, task in _worker_states(states[each]).items()}
    return {name: state for name, state in states.items() if state["Type"] == "Task"} | inner


def _worker_states(state: Any) -> dict[str, Any]:
    states: dict[str, Any] = state["ItemProcessor"]["States"]
    return states


def test_the_file_is_what_its_script_generates() -> None:
    generated = runpy.run_path(str(ROOT / "infra" / "state_machine.py"))["definition_json"]()
    assert DEFINITION.read_text() == generated, "run `python infra/state_machine.py`"


@pytest.mark.slow
def test_asl_validator_finds_the_definition_valid(definition: Any, tmp_path: Path) -> None:
    (tmp_path / "machine.json").write_text(json.dumps(definition))
    program = TOOLS.parent / "asl" / "node_modules" / "asl-validator" / "dist" / "bin" / "asl-validator.js"
    assert program.is_file(), "`make setup` installs it"
    done = tool(str(TOOLS / "node"), str(program), "--json-path", "machine.json", home=tmp_path)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "is valid" in done.stdout


def test_each_next_step_has_a_state_and_any_other_answer_ends_the_run(definition: Any) -> None:
    route = definition["States"]["Route"]
    missing, *choices = route["Choices"]
    assert {each["StringEquals"]: each["Next"] for each in choices} == {step: step.capitalize() for step in NEXT_STEPS}
    assert {each["Variable"] for each in route["Choices"]} == {"$.answer.next_step"}
    assert (missing["IsPresent"], missing["Next"], route["Default"]) == (False, "UnknownAnswer", "UnknownAnswer")
    assert {definition["States"][name]["Next"] for name in STEPS} == {"Route"}
    assert {name: definition["States"][name]["Next"] for name in MAPS} == MAPS


def test_each_state_exists_and_can_be_reached(definition: Any) -> None:
    def successors(state: Any) -> set[str]:
        transitions = [*state.get("Choices", ()), *state.get("Catch", ()), {"Next": state.get("Default")}, state]
        return {each["Next"] for each in transitions if each.get("Next")}

    reached: set[str] = set()
    waiting = {definition["StartAt"]}
    while waiting:
        reached |= waiting
        waiting = {name for each in waiting for name in successors(definition["States"][each])} - reached
    assert reached == definition["States"].keys()


def test_the_function_gets_the_step_and_the_name_of_the_run(definition: Any) -> None:
    for name in STEPS:
        payload = definition["States"][name]["Parameters"]["Payload"]
        accepted = {"input.$": "$$.Execution.Input"} if name in ("Plan", "Commit") else {}
        assert payload == {"step": name.lower(), "run.$": "$$.Execution.Name", **accepted}
    payload = definition["States"]["HandleFailure"]["Parameters"]["Payload"]
    assert payload == {"step": "handle-failure", "run.$": "$$.Execution.Name", "error.$": "$.error"}


@pytest.mark.parametrize("name", MAPS)
def test_a_map_passes_each_task_on_unchanged_and_tolerates_no_failure(definition: Any, name: str) -> None:
    state = definition["States"][name]
    assert (state["ToleratedFailureCount"], "ToleratedFailurePercentage" in state) == (0, False)
    assert state["ItemReader"]["Parameters"] == {"Bucket.$": "$.answer.tasks.bucket", "Key.$": "$.answer.tasks.key"}
    assert "ItemSelector" not in state
    assert "ItemBatcher" not in state
    (task,) = _worker_states(state).values()
    assert (task["Parameters"]["Payload.$"], task["End"], "Catch" in task) == ("$", True, False)
    assert state["ItemProcessor"]["ProcessorConfig"] == {"Mode": "DISTRIBUTED", "ExecutionType": "STANDARD"}
    assert (state["MaxConcurrencyPath"], "MaxConcurrency" in state) == ("$.workers", False)
    assert state["ResultPath"] is None  # the last step's answer stays: it decides how a failed run ends
    assert state["ResultWriter"]["Parameters"] == {"Bucket": "state", "Prefix": "runs-results"}
    assert state["Label"] == name.lower()


def test_each_task_is_retried_with_backoff_and_full_jitter(definition: Any) -> None:
    timeout = load_template()["Resources"]["RebuildFunction"]["Properties"]["Timeout"]
    for name, task in _tasks(definition).items():
        policies = [each for each in task["Retry"] if each["MaxAttempts"] and each["BackoffRate"] > 1]
        assert all(each["JitterStrategy"] == "FULL" for each in policies), name
        assert all(each["MaxDelaySeconds"] <= 300 for each in policies), name
        assert policies[-1]["ErrorEquals"] == ["States.ALL"], name
        assert timeout < task["TimeoutSeconds"] <= timeout + 60, name


def test_each_kind_of_error_is_retried_for_as_long_as_it_may_last(definition: Any) -> None:
    tasks = _tasks(definition)
    del tasks["HandleFailure"]
    assert len(tasks) == len(STEPS) + len(MAPS)
    for name, task in tasks.items():
        permanent, throttled, timed_out, others = task["Retry"]
        assert permanent == {"ErrorEquals": ["SegmentTooLargeError", "RemovalError"], "MaxAttempts": 0}, name
        assert throttled["ErrorEquals"] == ["Lambda.TooManyRequestsException", "BusyError"], name
        assert {"States.Timeout", "Sandbox.Timedout"} <= set(timed_out["ErrorEquals"]), name
        assert throttled["MaxAttempts"] > others["MaxAttempts"] > timed_out["MaxAttempts"] > 1, name
        assert _longest_wait(others) > 20 * 60, name  # S3 may take that long to scale to a higher request rate
        assert _longest_wait(throttled) > 8 * 3600, name  # an account may allow only ten concurrent calls


def test_a_call_that_writes_sitemaps_is_repeated_only_once_it_must_have_ended_unless_it_has_answered(
    definition: Any,
) -> None:
    no_answers = {"States.Timeout", "Sandbox.Timedout", "Lambda.Unknown", "Runtime.ExitError"}
    for name, task in _tasks(definition).items():
        if name in ("PublishTask", "Finalize"):
            (policy,) = [each for each in task["Retry"] if no_answers <= set(each["ErrorEquals"])]
            assert (policy["IntervalSeconds"], policy["BackoffRate"]) == (task["TimeoutSeconds"], 1), name
            assert "JitterStrategy" not in policy, name  # jitter makes pauses shorter


def test_a_failed_publication_is_over_only_once_none_of_its_calls_can_be_at_work(definition: Any) -> None:
    states = definition["States"]
    wait = states["WaitForPublishers"]
    assert (wait["Seconds"], wait["Next"]) == (states["Finalize"]["TimeoutSeconds"], "HandleFailure")


def _longest_wait(policy: Any) -> float:
    waits = (policy["IntervalSeconds"] * policy["BackoffRate"] ** n for n in range(policy["MaxAttempts"]))
    return float(sum(min(wait, policy["MaxDelaySeconds"]) for wait in waits))


def test_a_failure_is_recorded_and_ends_the_run_with_what_to_do(definition: Any) -> None:
    states = definition["States"]
    for name in (*STEPS, *MAPS):
        following = "WaitForPublishers" if name in ("Publish", "Finalize") else "HandleFailure"
        assert states[name]["Catch"] == [{"ErrorEquals": ["States.ALL"], "ResultPath": "$.error", "Next": following}]
    handler = states["HandleFailure"]
    assert handler["ResultPath"] is None
    assert handler["Catch"] == [{"ErrorEquals": ["States.ALL"], "ResultPath": None, "Next": handler["Next"]}]
    failures = {name: state for name, state in states.items() if state["Type"] == "Fail"}
    assert failures.keys() == {"Failed", "FailedWhilePublishing", "UnknownAnswer"}
    assert all('{"action":"rebuild"}' in state["Cause"] for state in failures.values())
    assert {state.get("ErrorPath") for state in failures.values()} == {"$.error.Error", None}
