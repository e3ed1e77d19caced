"""Reads the state of the queue of events: how many messages wait in it, and for how long the oldest one does."""

from collections.abc import Callable, Mapping
from datetime import datetime, timedelta
from typing import Any, Protocol

from botocore.exceptions import BotoCoreError, ClientError

from waypost.aws.function_answers import QueueStatus

_WAITING, _IN_FLIGHT = "ApproximateNumberOfMessages", "ApproximateNumberOfMessagesNotVisible"
_AGE = "ApproximateAgeOfOldestMessage"
_PERIOD = timedelta(minutes=10)
"""SQS sends its metrics to CloudWatch once a minute, with a delay of a few minutes."""


class AttributeReader(Protocol):
    """What is used of a client of SQS."""

    def get_queue_attributes(self, **request: Any) -> Mapping[str, Any]:
        """Return attributes of a queue (API reference, "GetQueueAttributes")."""


class MetricReader(Protocol):
    """What is used of a client of CloudWatch."""

    def get_metric_statistics(self, **request: Any) -> Mapping[str, Any]:
        """Return the values of a metric (API reference, "GetMetricStatistics")."""


class QueueStatusReader:
    """Reads the state of one queue; `queue` and `metrics` create clients of SQS and CloudWatch."""

    def __init__(
        self,
        queue_url: str,
        queue: Callable[[], AttributeReader],
        metrics: Callable[[], MetricReader],
        now: Callable[[], datetime],
    ) -> None:
        self._queue_url, self._queue, self._metrics, self._now = queue_url, queue, metrics, now

    def read(self) -> QueueStatus:
        """The state of the queue, or the problem that prevents its being read."""
        try:
            asked = self._queue().get_queue_attributes(QueueUrl=self._queue_url, AttributeNames=[_WAITING, _IN_FLIGHT])
            waiting, in_flight = (int(asked["Attributes"][name]) for name in (_WAITING, _IN_FLIGHT))
            return QueueStatus(waiting, in_flight, self._oldest_seconds() if waiting + in_flight else None)
        except (ClientError, BotoCoreError) as error:
            return QueueStatus(problem=f"the queue of events cannot be read: {error}")

    def _oldest_seconds(self) -> int | None:
        """The age of the oldest message when CloudWatch last knew it, or None if it does not know."""
        now = self._now()
        found = self._metrics().get_metric_statistics(
            Namespace="AWS/SQS",
            MetricName=_AGE,
            Dimensions=[{"Name": "QueueName", "Value": self._queue_url.rpartition("/")[2]}],
            StartTime=now - _PERIOD,
            EndTime=now,
            Period=60,
            Statistics=["Maximum"],
        )
        newest = max(found["Datapoints"], key=lambda each: each["Timestamp"], default=None)
        return int(newest["Maximum"]) if newest else None
