import json
from collections.abc import Callable
from typing import Any
from urllib.parse import quote_plus

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from waypost.files import s3_events
from waypost.files.s3_events import ObjectChange, QueueMessage

WHEN = "2026-11-21T12:00:00.000Z"
ENCODED = {
    "a.html": "a.html",
    "red+flower.html": "red flower.html",
    "a%2Bb.html": "a+b.html",
    "100%2525.html": "100%25.html",
    "100%25.html": "100%.html",
    "caf%C3%A9/%E6%97%A5.html": "café/日.html",
    "what%3F%23.html": "what?#.html",
}


def notification(*keys: str, bucket: str = "site") -> dict[str, Any]:
    """What S3 sends: keys are form-encoded."""
    return {
        "Records": [
            {
                "eventVersion": "2.1",
                "eventSource": "aws:s3",
                "eventTime": WHEN,
                "eventName": "ObjectCreated:Put",
                "s3": {"bucket": {"name": bucket}, "object": {"key": key, "size": 1, "sequencer": "0A"}},
            }
            for key in keys
        ]
    }


def bridged(key: str, kind: str = "Object Created") -> dict[str, Any]:
    """What EventBridge sends: keys are literal."""
    detail = {"version": "0", "bucket": {"name": "site"}, "object": {"key": key, "size": 1}}
    return {"version": "0", "source": "aws.s3", "detail-type": kind, "time": WHEN, "detail": detail}


def by_sns(payload: Any) -> dict[str, Any]:
    """SNS to a function."""
    message = {"Type": "Notification", "MessageId": "m", "Message": json.dumps(payload)}
    return {"Records": [{"EventSource": "aws:sns", "EventVersion": "1.0", "Sns": message}]}


def in_sns(payload: Any) -> dict[str, Any]:
    """SNS's envelope, as a queue gets it."""
    return {"Type": "Notification", "MessageId": "m", "TopicArn": "arn:aws:sns:t", "Message": json.dumps(payload)}


def by_sqs(*payloads: Any) -> dict[str, Any]:
    return {
        "Records": [
            {
                "messageId": f"id-{n}",
                "eventSource": "aws:sqs",
                "body": body if isinstance(body, str) else json.dumps(body),
            }
            for n, body in enumerate(payloads)
        ]
    }


FORMS: dict[str, Callable[[Any], dict[str, Any]]] = {
    "direct": lambda payload: payload,
    "through SQS": by_sqs,
    "through SNS": by_sns,
    "through SNS in SQS": lambda payload: by_sqs(in_sns(payload)),
    "through SNS raw in SQS": by_sqs,
}


def changed(event: dict[str, Any]) -> list[str]:
    return [change.key for message in s3_events.parse_messages(event) for change in message.changes]


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("encoded", ENCODED)
def test_a_notification_s_keys_are_decoded_exactly_once_in_every_form(form: str, encoded: str) -> None:
    event = FORMS[form](notification(encoded))
    assert s3_events.is_object_event(event)
    assert changed(event) == [ENCODED[encoded]]


@pytest.mark.parametrize("form", ["direct", "through SQS"])
@pytest.mark.parametrize("key", [*ENCODED, "red flower.html", "a+b.html", "100%25.html"])
def test_eventbridge_s_keys_are_taken_as_they_are(form: str, key: str) -> None:
    event = FORMS[form](bridged(key))
    assert s3_events.is_object_event(event)
    assert changed(event) == [key]


@given(st.text(st.characters(codec="utf-8"), min_size=1))
def test_any_key_comes_through_every_form_unchanged(key: str) -> None:
    for form in FORMS.values():
        assert changed(form(notification(quote_plus(key)))) == [key]
    assert changed(by_sqs(bridged(key))) == [key]


def test_a_change_names_bucket_and_time() -> None:
    expected = ObjectChange("site", "a.html", WHEN)
    assert s3_events.parse_messages(notification("a.html")) == [QueueMessage(changes=(expected,))]
    assert s3_events.parse_messages(bridged("a.html")) == [QueueMessage(changes=(expected,))]


