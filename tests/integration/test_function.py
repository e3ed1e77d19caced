"""The function over real S3 requests: events in every form, a person's questions, and what goes wrong."""

from __future__ import annotations

import json
import os
import time
from dataclasses import dataclass, field
from functools import partial
from math import ceil
from typing import TYPE_CHECKING, Any
from urllib.parse import quote_plus
from uuid import uuid4

import boto3
import msgspec
import pytest
import quick
from buckets import MadeBucket
from moto.sqs.models import sqs_backends
from proxies import proxy_for
from servers import answer

from waypost.aws import environment, function
from waypost.aws.call import Call
from waypost.aws.event_queue import EventQueue
from waypost.aws.function import start_execution
from waypost.aws.function_answers import BatchAnswer, FunctionStatus
from waypost.aws.process import Process
from waypost.build.locations import Locations
from waypost.core.errors import ConfigurationError

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from proxies import Request

BASE = "https://example.org/"
ACCOUNT, REGION = "123456789012", "us-east-1"
WHEN = "2026-11-21T12:00:00.000Z"
NO_QUEUE = EventQueue("", lambda: no_client(), lambda: no_client())
ODD = "blog/a+b 100% é.html"
SLOW_DOWN = answer("<Error><Code>SlowDown</Code></Error>", 503)


def no_client() -> Any:
    pytest.fail("no client is needed without a queue")


@dataclass
class Context:
    """What Lambda tells; `left` are the milliseconds that it answers with, the last of them ever after."""

    left: list[int] = field(default_factory=lambda: [900_000])
    aws_request_id: str = "request-1"
    invoked_function_arn: str = "arn:aws:lambda:us-east-1:000000000000:function:waypost"

    def get_remaining_time_in_millis(self) -> int:
        return self.left.pop(0) if len(self.left) > 1 else self.left[0]


def function_site(variables: Mapping[str, str]) -> environment.FunctionSite:
    """The site of a function with these environment variables."""
    locations = Locations()
    return environment.prepare(variables, locations, environment.read_remote_settings(variables, locations))


def as_json(answer: function.FunctionAnswer) -> Any:
    """An answer as its reader decodes it."""
    return json.loads(msgspec.json.encode(answer))


class Called:
    """A function over a bucket, and the calls that it hands on."""

    def __init__(self, bucket: MadeBucket, prefix: str = "www/", **environment: str) -> None:
        bucket.client.create_bucket(Bucket=f"{bucket.name}-state")
        self.bucket, self.handed_on = bucket, []  # type: tuple[MadeBucket, list[tuple[str, Any]]]
        self.queue = NO_QUEUE
        self.environment = {
            "WAYPOST_SOURCE": f"s3://{bucket.name}/{prefix}",
            "WAYPOST_STATE": f"s3://{bucket.name}-state/kept/",
            "WAYPOST_BASE_URL": BASE,
            **environment,
        }

    def __call__(self, event: Any, context: Context | None = None) -> Any:
        def hand_on(name: str, data: bytes) -> None:
            self.handed_on.append((name, json.loads(data)))

        site, start = function_site(self.environment), partial(start_execution, "", no_client)
        made = function.Function(site, hand_on, self.queue, start)
        return as_json(made.handle(event, Call(context or Context())))

    def ask(self, action: str, **more: Any) -> Any:
        return self({"action": action, **more})

    def sitemap(self) -> str:
        return self.bucket.get("www/sitemap.xml").decode()


@pytest.fixture
def called(bucket: MadeBucket) -> Called:
    bucket.put({"www/index.html": "<title>Home</title>", "elsewhere/a.html": "x"})
    function = Called(bucket)
    function.ask("rebuild")
    return function


def notified(bucket: str, *keys: str) -> dict[str, Any]:
    return {
        "Records": [
            {
                "eventSource": "aws:s3",
                "eventTime": WHEN,
                "s3": {"bucket": {"name": bucket}, "object": {"key": quote_plus(key, safe="/")}},
            }
            for key in keys
        ]
    }


def bridged(bucket: str, key: str) -> dict[str, Any]:
    detail = {"bucket": {"name": bucket}, "object": {"key": key}}
    return {"source": "aws.s3", "detail-type": "Object Created", "time": WHEN, "detail": detail}


def queued(*bodies: Any) -> dict[str, Any]:
    return {
        "Records": [
            {
                "eventSource": "aws:sqs",
                "messageId": f"m{n}",
                "body": body if isinstance(body, str) else json.dumps(body),
            }
            for n, body in enumerate(bodies)
        ]
    }


def delivered(received: Sequence[Any]) -> dict[str, Any]:
    """Messages that were received from a queue, as Lambda gives them to the function."""
    return {
        "Records": [
            {
                "eventSource": "aws:sqs",
                "messageId": each["MessageId"],
                "receiptHandle": each["ReceiptHandle"],
                "attributes": each["Attributes"],
                "body": each["Body"],
            }
            for each in received
        ]
    }


