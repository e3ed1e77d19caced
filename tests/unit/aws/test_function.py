"""The function: who handles an event, and what becomes of a failure."""

from __future__ import annotations

import pytest
from fake_stores import RequestGate
from unit.aws.memory_function import Context, MemoryFunction, log_lines

from waypost.app.answers import BatchAnswer, ErrorAnswer, RunAnswer, StepAnswer
from waypost.aws.function import Function, FunctionAnswer
from waypost.core.errors import BusyError, EventError, LedgerError


def handle(made: MemoryFunction, event: object) -> FunctionAnswer:
    return Function(made.function_site, made.invoke, made.machine).handle(event, Context())


class BusyGate(RequestGate):
    """A bucket that throttles every request for a listing."""

    def admit(self, request: str) -> None:
        if request.startswith("LIST site/"):
            raise BusyError("SlowDown")
        super().admit(request)


def test_each_kind_of_event_is_handled_by_what_it_is_for() -> None:
    made = MemoryFunction(min_objects=10)
    made.put_pages("a.html")
    detail = {"bucket": {"name": "site"}, "object": {"key": "www/a.html"}}
    change = {"source": "aws.s3", "detail-type": "Object Created", "detail": detail}
    assert isinstance(handle(made, change), BatchAnswer)
    assert isinstance(handle(made, {"step": "plan", "run": "one"}), StepAnswer)
    assert isinstance(handle(made, {"action": "rebuild"}), RunAnswer)


def test_a_request_that_is_not_understood_is_answered_and_logged_but_is_not_the_last_error(
    capsys: pytest.CaptureFixture[str],
) -> None:
    made = MemoryFunction()
    answer = handle(made, {"action": "rebild"})
    assert isinstance(answer, ErrorAnswer)
    assert ("'rebild' is not an action" in answer.error, answer.actions[0]) == (True, "rebuild")
    assert [line["level"] for line in log_lines(capsys)] == ["ERROR"]
    assert made.last_error.read() is None


def test_a_step_that_is_not_understood_is_raised_because_an_answer_would_be_a_success() -> None:
    with pytest.raises(EventError):
        handle(MemoryFunction(min_objects=1), {"step": "gather", "run": "one"})
    with pytest.raises(EventError):
        handle(MemoryFunction(), {"step": "plan", "run": "one"})


def test_a_failure_is_raised_logged_with_its_class_and_kept(capsys: pytest.CaptureFixture[str]) -> None:
    made = MemoryFunction()
    made.site.state.write("manifest.json", b"{")
    with pytest.raises(LedgerError) as caught:
        handle(made, {"action": "status"})
    assert [(line["level"], line["error_type"]) for line in log_lines(capsys)] == [("ERROR", "LedgerError")]
    kept = made.last_error.read()
    assert kept
    assert (kept.message, kept.type, kept.request_id) == (str(caught.value), "LedgerError", "request-1")


def test_a_bucket_that_is_busy_is_raised_for_its_sender_and_is_not_the_last_error(
    capsys: pytest.CaptureFixture[str],
) -> None:
    made = MemoryFunction(min_objects=1)
    made.site.source.gate = BusyGate()
    with pytest.raises(BusyError):
        handle(made, {"action": "rebuild"})
    assert [line["level"] for line in log_lines(capsys)] == ["WARNING"]
    assert made.last_error.read() is None
