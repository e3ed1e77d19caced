"""The message to publish: its delay, and what happens if it cannot be sent."""

from __future__ import annotations

from typing import Any

import pytest
from botocore.exceptions import ClientError, ConnectTimeoutError
from unit.aws.memory_function import QUEUE_URL, Queue, log_lines

from waypost.aws.own_messages import PUBLISH_MESSAGE, OwnMessages
from waypost.sources import s3_events


class FailingQueue(Queue):
    """A queue that takes no message."""

    def __init__(self, error: Exception) -> None:
        super().__init__()
        self._error = error

    def send_message(self, **request: Any) -> Any:
        raise self._error from AssertionError(request)


def test_subscribers_are_notified_again_by_a_message_with_the_delay_that_they_ask_for() -> None:
    queue = Queue()
    messages = OwnMessages(QUEUE_URL, lambda: queue)
    messages.publish_after(60.9, "request-1")
    messages.publish_after(3_600, "request-1")
    assert queue.sent == [(PUBLISH_MESSAGE, 60), (PUBLISH_MESSAGE, 900)]


def test_without_a_queue_no_client_is_created() -> None:
    OwnMessages("", lambda: pytest.fail("a client was created")).publish_after(60, "request-1")


@pytest.mark.parametrize(
    "error",
    [
        ClientError({"Error": {"Code": "AccessDenied", "Message": "no"}}, "SendMessage"),
        ConnectTimeoutError(endpoint_url="https://sqs"),
    ],
    ids=["denied", "no answer"],
)
def test_a_queue_that_fails_is_a_warning(error: Exception, capsys: pytest.CaptureFixture[str]) -> None:
    OwnMessages(QUEUE_URL, lambda: FailingQueue(error)).publish_after(60, "request-1")
    (line,) = log_lines(capsys)
    assert (line["level"], line["request_id"]) == ("WARNING", "request-1")
    assert str(error) in line["message"]


def test_it_is_a_message_that_asks_to_publish() -> None:
    record = {"eventSource": "aws:sqs", "messageId": "m0", "body": PUBLISH_MESSAGE}
    (message,) = s3_events.parse_messages({"Records": [record]})
    assert (message.asks_to_publish, message.problem, message.changes) == (True, "", ())
