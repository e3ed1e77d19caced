"""Messages that the function sends to its own queue of events, to be delivered later.

An update has the message of its event: if the call ends early, that is delivered again. A rebuild has none. So before
it becomes the publisher it sends one that asks to publish what is pending, delivered once its lease must be over.
The other one has keys looked at again whose objects a scheduled rebuild finds missing: see `sync.drift`.
"""

from collections.abc import Callable, Sequence
from typing import Any, Protocol

import msgspec
from botocore.exceptions import BotoCoreError, ClientError

from waypost.aws.logs import LogLine, log
from waypost.sources.s3_events import LookAgain

PUBLISH_MESSAGE = '{"action": "publish"}'
_MAX_DELAY = 900
"""Seconds by which SQS can delay a message (SendMessage)."""
_KEYS_PER_MESSAGE = 100
"""A key has at most 1,024 bytes, and a message 262,144 (API reference, "SendMessage")."""


class MessageSender(Protocol):
    """What is used of a client of SQS."""

    def send_message(self, **request: Any) -> Any:
        """Send a message (API reference, "SendMessage")."""


class OwnMessages:
    """The messages to one queue, which is `""` if there is none; `client` creates a client of SQS.

    The message to publish is delayed by `publish_delay` seconds.
    """

    def __init__(self, queue_url: str, client: Callable[[], MessageSender], publish_delay: float) -> None:
        self._queue_url, self._client, self._publish_delay = queue_url, client, publish_delay

    def publish_once(self, request_id: str) -> Callable[[], None]:
        """What sends the message to publish when it is called for the first time; a problem is only logged."""
        is_sent = False

        def send() -> None:
            nonlocal is_sent
            if self._queue_url and not is_sent:
                is_sent = True
                effect = "if this call is stopped, the next event publishes what it has committed, not a message"
                self._send([PUBLISH_MESSAGE], self._publish_delay, request_id, effect)

        return send

    def publish_after(self, seconds: float, request_id: str) -> None:
        """Send the message to publish, delivered after some seconds: its call notifies subscribers once more."""
        if self._queue_url:
            effect = "the subscribers that could not be notified are notified with the next publication"
            self._send([PUBLISH_MESSAGE], seconds, request_id, effect)

    def look_again(self, lag: float, request_id: str) -> Callable[[Sequence[str]], bool]:
        """What has keys looked at again after `lag` seconds; it returns False if that is not possible."""

        def send(keys: Sequence[str]) -> bool:
            portions = (keys[start : start + _KEYS_PER_MESSAGE] for start in range(0, len(keys), _KEYS_PER_MESSAGE))
            bodies = [msgspec.json.encode(LookAgain(tuple(portion))).decode() for portion in portions]
            effect = "the missing objects are removed at once, and count as drift"
            return bool(self._queue_url) and self._send(bodies, lag, request_id, effect)

        return send

    def _send(self, bodies: Sequence[str], delay: float, request_id: str, effect: str) -> bool:
        """Send messages; a problem is logged with its effect, and False is returned."""
        try:
            client, seconds = self._client(), min(int(delay), _MAX_DELAY)
            for body in bodies:
                client.send_message(QueueUrl=self._queue_url, MessageBody=body, DelaySeconds=seconds)
        except (ClientError, BotoCoreError) as error:
            log(LogLine(level="WARNING", message=f"{effect}: {error}", request_id=request_id))
            return False
        return True
