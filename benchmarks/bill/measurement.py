"""Has the function's own code handle events and rebuild a site in memory, and measures what each call uses."""

import io
import json
import math
from collections.abc import Mapping, Sequence
from contextlib import redirect_stdout
from functools import partial
from time import process_time
from typing import Any
from unittest.mock import patch

from bill.memory_s3 import MemoryS3Client
from bill.sites import OWN_EVENTS, REBUILD, UPLOADS, BilledSite
from bill.usage import MeasuredSite, Usage
from waypost.aws import environment
from waypost.aws.call import Call
from waypost.aws.event_queue import EventQueue
from waypost.aws.function import Function, start_execution
from waypost.build.locations import SCHEMES, Locations, Provider
from waypost.files.s3_source import S3Source
from waypost.files.s3_store import S3Store

REQUEST_SECONDS, LISTING_SECONDS, OVERHEAD = 0.03, 0.1, 0.05
"""How long a request waits for S3, a page of a listing, and how long Lambda takes for a call in a warm environment."""
PROCESSOR_FACTOR = 1.5
"""Lambda's processor is assumed to need so many times the seconds that this machine's needs."""
BANDWIDTH = 75_000_000
"""Bytes a second between Lambda and S3."""
BOTO3_SECONDS = {"LIST": 0.0275}
"""boto3's processor time for a request, measured with a local server; for what is not here it is a millisecond."""
_ROUNDS = 3
_COPIES = 7
"""The daily copies of the state."""
_ENVIRONMENT = {
    "WAYPOST_SOURCE": "s3://site/",
    "WAYPOST_BASE_URL": "https://example.org/",
    "WAYPOST_STATE": "s3://state/states/site/state/",
}
_ARN = "arn:aws:lambda:us-east-1:123456789012:function:waypost-rebuild"
_PAGE = (
    '<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Page {n}</title>'
    '<meta name="description" content="A page of a sample site."><link rel="canonical" href="/{key}"></head>'
    "<body><h1>Page {n}</h1><p>Version {version}.</p>{text}</body></html>"
)
_TEXT = "<p>What is said here is much like what every other page says, in as many words.</p>" * 120


