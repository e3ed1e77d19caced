"""The queue of events: what waits in it, what it delivers again, and what the function sends to itself through it.

The queue's visibility time-out must be several times the function's own (AWS Lambda guide, "Configuring a queue"). A
function that fails may change it for single messages; Lambda leaves it so ("Amazon SQS visibility timeout").
"""

from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, datetime, timedelta
from typing import Any

import msgspec
from botocore.exceptions import BotoCoreError, ClientError

from waypost.aws.function_answers import QueueStatus
from waypost.aws.logs import log
from waypost.core.concurrency import map_in_batches
from waypost.files.s3_events import QueueMessage

CONCURRENT_REQUESTS = 8
_FIRST_DELAY, _LONGEST_DELAY = 30, 900
"""Seconds; the longest is also by how much SQS can delay a message (SendMessage)."""
_MAX_TIMEOUT = 43_200
"""Twelve hours, the longest visibility time-out of a message."""
_ENTRIES_PER_REQUEST = 10
_WAITING, _IN_FLIGHT = "ApproximateNumberOfMessages", "ApproximateNumberOfMessagesNotVisible"
_AGE = "ApproximateAgeOfOldestMessage"
_PERIOD = timedelta(minutes=10)
"""SQS sends its metrics to CloudWatch once a minute, with a delay of a few minutes."""


class EventQueue:
    """A queue, or none if its `url` is empty; `client` and `metrics` create clients of SQS and CloudWatch when needed.

    Without a queue, and where a request to it fails, messages are delivered again by themselves.
    """

    def __init__(
        self,
        url: str,
        client: Callable[[], Any],
        metrics: Callable[[], Any],
        now: Callable[[], datetime] = lambda: datetime.now(UTC),
    ) -> None:
        self.url, self._client, self._metrics, self._now = url, client, metrics, now

    def publish_after(self, seconds: float, request_id: str, part: str = "") -> None:
        """Send the message to publish, delivered after some seconds: its call notifies subscribers once more.

        `part` is the name of a partition whose state has what they wait for. A problem is only logged.
        """
        if not self.url:
            return
        delay, body = min(int(seconds), _LONGEST_DELAY), {"action": "publish"} | ({"part": part} if part else {})
        try:
            self._client().send_message(
                QueueUrl=self.url, MessageBody=msgspec.json.encode(body).decode(), DelaySeconds=delay
            )
        except (ClientError, BotoCoreError) as error:
            problem = f"the subscribers that could not be notified are notified by the next run: {error}"
            log("WARNING", problem, request_id)

    def deliver_again(self, messages: Sequence[QueueMessage], request_id: str, retry_after: int | None = None) -> None:
        """Have these failed messages delivered again soon.

        A problem is only logged: then SQS delivers them again after the queue's visibility time-out.
        """
        queued = [message for message in messages if message.receipt_handle]
        if not (queued and self.url):
            return
        entries = [_entry(n, message, retry_after) for n, message in enumerate(queued)]
        try:
            problems = self._change(entries)
        except (ClientError, BotoCoreError) as error:
            log("WARNING", f"the failed messages cannot be delivered again soon: {error}", request_id)
            return
        if problems:
            problem = f"{len(problems)} failed messages cannot be delivered again soon: {problems[0]}"
            log("WARNING", problem, request_id)

    def status(self) -> QueueStatus:
        """What is in the queue, or the problem that prevents its being read."""
        try:
            asked = self._client().get_queue_attributes(QueueUrl=self.url, AttributeNames=[_WAITING, _IN_FLIGHT])
            waiting, in_flight = (int(asked["Attributes"][name]) for name in (_WAITING, _IN_FLIGHT))
            return QueueStatus(waiting, in_flight, self._oldest_seconds() if waiting + in_flight else None)
        except (ClientError, BotoCoreError) as error:
            return QueueStatus(problem=f"the queue of events cannot be read: {error}")

    def _change(self, entries: Sequence[Mapping[str, object]]) -> list[str]:
        """Change these time-outs, ten a request; returns a problem for each message that SQS refused.

        No further requests are sent after one that fails: a queue that does not answer would use up the call's time.
        """
        client = self._client()

        def change(some: Sequence[Mapping[str, object]]) -> list[str]:
            answer = client.change_message_visibility_batch(QueueUrl=self.url, Entries=some)
            return [f"{each['Code']}: {each.get('Message', '')}" for each in answer.get("Failed", ())]

        requests = [entries[n : n + _ENTRIES_PER_REQUEST] for n in range(0, len(entries), _ENTRIES_PER_REQUEST)]
        answers = map_in_batches(change, requests, CONCURRENT_REQUESTS, CONCURRENT_REQUESTS)
        return [problem for answer in answers for problem in answer]

    def _oldest_seconds(self) -> int | None:
        """The age of the oldest message when CloudWatch last knew it, or None if it does not know."""
        now = self._now()
        found = self._metrics().get_metric_statistics(
            Namespace="AWS/SQS",
            MetricName=_AGE,
            Dimensions=[{"Name": "QueueName", "Value": self.url.rpartition("/")[2]}],
            StartTime=now - _PERIOD,
            EndTime=now,
            Period=60,
            Statistics=["Maximum"],
        )
        newest = max(found["Datapoints"], key=lambda each: each["Timestamp"], default=None)
        return int(newest["Maximum"]) if newest else None


def redelivery_delay(receive_count: int, retry_after: int | None = None) -> int:
    """After how many seconds a message is delivered again that was received so many times, and failed.

    30 seconds, doubled each time up to 15 minutes, or `retry_after` if it is known when the message may succeed.
    """
    if retry_after is not None:
        return min(max(retry_after, 0), _MAX_TIMEOUT)
    doublings = min(max(receive_count, 1) - 1, _LONGEST_DELAY.bit_length())
    return min(_FIRST_DELAY << doublings, _LONGEST_DELAY)


def _entry(n: int, message: QueueMessage, retry_after: int | None) -> Mapping[str, object]:
    delay = redelivery_delay(message.receive_count, retry_after)
    return {"Id": str(n), "ReceiptHandle": message.receipt_handle, "VisibilityTimeout": delay}