def test_a_batch_keeps_the_messages_apart() -> None:
    found = s3_events.parse_messages(by_sqs(bridged("a.html"), notification("b.html", "c.html"), bridged("d.html")))
    assert [(each.id, [change.key for change in each.changes]) for each in found] == [
        ("id-0", ["a.html"]),
        ("id-1", ["b.html", "c.html"]),
        ("id-2", ["d.html"]),
    ]


@pytest.mark.parametrize(
    ("attributes", "count"),
    [
        ({"ApproximateReceiveCount": "3"}, 3),
        ({"ApproximateReceiveCount": "three"}, 1),
        ({"ApproximateReceiveCount": "9" * 5_000}, 1),
        ({"ApproximateReceiveCount": 3}, 1),
        ({}, 1),
        (None, 1),
    ],
    ids=["3", "no number", "too long", "no text", "none", "no attributes"],
)
def test_a_message_of_a_queue_has_its_receipt_handle_and_how_often_it_was_received(attributes: Any, count: int) -> None:
    batch = by_sqs(bridged("a.html"))
    batch["Records"][0] |= {"receiptHandle": "receipt", "attributes": attributes}
    (message,) = s3_events.parse_messages(batch)
    assert (message.receipt_handle, message.receive_count) == ("receipt", count)


def test_a_message_of_a_queue_may_ask_to_publish() -> None:
    message, other = s3_events.parse_messages(by_sqs({"action": "publish"}, bridged("a.html")))
    assert (message.asks_to_publish, message.changes, message.problem) == (True, (), "")
    assert (other.asks_to_publish, len(other.changes)) == (False, 1)


@pytest.mark.parametrize(
    "body", [{"action": "rebuild"}, {"action": "publish", "key": "a"}, in_sns({"action": "publish"})]
)
def test_a_queue_has_no_other_request(body: dict[str, Any]) -> None:
    (message,) = s3_events.parse_messages(by_sqs(body))
    assert (message.asks_to_publish, message.changes, bool(message.problem)) == (False, (), True)


@pytest.mark.parametrize("kind", ["Object Created", "Object Deleted", "Object Restore Completed"])
def test_creation_deletion_and_restoration_are_changes(kind: str) -> None:
    assert changed(bridged("a.html", kind)) == ["a.html"]


@pytest.mark.parametrize("kind", ["Object Tags Added", "Object ACL Updated", "Object Storage Class Changed"])
def test_what_changes_no_content_is_no_change(kind: str) -> None:
    assert s3_events.parse_messages(bridged("a.html", kind)) == [QueueMessage()]


@pytest.mark.parametrize("form", ["direct", "through SQS", "through SNS", "through SNS in SQS"])
def test_the_test_event_tells_of_nothing(form: str) -> None:
    event = FORMS[form]({"Service": "Amazon S3", "Event": "s3:TestEvent", "Bucket": "site"})
    assert s3_events.is_object_event(event)
    assert [(each.changes, each.problem) for each in s3_events.parse_messages(event)] == [((), "")]


