"""Events of objects: which of them change the site's sitemaps, and which messages are delivered again."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest
from bucket_races import undated
from fake_stores import Crash, Writer
from unit.aws.memory_function import Context, MemoryFunction, log_lines

from waypost.aws.call import Call
from waypost.aws.event_handler import EventHandler
from waypost.core.errors import EventError, SourceError

if TYPE_CHECKING:
    from waypost.aws.function_answers import BatchAnswer

PUBLISH = {"action": "publish"}


def event(key: str, bucket: str = "site", kind: str = "Object Created", etag: str = "") -> dict[str, Any]:
    detail = {"bucket": {"name": bucket}, "object": {"key": key, "etag": etag}}
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


def batch(*keys: str, received: int = 1) -> dict[str, Any]:
    """Messages about these keys, each received so many times."""
    made = queued(*map(event, keys))
    for record in made["Records"]:
        record["attributes"]["ApproximateReceiveCount"] = str(received)
    return made


@pytest.fixture
def function() -> MemoryFunction:
    """A function whose site has one page, and a state."""
    made = MemoryFunction()
    made.put_pages("index.html")
    made.rebuild()
    made.site.gate.requests.clear()
    return made


def handle(function: MemoryFunction, payload: dict[str, Any]) -> BatchAnswer:
    handler = EventHandler(function.divided, function.location, function.runner_of, function.event_queue)
    return handler.handle(payload, Call(Context(), function.rebuild_function))


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
    [event("www/a.html", bucket="other"), event("elsewhere/a.html")],
    ids=["another bucket", "another prefix"],
)
def test_an_event_that_does_not_concern_the_site_makes_no_request(
    function: MemoryFunction, payload: dict[str, Any]
) -> None:
    handle(function, payload)
    assert function.site.gate.requests == []


def test_an_event_of_a_sitemap_that_it_wrote_takes_two_requests_if_it_names_the_write_and_no_line_of_the_log(
    function: MemoryFunction, capsys: pytest.CaptureFixture[str]
) -> None:
    capsys.readouterr()
    published = function.site.outputs.get("sitemap.xml")
    assert published is not None
    function.site.gate.requests.clear()
    handle(function, queued(event("www/sitemap.xml", etag=published.etag.strip('"'))))
    assert function.site.gate.requests == ["GET state/partitions", "GET state/state start"]
    function.site.gate.requests.clear()
    handle(
        function,
        queued(event("www/sitemap.xml", etag=published.etag.strip('"')), event("www/sitemap.xml", etag="other")),
    )
    assert function.site.gate.requests == ["GET state/partitions", "GET state/state start", "HEAD outputs/sitemap.xml"]
    assert log_lines(capsys) == []


@pytest.mark.parametrize(
    "body",
    [
        '"no event"',
        "[" * 5_000 + "]" * 5_000,
        '{"half of a pair": "\ud800"}',
    ],
    ids=["no event", "nested 5,000 deep", "not UTF-8"],
)
def test_a_message_that_cannot_be_read_fails_alone_and_is_logged(
    function: MemoryFunction, capsys: pytest.CaptureFixture[str], body: str
) -> None:
    function.put_pages("a.html")
    messages = queued("", event("www/a.html"))
    messages["Records"][0]["body"] = body
    assert failed_messages(handle(function, messages)) == ["m0"]
    assert "/a.html<" in function.sitemap()
    assert [line["message_id"] for line in log_lines(capsys) if line.get("level") == "ERROR"] == ["m0"]


def test_an_object_that_cannot_be_read_is_an_error_or_a_failed_message_of_the_queue(function: MemoryFunction) -> None:
    function.put_pages("a.html", "b.html")
    function.site.source.broken = {"b.html": OSError(5, "broken")}
    assert failed_messages(handle(function, batch("www/a.html", "www/b.html"))) == ["m1"]
    with pytest.raises(SourceError, match=r"cannot read b\.html; the event will be delivered again"):
        handle(function, event("www/b.html"))


def test_only_the_messages_that_failed_are_delivered_again_soon(function: MemoryFunction) -> None:
    function.put_pages("a.html")
    handle(function, queued(event("www/a.html"), "no event", event("www/a.html"), "no event"))
    assert function.queue.delays == {"receipt-1": 60, "receipt-3": 240}


def test_a_direct_event_that_cannot_be_read_is_an_error(function: MemoryFunction) -> None:
    with pytest.raises(EventError):
        handle(function, {"Records": [{"s3": 1}]})


def test_an_event_under_changed_settings_has_another_call_rebuild_and_its_batch_fails_for_half_a_minute(
    function: MemoryFunction, capsys: pytest.CaptureFixture[str]
) -> None:
    function.deploy(precision="date")
    before = function.site.remembered()
    capsys.readouterr()
    assert failed_messages(handle(function, batch("www/index.html", "www/a.html"))) == ["m0", "m1"]
    assert function.invoked == [(Context().invoked_function_arn, {"action": "rebuild"})]
    assert function.queue.delays == {"receipt-0": 30, "receipt-1": 30}
    assert function.site.remembered() == before
    assert [line["level"] for line in log_lines(capsys)] == ["INFO"]


def test_a_process_asks_for_a_rebuild_again_only_after_five_minutes(function: MemoryFunction) -> None:
    function.deploy(precision="date")
    for _ in range(3):
        handle(function, batch("www/index.html"))
    assert len(function.invoked) == 1
    function.site.clock.sleep(300)
    handle(function, batch("www/index.html"))
    assert len(function.invoked) == 2


def test_no_rebuild_is_asked_for_while_one_builds_until_that_must_have_been_killed(function: MemoryFunction) -> None:
    function.deploy(precision="date")
    builder = Writer(function.site.gate, function.site.rebuild)
    builder.until("LIST site/")
    assert failed_messages(handle(function, batch("www/index.html"))) == ["m0"]
    assert function.invoked == []
    function.site.clock.sleep(1_200)
    assert failed_messages(handle(function, batch("www/index.html"))) == ["m0"]
    assert len(function.invoked) == 1
    builder.finish()
    assert failed_messages(handle(function, batch("www/index.html"))) == []


def test_a_batch_waits_while_a_rebuild_deletes_the_file_that_it_needs(function: MemoryFunction) -> None:
    function = MemoryFunction(urls=2)
    function.put_pages("a.html", "b.html", "c.html")
    function.rebuild()
    for key in ("b.html", "c.html"):
        function.site.delete(key)
        handle(function, batch(f"www/{key}"))
    function.site.clock.sleep(60)
    deleting = Writer(function.site.gate, function.site.rebuild)
    deleting.until("DELETE outputs/")
    function.put_pages("b.html", "c.html")
    assert failed_messages(handle(function, batch("www/b.html", "www/c.html"))) == ["m0", "m1"]
    assert function.queue.delays == {"receipt-0": 300, "receipt-1": 300}
    deleting.finish()
    function.site.clock.sleep(300)
    assert failed_messages(handle(function, batch("www/b.html", "www/c.html"))) == []
    assert undated(function.site.files()) == undated(function.site.from_nothing())


def test_rules_of_robots_txt_that_would_remove_most_pages_are_refused_and_other_keys_are_not(
    capsys: pytest.CaptureFixture[str],
) -> None:
    function = MemoryFunction(urls=100)
    function.put_pages(*(f"{n:02}.html" for n in range(30)))
    function.rebuild()
    function.put_pages("new.html")
    function.site.put("robots.txt", "User-agent: *\nDisallow: /\n")
    assert failed_messages(handle(function, batch("www/robots.txt", "www/new.html"))) == []
    assert function.sitemap().count("<loc>") == 31
    assert [line["RebuildsRefused"] for line in log_lines(capsys) if "RebuildsRefused" in line] == [1]
    kept = function.last_error()
    assert kept
    assert "RemovalError" in kept.type


def test_a_message_publishes_what_a_run_that_was_killed_has_committed(function: MemoryFunction) -> None:
    function.put_pages("a.html")
    killed = Writer(function.site.gate, function.site.rebuild)
    killed.until("PUT outputs/sitemap.xml")
    killed.step(Crash())
    assert "/a.html<" not in function.sitemap()
    assert failed_messages(handle(function, queued(PUBLISH))) == []
    assert "/a.html<" in function.sitemap()
    assert undated(function.site.files()) == undated(function.site.from_nothing())


def test_the_events_of_a_batch_do_not_fail_with_its_message_to_publish(function: MemoryFunction) -> None:
    function.deploy(precision="date")
    assert failed_messages(handle(function, queued(PUBLISH))) == ["m0"]
    assert [payload for _, payload in function.invoked] == [{"action": "rebuild"}]
    function.rebuild()
    function.put_pages("a.html")
    assert failed_messages(handle(function, queued(PUBLISH, event("www/a.html")))) == []
    assert "/a.html<" in function.sitemap()


def test_a_scheduled_rebuild_measures_an_old_upload_without_an_event_and_no_recent_one(
    function: MemoryFunction, capsys: pytest.CaptureFixture[str]
) -> None:
    function.put_pages("old.html")
    function.site.clock.sleep(1_000)
    function.put_pages("recent.html")
    capsys.readouterr()
    function.handle({"action": "rebuild", "lag": 900})
    assert [line["Drift"] for line in log_lines(capsys) if "Drift" in line] == [1]
