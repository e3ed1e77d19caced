"""Calls the function's own code over a simulated bucket, and measures what each call uses."""

import io
import json
from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from contextlib import redirect_stdout
from pathlib import Path
from time import process_time
from typing import Any

from msgspec.structs import replace
from scale.clock import SimulatedClock
from scale.cost_model import call_from_usage
from scale.s3_client import SimulatedS3Client
from scale.synthetic_bucket import make_bucket
from scale.worker import NOW, CallTask, CallUsage, make_updater

from bill.usage import Usage
from waypost.app.ledger_site import LedgerSite
from waypost.app.locations import Location
from waypost.aws.call import Call
from waypost.aws.environment import FunctionSite
from waypost.aws.function import Function
from waypost.aws.own_messages import OwnMessages
from waypost.aws.redelivery import Redelivery
from waypost.core.dates import format_unix_time, unix_time
from waypost.sitemaps.render import Renderer
from waypost.stores.s3 import S3Store

EVENTS, REBUILD = "events", "rebuild"
"""The two functions of the template."""
REBUILD_REQUEST = {"action": "rebuild", "lag": 900}
"""What the schedule sends."""
_ARN = "arn:aws:lambda:us-east-1:123456789012:function:waypost-{}"
_QUEUE = "https://sqs.us-east-1.amazonaws.com/123456789012/waypost-events"
_REQUEST_ID = "8a3c1f52-6d0b-4f7e-9c41-2b7d5e8f9a10"
_PAUSE = 20
_DAY_SECONDS = 86_400
"""Seconds between two calls."""


class SiteFunction:
    """The two functions of a site whose objects, ledger and sitemaps are simulated.

    The site is a synthetic bucket of a shape and a size; what is put is below `folder`. `timeouts` are the functions'
    in seconds, and `request_seconds` the processor time of boto3 by the kind of a request.
    """

    def __init__(
        self,
        shape: str,
        size: int,
        folder: Path,
        timeouts: Mapping[str, int],
        request_seconds: Mapping[str, float],
    ) -> None:
        self.bucket, self.folder = make_bucket(shape, size), folder
        self._shape, self._timeouts, self._request_seconds = shape, timeouts, request_seconds
        self.changed: set[int] = set()
        self.day = 0
        self._seconds_of_day = 0.0

    def upload(self, numbers: Collection[int]) -> list[str]:
        """Replace these objects; returns their keys."""
        self.changed.update(numbers)
        return [self.bucket.key(number) for number in numbers]

    def handle_events(self, keys: Sequence[str]) -> tuple[Usage, list[str]]:
        """Have the function for events handle a batch: what it used, and the names of the files that it published."""
        usage, names = self._call(EVENTS, self._batch(keys))
        return replace(usage, messages=len(keys)), names

    def rebuild(self) -> Usage:
        """Have the other function rebuild as the schedule does."""
        return self._call(REBUILD, REBUILD_REQUEST)[0]

    def _batch(self, keys: Sequence[str]) -> dict[str, Any]:
        time = format_unix_time(int(unix_time(NOW)))
        bodies = [
            {
                "source": "aws.s3",
                "detail-type": "Object Created",
                "time": time,
                "detail": {"bucket": {"name": "site"}, "object": {"key": key}},
            }
            for key in keys
        ]
        return {
            "Records": [
                {"eventSource": "aws:sqs", "messageId": f"{n}", "receiptHandle": f"{n}", "body": json.dumps(body)}
                for n, body in enumerate(bodies)
            ]
        }

    def _call(self, name: str, event: object) -> tuple[Usage, list[str]]:
        clock = SimulatedClock(unix_time(NOW) + self.day * _DAY_SECONDS + self._seconds_of_day)
        client = SimulatedS3Client(clock, self.bucket, self.folder, self.changed)
        queue, log = _Queue(), io.StringIO()
        function = self._function(client, clock, queue)
        target = _ARN.format(REBUILD) if name == EVENTS else ""
        start = process_time()
        with clock.installed(), redirect_stdout(log):
            answer = function.handle(event, Call(_Context(name, self._timeouts[name], clock), target))
        processor = process_time() - start - client.own_seconds
        self._seconds_of_day += clock.now + _PAUSE
        assert not getattr(answer, "batchItemFailures", None), answer
        usage = CallUsage(clock.now, processor, dict(client.requests), client.bytes, 0, {})
        seconds = call_from_usage(usage, self._request_seconds).seconds
        return _usage(seconds, client, queue, log.getvalue()), _published(client)

    def _function(self, client: Any, clock: SimulatedClock, queue: "_Queue") -> Function:
        task = CallTask(self._shape, self.bucket.size, str(self.folder), 1)
        updater = make_updater(task, client, clock)
        state = S3Store(client, "state", "ledger/")
        site = LedgerSite(updater.site, "s3://site/", updater, lambda: updater, state, Renderer())
        function_site = FunctionSite(site, Location("s3", "site", ""), Location("s3", "state", "ledger/"))
        delay = updater.timing.lease + updater.timing.margin
        return Function(
            function_site,
            _refuse_to_invoke,
            Redelivery(_QUEUE, lambda: queue),
            OwnMessages(_QUEUE, lambda: queue, delay),
        )


