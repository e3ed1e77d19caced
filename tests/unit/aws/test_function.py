"""The function: who handles an event, and what becomes of a failure."""

from __future__ import annotations

from typing import Any

import pytest
from fake_stores import RequestGate
from unit.aws.memory_function import REBUILD_FUNCTION, MemoryFunction, log_lines

from waypost.aws.function_answers import ErrorAnswer, RefusedAnswer
from waypost.build.run_answer import RunAnswer
from waypost.core.errors import BusyError, RebuildNeededError, StoreError

UPLOAD = {
    "source": "aws.s3",
    "detail-type": "Object Created",
    "detail": {"bucket": {"name": "site"}, "object": {"key": "www/a.html"}},
}


class BusyGate(RequestGate):
    """A bucket that throttles every request for a listing."""

    def admit(self, request: str) -> None:
        if request.startswith("LIST site/"):
            raise BusyError("SlowDown")
        super().admit(request)


class DeniedGate(RequestGate):
    """A store that allows no write."""

    def admit(self, request: str) -> None:
        if request.startswith("PUT"):
            raise StoreError(f"{request}: AccessDenied")
        super().admit(request)


def test_a_request_that_is_not_understood_is_answered_and_logged_but_is_not_the_last_error(
    capsys: pytest.CaptureFixture[str],
) -> None:
    made = MemoryFunction()
    answer = made.handle({"action": "rebild"})
    assert isinstance(answer, ErrorAnswer)
    assert ("'rebild' is not an action" in answer.error, answer.actions[0]) == (True, "rebuild")
    assert [line["level"] for line in log_lines(capsys)] == ["ERROR"]
    assert made.last_error() is None


def test_a_function_for_events_has_another_one_rebuild_and_answers_a_request_with_where_to_send_it() -> None:
    made = MemoryFunction(rebuild_function=REBUILD_FUNCTION)
    made.put_pages("a.html")
    answer = made.handle({"action": "rebuild"})
    assert isinstance(answer, ErrorAnswer)
    assert answer.error == f"this function handles only events; send this to {REBUILD_FUNCTION}"
    assert (made.site.outputs.bodies(), made.invoked) == ({}, [])
    with pytest.raises(RebuildNeededError):
        made.handle(UPLOAD)
    assert (made.site.outputs.bodies(), made.invoked) == ({}, [(REBUILD_FUNCTION, {"action": "rebuild"})])


def test_a_failure_is_raised_logged_with_its_class_and_kept(capsys: pytest.CaptureFixture[str]) -> None:
    made = MemoryFunction()
    made.site.outputs.gate = DeniedGate()
    made.put_pages("a.html")
    with pytest.raises(StoreError) as caught:
        made.handle({"action": "update", "keys": "a.html"})
    assert [(line["level"], line["error_type"]) for line in log_lines(capsys)] == [("ERROR", "StoreError")]
    kept = made.last_error()
    assert kept
    assert (kept.message, kept.type, kept.request_id) == (str(caught.value), "StoreError", "request-1")


def test_what_must_wait_and_a_bucket_that_is_busy_are_raised_for_their_sender_and_are_not_the_last_error(
    capsys: pytest.CaptureFixture[str],
) -> None:
    made = MemoryFunction()
    with pytest.raises(RebuildNeededError):
        made.handle(UPLOAD)
    made.site.source.gate = BusyGate()
    with pytest.raises(BusyError):
        made.handle({"action": "rebuild"})
    assert [line["level"] for line in log_lines(capsys)] == ["WARNING"] * 2
    assert made.last_error() is None


def with_lost_pages(**settings: Any) -> MemoryFunction:
    """A function whose bucket has lost 20 of 30 listed pages."""
    made = MemoryFunction(**settings)
    made.put_pages(*(f"{n:02}.html" for n in range(30)))
    made.site.rebuild()
    for n in range(20):
        made.site.delete(f"{n:02}.html")
    return made


@pytest.mark.parametrize("event", [{"action": "rebuild"}, {"source": "aws.events"}])
def test_a_rebuild_that_would_remove_too_much_is_answered_measured_and_kept_as_the_last_error(
    event: object, capsys: pytest.CaptureFixture[str]
) -> None:
    made = with_lost_pages()
    before = made.site.remembered(), made.site.outputs.bodies()
    answer = made.handle(event)
    assert isinstance(answer, RefusedAnswer)
    assert (answer.finished, "20 of the 30 pages in the state" in answer.refused) == (False, True)
    metric, line = log_lines(capsys)
    assert (metric["RebuildsRefused"], metric["Site"]) == (1, "s3://site/www/")
    assert (line["level"], line["error_type"]) == ("ERROR", "RemovalError")
    kept = made.last_error()
    assert kept
    assert kept.message == answer.refused
    assert '{"action": "rebuild", "max_removed": 100}' in kept.message
    assert (made.site.remembered(), made.site.outputs.bodies()) == before


def test_a_refused_rebuild_is_accepted_once() -> None:
    made = with_lost_pages()
    answer = made.handle({"action": "rebuild", "max_removed": 100})
    assert isinstance(answer, RunAnswer)
    assert (answer.url_count, made.last_error()) == (10, None)
    assert isinstance(made.handle({"action": "rebuild", "max_removed": 101}), ErrorAnswer)