def topic(event: Any) -> dict[str, Any]:
    return {"Records": [{"EventSource": "aws:sns", "Sns": {"Message": json.dumps(event)}}]}


FORMS: dict[str, Callable[[str, str], Any]] = {
    "S3": notified,
    "S3 in SQS": lambda bucket, key: queued(notified(bucket, key)),
    "S3 in SNS": lambda bucket, key: topic(notified(bucket, key)),
    "S3 in SNS in SQS": lambda bucket, key: queued(
        {"Type": "Notification", "Message": json.dumps(notified(bucket, key))}
    ),
    "EventBridge": bridged,
    "EventBridge in SQS": lambda bucket, key: queued(bridged(bucket, key)),
}


@pytest.mark.parametrize("form", quick.every(3, FORMS))
def test_an_upload_is_listed_for_every_form_of_its_event(called: Called, form: str) -> None:
    called.bucket.put({f"www/{ODD}": "<title>Odd</title>"})
    assert called(FORMS[form](called.bucket.name, f"www/{ODD}")) == {"batchItemFailures": []}
    assert f"<loc>{BASE}blog/a%2Bb%20100%25%20%C3%A9.html</loc><lastmod>" in called.sitemap()


@pytest.fixture
def queue(s3_endpoint: str, monkeypatch: pytest.MonkeyPatch) -> Queue:
    """A queue whose visibility time-out is the template's, and whose URL is in the function's environment."""
    client = boto3.client("sqs", endpoint_url=s3_endpoint)
    url = client.create_queue(QueueName=f"events-{uuid4().hex}", Attributes={"VisibilityTimeout": "5700"})["QueueUrl"]
    monkeypatch.setenv("WAYPOST_EVENTS_QUEUE", url)
    return Queue(client, url)


@dataclass
class Queue:
    """A queue of moto's."""

    client: Any
    url: str

    def batch(self, *bodies: Any) -> dict[str, Any]:
        """Send messages, and receive them as Lambda gives them to the function."""
        for body in bodies:
            self.client.send_message(QueueUrl=self.url, MessageBody=json.dumps(body))
        wanted = {"QueueUrl": self.url, "MaxNumberOfMessages": 10, "AttributeNames": ["ApproximateReceiveCount"]}
        return delivered(self.client.receive_message(**wanted)["Messages"])

    def delays(self) -> dict[str, int]:
        """By message, after how many seconds from now at most it is delivered again."""
        now = time.time() * 1_000
        return {each.id: ceil((each.visible_at - now) / 1_000) for each in self._stored.pending_messages}

    def delayed(self) -> dict[str, int]:
        """By body, after how many seconds from now at most a message is delivered that was sent with a delay."""
        now = time.time() * 1_000
        return {each.body: ceil((each.delayed_until - now) / 1_000) for each in self._stored._messages}

    @property
    def _stored(self) -> Any:
        (stored,) = [each for each in sqs_backends[ACCOUNT][REGION].queues.values() if self.url.endswith(each.name)]
        return stored


def test_a_message_that_fails_alone_is_delivered_again_in_half_a_minute(
    called: Called, bucket: MadeBucket, queue: Queue
) -> None:
    called.queue = Process(os.environ).queue
    bucket.put({"www/new.html": "<title>New</title>"})
    batch = queue.batch(bridged(bucket.name, "www/new.html"), "no event")
    (failed,) = called(batch)["batchItemFailures"]
    soon, late = sorted(queue.delays().items(), key=lambda each: each[1])
    assert (soon[0], soon[1] <= 30 < late[1]) == (failed["itemIdentifier"], True)
    assert "new.html" in called.sitemap()


def test_a_batch_that_fails_as_a_whole_is_delivered_again_in_half_a_minute(
    bucket: MadeBucket, queue: Queue, monkeypatch: pytest.MonkeyPatch
) -> None:
    batch = queue.batch(*(bridged(bucket.name, f"www/{n}.html") for n in range(3)))
    monkeypatch.setenv("WAYPOST_CONFIG", "missing.toml")
    with pytest.raises(ConfigurationError):
        Process(os.environ).handle(batch, Context())
    assert len(queue.delays()) == 3
    assert max(queue.delays().values()) <= 30