class _Context:
    """What Lambda passes with each call; simulated waiting uses up its time."""

    aws_request_id = _REQUEST_ID

    def __init__(self, name: str, timeout: int, clock: SimulatedClock) -> None:
        self.invoked_function_arn = _ARN.format(name)
        self._timeout, self._clock = timeout, clock

    def get_remaining_time_in_millis(self) -> int:
        return int((self._timeout - self._clock.now) * 1_000)


class _Queue:
    """A client of SQS that counts the requests of the function."""

    requests = 0

    def send_message(self, **_: Any) -> Any:
        self.requests += 1
        return {}

    def change_message_visibility_batch(self, **_: Any) -> Any:
        self.requests += 1
        return {}


def _refuse_to_invoke(arn: str, payload: bytes) -> None:
    raise AssertionError(f"the call must not need another one: {arn}, {payload!r}")


def _usage(seconds: float, client: SimulatedS3Client, queue: _Queue, log: str) -> Usage:
    lines = [json.loads(line) for line in log.splitlines()]
    return Usage(
        seconds=seconds,
        requests=dict(sorted(client.requests.items())),
        written=_bytes_by_kind(client.written),
        events=round(site_writes(client.requests)),
        queue_requests=queue.requests,
        log_lines=len(lines),
        log_bytes=len(log.encode()) - len(lines),
        metrics=tuple(sorted({name for line in lines for name in metric_names(line)})),
    )


def metric_names(line: Mapping[str, Any]) -> list[str]:
    """The metrics that CloudWatch takes from a line of the log."""
    definitions = line.get("_aws", {}).get("CloudWatchMetrics", ())
    return [metric["Name"] for definition in definitions for metric in definition["Metrics"]]


def _bytes_by_kind(written: Mapping[str, int]) -> dict[str, int]:
    kinds: Counter[str] = Counter()
    for name, size in written.items():
        kinds[_kind(name)] += size
    return dict(sorted(kinds.items()))


def _kind(name: str) -> str:
    if name.startswith("site/"):
        return "sitemaps"
    if name == "state/ledger/manifest.json":
        return "manifest"
    return "records" if name.startswith("state/ledger/shards/") else "other"


def _published(client: SimulatedS3Client) -> list[str]:
    return [name.removeprefix("site/") for name in client.written if name.startswith("site/")]


def site_writes(requests: Mapping[str, float]) -> float:
    """How many requests write or delete an object of the site: each causes an event."""
    return sum(requests.get(f"{kind} site", 0) for kind in ("PUT", "DELETE"))
