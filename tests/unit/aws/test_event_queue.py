"""The queue of events: what waits in it, when failed messages are delivered again, and the message to publish."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Any

import pytest
from botocore.exceptions import ClientError, ConnectTimeoutError
from unit.aws.memory_function import PUBLISH_MESSAGE, QUEUE_URL, Queue, log_lines, queue_of

from waypost.aws.event_queue import CONCURRENT_REQUESTS, EventQueue, redelivery_delay
from waypost.aws.function_answers import QueueStatus
from waypost.files.s3_events import QueueMessage

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence


NOW = datetime(2026, 11, 21, 12, tzinfo=UTC)
ERRORS = pytest.mark.parametrize(
    "error",
    [
        ClientError({"Error": {"Code": "AccessDenied", "Message": "no"}}, "SendMessage"),
        ConnectTimeoutError(endpoint_url="https://sqs"),
    ],
    ids=["denied", "no answer"],
)


def no_client() -> Any:
    pytest.fail("a client was created")


def test_subscribers_are_notified_again_by_a_message_with_the_delay_that_they_ask_for() -> None:
    queue = Queue()
    messages = queue_of(queue)
    messages.publish_after(60.9, "request-1")
    messages.publish_after(3_600, "request-1")
    assert queue.sent == [(PUBLISH_MESSAGE, 60), (PUBLISH_MESSAGE, 900)]


class CountingQueue(Queue):
    """Counts the messages of each request; refuses messages, or raises an error for each request."""

    def send_message(self, **request: Any) -> Any:
        assert self._error
        raise self._error from AssertionError(request)

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
    queue_of(queue).deliver_again(some, "request-1", retry_after)


@pytest.mark.parametrize(
    ("receive_count", "seconds"),
    [(0, 30), (1, 30), (2, 60), (5, 480), (6, 900), (999_999_999, 900)],
)
def test_the_delay_doubles_with_each_delivery_up_to_a_quarter_of_an_hour(receive_count: int, seconds: int) -> None:
    assert redelivery_delay(receive_count) == seconds


@pytest.mark.parametrize(("retry_after", "seconds"), [(7_200, 7_200), (-3, 0), (99_999, 43_200)])
def test_a_known_time_at_which_a_message_may_succeed_is_its_delay(retry_after: int, seconds: int) -> None:
    assert redelivery_delay(6, retry_after) == seconds


def test_ten_messages_share_a_request_and_each_has_a_delay_of_its_own() -> None:
    queue = CountingQueue()
    schedule(queue, [*messages(24), QueueMessage("late", receipt_handle="late", receive_count=4)])
    assert sorted(queue.sizes) == [5, 10, 10]
    assert queue.delays == {f"receipt-{n}": 30 for n in range(24)} | {"late": 240}


def test_a_time_that_the_error_names_is_the_delay_of_all_messages() -> None:
    queue = CountingQueue()
    schedule(queue, messages(3), retry_after=77)
    assert set(queue.delays.values()) == {77}


def test_without_a_queue_or_a_message_of_it_no_client_is_created() -> None:
    none, queue = EventQueue("", no_client, no_client), EventQueue(QUEUE_URL, no_client, no_client)
    none.publish_after(60, "request-1")
    none.deliver_again(messages(1), "request-1")
    queue.deliver_again([QueueMessage(problem="a direct event has no receipt handle")], "request-1")


@ERRORS
def test_a_queue_that_fails_is_a_warning_and_is_not_asked_for_all_the_others(
    error: Exception, capsys: pytest.CaptureFixture[str]
) -> None:
    queue = CountingQueue(error)
    schedule(queue, messages(10_000))
    assert 1 <= len(queue.sizes) <= CONCURRENT_REQUESTS
    queue_of(queue).publish_after(60, "request-1")
    lines = log_lines(capsys)
    assert [(line["level"], line["request_id"], str(error) in line["message"]) for line in lines] == [
        ("WARNING", "request-1", True)
    ] * 2


def test_messages_that_the_queue_refuses_are_counted_and_the_others_are_delivered_again(
    capsys: pytest.CaptureFixture[str],
) -> None:
    queue = CountingQueue(refused=["receipt-0", "receipt-11"])
    schedule(queue, messages(30))
    assert len(queue.delays) == 30
    (line,) = log_lines(capsys)
    assert line["message"].startswith("2 failed messages cannot be delivered again soon: ReceiptHandleIsInvalid")


class ReadQueue(Queue):
    """A client of SQS and of CloudWatch; `ages` has the age of the oldest message, by minutes before now."""

    def __init__(self, waiting: int, in_flight: int, ages: Mapping[int, float] | None = None, error: str = "") -> None:
        super().__init__()
        self._waiting, self._in_flight, self._ages, self._error = waiting, in_flight, ages or {}, error
        self.asked: list[Any] = []

    def get_queue_attributes(self, **request: Any) -> Any:
        if self._error:
            raise ClientError({"Error": {"Code": self._error}}, "GetQueueAttributes")
        self.asked.append(request)
        names = ("ApproximateNumberOfMessages", "ApproximateNumberOfMessagesNotVisible")
        assert request["AttributeNames"] == list(names)
        return {"Attributes": dict(zip(names, (f"{self._waiting}", f"{self._in_flight}"), strict=True))}

    def get_metric_statistics(self, **request: Any) -> Any:
        self.asked.append(request)
        points = [{"Timestamp": NOW - timedelta(minutes=n), "Maximum": age} for n, age in self._ages.items()]
        return {"Datapoints": [each for each in points if request["StartTime"] <= each["Timestamp"]]}


def status(queue: ReadQueue) -> QueueStatus:
    return queue_of(queue, NOW).status()


def test_the_status_has_the_messages_that_wait_those_in_flight_and_the_newest_age_of_the_oldest() -> None:
    queue = ReadQueue(waiting=7, in_flight=2, ages={3: 40.0, 1: 160.0, 2: 100.0})
    assert status(queue) == QueueStatus(7, 2, 160)
    attributes, metric = queue.asked
    assert attributes["QueueUrl"] == QUEUE_URL
    assert (metric["Namespace"], metric["MetricName"]) == ("AWS/SQS", "ApproximateAgeOfOldestMessage")
    assert metric["Dimensions"] == [{"Name": "QueueName", "Value": "events"}]


@pytest.mark.parametrize(
    ("waiting", "ages", "asked"),
    [(1, {}, 2), (1, {11: 5.0}, 2), (0, {1: 9.0}, 1)],
    ids=["no value", "an old value", "no message"],
)
def test_an_age_that_cloudwatch_does_not_know_is_null_and_an_empty_queue_has_none(
    waiting: int, ages: Mapping[int, float], asked: int
) -> None:
    queue = ReadQueue(waiting=waiting, in_flight=0, ages=ages)
    assert (status(queue), len(queue.asked)) == (QueueStatus(waiting, 0, None), asked)


def test_a_queue_that_cannot_be_read_is_an_answer_with_the_problem() -> None:
    answer = status(ReadQueue(0, 0, error="AccessDenied"))
    assert "the queue of events cannot be read: " in str(answer.problem)
    assert "AccessDenied" in str(answer.problem)
