"""The function: who handles an event, what each action answers, and what becomes of a failure."""

from __future__ import annotations

import re
from functools import partial
from typing import TYPE_CHECKING, Any

import pytest
from fake_cloud import Cloud
from fake_stores import RequestGate
from msgspec import UNSET
from msgspec.structs import replace
from unit.aws.memory_function import REBUILD_FUNCTION, Context, MemoryFunction, call, log_lines, queue_of
from unit.aws.test_event_queue import ReadQueue

from waypost.aws.function import Function, function_status
from waypost.aws.function_answers import ErrorAnswer, ExplainAnswer, QueueStatus, RefusedAnswer
from waypost.aws.logs import save_error
from waypost.build import bucket_check
from waypost.build.bucket_checks import BucketEvents
from waypost.build.run_answer import RunAnswer
from waypost.build.status import LastError
from waypost.core.errors import BusyError, ConfigIssue, ConfigurationError, RebuildNeededError, SourceError, StoreError

if TYPE_CHECKING:
    from collections.abc import Callable

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


def checked(function: MemoryFunction, suitable: Callable[[str], None]) -> None:
    """Rebuild with a function that checks its bucket."""
    made = Function(
        function.function_site, function.invoke, function.event_queue, function.start_rebuild, None, suitable
    )
    made.handle({"action": "rebuild"}, call())


def test_keys_may_be_keys_uris_or_urls(function: MemoryFunction) -> None:
    event = {"action": "explain", "keys": ["a.html", "s3://site/www/a.html", "https://example.org/"]}
    answer = function.ask(event)
    assert isinstance(answer, ExplainAnswer)
    assert [each.path for each in answer.explained] == ["a.html", "a.html", "index.html"]


def test_an_update_is_of_the_keys_that_are_named(function: MemoryFunction) -> None:
    function.put_pages("b.html", "c.html")
    answer = function.ask({"action": "update", "keys": "b.html"})
    assert isinstance(answer, RunAnswer)
    assert (answer.url_count, "/b.html" in function.sitemap(), "/c.html" in function.sitemap()) == (3, True, False)


def test_a_rebuild_adopts_another_state_and_says_which_files_it_leaves(
    function: MemoryFunction, cloud: Cloud, capsys: pytest.CaptureFixture[str]
) -> None:
    cloud.stores["cloud://private/old/"] = function.site.state
    moved = MemoryFunction()
    moved.site.site_uri = "s3://site/moved/"
    moved.deploy()
    moved.put_pages("index.html", "a.html")
    answer = moved.ask({"action": "rebuild", "adopt": "cloud://private/old"})
    assert isinstance(answer, RunAnswer)
    assert (answer.finished, answer.url_count, len(answer.warnings)) == (True, 2, 1)
    assert "[1 file: s3://site/www/sitemap.xml]" in answer.warnings[0]
    assert "s3://site/www/sitemap.xml" in capsys.readouterr().out


def test_the_first_rebuild_checks_the_bucket_and_later_ones_do_not(function: MemoryFunction) -> None:
    def refuse(function_arn: str) -> None:
        raise ConfigurationError((ConfigIssue("site", "region", f"it is not where {function_arn} is"),))

    arns, first = list[str](), MemoryFunction()
    first.put_pages("a.html")
    with pytest.raises(ConfigurationError, match="region: it is not where arn:aws:lambda:us-east-1:"):
        checked(first, refuse)
    assert first.site.outputs.files == {}
    for each in (function, first):
        checked(each, arns.append)
        checked(each, arns.append)
    assert arns == [Context().invoked_function_arn]


def test_a_place_to_adopt_from_that_is_none_is_refused(function: MemoryFunction) -> None:
    with pytest.raises(ConfigurationError, match=r"request: adopt: 'gs://bucket' is not a location"):
        function.ask({"action": "rebuild", "adopt": "gs://bucket"})


def test_a_rebuild_out_of_time_is_continued_part_by_part_and_meanwhile_no_other_begins() -> None:
    function = MemoryFunction(urls=5_000)
    for n in range(1_100):
        function.site.source.objects[f"{n:04}.html"] = b"<title>x</title><p>x", "2026-01-01T00:00:00Z"
    answer = function.ask({"action": "rebuild", "max_removed": 70}, 900_000, 1_000)
    assert isinstance(answer, RunAnswer)
    assert (answer.finished, answer.note) == (False, "the time is used up; another call continues")
    ((_, payload),) = function.invoked
    build = function.site.remembered().head.build
    assert build is not None
    assert payload == {"action": "rebuild", "part": build.part, "max_removed": 70}
    refused = RefusedAnswer(finished=False, refused="another call builds the state")
    assert function.ask({"action": "rebuild"}) == refused
    finished = function.ask(payload)
    assert isinstance(finished, RunAnswer)
    assert (finished.finished, finished.url_count, finished.objects_read) == (True, 1_100, 100)


@pytest.mark.parametrize(
    ("event", "message"),
    [
        ({"action": "rebild"}, "'rebild' is not an action; send .* rebuild, update, status, explain, check"),
        ({"action": "rebuild", "max_remove": 10}, "no field 'max_remove'; it may have action, .*max_removed, lag"),
        ({"action": "update"}, "the request names no key"),
        ({"action": "explain", "keys": [1]}, r"the request is not valid: .*\$\.keys\[0\]"),
        ({}, "this is not an event that Waypost knows: {}"),
        ("text", "this is not an event that Waypost knows: text"),
    ],
)
def test_a_request_that_is_not_understood_is_an_error_that_says_what_to_send(event: object, message: str) -> None:
    answer = MemoryFunction().ask(event)
    assert isinstance(answer, ErrorAnswer)
    assert re.search(message, answer.error)


def test_the_status_has_the_last_error_and_without_a_queue_nothing_of_one(function: MemoryFunction) -> None:
    save_error(function.site.state, SourceError("it broke"), "request-0", "2026-11-21T12:00:00Z")
    found = function_status(function.divided)
    assert found.last_error == LastError("2026-11-21T12:00:00Z", "it broke", "SourceError", "request-0")
    assert (found.queue, found.bucket_events) == (UNSET, UNSET)


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
    assert function_status(function.divided, reader).state == text


def test_the_status_has_that_of_the_queue_and_of_the_bucket_s_events(function: MemoryFunction) -> None:
    queue = ReadQueue(waiting=3, in_flight=1)
    reader = queue_of(queue)
    answer = function_status(function.divided, reader, lambda: BucketEvents(True))
    assert (answer.url_count, answer.queue, answer.problems) == (2, QueueStatus(3, 1, None), [])
    assert answer.bucket_events == BucketEvents(eventbridge=True)


def test_a_bucket_that_does_not_send_its_events_is_a_problem(function: MemoryFunction) -> None:
    for events, text in ((BucketEvents(False), "does not send"), (BucketEvents(problem="denied"), "denied")):
        (problem,) = function_status(function.divided, None, partial(replace, events)).problems
        assert (problem.kind, text in problem.problem) == ("events", True)


def test_a_check_of_a_damaged_state_is_an_answer(function: MemoryFunction) -> None:
    function.site.state.write("state", b"{")
    answer = bucket_check.check(function.divided)
    assert (answer.in_sync, answer.state) == (False, "the state cannot be read")
    assert "is damaged" in answer.problems[0].problem
