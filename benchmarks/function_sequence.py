"""Calls the Lambda function of one checkout step by step, and writes what each step shows to a file, as JSON.

`function_sequence.py MODULE FUNCTION RESULT`: the module and the function start the command line. Python finds
the checkout's packages and its folder `lambda`. S3 and SQS run in this process, so that objects have the times of the
steps.
"""

import hashlib
import io
import json
import os
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import redirect_stderr, redirect_stdout, suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from importlib import import_module
from pathlib import Path
from typing import Any, NamedTuple
from unittest.mock import patch
from urllib.parse import urlsplit

import boto3
from botocore.awsrequest import AWSResponse, HeadersDict
from botocore.httpsession import URLLib3Session
from moto.s3 import models
from moto.server import ThreadedMotoServer
from urllib3 import HTTPResponse

_START, _PAUSE = 1_790_000_000, 1_500
_SITE = ("s3://site/www", "--base-url", "https://www.example.org/")
_PLACES = (*_SITE, "--state", "s3://state/other/", "--json")
_CONFIG = "state/config/waypost.toml"
_URLS = '[[urls]]\nloc = "products/1"\nlastmod = "2026-03-01"\n[[urls]]\nloc = "products/2"\npriority = 0.3\n'
_GROUPS = 'formats = ["xml", "text"]\nalternates = true\ngroups = { blog = ["/blog/"], shop = ["/products/"] }\n'
_LANGUAGES = "".join(f'<link rel=alternate hreflang={each} href="/{each}/tea.html">' for each in ("de", "en"))
_NOINDEX = {"x-robots-tag": "noindex"}
_NO_HEADERS: Any = HeadersDict()
Upload = str | None | Mapping[str, Any]
"""The text of an object, None to delete it, or the arguments of S3's PutObject."""


class Step(NamedTuple):
    """Objects that change, and then a call: with an event, or of the command line.

    The event is S3's of the objects, unless another one is given.
    """

    name: str
    objects: Mapping[str, Upload] = {}
    event: Any = None
    command: Sequence[str] = ()


def _page(title: str, head: str = "") -> str:
    return f"<!doctype html><html><head><title>{title}</title>{head}</head><body><p>The text of {title}.</body></html>"


def _pages(*names: str) -> dict[str, Upload]:
    return {f"site/www/{name}.html": _page(name) for name in names}


def _notified(*keys: str) -> dict[str, Any]:
    """S3's event; its time is to come, so that the latency is none."""
    objects = [{"bucket": {"name": "site"}, "object": {"key": key}} for key in keys]
    return {"Records": [{"eventSource": "aws:s3", "eventTime": "2099-01-01T00:00:00Z", "s3": each} for each in objects]}


def _queued(*bodies: Any) -> dict[str, Any]:
    texts = [body if isinstance(body, str) else json.dumps(body) for body in bodies]
    return {"Records": [{"eventSource": "aws:sqs", "messageId": f"m{n}", "body": text} for n, text in enumerate(texts)]}


def _ask(action: str, **more: Any) -> dict[str, Any]:
    return {"action": action, **more}


