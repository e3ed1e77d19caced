"""When failed messages are delivered again, and what that asks of SQS."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from botocore.exceptions import ClientError, ConnectTimeoutError
from unit.aws.memory_function import QUEUE_URL, Queue, log_lines

from waypost.aws.redelivery import CONCURRENT_REQUESTS, Redelivery, redelivery_delay
from waypost.sources.s3_events import QueueMessage

if TYPE_CHECKING:
    from collections.abc import Sequence


class CountingQueue(Queue):
    """Counts the messages of each request; refuses messages, or raises an error for each request."""

    def __init__(self, error: Exception | None = None, refused: Sequence[str] = ()) -> None:
        super().__init__()
        self.sizes: list[int] = []
        self._error, self._refused = error, refused

    def change_message_visibility_batch(self, **request: Any) -> Any:
        self.sizes.append(len(request["Entries"]))
        if self._error:
            raise self._error
        super().change_message_visibility_batch(**request)
        ids = [entry["Id"] for entry in request["Entries"] if entry["ReceiptHandle"] in self._refused]
        return {"Failed": [{"Id": id, "Code": "ReceiptHandleIsInvalid", "SenderFault": True} for id in ids]}


def messages(count: int) -> list[QueueMessage]:
    return [QueueMessage(f"m{n}", receipt_handle=f"receipt-{n}") for n in range(count)]


def schedule(queue: Queue, some: Sequence[QueueMessage], retry_after: int | None = None) -> None:
    Redelivery(QUEUE_URL, lambda: queue).schedule(some, "request-1", retry_after)


@pytest.mark.parametrize(
    ("receive_count", "seconds"),
    [(0, 30), (1, 30), (2, 60), (3, 120), (4, 240), (5, 480), (6, 900), (7, 900), (20, 900), (999_999_999, 900)],
)
def test_the_delay_doubles_with_each_delivery_up_to_a_quarter_of_an_hour(receive_count: int, seconds: int) -> None:
    assert redelivery_delay(receive_count) == seconds


@pytest.mark.parametrize(("retry_after", "seconds"), [(0, 0), (45, 45), (7_200, 7_200), (-3, 0), (99_999, 43_200)])
def test_a_known_time_at_which_a_message_may_succeed_is_its_delay(retry_after: int, seconds: int) -> None:
    assert redelivery_delay(6, retry_after) == seconds


def test_ten_messages_share_a_request_and_each_has_a_delay_of_its_own() -> None:
    queue = CountingQueue()
    schedule(queue, [*messages(24), QueueMessage("late", receipt_handle="late", receive_count=4)])
    assert sorted(queue.sizes) == [5, 10, 10]
    assert queue.delays == {f"receipt-{n}": 30 for n in range(24)} | {"late": 240}


def test_the_rest_of_a_lease_is_the_delay_of_all_messages() -> None:
    queue = CountingQueue()
    schedule(queue, messages(3), retry_after=77)
    assert set(queue.delays.values()) == {77}


@pytest.mark.parametrize("some", [[], [QueueMessage(problem="a direct event has no receipt handle")]])
def test_without_a_message_of_a_queue_no_client_is_created(some: list[QueueMessage]) -> None:
    Redelivery(QUEUE_URL, lambda: pytest.fail("a client was created")).schedule(some, "request-1")


def test_without_a_queue_s_url_no_client_is_created() -> None:
    Redelivery("", lambda: pytest.fail("a client was created")).schedule(messages(1), "request-1")


@pytest.mark.parametrize(
    "error",
    [
        ClientError({"Error": {"Code": "AccessDenied", "Message": "no"}}, "ChangeMessageVisibilityBatch"),
        ConnectTimeoutError(endpoint_url="https://sqs"),
    ],
    ids=["denied", "no answer"],
)
def test_a_queue_that_fails_is_a_warning_and_is_not_asked_for_all_the_others(
    error: Exception, capsys: pytest.CaptureFixture[str]
) -> None:
    queue = CountingQueue(error)
    schedule(queue, messages(10_000))
    assert 1 <= len(queue.sizes) <= CONCURRENT_REQUESTS
    (line,) = log_lines(capsys)
    assert (line["level"], line["request_id"]) == ("WARNING", "request-1")
    assert str(error) in line["message"]


def test_messages_that_the_queue_refuses_are_counted_and_the_others_are_delivered_again(
    capsys: pytest.CaptureFixture[str],
) -> None:
    queue = CountingQueue(refused=["receipt-0", "receipt-11"])
    schedule(queue, messages(30))
    assert len(queue.delays) == 30
    (line,) = log_lines(capsys)
    assert line["message"].startswith("2 failed messages cannot be delivered again soon: ReceiptHandleIsInvalid")
