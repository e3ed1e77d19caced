"""Makes SQS deliver failed messages again soon: without this, it waits for the queue's visibility time-out.

That time-out must be several times the function's own (AWS Lambda guide, "Configuring a queue"). A function that fails
may change it for single messages; Lambda leaves it so ("Amazon SQS visibility timeout").
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Protocol

from botocore.exceptions import BotoCoreError, ClientError

from waypost.aws.logs import LogLine, log
from waypost.core.concurrency import map_in_batches
from waypost.sources.s3_events import QueueMessage

_FIRST_DELAY, _LONGEST_DELAY = 30, 900
_MAX_TIMEOUT = 43_200
"""Twelve hours, the longest visibility time-out of a message."""
_ENTRIES_PER_REQUEST = 10
CONCURRENT_REQUESTS = 8


class QueueClient(Protocol):
    """What is used of a client of SQS."""

    def send_message(self, **request: Any) -> Any:
        """Send a message (API reference, "SendMessage")."""

    def change_message_visibility_batch(self, **request: Any) -> Mapping[str, Any]:
        """Change the visibility time-outs of up to ten messages (API reference, "ChangeMessageVisibilityBatch")."""


def redelivery_delay(receive_count: int, retry_after: int | None = None) -> int:
    """After how many seconds a message is delivered again that was received so many times, and failed.

    30 seconds, doubled each time up to 15 minutes, or `retry_after` if it is known when the message may succeed.
    """
    if retry_after is not None:
        return min(max(retry_after, 0), _MAX_TIMEOUT)
    doublings = min(max(receive_count, 1) - 1, _LONGEST_DELAY.bit_length())
    return min(_FIRST_DELAY << doublings, _LONGEST_DELAY)


class Redelivery:
    """Has the messages of one queue delivered again; `client` creates a client of SQS when it is needed.

    If `queue_url` is empty, SQS delivers them after the queue's visibility time-out.
    """

    def __init__(self, queue_url: str, client: Callable[[], QueueClient]) -> None:
        self._queue_url, self._client = queue_url, client

    def schedule(self, messages: Sequence[QueueMessage], request_id: str, retry_after: int | None = None) -> None:
        """Have these failed messages delivered again after their delays.

        A problem is only logged: then SQS delivers them again after the queue's visibility time-out.
        """
        queued = [message for message in messages if message.receipt_handle]
        if not (queued and self._queue_url):
            return
        entries = [_entry(n, message, retry_after) for n, message in enumerate(queued)]
        try:
            problems = self._change(entries)
        except (ClientError, BotoCoreError) as error:
            _warn(f"the failed messages cannot be delivered again soon: {error}", request_id)
            return
        if problems:
            _warn(f"{len(problems)} failed messages cannot be delivered again soon: {problems[0]}", request_id)

    def _change(self, entries: Sequence[Mapping[str, object]]) -> list[str]:
        """Change these time-outs, ten a request; returns a problem for each message that SQS refused.

        No further requests are sent after one that fails: a queue that does not answer would use up the call's time.
        """
        client = self._client()

        def change(some: Sequence[Mapping[str, object]]) -> list[str]:
            answer = client.change_message_visibility_batch(QueueUrl=self._queue_url, Entries=some)
            return [f"{each['Code']}: {each.get('Message', '')}" for each in answer.get("Failed", ())]

        requests = [entries[n : n + _ENTRIES_PER_REQUEST] for n in range(0, len(entries), _ENTRIES_PER_REQUEST)]
        answers = map_in_batches(change, requests, CONCURRENT_REQUESTS, CONCURRENT_REQUESTS)
        return [problem for answer in answers for problem in answer]


def _entry(n: int, message: QueueMessage, retry_after: int | None) -> Mapping[str, object]:
    delay = redelivery_delay(message.receive_count, retry_after)
    return {"Id": str(n), "ReceiptHandle": message.receipt_handle, "VisibilityTimeout": delay}


def _warn(message: str, request_id: str) -> None:
    log(LogLine(level="WARNING", message=message, request_id=request_id))
