"""Events of objects: which of them change the site's sitemaps, and which messages are delivered again."""

from __future__ import annotations

import json
from math import ceil
from typing import TYPE_CHECKING, Any

import pytest
from fake_stores import Crash, Writer
from unit.aws.memory_function import REBUILD_FUNCTION, Context, MemoryFunction, log_lines
from unit.sample_sites import numbered

from waypost.aws.call import Call
from waypost.aws.event_handler import EventHandler
from waypost.aws.question_handler import QuestionHandler
from waypost.aws.request_handler import RequestHandler
from waypost.core.errors import EventError, OtherRunError, RebuildNeededError
from waypost.sync import rebuild

if TYPE_CHECKING:
    from collections.abc import Callable

    from waypost.aws.function_answers import BatchAnswer

PUBLISH = {"action": "publish"}


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


def batch(*keys: str, received: int = 1) -> dict[str, Any]:
    """Messages about these keys, each received so many times."""
    made = queued(*map(event, keys))
    for record in made["Records"]:
        record["attributes"]["ApproximateReceiveCount"] = str(received)
    return made


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


def test_an_event_of_a_sitemap_that_it_wrote_takes_two_requests_and_no_line_of_the_log(
    function: MemoryFunction, capsys: pytest.CaptureFixture[str]
) -> None:
    capsys.readouterr()
    handle(function, queued(event("www/sitemap.xml")))
    assert function.site.gate.requests == ["GET state/manifest.json", "HEAD outputs/sitemap.xml"]
    assert log_lines(capsys) == []


def test_a_sitemap_that_someone_overwrote_is_written_again_three_times_an_hour(
    function: MemoryFunction, capsys: pytest.CaptureFixture[str]
) -> None:
    before = function.sitemap()
    capsys.readouterr()
    for n in range(4):
        function.site.outputs.write("sitemap.xml", b"<urlset/>")
        handle(function, queued(event("www/sitemap.xml")))
        assert (function.sitemap() == before) is (n < 3)
    assert [line["Contested"] for line in log_lines(capsys) if "Contested" in line] == [1]


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
    messages = queued("", event("www/a.html"))
    messages["Records"][0]["body"] = body
    assert failed_messages(handle(function, messages)) == ["m0"]
    assert "/a.html<" in function.sitemap()
    assert [line["message_id"] for line in log_lines(capsys) if line.get("level") == "ERROR"] == ["m0"]


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
    before = function.site.manifest()
    capsys.readouterr()
    assert failed_messages(handle(function, batch("www/index.html", "www/a.html"))) == ["m0", "m1"]
    assert function.invoked == [(Context().invoked_function_arn, {"action": "rebuild"})]
    assert function.queue.delays == {"receipt-0": 30, "receipt-1": 30}
    assert function.site.manifest() == before
    assert [line["level"] for line in log_lines(capsys)] == ["INFO"]


def test_messages_that_wait_for_a_rebuild_are_delivered_again_after_growing_pauses(function: MemoryFunction) -> None:
    function.deploy(precision="date")
    handle(function, batch("www/index.html", received=5))
    assert function.queue.delays == {"receipt-0": 480}


def test_a_process_asks_for_a_rebuild_again_only_after_one_has_ended_or_a_builder_s_lease(
    function: MemoryFunction,
) -> None:
    function.deploy(precision="date")
    for _ in range(3):
        handle(function, batch("www/index.html"))
    assert len(function.invoked) == 1
    function.site.clock.sleep(300)
    handle(function, batch("www/index.html"))
    assert len(function.invoked) == 2
    other = MemoryFunction()
    other.site = function.site
    other.deploy(lastmod="none")
    other.rebuild()
    handle(function, batch("www/index.html"))
    assert len(function.invoked) == 3


def test_no_rebuild_is_asked_for_while_one_builds(function: MemoryFunction) -> None:
    function.deploy(precision="date")
    function.site.put("robots.txt", "User-agent: *\nDisallow: /private/\n")
    builder = Writer(function.site.gate, lambda: rebuild.rebuild(function.site.updater()))
    builder.until("PUT state/shards/")
    assert failed_messages(handle(function, batch("www/robots.txt"))) == ["m0"]
    builder.finish()
    assert builder.error is None
    assert function.invoked == []
    assert failed_messages(handle(function, batch("www/robots.txt"))) == []


def test_a_rebuild_that_was_asked_for_handles_the_batch_when_it_is_delivered_again(function: MemoryFunction) -> None:
    function.deploy(precision="date")
    function.put_pages("a.html")
    handle(function, batch("www/a.html"))
    function.handle(function.invoked[0][1])
    assert "/a.html<" in function.sitemap()
    assert failed_messages(handle(function, batch("www/a.html", received=2))) == []


def test_a_function_for_events_has_the_one_for_rebuilds_build_the_ledger() -> None:
    function = MemoryFunction(rebuild_function=REBUILD_FUNCTION)
    function.put_pages("a.html")
    assert failed_messages(handle(function, batch("www/a.html"))) == ["m0"]
    assert function.invoked == [(REBUILD_FUNCTION, {"action": "rebuild"})]
    assert function.site.outputs.bodies() == {}


