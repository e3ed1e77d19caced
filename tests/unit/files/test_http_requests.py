"""Requests to servers that settings name: their redirects, and their limits of time and bytes."""

from __future__ import annotations

import socket
from collections.abc import Iterator
from threading import Event
from typing import TYPE_CHECKING

import pytest
from servers import answer, running
from unit.files.keeping_server import KeepingServer

from waypost.files import http_requests
from waypost.files.guarded_http import Timeouts
from waypost.files.http_client import HttpRequest, ProtocolError
from waypost.files.http_requests import StatusError

if TYPE_CHECKING:
    from servers import Send

pytestmark = pytest.mark.usefixtures("without_proxies")
LONG = Timeouts(idle=30, total=60)
SECRET = {"Authorization": "Bearer secret", "Cookie": "secret", "Accept": "text/html"}


@pytest.fixture
def server() -> Iterator[KeepingServer]:
    with running(KeepingServer()) as made:
        made.answers["/end"] = answer("the end")
        yield made


def send(
    server: KeepingServer, path: str = "/start", method: str = "GET", most: int = 99, timeouts: Timeouts = LONG
) -> bytes:
    body = b"body" if method == "POST" else None
    return http_requests.send(HttpRequest(method, server.url + path, SECRET, body), timeouts=timeouts, most=most)


def test_no_more_than_the_limit_is_read(server: KeepingServer) -> None:
    server.answers["/start"] = answer("x" * 1_000_000)
    assert send(server, most=9) == b"x" * 9


@pytest.mark.parametrize("host", ["127.0.0.1", "localhost"])
def test_a_secret_follows_a_redirect_on_its_host_and_to_no_other(server: KeepingServer, host: str) -> None:
    server.answers["/start"] = answer(status=302, Location=f"http://{host}:{server.port}/end")
    assert send(server) == b"the end"
    first, second = ({name: headers[name] for name in SECRET} for _, _, headers in server.asked)
    assert first == SECRET
    assert second == (SECRET if host == "127.0.0.1" else {**dict.fromkeys(SECRET), "Accept": "text/html"})


def test_redirects_and_their_target_have_the_time_for_one_answer(server: KeepingServer) -> None:
    def late(write: Send) -> None:
        Event().wait(0.25)
        write(answer(status=302, Location="/start"))

    server.answers["/start"] = late
    with pytest.raises(TimeoutError, match="longer than"):
        send(server, timeouts=Timeouts(idle=5, total=0.5))


def test_a_redirect_to_ftp_is_not_followed(server: KeepingServer) -> None:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        server.answers["/start"] = answer(status=302, Location=f"ftp://127.0.0.1:{listener.getsockname()[1]}/x")
        with pytest.raises(OSError, match="not an http or https URL"):
            send(server)
        listener.setblocking(False)
        with pytest.raises(BlockingIOError):
            listener.accept()


@pytest.mark.parametrize(
    ("location", "message"),
    [("/start", "redirects more than 10 times"), ("http://[::1", "redirects to what is no URL")],
)
def test_redirects_without_an_end_or_a_target_are_errors(server: KeepingServer, location: str, message: str) -> None:
    server.answers["/start"] = answer(status=301, Location=location)
    with pytest.raises(ProtocolError, match=message):
        send(server)


def test_a_request_with_a_body_follows_no_redirect(server: KeepingServer) -> None:
    server.answers["/start"] = answer(status=302, Location="/end")
    with pytest.raises(StatusError, match="302"):
        send(server, method="POST")
    assert [(method, path) for method, path, _ in server.asked] == [("POST", "/start")]


CUT = b"Transfer-Encoding: chunked\r\n\r\n5\r\nab"


def test_an_answer_that_is_cut_short_is_no_http_and_a_refusal_has_what_came_of_it(server: KeepingServer) -> None:
    server.answers |= {"/start": b"HTTP/1.1 200 OK\r\n" + CUT, "/refused": b"HTTP/1.1 403 No\r\n" + CUT}
    server.closing |= server.answers.keys()
    with pytest.raises(ProtocolError, match="the answer is not HTTP: IncompleteRead"):
        send(server)
    with pytest.raises(StatusError, match="the server answers 403 Forbidden") as raised:
        send(server, "/refused")
    assert (raised.value.status, raised.value.body) == (403, b"")
