"""Events of objects: which of them change the site's sitemaps, and which messages are delivered again."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest
from unit.aws.memory_function import MemoryFunction, call, log_lines

from waypost.aws.event_handler import EventHandler
from waypost.core.errors import EventError

if TYPE_CHECKING:
    from waypost.app.answers import BatchAnswer


def event(key: str, bucket: str = "site", kind: str = "Object Created") -> dict[str, Any]:
    detail = {"bucket": {"name": bucket}, "object": {"key": key}}
    return {"source": "aws.s3", "detail-type": kind, "time": "2026-11-21T12:00:00Z", "detail": detail}


def queued(*bodies: Any) -> dict[str, Any]:
    return {
        "Records": [
            {
                "eventSource": "aws:sqs",
                "messageId": f"m{n}",
                "receiptHandle": f"receipt-{n}",
                "attributes": {"ApproximateReceiveCount": f"{n + 1}"},
                "body": json.dumps(body),
            }
            for n, body in enumerate(bodies)
        ]
    }


@pytest.fixture
def function() -> MemoryFunction:
    """A function whose site has one page, and a ledger."""
    made = MemoryFunction()
    made.put_pages("index.html")
    made.rebuild()
    made.site.gate.requests.clear()
    return made


def handle(function: MemoryFunction, payload: dict[str, Any]) -> BatchAnswer:
    handler = EventHandler(function.ledger_site, function.location, function.runner, function.redelivery)
    return handler.handle(payload, call())


def failed_messages(answer: BatchAnswer) -> list[str]:
    return [message.item_identifier for message in answer.batch_item_failures]


def test_all_keys_of_a_batch_are_updated_in_one_run(
    function: MemoryFunction, capsys: pytest.CaptureFixture[str]
) -> None:
    function.put_pages("a.html", "b.html")
    capsys.readouterr()
    assert failed_messages(handle(function, queued(event("www/a.html"), event("www/b.html")))) == []
    assert all(f"/{name}.html<" in function.sitemap() for name in "ab")
    assert [line["event_count"] for line in log_lines(capsys) if line.get("action") == "update"] == [2]


@pytest.mark.parametrize(
    "payload",
    [event("www/a.html", bucket="other"), event("elsewhere/a.html"), event("www/sitemap.xml")],
    ids=["another bucket", "another prefix", "a sitemap that it wrote"],
)
def test_an_event_that_does_not_concern_the_site_makes_no_request(
    function: MemoryFunction, payload: dict[str, Any]
) -> None:
    handle(function, payload)
    assert function.site.gate.requests == []


def test_a_sitemap_that_someone_deleted_is_written_again(function: MemoryFunction) -> None:
    before = function.sitemap()
    del function.site.outputs.files["sitemap.xml"]
    handle(function, event("www/sitemap.xml", kind="Object Deleted"))
    assert function.sitemap() == before


@pytest.mark.parametrize(
    "body",
    [
        '"no event"',
        '{"Records": [{"EventSource": "aws:sns", "Sns": []}]}',
        "[" * 5_000 + "]" * 5_000,
        '{"Records": [{"eventSource": "aws:s3", "s3": {"bucket": {"name": "site"}, "object": {"key": "%FF"}}}]}',
        '{"half of a pair": "\ud800"}',
    ],
    ids=["no event", "an SNS record without an object", "nested 5,000 deep", "a key that is not UTF-8", "not UTF-8"],
)
def test_a_message_that_cannot_be_read_fails_alone_and_is_logged(
    function: MemoryFunction, capsys: pytest.CaptureFixture[str], body: str
) -> None:
    function.put_pages("a.html")
    batch = queued("", event("www/a.html"))
    batch["Records"][0]["body"] = body
    assert failed_messages(handle(function, batch)) == ["m0"]
    assert "/a.html<" in function.sitemap()
    assert [line["message_id"] for line in log_lines(capsys) if line.get("level") == "ERROR"] == ["m0"]


def test_only_the_messages_that_failed_are_delivered_again_soon(function: MemoryFunction) -> None:
    function.put_pages("a.html")
    handle(function, queued(event("www/a.html"), "no event", event("www/a.html"), "no event"))
    assert function.queue.delays == {"receipt-1": 60, "receipt-3": 240}


def test_a_direct_event_that_cannot_be_read_is_an_error(function: MemoryFunction) -> None:
    with pytest.raises(EventError):
        handle(function, {"Records": [{"s3": 1}]})
