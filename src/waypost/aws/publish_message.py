"""A message that has somebody publish what a rebuild has committed, in case the rebuild ends before it has published.

An update has the message of its event for that: it is delivered again. A rebuild has no message, so it sends this one
to the queue of events before it becomes the publisher. It is delivered once the publisher's lease must be over.
"""

from collections.abc import Callable
from typing import Any, Protocol

from botocore.exceptions import BotoCoreError, ClientError

from waypost.aws.logs import LogLine, log

PUBLISH_MESSAGE = '{"action": "publish"}'
_MAX_DELAY = 900
"""Seconds by which SQS can delay a message (SendMessage)."""


class MessageSender(Protocol):
    """What is used of a client of SQS."""

    def send_message(self, **request: Any) -> Any:
        """Send a message (API reference, "SendMessage")."""


class PublishMessage:
    """The message to one queue, `delay` seconds after it is sent; `client` creates a client of SQS."""

    def __init__(self, queue_url: str, client: Callable[[], MessageSender], delay: float) -> None:
        self._queue_url, self._client, self._delay = queue_url, client, min(int(delay), _MAX_DELAY)

    def once(self, request_id: str) -> Callable[[], None]:
        """What sends the message when it is called for the first time; a problem is only logged."""
        is_sent = False

        def send() -> None:
            nonlocal is_sent
            if self._queue_url and not is_sent:
                is_sent = True
                self._send(request_id)

        return send

    def _send(self, request_id: str) -> None:
        try:
            self._client().send_message(QueueUrl=self._queue_url, MessageBody=PUBLISH_MESSAGE, DelaySeconds=self._delay)
        except (ClientError, BotoCoreError) as error:
            message = f"if this call is stopped, the next event publishes what it has committed, not a message: {error}"
            log(LogLine(level="WARNING", message=message, request_id=request_id))
