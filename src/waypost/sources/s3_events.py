"""What AWS tells of changed objects, in every form that it comes in, read as changed keys.

S3 notifications come direct, or inside SQS messages, SNS messages, and SNS messages in SQS ones; S3
events of EventBridge direct or inside SQS messages. Sources: "Event message structure" (S3 User
Guide), "EventBridge event message structure", "Using Lambda with Amazon SQS", "Parsing JSON
formats" (SNS).

An event is only a hint that a key is worth looking at: what became of the object is read from the
bucket, so order, repetition and lateness do no harm.
"""

from collections.abc import Iterator, Mapping
from typing import Any
from urllib.parse import unquote_plus

import msgspec
from msgspec import Struct

from waypost.core.errors import EventError

_OBJECT = ("Object Created", "Object Deleted", "Object Restore Completed")
_SHOWN = 200


class ObjectChange(Struct, frozen=True):
    """A key of a bucket at which something happened, and when (RFC 3339, or empty); `is_gone` for a deletion."""

    bucket: str
    key: str
    event_time: str = ""
    is_deleted: bool = False


class QueueMessage(Struct, frozen=True):
    """One message of a batch: its id where it came through SQS, and what it tells of.

    `problem` is what is wrong with a message that cannot be read; such a one fails alone.
    """

    id: str = ""
    changes: tuple[ObjectChange, ...] = ()
    problem: str = ""


def is_object_event(event: Any) -> bool:
    """Whether a payload tells of objects, and is not a schedule's or a person's."""
    return isinstance(event, dict) and ("Records" in event or event.get("source") == "aws.s3" or _is_test(event))


def parse_messages(event: Mapping[str, Any]) -> list[QueueMessage]:
    """A payload's messages: one for each of SQS's records, else one for all."""
    records = event.get("Records")
    if isinstance(records, list) and records and all(_source(record) == "aws:sqs" for record in records):
        return [_from_queue(record) for record in records]
    return [_message("", event)]


def _from_queue(record: Mapping[str, Any]) -> QueueMessage:
    return _message(str(record.get("messageId", "")), record.get("body"))


def _message(message_id: str, payload: Any) -> QueueMessage:
    try:
        return QueueMessage(message_id, tuple(_changes(payload)))
    except EventError as error:
        return QueueMessage(message_id, problem=str(error))


def _changes(payload: Any) -> Iterator[ObjectChange]:
    """The changes in a payload, which may be JSON in a text, and wrapped by SNS."""
    event = _decoded(payload) if isinstance(payload, str | bytes) else payload
    if not isinstance(event, dict):
        raise EventError(f"this is no event that Waypost knows: {_shown(payload)}")
    if _is_test(event):
        return
    if event.get("Type") == "Notification" and "Message" in event:
        yield from _changes(event["Message"])
    elif event.get("source") == "aws.s3":
        yield from _from_eventbridge(event)
    elif isinstance(event.get("Records"), list):
        for record in event["Records"]:
            yield from _from_notification(record)
    else:
        raise EventError(f"this is no event that Waypost knows: {_shown(payload)}")


def _from_eventbridge(event: Mapping[str, Any]) -> Iterator[ObjectChange]:
    """EventBridge's form, whose keys are literal; events that change no content are passed over."""
    if event.get("detail-type") in _OBJECT:
        bucket, key = _named(event.get("detail"), event)
        yield ObjectChange(bucket, key, str(event.get("time", "")), event["detail-type"] == "Object Deleted")


def _from_notification(record: Any) -> Iterator[ObjectChange]:
    """S3's own form, whose keys are form-encoded; SNS hands it to a function in records of its own."""
    source = _source(record)
    if source == "aws:sns":
        yield from _changes(record.get("Sns", {}).get("Message"))
    elif source == "aws:s3":
        bucket, key = _named(record.get("s3"), record)
        is_gone = "Removed" in str(record.get("eventName", "")) or "Expiration" in str(record.get("eventName", ""))
        when = str(record.get("eventTime", ""))
        yield ObjectChange(bucket, unquote_plus(key, errors="surrogateescape"), when, is_gone)
    else:
        raise EventError(f"this is no record of S3, SQS or SNS: {_shown(record)}")


def _named(holder: Any, event: Any) -> tuple[str, str]:
    try:
        bucket, key = holder["bucket"]["name"], holder["object"]["key"]
    except (TypeError, KeyError) as error:
        raise EventError(f"the event names no bucket and key ({error}): {_shown(event)}") from None
    if not (isinstance(bucket, str) and isinstance(key, str) and key):
        raise EventError(f"the event names no bucket and key: {_shown(event)}")
    return bucket, key


def _source(record: Any) -> str:
    """Where a record says it is from; SNS alone writes the name with a capital."""
    if not isinstance(record, dict):
        return ""
    return str(record.get("eventSource") or record.get("EventSource") or "")


def _is_test(event: Mapping[str, Any]) -> bool:
    """What S3 sends to a new destination of its notifications; it tells of nothing."""
    return event.get("Event") == "s3:TestEvent"


def _decoded(text: str | bytes) -> Any:
    try:
        return msgspec.json.decode(text)
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise EventError(f"the message is no JSON ({error}): {_shown(text)}") from None


def _shown(payload: Any) -> str:
    text = payload if isinstance(payload, str) else repr(payload)
    return text if len(text) <= _SHOWN else f"{text[:_SHOWN]}…"