STEPS = (
    Step("status before a rebuild", {_CONFIG: "", **_pages("index", "about", "blog/a", "blog/b")}, _ask("status")),
    Step("first rebuild", event=_ask("rebuild")),
    Step("rebuild without a change", event=_ask("rebuild")),
    Step("upload", _pages("new")),
    Step("uploads", _pages(*(f"shop/{n}" for n in range(24)))),
    Step("edit", {"site/www/new.html": _page("changed")}),
    Step("upload of the same bytes", {"site/www/new.html": _page("changed")}),
    Step("event twice", event=_notified("www/new.html", "www/new.html")),
    Step("deletion", {"site/www/shop/3.html": None}),
    Step("noindex as metadata", {"site/www/about.html": {"Body": _page("about"), "Metadata": _NOINDEX}}),
    Step("noindex in a page", {"site/www/shop/1.html": _page("shop", "<meta name=robots content=noindex>")}),
    Step("redirect", {"site/www/shop/2.html": {"Body": "", "WebsiteRedirectLocation": "/"}}),
    Step("wrong encoding", {"site/www/bad.html": {"Body": "no gzip", "ContentEncoding": "gzip"}}),
    Step("robots.txt", {"site/www/robots.txt": "User-agent: *\nDisallow: /blog/b\n"}),
    Step("rebuild after robots.txt", event=_ask("rebuild")),
    Step("pages in two languages", {f"site/www/{each}/tea.html": _page("tea", _LANGUAGES) for each in ("de", "en")}),
    Step("settings with groups", {_CONFIG: _GROUPS}, _ask("rebuild")),
    Step("upload to a group", _pages("blog/c")),
    Step("list of URLs", {_CONFIG: _GROUPS + _URLS}, _ask("rebuild")),
    Step("queue", _pages("q"), _queued(_notified("www/q.html"), "no event", {"Event": "s3:TestEvent"})),
    Step("event of another place", event=_notified("elsewhere/a.html", "www/sitemap.xml", "www/style.css")),
    Step("sitemap deleted", {"site/www/sitemap.xml": None}),
    Step("status", event=_ask("status")),
    Step("explain", event=_ask("explain", keys=["about.html", "blog/b.html", "en/tea.html", "none.html"])),
    Step("check", event=_ask("check")),
    Step("check of changes without events", _pages("silent", "blog/a"), _ask("check")),
    Step("update of a key", event=_ask("update", keys=["silent.html"])),
    Step("rebuild after changes without events", _pages("silent-too"), _ask("rebuild")),
    Step("unknown action", event=_ask("refresh")),
    Step("unknown field", event=_ask("rebuild", keyz=1)),
    Step("wrong settings", {_CONFIG: "formats = 1\n"}, _ask("rebuild")),
    Step("status with wrong settings", event=_ask("status")),
    Step("other limits", {_CONFIG: 'max_removed = 1\ngzip = true\nformats = ["xml", "html"]\n'}, _ask("rebuild")),
    Step("refused rebuild", {f"site/www/shop/{n}.html": None for n in range(10, 20)}, _ask("rebuild")),
    Step("allowed rebuild", event=_ask("rebuild", max_removed=90)),
    Step("command: build", command=("build", *_PLACES)),
    Step("command: update", _pages("c"), command=("update", *_PLACES, "c.html", "none.html")),
    Step("command: build --check", _pages("d"), command=("build", *_PLACES, "--check")),
    Step("command: status --check", command=("status", *_PLACES, "--check")),
    Step("command: explain", command=("explain", *_PLACES[:-1], "about.html", "d.html", "none.html")),
    Step("command: validate", command=("validate", "s3://site/www/sitemap.xml.gz", "--json")),
    Step("command: date", command=("date", "s3://site/www/sitemap.xml.gz", "--source", *_SITE)),
)  # fmt: skip


@dataclass
class Context:
    """What Lambda tells of a call."""

    aws_request_id: str
    invoked_function_arn: str = "arn:aws:lambda:us-east-1:123456789012:function:waypost"

    def get_remaining_time_in_millis(self) -> int:
        """How long the call may still take."""
        return 900_000


