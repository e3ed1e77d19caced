"""The message to publish what a rebuild has committed: when it is sent, with what delay, and if it cannot be."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest
from botocore.exceptions import ClientError, ConnectTimeoutError
from unit.aws.memory_function import QUEUE_URL, MemoryFunction, Queue, call, log_lines

from waypost.aws.own_messages import PUBLISH_MESSAGE, OwnMessages
from waypost.sources import s3_events

if TYPE_CHECKING:
    from collections.abc import Callable


class FailingQueue(Queue):
    """A queue that takes no message."""

    def __init__(self, error: Exception) -> None:
        super().__init__()
        self._error = error

    def send_message(self, **request: Any) -> Any:
        raise self._error from AssertionError(request)


def test_one_call_sends_it_once_and_delays_it() -> None:
    queue = Queue()
    send = OwnMessages(QUEUE_URL, lambda: queue, 120.9).publish_once("request-1")
    assert queue.sent == []
    send()
    send()
    assert queue.sent == [(PUBLISH_MESSAGE, 120)]


def test_the_delay_is_at_most_the_longest_of_sqs() -> None:
    queue = Queue()
    OwnMessages(QUEUE_URL, lambda: queue, 3_600).publish_once("request-1")()
    assert queue.sent == [(PUBLISH_MESSAGE, 900)]


def test_subscribers_are_notified_again_by_a_message_with_the_delay_that_they_ask_for() -> None:
    queue = Queue()
    messages = OwnMessages(QUEUE_URL, lambda: queue, 120)
    messages.publish_after(60, "request-1")
    messages.publish_after(3_600, "request-1")
    assert queue.sent == [(PUBLISH_MESSAGE, 60), (PUBLISH_MESSAGE, 900)]
    OwnMessages("", lambda: pytest.fail("a client was created"), 120).publish_after(60, "request-1")


def test_without_a_queue_no_client_is_created() -> None:
    OwnMessages("", lambda: pytest.fail("a client was created"), 120).publish_once("request-1")()


@pytest.mark.parametrize(
    "error",
    [
        ClientError({"Error": {"Code": "AccessDenied", "Message": "no"}}, "SendMessage"),
        ConnectTimeoutError(endpoint_url="https://sqs"),
    ],
    ids=["denied", "no answer"],
)
def test_a_queue_that_fails_is_a_warning(error: Exception, capsys: pytest.CaptureFixture[str]) -> None:
    OwnMessages(QUEUE_URL, lambda: FailingQueue(error), 120).publish_once("request-1")()
    (line,) = log_lines(capsys)
    assert (line["level"], line["request_id"]) == ("WARNING", "request-1")
    assert str(error) in line["message"]


def test_it_is_a_message_that_asks_to_publish() -> None:
    record = {"eventSource": "aws:sqs", "messageId": "m0", "body": PUBLISH_MESSAGE}
    (message,) = s3_events.parse_messages({"Records": [record]})
    assert (message.asks_to_publish, message.problem, message.changes) == (True, "", ())


RUNS: dict[str, Callable[[MemoryFunction], Any]] = {
    "a rebuild": lambda function: function.handle({"action": "rebuild"}),
    "an update by request": lambda function: function.handle({"action": "update", "keys": "new.html"}),
    "a distributed rebuild": lambda function: function.run_state_machine("one"),
}


@pytest.mark.parametrize("run", RUNS)
def test_a_run_without_a_message_of_its_own_sends_it_once_before_it_becomes_the_publisher(run: str) -> None:
    function = MemoryFunction(min_objects=100)
    function.put_pages("a.html")
    function.rebuild()
    function.put_pages("new.html")
    function.queue.sent.clear()
    publishers = []
    function.queue.on_send = lambda: publishers.append(function.site.manifest().publisher)
    RUNS[run](function)
    assert (len(function.queue.sent), publishers) == (1, [None])
    assert "/new.html<" in function.sitemap()


def test_neither_a_run_that_publishes_nothing_nor_an_event_sends_it() -> None:
    function = MemoryFunction()
    function.put_pages("a.html")
    function.rebuild()
    function.queue.sent.clear()
    function.handle({"action": "status"})
    function.handle({"action": "update", "keys": "a.html"})
    function.put_pages("new.html")
    function.runner.update_for_events({"new.html"}, (), call())
    assert "/new.html<" in function.sitemap()
    assert function.queue.sent == []
    assert json.loads(PUBLISH_MESSAGE) == {"action": "publish"}


def test_missing_keys_are_looked_at_again_after_the_lag_a_hundred_a_message() -> None:
    queue = Queue()
    keys = [f"{n:03}.html" for n in range(101)]
    assert OwnMessages(QUEUE_URL, lambda: queue, 120).look_again(600, "request-1")(keys)
    assert [delay for _, delay in queue.sent] == [600, 600]
    bodies = [json.loads(body) for body, _ in queue.sent]
    assert bodies == [{"action": "look-again", "keys": keys[:100]}, {"action": "look-again", "keys": keys[100:]}]


def test_keys_cannot_be_looked_at_again_without_a_queue_or_if_it_fails(capsys: pytest.CaptureFixture[str]) -> None:
    assert not OwnMessages("", lambda: pytest.fail("a client was created"), 120).look_again(600, "request-1")(["a"])
    failing = FailingQueue(ConnectTimeoutError(endpoint_url="https://sqs"))
    assert not OwnMessages(QUEUE_URL, lambda: failing, 120).look_again(600, "request-1")(["a"])
    (line,) = log_lines(capsys)
    assert line["message"].startswith("the missing objects are removed at once")
