"""`waypost aws`: it says what it changed about a bucket's events, or would change."""

from __future__ import annotations

from http.server import BaseHTTPRequestHandler
from typing import TYPE_CHECKING, Any

import pytest
from servers import Local, answer, running

if TYPE_CHECKING:
    from collections.abc import Iterator

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
