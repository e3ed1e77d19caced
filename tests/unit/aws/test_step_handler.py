"""The steps for which the state machine calls the function: their answers, their log, and failures that are kept."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest
from unit.aws.memory_function import MemoryFunction, call, log_lines

from waypost.aws.step_handler import StepHandler
from waypost.core.errors import EventError
from waypost.sync.status_answers import LastError

if TYPE_CHECKING:
    from waypost.aws.function_answers import StepAnswer


@pytest.fixture
def function() -> MemoryFunction:
    """A function with a state machine, in whose ledger a run has begun."""
    made = MemoryFunction(min_objects=1)
    made.put_pages("a.html")
    handle(made, {"step": "plan", "run": "one"})
    return made


def handle(function: MemoryFunction, event: dict[str, Any]) -> StepAnswer:
    assert function.machine
    handler = StepHandler(function.machine, function.runner, function.last_error, function.site.now)
    return handler.handle(event, call())


def test_a_step_is_logged_with_its_run_and_the_next_step(
    function: MemoryFunction, capsys: pytest.CaptureFixture[str]
) -> None:
    capsys.readouterr()
    assert handle(function, {"step": "plan", "run": "one"}).next_step == "scan"
    (line,) = log_lines(capsys)
    assert (line["message"], line["run"]) == ("plan: the next step is scan", "one")


@pytest.mark.parametrize(
    ("error", "message"),
    [
        (
            {"Error": "StoreError", "Cause": json.dumps({"errorMessage": "it broke", "errorType": "StoreError"})},
            "it broke",
        ),
        ({"Error": "States.Timeout", "Cause": "it took too long"}, "it took too long"),
        ({"Error": "States.Timeout"}, "States.Timeout"),
        ("a text", "a text"),
    ],
)
def test_a_failure_is_kept_with_the_message_of_its_exception(
    function: MemoryFunction, error: object, message: str
) -> None:
    handle(function, {"step": "handle-failure", "run": "one", "error": error})
    kept = function.last_error.read()
    assert kept
    assert (kept.message, kept.type, kept.request_id) == (message, "Rebuild", "request-1")


def test_the_last_step_concludes_the_rebuild_and_so_clears_the_last_error(function: MemoryFunction) -> None:
    function.last_error.write(LastError("2026-11-21T12:00:00Z", "it broke", "SourceError", "request-0"))
    function.run_state_machine("one")
    assert (function.last_error.read(), "report.html" in function.site.state.bodies()) == (None, True)


def test_an_unknown_step_is_an_error(function: MemoryFunction) -> None:
    with pytest.raises(EventError, match="is unknown or incomplete"):
        handle(function, {"step": "gather", "run": "one"})