class Cloud:
    """The buckets `site` and `state`, a queue, and all requests that this process sends."""

    def __init__(self, endpoint: str) -> None:
        self.requests: list[str] = []
        self.handed_on: list[Any] = []
        self._uploaded: dict[str, str] = {}
        keys = {"AWS_ACCESS_KEY_ID": "test", "AWS_SECRET_ACCESS_KEY": "test", "AWS_DEFAULT_REGION": "us-east-1"}
        os.environ |= {**keys, "AWS_ENDPOINT_URL": endpoint, "AWS_EC2_METADATA_DISABLED": "true"}
        self.s3: Any = boto3.client("s3")
        for bucket in ("site", "state"):
            self.s3.create_bucket(Bucket=bucket)
        os.environ |= {
            "WAYPOST_SOURCE": "s3://site/www/",
            "WAYPOST_BASE_URL": "https://www.example.org/",
            "WAYPOST_STATE": "s3://state/state/",
            "WAYPOST_EVENTS_QUEUE": boto3.client("sqs").create_queue(QueueName="events")["QueueUrl"],
        }

    def deploy(self) -> Callable[[object, Context], object]:
        """Name the settings file of the function; returns its handler."""
        os.environ["WAYPOST_CONFIG"] = f"s3://{_CONFIG}"
        handler: Callable[[object, Context], object] = import_module("handler").handler
        return handler

    def count(self) -> None:
        """Note the method and the place of each request from now on."""
        send = URLLib3Session.send

        def noted(session: URLLib3Session, request: Any) -> Any:
            url, target = urlsplit(request.url), str(request.headers.get("X-Amz-Target", b""), "ascii")
            place = target or url.path.split("/")[1]
            self.requests.append(f"{request.method} {place}{' list' if 'list-type' in url.query else ''}")
            if url.path.endswith("/invocations"):
                self.handed_on.append(json.loads(bytes(request.body)))
                return AWSResponse(request.url, 202, _NO_HEADERS, HTTPResponse(io.BytesIO(), preload_content=False))
            return send(session, request)

        patch.object(URLLib3Session, "send", noted).start()

    def change(self, objects: Mapping[str, Upload]) -> None:
        """Upload and delete objects; a name begins with the bucket."""
        for name, upload in objects.items():
            bucket, _, key = name.partition("/")
            if upload is None:
                self.s3.delete_object(Bucket=bucket, Key=key)
                continue
            content_type = {"ContentType": "text/html"} if key.endswith(".html") else {}
            given = {"Body": upload} if isinstance(upload, str) else dict(upload)
            self.s3.put_object(Bucket=bucket, Key=key, **content_type, **given)
            self._uploaded[key] = hashlib.md5(given["Body"].encode()).hexdigest()

    def published(self) -> Iterator[tuple[str, str]]:
        """The objects of the site that no step has uploaded, with their headers."""
        for page in self.s3.get_paginator("list_objects_v2").paginate(Bucket="site"):
            for entry in page.get("Contents", ()):
                if self._uploaded.get(entry["Key"]) == entry["ETag"].strip('"'):
                    continue
                got = self.s3.get_object(Bucket="site", Key=entry["Key"])
                kept = ("ContentType", "ContentEncoding", "CacheControl", "LastModified", "Metadata")
                headers = "".join(f"{name}: {got.get(name)}\n" for name in kept)
                yield f"file {entry['Key']}", headers + got["Body"].read().decode("utf-8", "backslashreplace")
        with suppress(self.s3.exceptions.NoSuchKey):
            report = self.s3.get_object(Bucket="state", Key="state/report.html")["Body"].read()
            yield "report", report.decode()


class Program:
    """The function and the command line of a checkout, over a cloud."""

    def __init__(
        self, cloud: Cloud, handler: Callable[[object, Context], object], command: Callable[[], object]
    ) -> None:
        self._cloud, self._handler, self._command = cloud, handler, command

    def take(self, step: Step, number: int) -> dict[str, str]:
        """Take a step at its own time; returns all that it shows."""
        os.environ["SOURCE_DATE_EPOCH"] = str(_START + number * _PAUSE)
        now, began, real = _START + number * _PAUSE, time.time(), time.time
        uploaded = datetime.fromtimestamp(now, UTC).replace(tzinfo=None)
        with patch.object(models, "utcnow", lambda: uploaded), patch.object(time, "time", lambda: real() - began + now):
            self._cloud.change(step.objects)
            self._cloud.requests.clear()
            out, err = (io.TextIOWrapper(io.BytesIO(), "utf-8", write_through=True) for _ in range(2))
            with redirect_stdout(out), redirect_stderr(err):
                answer = self._answer(step, Context(f"request-{number}"))
            requests = Counter(self._cloud.requests)
            printed = {
                name: file.buffer.read1() for name, file in (("stdout", out), ("stderr", err)) if not file.seek(0)
            }
            shown = {"answer": json.dumps(answer, indent=1), "requests": json.dumps(requests, indent=1, sort_keys=True)}
            return shown | {name: text.decode() for name, text in printed.items()} | dict(self._cloud.published())

    def _answer(self, step: Step, context: Context) -> object:
        try:
            if step.command:
                sys.argv = ["waypost", *step.command]
                return self._command()
            keys = [name.removeprefix("site/") for name in step.objects]
            answers = [self._handler(step.event or _notified(*keys), context)]
            while self._cloud.handed_on:
                event = self._cloud.handed_on.pop(0)
                answers += [{"handed on": event}, self._handler(event, context)]
            return answers
        except SystemExit as ended:
            return f"exit code {ended.code}"
        except Exception as error:
            return f"{type(error).__name__}: {error}"


def main(module: str, function: str, result: str) -> None:
    """Take all steps."""
    server = ThreadedMotoServer(ip_address="127.0.0.1", port=0, verbose=False)
    server.start()
    host, port = server.get_host_and_port()
    cloud = Cloud(f"http://{host}:{port}")
    program = Program(cloud, cloud.deploy(), getattr(import_module(module), function))
    cloud.count()
    shown = {step.name: program.take(step, n) for n, step in enumerate(STEPS)}
    Path(result).write_text(json.dumps(shown), encoding="utf-8")
    server.stop()


if __name__ == "__main__":
    main(*sys.argv[1:])
