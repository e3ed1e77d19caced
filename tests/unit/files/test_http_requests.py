"""Requests to servers that misbehave."""

from __future__ import annotations

import socket
import threading
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, HTTPServer
from typing import TYPE_CHECKING

import pytest

from waypost.files import http_requests
from waypost.files.guarded_http import Timeouts
from waypost.files.http_client import HttpRequest
from waypost.files.http_requests import StatusError

if TYPE_CHECKING:
    from collections.abc import Iterator

pytestmark = pytest.mark.usefixtures("without_proxies")
SHORT = Timeouts(idle=5, total=0.5)
LONG = Timeouts(idle=30, total=60)


@contextmanager
def answering(*parts: bytes, pause: float = 0) -> Iterator[str]:
    """The URL of a server that sends these bytes to one client, with pauses, and then waits."""
    ended = threading.Event()

    def serve(listener: socket.socket) -> None:
        connection, _ = listener.accept()
        with connection:
            connection.recv(65_536)
            for part in parts:
                if ended.wait(pause):
                    return
                try:
                    connection.sendall(part)
                except OSError:
                    return
            if pause:
                ended.wait()

    with socket.create_server(("127.0.0.1", 0)) as listener:
        thread = threading.Thread(target=serve, args=(listener,), daemon=True)
        thread.start()
        yield f"http://127.0.0.1:{listener.getsockname()[1]}/"
        ended.set()
        thread.join()


@pytest.mark.parametrize(
    "parts",
    [[b"H"] * 10_000, [b"HTTP/1.1 200 OK\r\n", *[b"x"] * 10_000], [b"HTTP/1.1 200 OK\r\n\r\n", *[b"x"] * 10_000]],
)
def test_an_answer_that_comes_byte_by_byte_ends_at_the_deadline(parts: list[bytes]) -> None:
    with answering(*parts, pause=0.05) as url, pytest.raises(TimeoutError, match="longer than"):
        http_requests.send(HttpRequest("GET", url), timeouts=SHORT, most=1 << 20)


@pytest.mark.parametrize(
    "answer", [b"NOPE\r\n\r\n", b"", b"HTTP/1.1 x y\r\n\r\n", b"HTTP/1.1 200 OK\r\nx: " + b"y" * 99_999]
)
def test_an_answer_that_is_no_http_is_an_error_of_the_server(answer: bytes) -> None:
    with answering(answer) as url, pytest.raises(OSError, match=r"not HTTP|without an answer|Connection reset"):
        http_requests.send(HttpRequest("GET", url), timeouts=LONG, most=9)


def test_no_more_than_the_limit_is_read() -> None:
    with answering(b"HTTP/1.1 200 OK\r\n\r\n", b"x" * 1_000_000) as url:
        assert http_requests.send(HttpRequest("GET", url), timeouts=LONG, most=9) == b"x" * 9


class Redirecting(BaseHTTPRequestHandler):
    target, pause = "", 0.0
    seen: list[tuple[str, str | None]]

    def do_GET(self) -> None:
        self._answer()

    def do_POST(self) -> None:
        self._answer()

    def _answer(self) -> None:
        self.seen.append((self.path, self.headers.get("Authorization")))
        if self.path == "/start":
            threading.Event().wait(self.pause)
            self.send_response(302)
            self.send_header("Location", self.target)
        else:
            self.send_response(200)
        self.send_header("Content-Length", "0")
        self.end_headers()

    def log_message(self, *_: object) -> None:
        """Print nothing."""


@contextmanager
def redirecting() -> Iterator[tuple[str, type[Redirecting]]]:
    handler = type("Handler", (Redirecting,), {"seen": []})
    server = HTTPServer(("127.0.0.1", 0), handler)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    yield f"http://127.0.0.1:{server.server_port}", handler
    server.shutdown()
    thread.join()
    server.server_close()


def test_a_secret_follows_a_redirect_on_its_host_and_to_no_other() -> None:
    secret = {"Authorization": "Bearer secret"}
    with redirecting() as (here, own), redirecting() as (there, other):
        for own.target in (f"{here}/end", f"{there}/steal"):
            http_requests.send(HttpRequest("GET", f"{here}/start", secret), timeouts=LONG, most=9)
    assert own.seen == [("/start", "Bearer secret"), ("/end", "Bearer secret"), ("/start", "Bearer secret")]
    assert other.seen == [("/steal", None)]


def test_redirects_and_their_target_have_the_time_for_one_answer() -> None:
    with redirecting() as (here, own):
        own.target, own.pause = f"{here}/start", SHORT.total / 2
        with pytest.raises(TimeoutError, match="longer than"):
            http_requests.send(HttpRequest("GET", f"{here}/start"), timeouts=SHORT, most=9)


def test_a_redirect_to_ftp_is_not_followed() -> None:
    with redirecting() as (here, own), socket.create_server(("127.0.0.1", 0)) as listener:
        own.target = f"ftp://127.0.0.1:{listener.getsockname()[1]}/x"
        with pytest.raises(OSError, match="not an http or https URL"):
            http_requests.send(HttpRequest("GET", f"{here}/start"), timeouts=LONG, most=9)
        listener.setblocking(False)
        with pytest.raises(BlockingIOError):
            listener.accept()


def test_a_request_with_a_body_follows_no_redirect() -> None:
    with redirecting() as (here, own):
        own.target = f"{here}/end"
        with pytest.raises(StatusError, match="302"):
            http_requests.send(HttpRequest("POST", f"{here}/start", body=b"body"), timeouts=LONG, most=9)
    assert own.seen == [("/start", None)]