def measure(site: BilledSite) -> MeasuredSite:
    """The calls of a site or a partition after its first build: of each kind the quickest one, after some uploads."""
    function = SiteFunction(site.size // site.partitions)
    function.rebuild()
    rounds: list[dict[str, Usage]] = []
    for number in range(1, _ROUNDS + 1):
        uploads = function.handle_events(function.upload(site.batch(number), number))
        events = function.handle_events(function.published)
        rounds.append({UPLOADS: uploads, OWN_EVENTS: events, REBUILD: function.rebuild()})
    found = {kind: min((each[kind] for each in rounds), key=lambda usage: usage.seconds) for kind in rounds[0]}
    sizes = {name: {key: len(each.body) for key, each in held.items()} for name, held in function.s3.objects.items()}
    copies = max(size for key, size in sizes["state"].items() if "/state-" in key) * (_COPIES - 1)
    sitemaps = sum(size for key, size in sizes["site"].items() if key.startswith("sitemap"))
    return MeasuredSite(found, sitemaps, sum(sizes["state"].values()) + copies)


class SiteFunction:
    """The function of a site of so many pages; `published` are the files that its last call wrote."""

    def __init__(self, size: int) -> None:
        self.s3 = s3 = MemoryS3Client()
        for number in range(size):
            s3.upload("site", _key(number), _page(number))
        client: Any = s3
        provider = Provider(
            lambda location, headers: S3Store(client, location.bucket, location.prefix, headers),
            lambda location: S3Source(client, location.bucket, location.prefix),
        )
        with patch.dict(SCHEMES, {"s3": SCHEMES["s3"]._replace(connect=lambda retry: provider)}):
            site = environment.prepare(_ENVIRONMENT, Locations(), None)
        self._function = Function(
            site, _refuse_to_invoke, EventQueue("", _no_queue, _no_queue), partial(start_execution, "", _no_queue)
        )
        self.published: list[str] = []

    def upload(self, numbers: Sequence[int], version: int) -> list[str]:
        """Replace these pages; returns their keys."""
        for number in numbers:
            self.s3.upload("site", _key(number), _page(number, version, _TEXT))
        return [_key(number) for number in numbers]

    def handle_events(self, keys: Sequence[str]) -> Usage:
        """Have a batch of events of these objects handled."""
        return self._call({"Records": [self._message(key) for key in keys]})

    def rebuild(self) -> Usage:
        """Have the site rebuilt as the schedule does."""
        return self._call({"action": "rebuild", "lag": 900})

    def _message(self, key: str) -> Mapping[str, str]:
        etag = self.s3.objects["site"][key].etag.strip('"')
        detail = {"bucket": {"name": "site"}, "object": {"key": key, "etag": etag}}
        body = {"source": "aws.s3", "detail-type": "Object Created", "time": "2026-11-21T00:00:00Z", "detail": detail}
        return {"eventSource": "aws:sqs", "messageId": key, "receiptHandle": key, "body": json.dumps(body)}

    def _call(self, event: object) -> Usage:
        s3, log, before = self.s3, io.StringIO(), dict(self.s3.objects["site"])
        s3.reset()
        start = process_time()
        with redirect_stdout(log):
            answer: Any = self._function.handle(event, Call(_Context(), _ARN if "Records" in str(event) else ""))
        processor = process_time() - start - s3.own_seconds
        assert not getattr(answer, "batchItemFailures", None), answer
        self.published = [key for key, each in s3.objects["site"].items() if each != before.get(key)]
        lines = [json.loads(line) for line in log.getvalue().splitlines()]
        return Usage(
            seconds=round(_seconds(s3, processor), 3),
            requests=dict(sorted(s3.requests.items())),
            written=dict(sorted(s3.written.items())),
            read=s3.bytes - s3.written.total(),
            events=sum(s3.requests[f"{kind} site"] for kind in ("PUT", "DELETE")),
            log_lines=len(lines),
            log_bytes=len(log.getvalue().encode()) - len(lines),
            metrics=tuple(sorted({name for line in lines for name in metric_names(line)})),
        )


def metric_names(line: Mapping[str, Any]) -> list[str]:
    """The metrics that CloudWatch takes from a line of the log."""
    definitions = line.get("_aws", {}).get("CloudWatchMetrics", ())
    return [metric["Name"] for definition in definitions for metric in definition["Metrics"]]


def _seconds(s3: MemoryS3Client, processor: float) -> float:
    """Waiting, bytes and processor time one after another; only pages are read at the same time, 32 of them."""
    waiting, in_boto3 = 0.0, 0.0
    for name, count in s3.requests.items():
        kind = name.partition(" ")[0]
        in_boto3 += BOTO3_SECONDS.get(kind, 0.001) * count
        turns = math.ceil(count / S3Source.width) if name == "GET site" else count
        waiting += (LISTING_SECONDS if kind in ("LIST", "PROBE") else REQUEST_SECONDS) * turns
    return waiting + s3.bytes / BANDWIDTH + PROCESSOR_FACTOR * (processor + in_boto3) + OVERHEAD


class _Context:
    """What Lambda passes with each call."""

    aws_request_id = "8a3c1f52-6d0b-4f7e-9c41-2b7d5e8f9a10"
    invoked_function_arn = _ARN

    def get_remaining_time_in_millis(self) -> int:
        """Enough for every call."""
        return 900_000


def _key(number: int) -> str:
    return f"products/{number // 250:04}/{number:07}.html"


def _page(number: int, version: int = 0, text: str = "") -> bytes:
    return _PAGE.format(n=number, key=_key(number), version=version, text=text).encode()


def _refuse_to_invoke(arn: str, payload: bytes) -> None:
    raise AssertionError(f"the call must not need another one: {arn}, {payload!r}")


def _no_queue() -> Any:
    raise AssertionError("the function must not need its queue")
