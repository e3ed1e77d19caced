"""The parts of a function over a bucket in memory, and what Lambda would be asked for."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from datetime import UTC, datetime
from functools import partial
from typing import TYPE_CHECKING, Any

from fake_buckets import StatefulBucket
from unit.sample_sites import small_site

from waypost.aws.call import Call
from waypost.aws.environment import FunctionSite
from waypost.aws.event_queue import EventQueue
from waypost.aws.function import Function, FunctionAnswer, start_execution
from waypost.aws.logs import read_last_error
from waypost.aws.runner import Runner
from waypost.build.divided_bucket import DividedBucket
from waypost.build.locations import Location, Locations
from waypost.build.partitions import Part

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    import pytest

    from waypost.build.bucket_site import BucketSite
    from waypost.build.status import LastError

QUEUE_URL = "https://sqs.us-east-1.amazonaws.com/000000000000/events"
REBUILD_FUNCTION = "arn:aws:lambda:us-east-1:000000000000:function:rebuild"


@dataclass
class Context:
    """What Lambda passes; each call takes the next of `remaining` milliseconds, and the last is used repeatedly."""

    remaining: list[int] = field(default_factory=lambda: [900_000])
    aws_request_id: str = "request-1"
    invoked_function_arn: str = "arn:aws:lambda:us-east-1:000000000000:function:waypost"

    def get_remaining_time_in_millis(self) -> int:
        return self.remaining.pop(0) if len(self.remaining) > 1 else self.remaining[0]


PUBLISH_MESSAGE = '{"action":"publish"}'


class Queue:
    """A client of SQS: `delays` has the visibility time-out that each message was given, by its receipt handle.

    `sent` has the messages that were sent, each with its delay; `on_send` is called before each.
    """

    def __init__(self) -> None:
        self.on_send: Callable[[], None] = lambda: None
        self.delays: dict[str, int] = {}
        self.sent: list[tuple[str, int]] = []

    def send_message(self, **request: Any) -> Any:
        assert request["QueueUrl"] == QUEUE_URL
        self.on_send()
        self.sent.append((request["MessageBody"], request["DelaySeconds"]))
        return {}

    def change_message_visibility_batch(self, **request: Any) -> Any:
        assert request["QueueUrl"] == QUEUE_URL
        self.delays |= {entry["ReceiptHandle"]: entry["VisibilityTimeout"] for entry in request["Entries"]}
        return {}

    def get_queue_attributes(self, **request: Any) -> Any:
        return {"Attributes": dict.fromkeys(request["AttributeNames"], "0")}

    def get_metric_statistics(self, **request: Any) -> Any:
        raise AssertionError(f"an empty queue has no oldest message: {request}")


def queue_of(client: Queue, now: datetime | None = None) -> EventQueue:
    """The queue of a client of SQS and CloudWatch."""
    return EventQueue(QUEUE_URL, lambda: client, lambda: client, lambda: now or datetime.now(UTC))


class Executions:
    """A client of Step Functions; `started` has the input of each execution, and `running` the ARN of one."""

    def __init__(self) -> None:
        self.started: list[Any] = []
        self.running: list[str] = []

    def start_execution(self, **request: Any) -> Mapping[str, Any]:
        self.started.append(json.loads(request["input"]))
        return {"executionArn": f"{request['stateMachineArn']}:{len(self.started)}"}

    def list_executions(self, **request: Any) -> Mapping[str, Any]:
        assert request["statusFilter"] == "RUNNING"
        return {"executions": [{"executionArn": arn} for arn in self.running]}


class MemoryFunction:
    """The parts of a function over a bucket in memory; `invoked` has the calls that it asked Lambda for.

    `rebuild_function` is the ARN of the function that rebuilds, if that is another one.
    """

    def __init__(self, rebuild_function: str = "", **settings: Any) -> None:
        self.site = StatefulBucket(**settings)
        self.site.site_uri = "s3://site/www/"
        self.rebuild_function = rebuild_function
        self.invoked: list[tuple[str, Any]] = []
        self.queue, self.executions = Queue(), Executions()
        self.start_rebuild = partial(start_execution, "arn:machine", lambda: self.executions)
        self.event_queue = queue_of(self.queue)
        self.location = Location("s3", "site", "www/")
        self._start()

    def deploy(self, **settings: Any) -> None:
        """Replace the function's process by one with these settings."""
        self.site.settings = small_site(**{"lastmod": "content", "state": "state", **settings})
        self.site.clock.sleep(60)
        self.site.settings_since = self.site.clock.time()
        self._start()

    def _start(self) -> None:
        self.bucket = self.site.site()
        self.divided, self._runners = DividedBucket(self.bucket), dict[Part, Runner]()
        self.runner = self.runner_of(self.bucket)
        self._function = Function(self.function_site, self.invoke, self.event_queue, self.start_rebuild)

    def runner_of(self, part: BucketSite) -> Runner:
        if part.part not in self._runners:
            self._runners[part.part] = Runner(self.divided, part, self.invoke, self.event_queue)
        return self._runners[part.part]

    def handle(self, event: object, context: Context | None = None) -> FunctionAnswer:
        """What the function answers to an event."""
        return self._function.handle(event, Call(context or Context(), self.rebuild_function))

    def ask(self, request: object, *remaining: int) -> Any:
        """What the function answers to a request; each call takes the next of `remaining` milliseconds."""
        return self._function.handle(request, call(*remaining))

    def last_error(self) -> LastError | None:
        return read_last_error(self.site.state)

    @property
    def function_site(self) -> FunctionSite:
        return FunctionSite(self.bucket, self.location, Locations())

    def invoke(self, function_arn: str, payload: bytes) -> None:
        self.invoked.append((function_arn, json.loads(payload)))

    def put_pages(self, *keys: str) -> None:
        for key in keys:
            self.site.put(key, f"<title>{key}</title>")

    def rebuild(self) -> None:
        """Build the state and the sitemaps in one call."""
        self.runner.conclude("rebuild", self.runner.rebuild(call()), call())

    def sitemap(self) -> str:
        return self.site.outputs.bodies()["sitemap.xml"].decode()


def call(*remaining: int) -> Call:
    """A call with these answers to how much time remains, in milliseconds; by default there is enough."""
    return Call(Context(list(remaining or (900_000,))))


def log_lines(capsys: pytest.CaptureFixture[str]) -> list[Any]:
    """The lines of the log since the last look."""
    return [json.loads(line) for line in capsys.readouterr().out.splitlines()]
