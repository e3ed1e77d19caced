"""Status, check and explain of a function: what the status adds to that of the bucket, and unusable settings."""

from __future__ import annotations

from functools import partial

import pytest
from msgspec import UNSET
from msgspec.structs import replace
from unit.aws.memory_function import MemoryFunction, queue_of
from unit.aws.test_event_queue import ReadQueue

from waypost.aws.function_answers import QueueStatus
from waypost.aws.question_handler import QuestionHandler, WithoutSettings
from waypost.build.bucket_checks import BucketEvents
from waypost.build.status import LastError
from waypost.core.errors import ConfigIssue, ConfigurationError, SourceError


def test_the_status_has_the_last_error(function: MemoryFunction) -> None:
    function.last_error.save(SourceError("it broke"), "request-0", "2026-11-21T12:00:00Z")
    found = QuestionHandler(function.divided, function.last_error).status().last_error
    assert found == LastError("2026-11-21T12:00:00Z", "it broke", "SourceError", "request-0")


@pytest.mark.parametrize(
    ("waiting", "in_flight", "text"),
    [
        (0, 0, "up to date with all events received"),
        (3, 1, "4 messages of events wait, or are handled"),
        (0, 1, "1 message of events wait, or are handled"),
    ],
)
def test_nothing_is_called_up_to_date_while_an_event_is_not_handled(
    function: MemoryFunction, waiting: int, in_flight: int, text: str
) -> None:
    queue = ReadQueue(waiting=waiting, in_flight=in_flight)
    reader = queue_of(queue)
    assert QuestionHandler(function.divided, function.last_error, reader).status().state == text


def test_the_status_has_that_of_the_queue_and_of_the_bucket_s_events(function: MemoryFunction) -> None:
    queue = ReadQueue(waiting=3, in_flight=1)
    reader = queue_of(queue)
    handler = QuestionHandler(function.divided, function.last_error, reader, lambda: BucketEvents(True))
    answer = handler.status()
    assert (answer.url_count, answer.queue, answer.problems) == (2, QueueStatus(3, 1, None), [])
    assert answer.bucket_events == BucketEvents(eventbridge=True)


def test_a_bucket_that_does_not_send_its_events_is_a_problem(function: MemoryFunction) -> None:
    for events, text in ((BucketEvents(False), "does not send"), (BucketEvents(problem="denied"), "denied")):
        handler = QuestionHandler(function.divided, function.last_error, None, partial(replace, events))
        (problem,) = handler.status().problems
        assert (problem.kind, text in problem.problem) == ("events", True)


def test_a_function_without_a_queue_answers_without_its_status(function: MemoryFunction) -> None:
    answer = QuestionHandler(function.divided, function.last_error).status()
    assert (answer.queue, answer.bucket_events) == (UNSET, UNSET)


def test_a_check_of_a_damaged_state_is_an_answer(function: MemoryFunction) -> None:
    function.site.state.write("state", b"{")
    answer = QuestionHandler(function.divided, function.last_error).check()
    assert (answer.in_sync, answer.state) == (False, "the state cannot be read")
    assert "is damaged" in answer.problems[0].problem


def test_unusable_settings_are_the_answer_to_each_question_and_the_counts_are_still_known(
    function: MemoryFunction,
) -> None:
    error = ConfigurationError((ConfigIssue("waypost.toml", "precision", "1 is no precision", "date", 3),))
    fallback = QuestionHandler(function.divided, function.last_error)
    for known, count in ((fallback, 2), (None, None)):
        questions = WithoutSettings(error, "https://example.org/", known, None)
        status = questions.status()
        assert (status.state, status.url_count) == ("the settings cannot be used", count)
        (explained,) = questions.explain(["a.html"]).explained
        for problems in (status.problems, questions.check().problems, explained.problems or ()):
            assert [each.where for each in problems] == ["waypost.toml:3"]
