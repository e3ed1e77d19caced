"""Requests to the function: what each action answers, and what it says to one that it cannot understand."""

from __future__ import annotations

from typing import Any

import pytest
from unit.aws.memory_function import MemoryFunction, call

from waypost.app.answers import ExplainAnswer, RunAnswer, StartAnswer
from waypost.aws.question_handler import QuestionHandler
from waypost.aws.request_handler import RequestAnswer, RequestHandler
from waypost.core.errors import EventError
from waypost.sync.answers import LastError

ERROR = LastError("2026-11-21T12:00:00Z", "it broke", "SourceError", "request-0")


def request(function: MemoryFunction, event: object, *remaining: int) -> RequestAnswer:
    questions = QuestionHandler(function.ledger_site, function.last_error, function.machine)
    handler = RequestHandler(function.ledger_site, function.runner, function.machine, questions)
    return handler.handle(event, call(*remaining))


@pytest.fixture
def function() -> MemoryFunction:
    """A function whose site has two pages, and a ledger."""
    made = MemoryFunction()
    made.put_pages("index.html", "a.html")
    made.rebuild()
    return made


def test_keys_may_be_keys_uris_or_urls(function: MemoryFunction) -> None:
    event = {"action": "explain", "keys": ["a.html", "s3://site/www/a.html", "https://example.org/"]}
    answer = request(function, event)
    assert isinstance(answer, ExplainAnswer)
    assert [each.path for each in answer.explained] == ["a.html", "a.html", "index.html"]


def test_an_update_is_of_the_keys_that_are_named(function: MemoryFunction) -> None:
    function.put_pages("b.html", "c.html")
    answer = request(function, {"action": "update", "keys": "b.html"})
    assert isinstance(answer, RunAnswer)
    assert (answer.url_count, "/b.html" in function.sitemap(), "/c.html" in function.sitemap()) == (3, True, False)


def test_a_rebuild_out_of_time_says_that_another_call_continues() -> None:
    function = MemoryFunction()
    function.put_pages("a.html")
    answer = request(function, {"action": "rebuild"}, 900_000, 1_000)
    assert isinstance(answer, RunAnswer)
    assert (answer.finished, answer.resume_after) == (False, "")
    assert answer.note == "the time is used up; another call continues"


@pytest.mark.parametrize("event", [{"action": "rebuild"}, {"source": "aws.events"}], ids=["a person", "a schedule"])
def test_the_state_machine_rebuilds_a_large_bucket_but_does_not_continue_a_call(event: dict[str, Any]) -> None:
    function = MemoryFunction(min_objects=2)
    function.put_pages("a.html", "b.html")
    assert isinstance(request(function, event), StartAnswer)
    function = MemoryFunction(min_objects=2)
    function.put_pages("a.html", "b.html")
    assert isinstance(request(function, {**event, "after": "a.html"}), RunAnswer)


@pytest.mark.parametrize(
    ("event", "message"),
    [
        ({"action": "rebild"}, "'rebild' is not an action; send .* rebuild, update, status, explain, check"),
        ({"action": "update"}, "the request names no key"),
        ({"action": "explain", "keys": [1]}, r"the request is not valid: .*\$\.keys\[0\]"),
        ({}, "this is not an event that Waypost knows: {}"),
        ("text", "this is not an event that Waypost knows: text"),
    ],
)
def test_a_request_that_is_not_understood_is_an_error_that_says_what_to_send(event: object, message: str) -> None:
    with pytest.raises(EventError, match=message):
        request(MemoryFunction(), event)
