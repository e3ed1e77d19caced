"""The state of the queue of events, as SQS and CloudWatch know it."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Any

import pytest
from botocore.exceptions import ClientError

from waypost.aws.function_answers import QueueStatus
from waypost.aws.queue_status import QueueStatusReader

if TYPE_CHECKING:
    from collections.abc import Mapping

NOW = datetime(2026, 11, 21, 12, tzinfo=UTC)
URL = "https://sqs.us-east-1.amazonaws.com/000000000000/events"


class EventQueue:
    """A client of SQS and of CloudWatch; `ages` has the age of the oldest message, by minutes before now."""

    def __init__(self, waiting: int, in_flight: int, ages: Mapping[int, float] | None = None, error: str = "") -> None:
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


def status(queue: EventQueue) -> QueueStatus:
    return QueueStatusReader(URL, lambda: queue, lambda: queue, lambda: NOW).read()


def test_the_status_has_the_messages_that_wait_those_in_flight_and_the_newest_age_of_the_oldest() -> None:
    queue = EventQueue(waiting=7, in_flight=2, ages={3: 40.0, 1: 160.0, 2: 100.0})
    assert status(queue) == QueueStatus(7, 2, 160)
    attributes, metric = queue.asked
    assert attributes["QueueUrl"] == URL
    assert (metric["Namespace"], metric["MetricName"]) == ("AWS/SQS", "ApproximateAgeOfOldestMessage")
    assert metric["Dimensions"] == [{"Name": "QueueName", "Value": "events"}]


@pytest.mark.parametrize("ages", [{}, {11: 5.0}], ids=["no value", "an old value"])
def test_an_age_that_cloudwatch_does_not_know_is_null(ages: Mapping[int, float]) -> None:
    assert status(EventQueue(waiting=1, in_flight=0, ages=ages)) == QueueStatus(1, 0, None)


def test_an_empty_queue_has_no_oldest_message() -> None:
    queue = EventQueue(waiting=0, in_flight=0, ages={1: 9.0})
    assert (status(queue), len(queue.asked)) == (QueueStatus(0, 0, None), 1)


def test_a_queue_that_cannot_be_read_is_an_answer_with_the_problem() -> None:
    answer = status(EventQueue(0, 0, error="AccessDenied"))
    assert "the queue of events cannot be read: " in str(answer.problem)
    assert "AccessDenied" in str(answer.problem)