@pytest.mark.parametrize(
    "matches",
    [lambda request: request.path.endswith("/kept/state"), lambda request: request.path.endswith("/waypost.toml")],
    ids=["the state", "the settings"],
)
def test_half_a_minute_of_trouble_costs_no_redelivery(
    called: Called,
    bucket: MadeBucket,
    queue: Queue,
    s3_endpoint: str,
    monkeypatch: pytest.MonkeyPatch,
    matches: Callable[[Request], bool],
) -> None:
    bucket.put({"www/new.html": "<title>New</title>", "waypost.toml": ""})
    variables = {**called.environment, "WAYPOST_CONFIG": f"s3://{bucket.name}/waypost.toml", "AWS_MAX_ATTEMPTS": "1"}
    paused: list[float] = []

    def busy(request: Request) -> bytes | None:
        is_refused = request.method == "GET" and matches(request) and sum(paused) < 30
        return SLOW_DOWN if is_refused else None

    with proxy_for(s3_endpoint) as proxy:
        for name, value in {**variables, "AWS_ENDPOINT_URL_S3": proxy.url}.items():
            monkeypatch.setenv(name, value)
        process = Process(os.environ, paused.append)
        proxy.hook = busy
        batch = queue.batch(bridged(bucket.name, "www/new.html"))
        assert process.handle(batch, Context()) == BatchAnswer([])
    assert sum(paused) >= 30
    assert "new.html" in called.sitemap()


def test_a_question_does_not_wait_for_a_bucket_that_throttles(
    called: Called, s3_endpoint: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    paused: list[float] = []
    with proxy_for(s3_endpoint) as proxy:
        for name, value in {**called.environment, "AWS_MAX_ATTEMPTS": "1", "AWS_ENDPOINT_URL_S3": proxy.url}.items():
            monkeypatch.setenv(name, value)
        proxy.hook = lambda request: SLOW_DOWN
        status = Process(os.environ, paused.append).handle({"action": "status"}, Context())
    assert isinstance(status, FunctionStatus)
    assert (status.state, paused) == ("the state cannot be read", [])
    assert {each.kind for each in status.problems} == {"store", "site"}


def test_an_error_of_a_request_or_of_a_direct_event_needs_no_queue(
    bucket: MadeBucket, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("WAYPOST_CONFIG", "missing.toml")
    monkeypatch.setenv("WAYPOST_EVENTS_QUEUE", "http://127.0.0.1:1/no-queue")
    for event in ({"action": "rebuild"}, bridged(bucket.name, "www/a.html")):
        with pytest.raises(ConfigurationError):
            Process(os.environ).handle(event, Context())


def test_a_bucket_without_pages_is_a_warning_and_keeps_its_sitemap(called: Called) -> None:
    called.bucket.client.delete_object(Bucket=called.bucket.name, Key="www/index.html")
    told = called.ask("rebuild")
    assert told["warnings"] == ["there is no page to list; the published files are left unchanged"]
    assert called.ask("check")["files"] == {}
    assert f"<loc>{BASE}</loc>" in called.sitemap()


def test_the_actions_answer_what_they_did_and_what_they_found(called: Called) -> None:
    called.bucket.put({"www/new.html": "<title>New</title>"})
    assert called.ask("check")["drift"]["new"] == {"count": 1, "first": ["new.html"]}
    told = called.ask("update", keys=[f"s3://{called.bucket.name}/www/new.html"])
    assert (told["written"], told["url_count"], told["root_sitemaps"]) == (["sitemap.xml"], 2, [f"{BASE}sitemap.xml"])
    assert called.ask("check")["in_sync"]
    (found,) = called.ask("explain", key=f"{BASE}new.html")["explained"]
    assert (found["listed"], found["sitemap"]) == (True, "sitemap.xml")
    status = called.ask("status")
    assert (status["url_count"], status["last_error"]) == (2, None)


def test_a_rebuild_writes_a_report_beside_the_state(called: Called, bucket: MadeBucket) -> None:
    bucket.put({"www/blog/new.html": "<title>New</title>", "www/private.html": "<meta name=robots content=noindex>"})
    called.ask("rebuild")
    got = bucket.client.get_object(Bucket=f"{bucket.name}-state", Key="kept/report.html")
    page = got["Body"].read().decode()
    assert got["ContentType"] == "text/html; charset=utf-8"
    assert "2 pages are listed" in page
    assert f"{BASE}blog/new.html" in page
    assert '"private.html"' in page


def test_the_log_has_the_changes_by_section(
    called: Called, bucket: MadeBucket, capfd: pytest.CaptureFixture[str]
) -> None:
    bucket.put({"www/blog/a.html": "<title>A</title>", "www/blog/b.html": "<title>B</title>"})
    capfd.readouterr()
    called(notified(bucket.name, "www/blog/a.html", "www/blog/b.html"))
    bucket.client.delete_object(Bucket=bucket.name, Key="www/blog/a.html")
    called(notified(bucket.name, "www/blog/a.html"))
    lines = [json.loads(line) for line in capfd.readouterr().out.splitlines()]
    first, second = (line for line in lines if "sections" in line)
    assert first["changes"] == {"added": 2, "removed": 0, "lastmod_changed": 0, "metadata_changed": 0}
    assert first["sections"] == [
        {"name": "/blog/", "added": 2, "removed": 0, "lastmod_changed": 0, "metadata_changed": 0}
    ]
    assert first["urls_added"] == [f"{BASE}blog/a.html", f"{BASE}blog/b.html"]
    assert (second["changes"]["removed"], second["urls_removed"]) == (1, [f"{BASE}blog/a.html"])