def test_events_under_other_settings_are_left_to_a_distributed_rebuild_that_reads_them_before_it_commits() -> None:
    machine = MemoryFunction(min_objects=1)
    machine.put_pages("a.html")
    machine.handle({"step": "plan", "run": "one"})
    function = MemoryFunction(rebuild_function=REBUILD_FUNCTION)
    function.site = machine.site
    function.deploy(precision="date")
    assert failed_messages(handle(function, batch("www/a.html"))) == []
    assert function.invoked == []
    machine.site.clock.sleep(86_400)  # the distributed rebuild was stopped
    assert failed_messages(handle(function, batch("www/a.html"))) == []
    assert function.invoked == [(REBUILD_FUNCTION, {"action": "rebuild"})]


def test_a_rebuild_publishes_the_pending_files_that_are_too_many_for_a_call_for_events() -> None:
    function = MemoryFunction(rebuild_function=REBUILD_FUNCTION, urls=2)
    function.put_pages(*numbered(120))
    kill(lambda: rebuild.rebuild(function.site.updater()), function, "PUT outputs/")
    function.site.clock.sleep(90)
    assert len(function.site.manifest().pending) > 50
    assert failed_messages(handle(function, queued(PUBLISH))) == ["m0"]
    assert failed_messages(handle(function, batch("www/000.html", received=2))) == ["m0"]
    assert function.invoked == [(REBUILD_FUNCTION, {"action": "rebuild"})]
    function.rebuild()
    assert failed_messages(handle(function, queued(PUBLISH))) == []
    assert failed_messages(handle(function, batch("www/000.html", received=2))) == []
    assert function.site.is_in_sync()


def test_no_rebuild_is_asked_for_while_another_run_publishes_many_files() -> None:
    function = MemoryFunction(rebuild_function=REBUILD_FUNCTION, urls=2)
    function.put_pages(*numbered(120))
    kill(lambda: rebuild.rebuild(function.site.updater()), function, "PUT outputs/")
    assert failed_messages(handle(function, queued(PUBLISH))) == ["m0"]
    assert 60 < function.queue.delays["receipt-0"] <= 90
    assert function.invoked == []


def test_a_direct_event_that_must_wait_for_a_rebuild_is_an_error(function: MemoryFunction) -> None:
    function.deploy(precision="date")
    with pytest.raises(RebuildNeededError):
        handle(function, event("www/index.html"))
    assert function.invoked == [(Context().invoked_function_arn, {"action": "rebuild"})]


def test_a_batch_that_meets_another_publisher_fails_for_the_rest_of_its_lease_and_that_is_no_error(
    function: MemoryFunction, capsys: pytest.CaptureFixture[str]
) -> None:
    other = function.site.updater()
    other.lease.take(other.ledger.read())
    function.put_pages("a.html")
    capsys.readouterr()
    assert failed_messages(handle(function, batch("www/a.html", "www/index.html"))) == ["m0", "m1"]
    left = ceil(other.lease.expires - function.site.clock.time())
    assert 60 < left < 85
    assert function.queue.delays == {"receipt-0": left, "receipt-1": left}
    assert [line["level"] for line in log_lines(capsys)] == ["INFO"]
    assert "/a.html<" not in function.sitemap()
    function.site.clock.sleep(left)
    assert failed_messages(handle(function, batch("www/a.html", received=2))) == []
    assert "/a.html<" in function.sitemap()


def test_a_direct_event_that_meets_another_publisher_is_an_error(function: MemoryFunction) -> None:
    other = function.site.updater()
    other.lease.take(other.ledger.read())
    function.put_pages("a.html")
    with pytest.raises(OtherRunError):
        handle(function, event("www/a.html"))


def test_a_batch_waits_ten_seconds_for_another_publisher(function: MemoryFunction) -> None:
    other = function.site.updater()
    other.lease.take(other.ledger.read())
    function.put_pages("a.html")
    started = function.site.clock.time()
    handle(function, batch("www/a.html"))
    assert 10 <= function.site.clock.time() - started <= 20


def test_a_message_publishes_what_a_rebuild_that_was_killed_has_committed(function: MemoryFunction) -> None:
    function.put_pages("a.html")
    kill(lambda: rebuild.rebuild(function.site.updater()), function, "PUT outputs/sitemap.xml")
    assert "/a.html<" not in function.sitemap()
    assert failed_messages(handle(function, queued(PUBLISH))) == ["m0"]  # its lease is not over
    assert 60 < function.queue.delays["receipt-0"] <= 90
    function.site.clock.sleep(function.queue.delays["receipt-0"])
    assert failed_messages(handle(function, queued(PUBLISH))) == []
    assert "/a.html<" in function.sitemap()
    assert function.site.is_in_sync()


def kill(run: Callable[[], object], function: MemoryFunction, request: str) -> None:
    """End the process of a run before this request."""
    killed = Writer(function.site.gate, run)
    killed.until(request)
    killed.step(Crash())


def test_a_message_to_publish_costs_one_request_if_nothing_is_pending(function: MemoryFunction) -> None:
    assert failed_messages(handle(function, queued(PUBLISH))) == []
    assert function.site.gate.requests == ["GET state/manifest.json"]