@pytest.mark.parametrize(
    "body",
    [
        "",
        "no JSON",
        "[]",
        "null",
        "{}",
        '"text"',
        '{"Records": [{}]}',
        '{"Records": [{"eventSource": "aws:dynamodb"}]}',
        '{"Records": [{"eventSource": "aws:s3"}]}',
        '{"Records": [{"eventSource": "aws:s3", "s3": {"bucket": {"name": "site"}, "object": {}}}]}',
        '{"Records": [{"eventSource": "aws:s3", "s3": {"bucket": {"name": "site"}, "object": {"key": 7}}}]}',
        '{"source": "aws.s3", "detail-type": "Object Created"}',
        '{"source": "aws.s3", "detail-type": "Object Created", "detail": []}',
        '{"source": "aws.ec2", "detail-type": "EC2 Instance Launched"}',
        '{"Type": "Notification", "Message": "no JSON"}',
        '{"Records": [{"EventSource": "aws:sns"}]}',
        '{"Records": [{"EventSource": "aws:sns", "Sns": []}]}',
        '{"Records": [{"EventSource": "aws:sns", "Sns": "text"}]}',
        '{"Records": [{"eventSource": "aws:s3", "s3": {"bucket": {"name": "site"}, "object": {"key": "%FF.html"}}}]}',
        "\ud800",
        "[" * 5_000,
        "[" * 5_000 + "]" * 5_000,
        '{"Records": [{"Sns": ' * 5_000 + "1" + "}]}" * 5_000,
        '{"source": "aws.s3", "detail-type": "Object Created", "time": ' + "[" * 5_000 + "]" * 5_000 + "}",
    ],
    ids=lambda body: body[:60].encode("ascii", "replace").decode(),
)
def test_one_bad_message_fails_alone_and_shows_what_it_was(body: str) -> None:
    good, bad, other = s3_events.parse_messages(by_sqs(bridged("a.html"), body, bridged("b.html")))
    assert (good.problem, other.problem) == ("", "")
    assert bad.id == "id-1"
    assert bad.changes == ()
    assert bad.problem


def test_a_long_message_is_shown_in_part() -> None:
    (bad,) = s3_events.parse_messages(by_sqs("x" * 10_000))
    assert len(bad.problem) < 400


@pytest.mark.parametrize(
    "event",
    [{"action": "rebuild"}, {"source": "aws.events", "detail-type": "Scheduled Event"}, {}, [], None, "text"],
)
def test_what_a_schedule_or_a_person_sends_is_no_change(event: Any) -> None:
    assert not s3_events.is_object_event(event)


FIELDS = ["Records", "Sns", "Message", "Type", "source", "detail-type", "detail", "time", "Event"]
FIELDS += ["eventSource", "EventSource", "eventName", "eventTime", "s3", "bucket", "name", "object", "key", "body"]
VALUES = [
    "aws:s3",
    "aws:sns",
    "aws:sqs",
    "aws.s3",
    "Notification",
    "Object Created",
    "s3:TestEvent",
    "site",
    "a.html",
    "%FF",
]
scalars = st.one_of(
    st.none(), st.booleans(), st.integers(), st.floats(), st.text(max_size=5), st.sampled_from([*VALUES, "\ud800"])
)
json_values = st.recursive(
    scalars,
    lambda inner: st.one_of(st.lists(inner, max_size=3), st.dictionaries(st.sampled_from(FIELDS), inner, max_size=4)),
    max_leaves=12,
)
sns_records = st.builds(lambda value: {"Records": [{"EventSource": "aws:sns", "Sns": value}]}, json_values)
s3_records = st.builds(lambda value: {"Records": [{"eventSource": "aws:s3", "s3": value}]}, json_values)
details = st.builds(
    lambda value: {"source": "aws.s3", "detail-type": "Object Created", "detail": value, "time": value}, json_values
)
payloads = st.one_of(json_values, sns_records, s3_records, details)
bodies = st.one_of(payloads, payloads.map(by_sns), payloads.map(in_sns), payloads.map(by_sqs))


@given(bodies)
def test_whatever_json_a_message_holds_only_that_message_fails(body: Any) -> None:
    good, other, last = s3_events.parse_messages(by_sqs(bridged("a.html"), json.dumps(body), bridged("b.html")))
    assert [change.key for change in (*good.changes, *last.changes)] == ["a.html", "b.html"]
    assert not (other.problem and other.changes)
    assert msgspec.json.encode(other)


@given(bodies)
def test_an_event_that_comes_directly_is_never_an_exception(event: Any) -> None:
    if s3_events.is_object_event(event):
        assert msgspec.json.encode(s3_events.parse_messages(event))


@pytest.mark.parametrize("depth", [300, 990, 1_000, 1_010, 5_000])
def test_an_event_nested_deeper_than_python_follows_is_never_an_exception(depth: int) -> None:
    event: Any = {}
    for _ in range(depth):
        event = {"Records": [{"EventSource": "aws:sns", "Sns": {"Message": event}}]}
    (message,) = s3_events.parse_messages(event)
    assert message.problem
