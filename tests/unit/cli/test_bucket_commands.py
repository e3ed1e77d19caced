"""`waypost update`, `status` and `aws`: what they print, and their exit codes."""

from __future__ import annotations

import json
from http.server import BaseHTTPRequestHandler
from typing import TYPE_CHECKING, Any

import pytest
from servers import Local, answer, running
from unit.cli.invoke import BASE, SITE, STATE

if TYPE_CHECKING:
    from collections.abc import Iterator

    from fake_cloud import Cloud
    from unit.cli.invoke import Invoke


QUEUE = b"<QueueConfiguration><Id>q</Id><Queue>arn</Queue><Event>s3:ObjectCreated:*</Event></QueueConfiguration>"
EVENT_BRIDGE = b"<EventBridgeConfiguration"


class Notifications(Local):
    """An S3 that knows only the notifications of the bucket `site`, at first those to a queue, and who pays for it."""

    def __init__(self) -> None:
        super().__init__(_Handler)
        self.site = b"<NotificationConfiguration>" + QUEUE + b"</NotificationConfiguration>"
        self.puts = 0
        self.payer = "BucketOwner"


class _Handler(BaseHTTPRequestHandler):
    server: Notifications

    def do_GET(self) -> None:
        payer = f"<RequestPaymentConfiguration><Payer>{self.server.payer}</Payer></RequestPaymentConfiguration>"
        known = {"/site?notification": self.server.site, "/site?requestPayment": payer.encode()}
        missing = answer("<Error><Code>NoSuchBucket</Code></Error>", 404)
        self.wfile.write(answer(known[self.path]) if self.path in known else missing)

    def do_PUT(self) -> None:
        self.server.site = self.rfile.read(int(self.headers["Content-Length"]))
        self.server.puts += 1
        self.wfile.write(answer())

    def log_message(self, *args: Any) -> None:
        """Log nothing: tests look at what is stored."""


@pytest.fixture
def notifications(monkeypatch: pytest.MonkeyPatch) -> Iterator[Notifications]:
    with running(Notifications()) as server:
        monkeypatch.setenv("AWS_ENDPOINT_URL", server.url)
        monkeypatch.setenv("AWS_ACCESS_KEY_ID", "test")
        monkeypatch.setenv("AWS_SECRET_ACCESS_KEY", "test")
        monkeypatch.setenv("AWS_DEFAULT_REGION", "us-east-1")
        yield server


def test_a_bucket_is_connected_once_and_disconnected_again(notifications: Notifications, invoke: Invoke) -> None:
    for command, state, is_connected in (
        ("connect", "it sends its events to EventBridge", True),
        ("disconnect", "it does not send its events to EventBridge", False),
    ):
        changed, unchanged = (invoke("aws", command, "s3://site/") for _ in range(2))
        assert changed.stderr == f"site now: {state}; its other notifications are unchanged\n"
        assert unchanged.stderr == f"site already: {state}; its other notifications are unchanged\n"
        assert (EVENT_BRIDGE in notifications.site, b"<Queue>arn</Queue>" in notifications.site) == (is_connected, True)
    assert notifications.puts == 2


def test_a_dry_run_only_says_what_would_change(notifications: Notifications, invoke: Invoke) -> None:
    result = invoke("aws", "connect", "site", "--dry-run")
    assert (result.exit_code, "site would now: it sends" in result.stderr) == (0, True)
    assert notifications.puts == 0


def test_a_bucket_that_the_function_cannot_work_with_is_refused_and_not_changed(
    notifications: Notifications, invoke: Invoke
) -> None:
    notifications.payer = "Requester"
    result = invoke("aws", "connect", "site")
    assert (result.exit_code, "site: Requester Pays: the requester pays" in result.stderr) == (2, True)
    assert notifications.puts == 0
    assert invoke("aws", "disconnect", "site").exit_code == 0


@pytest.mark.usefixtures("notifications")
def test_a_bucket_that_does_not_exist_is_an_error_that_names_it(invoke: Invoke) -> None:
    result = invoke("aws", "connect", "no-such-bucket")
    assert (result.exit_code, "cannot change the notifications of no-such-bucket" in result.stderr) == (5, True)


@pytest.mark.usefixtures("built_bucket")
def test_an_update_after_which_no_page_is_listed_is_an_error(cloud: Cloud, invoke: Invoke) -> None:
    cloud.site.delete("index.html")
    result = invoke("update", SITE, "index.html", *STATE)
    assert (result.exit_code, "there is no page to list" in result.stderr) == (3, True)
    assert "sitemap.xml" in cloud.published(SITE)


@pytest.mark.usefixtures("built_bucket")
def test_the_status_is_that_of_the_state_and_reads_robots_txt_and_no_page(cloud: Cloud, invoke: Invoke) -> None:
    cloud.site.put("new.html", "new")
    cloud.site.gate.requests.clear()
    answer = json.loads(invoke("status", SITE, *STATE, "--json").stdout)
    assert (answer["base_url"], answer["url_count"]) == (BASE, 1)
    requests = [request for request in cloud.site.gate.requests if " site/" in request]
    assert requests == ["LIST site/ after ", "GET site/robots.txt"]


@pytest.mark.usefixtures("built_bucket")
def test_a_check_exits_with_1_if_bucket_and_state_differ(cloud: Cloud, invoke: Invoke) -> None:
    assert invoke("status", SITE, "--check", *STATE).exit_code == 0
    cloud.site.put("new.html", "new")
    result = invoke("status", SITE, "--check", *STATE, "--json")
    answer = json.loads(result.stdout)
    assert (result.exit_code, answer["in_sync"]) == (1, False)
    assert answer["drift"]["new"] == {"count": 1, "first": ["new.html"]}


@pytest.mark.usefixtures("built_bucket")
def test_keys_are_arguments_and_lines_of_standard_input(cloud: Cloud, invoke: Invoke) -> None:
    for key in ("a.html", "b.html", "c.html", "d.html"):
        cloud.site.put(key, key)
    result = invoke("update", SITE, f"{SITE}a.html", "-", *STATE, "--json", stdin=f"b.html\n{BASE}c.html\n")
    answer = json.loads(result.stdout)
    assert (result.exit_code, answer["url_count"], answer["objects_read"]) == (0, 4, 3)
    assert (answer["not_found"], answer["ignored"]) == ([], {})  # `-` itself is no key
    assert b"/d.html<" not in cloud.published(SITE)["sitemap.xml"]


@pytest.mark.usefixtures("built_bucket")
def test_an_update_that_cannot_read_an_object_publishes_the_others_and_exits_with_3(
    cloud: Cloud, invoke: Invoke
) -> None:
    for key in ("a.html", "b.html"):
        cloud.site.put(key, key)
    cloud.site.source.broken = {"b.html": OSError(5, "broken")}
    result = invoke("update", SITE, "a.html", "b.html", *STATE)
    assert (result.exit_code, "failed     b.html: broken" in result.stderr) == (3, True)
    assert b"/a.html<" in cloud.published(SITE)["sitemap.xml"]
