"""Messages that the function sends to its own queue of events, to be delivered later."""

from collections.abc import Callable
from typing import Any, Protocol

import msgspec
from botocore.exceptions import BotoCoreError, ClientError

from waypost.aws.logs import LogLine, log

PUBLISH_MESSAGE = '{"action": "publish"}'
_MAX_DELAY = 900
"""Seconds by which SQS can delay a message (SendMessage)."""


class MessageSender(Protocol):
    """What is used of a client of SQS."""

    def send_message(self, **request: Any) -> Any:
        """Send a message (API reference, "SendMessage")."""


class OwnMessages:
    """The messages to one queue, which is `""` if there is none; `client` creates a client of SQS."""

    def __init__(self, queue_url: str, client: Callable[[], MessageSender]) -> None:
        self._queue_url, self._client = queue_url, client

    def publish_after(self, seconds: float, request_id: str, part: str = "") -> None:
        """Send the message to publish, delivered after some seconds: its call notifies subscribers once more.

        `part` is the name of a partition whose state has what they wait for. A problem is only logged.
        """
        if not self._queue_url:
            return
        delay, body = min(int(seconds), _MAX_DELAY), PUBLISH_MESSAGE
        if part:
            body = msgspec.json.encode({"action": "publish", "part": part}).decode()
        try:
            self._client().send_message(QueueUrl=self._queue_url, MessageBody=body, DelaySeconds=delay)
        except (ClientError, BotoCoreError) as error:
            message = "the subscribers that could not be notified are notified by the next run"
            log(LogLine(level="WARNING", message=f"{message}: {error}", request_id=request_id))