def test_a_message_to_publish_waits_for_a_build_and_has_it_continued_if_it_ended_early(
    function: MemoryFunction,
) -> None:
    function.put_pages(*numbered(8))
    function.deploy(precision="date")
    kill(lambda: rebuild.rebuild(function.site.updater()), function, "PUT state/shards/")
    assert failed_messages(handle(function, queued(PUBLISH))) == ["m0"]
    assert (function.queue.delays, function.invoked) == ({"receipt-0": 30}, [])
    function.site.clock.sleep(300)
    assert failed_messages(handle(function, queued(PUBLISH))) == ["m0"]
    assert [payload for _, payload in function.invoked] == [{"action": "rebuild"}]
    function.handle(function.invoked[0][1])
    assert failed_messages(handle(function, queued(PUBLISH))) == []
    assert function.site.is_in_sync()


def test_the_events_of_a_batch_do_not_wait_with_its_message_to_publish(function: MemoryFunction) -> None:
    function.deploy(precision="date")
    kill(lambda: rebuild.rebuild(function.site.updater()), function, "PUT state/shards/")
    assert failed_messages(handle(function, queued(event("www/index.html"), PUBLISH))) == ["m1"]
    assert function.queue.delays == {"receipt-1": 60}


def test_a_message_to_publish_waits_for_a_distributed_rebuild_that_publishes() -> None:
    function = MemoryFunction(min_objects=1)
    function.put_pages("a.html")
    kill(lambda: function.run_state_machine("one"), function, "PUT outputs/sitemap.xml")
    assert failed_messages(handle(function, queued(PUBLISH))) == ["m0"]
    assert function.queue.delays == {"receipt-0": 30}
    function.site.clock.sleep(4_000)
    assert failed_messages(handle(function, queued(PUBLISH))) == []
    assert "/a.html<" in function.sitemap()


def test_messages_that_are_delivered_again_read_no_page_that_is_recorded_as_it_is(function: MemoryFunction) -> None:
    keys = numbered(8)
    function.put_pages(*keys)
    handle(function, batch(*(f"www/{key}" for key in keys)))
    function.site.put(keys[3], "another content")
    function.site.gate.requests.clear()
    assert failed_messages(handle(function, batch(*(f"www/{key}" for key in keys), received=2))) == []
    read = [request for request in function.site.gate.requests if request.startswith("GET site/")]
    assert read == [f"GET site/{keys[3]}"]


def test_an_object_of_a_new_message_is_read_even_if_an_older_message_names_it(function: MemoryFunction) -> None:
    records = [*batch("www/index.html", received=2)["Records"], *batch("www/index.html")["Records"]]
    function.site.gate.requests.clear()
    handle(function, {"Records": records})
    assert "GET site/index.html" in function.site.gate.requests


def scheduled_rebuild(function: MemoryFunction) -> None:
    questions = QuestionHandler(function.ledger_site, function.last_error)
    RequestHandler(function.ledger_site, function.runner, None, questions).handle(
        {"action": "rebuild", "lag": 900}, Call(Context())
    )


def drift(capsys: pytest.CaptureFixture[str]) -> list[int]:
    return [line["Drift"] for line in log_lines(capsys) if "Drift" in line]


def test_a_scheduled_rebuild_counts_an_old_upload_without_an_event_as_drift_and_no_recent_one(
    function: MemoryFunction, capsys: pytest.CaptureFixture[str]
) -> None:
    function.put_pages("old.html")
    function.site.clock.sleep(1_000)
    function.put_pages("recent.html")
    scheduled_rebuild(function)
    assert drift(capsys) == [1]
    assert "/old.html<" in function.sitemap()
    assert "/recent.html<" in function.sitemap()


def test_a_deletion_without_an_event_is_drift_if_the_key_is_still_recorded_when_it_is_looked_at_again(
    function: MemoryFunction, capsys: pytest.CaptureFixture[str]
) -> None:
    function.put_pages("lost.html", "reported.html")
    handle(function, queued(event("www/lost.html"), event("www/reported.html")))
    function.site.delete("lost.html")
    function.site.delete("reported.html")
    function.queue.sent.clear()
    scheduled_rebuild(function)
    ((body, delay),) = [sent for sent in function.queue.sent if "look-again" in sent[0]]
    assert (drift(capsys), delay) == ([], 900)
    assert "/lost.html<" in function.sitemap()
    handle(function, queued(event("www/reported.html", kind="Object Deleted")))
    messages = queued("")
    messages["Records"][0]["body"] = body
    assert failed_messages(handle(function, messages)) == []
    assert drift(capsys) == [1]
    assert "/lost.html<" not in function.sitemap()


@pytest.mark.parametrize("body", ['{"action": "look-again"}', '{"action": "look-again", "keys": [1]}'])
def test_a_message_that_names_no_keys_to_look_at_fails_alone(function: MemoryFunction, body: str) -> None:
    messages = queued("")
    messages["Records"][0]["body"] = body
    assert failed_messages(handle(function, messages)) == ["m0"]
