"""Reads changed keys from AWS events about objects, in every form in which a function receives them.

An S3 notification arrives directly, in an SQS message, in an SNS message, or in an SNS message inside an SQS message.
An S3 event of EventBridge arrives directly or in an SQS message. Sources: "Event message structure" (S3 User Guide),
"EventBridge event message structure", "Using Lambda with Amazon SQS", "Parsing JSON formats" (SNS).

An event is only a hint that an object may have changed. Waypost reads the object's current state from the bucket, so
late, repeated and reordered events do no harm.
"""

import re
from collections.abc import Iterator, Mapping
from typing import Any
from urllib.parse import unquote_plus

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from waypost.core.errors import EventError

_OBJECT_EVENTS = ("Object Created", "Object Deleted", "Object Restore Completed")
_PUBLISH = "publish"
_MAX_SHOWN = 200


class ObjectChange(Struct, frozen=True):
    """A key of a bucket whose object was changed or deleted; `event_time` is in RFC 3339, or empty.

    `etag` is that of the object which was written, in quotes, or empty.
    """

    bucket: str
    key: str
    event_time: str = ""
    etag: str = ""


class QueueMessage(Struct, frozen=True):
    """One message of a batch, with its id if it is from SQS.

    `problem` says why a message cannot be read; only that message of the batch fails. `asks_to_publish` if it is no
    event but asks to publish what is pending, of the partition `part`. `receipt_handle` identifies this delivery of the
    message to SQS, which has delivered it `receive_count` times.
    """

    id: str = ""
    changes: tuple[ObjectChange, ...] = ()
    problem: str = ""
    asks_to_publish: bool = False
    part: str = ""
    receipt_handle: str = ""
    receive_count: int = 1


def is_object_event(event: Any) -> bool:
    """Whether a payload is an event about objects, and not a scheduled or a manual one."""
    return isinstance(event, dict) and ("Records" in event or event.get("source") == "aws.s3" or _is_test(event))


def parse_messages(event: Mapping[str, Any]) -> list[QueueMessage]:
    """The messages of a payload: one for each SQS record, or one for the whole payload."""
    records = event.get("Records")
    if isinstance(records, list) and records and all(_source(record) == "aws:sqs" for record in records):
        return [_from_queue(record) for record in records]
    return [_message("", event)]


def _from_queue(record: Mapping[str, Any]) -> QueueMessage:
    message = _message(_text(record, "messageId"), record.get("body"))
    attributes = record.get("attributes")
    count = _text(attributes, "ApproximateReceiveCount") if isinstance(attributes, dict) else ""
    receive_count = int(count) if re.fullmatch("[0-9]{1,9}", count) else 1
    return replace(message, receipt_handle=_text(record, "receiptHandle"), receive_count=receive_count)


def _text(record: Mapping[str, Any], name: str) -> str:
    """A field of a record, or `""` if there is none, or if it is no text."""
    value = record.get(name)
    return value if isinstance(value, str) else ""


def _message(message_id: str, payload: Any) -> QueueMessage:
    try:
        event = _decode(payload)
        if isinstance(event, dict) and event.get("action") == _PUBLISH and event.keys() <= {"action", "part"}:
            return QueueMessage(message_id, asks_to_publish=True, part=_text(event, "part"))
        return QueueMessage(message_id, tuple(_changes(event)))
    except EventError as error:
        return QueueMessage(message_id, problem=str(error))
    except RecursionError:
        return QueueMessage(message_id, problem="the message is nested too deeply")


def _changes(event: Any) -> Iterator[ObjectChange]:
    """The changes in an event, which may be inside an SNS message."""
    if not isinstance(event, dict):
        raise EventError(f"unknown event: {_shorten(event)}")
    if _is_test(event):
        return
    if event.get("Type") == "Notification" and "Message" in event:
        yield from _changes(_decode(event["Message"]))
    elif event.get("source") == "aws.s3":
        yield from _from_eventbridge(event)
    elif isinstance(event.get("Records"), list):
        for record in event["Records"]:
            yield from _from_notification(record)
    else:
        raise EventError(f"unknown event: {_shorten(event)}")


def _from_eventbridge(event: Mapping[str, Any]) -> Iterator[ObjectChange]:
    """An EventBridge event, whose keys are not encoded; events that change no content are ignored."""
    if event.get("detail-type") in _OBJECT_EVENTS:
        bucket, key = _bucket_and_key(event.get("detail"), event)
        etag = "" if event["detail-type"] == "Object Deleted" else _etag(event["detail"]["object"].get("etag"))
        yield ObjectChange(bucket, _utf8(key), str(event.get("time", "")), etag)


def _from_notification(record: Any) -> Iterator[ObjectChange]:
    """A record of an S3 notification, whose keys are form-encoded, or an SNS record that contains one."""
    source = _source(record)
    if source == "aws:sns":
        notification = record.get("Sns")
        yield from _changes(_decode(notification.get("Message") if isinstance(notification, dict) else notification))
    elif source == "aws:s3":
        bucket, key = _bucket_and_key(record.get("s3"), record)
        event_time, etag = str(record.get("eventTime", "")), _etag(record["s3"]["object"].get("eTag"))
        yield ObjectChange(bucket, _utf8(unquote_plus(key, errors="surrogateescape")), event_time, etag)
    else:
        raise EventError(f"unknown record, not from S3, SQS or SNS: {_shorten(record)}")


def _bucket_and_key(data: Any, event: Any) -> tuple[str, str]:
    try:
        bucket, key = data["bucket"]["name"], data["object"]["key"]
    except (TypeError, KeyError) as error:
        raise EventError(f"the event has no bucket and key ({error}): {_shorten(event)}") from None
    if not (isinstance(bucket, str) and isinstance(key, str) and key):
        raise EventError(f"the event has no bucket and key: {_shorten(event)}")
    return bucket, key


def _etag(value: Any) -> str:
    """An ETag of an event, which has it without the quotes of HTTP, or `""`."""
    return f'"{value}"' if isinstance(value, str) and value else ""


def _utf8(key: str) -> str:
    """The key, if UTF-8 can encode it; no object has another ("Naming Amazon S3 objects", S3 User Guide)."""
    try:
        key.encode()
    except UnicodeEncodeError:
        raise EventError(f"the key is not UTF-8: {_shorten(key)}") from None
    return key


def _source(record: Any) -> str:
    """The service that a record is from; only SNS capitalizes the field's name."""
    if not isinstance(record, dict):
        return ""
    return _text(record, "eventSource") or _text(record, "EventSource")


def _is_test(event: Mapping[str, Any]) -> bool:
    """Whether this is the test message that S3 sends to a new destination of its notifications."""
    return event.get("Event") == "s3:TestEvent"


def _decode(payload: Any) -> Any:
    """A payload, which may be JSON text."""
    if not isinstance(payload, str | bytes):
        return payload
    try:
        return msgspec.json.decode(payload)
    except (msgspec.DecodeError, UnicodeError) as error:
        raise EventError(f"the message is not JSON ({error}): {_shorten(payload)}") from None
    except RecursionError:
        raise EventError("the message is nested too deeply") from None


def _shorten(payload: Any) -> str:
    """The beginning of a payload, in characters that a line of the log can hold."""
    text = payload if isinstance(payload, str) else repr(payload)
    text = text if len(text) <= _MAX_SHOWN else f"{text[:_MAX_SHOWN]}…"
    return text.encode(errors="backslashreplace").decode()
