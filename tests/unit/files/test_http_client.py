"""Answers as servers send them, and connections that are used again."""

from __future__ import annotations

import base64
import gc
import re
import socket
from collections.abc import Iterator
from contextlib import ExitStack, suppress
from http.client import HTTPException
from threading import Thread
from typing import ClassVar

import pytest
from servers import answer, running
from unit.files.keeping_server import KeepingServer

from waypost.core.private_hosts import EVERY_HOST, PrivateHosts
from waypost.files.guarded_http import Deadline, Timeouts
from waypost.files.http_client import HttpAnswer, HttpClient, HttpRequest, ProtocolError

pytestmark = pytest.mark.usefixtures("without_proxies")

TIMEOUTS = Timeouts(idle=30, total=60)
INTERIM = b"HTTP/1.1 103 Early Hints\r\nLink: </a.css>; rel=preload\r\n\r\n"


@pytest.fixture
def server() -> Iterator[KeepingServer]:
    with running(KeepingServer()) as made:
        yield made


@pytest.fixture
def client() -> HttpClient:
    return HttpClient(EVERY_HOST, TIMEOUTS)


def asked(
    client: HttpClient, url: str, method: str = "GET", body: bytes | None = None, seconds: float = 60
) -> HttpAnswer:
    """The answer, after it was read and closed."""
    with client.ask(HttpRequest(method, url, body=body), Deadline(Timeouts(30, seconds))) as found:
        found.read()
    return found


@pytest.mark.parametrize("interim", [INTERIM, INTERIM * 3, b"HTTP/1.1 100 Continue\r\n\r\n", b"HTTP/1.1 102 x\r\n\r\n"])
def test_interim_answers_before_the_final_one_are_passed_over(
    server: KeepingServer, client: HttpClient, interim: bytes
) -> None:
    server.answers = {"/gone": interim + answer("no", 404), "/ok": interim + answer("yes")}
    assert asked(client, f"{server.url}/gone").status == 404
    with client.ask(HttpRequest("GET", f"{server.url}/ok")) as found:
        assert (found.status, found.read(), found.headers.get("Link")) == (200, b"yes", None)


def test_a_change_of_the_protocol_is_an_answer(server: KeepingServer, client: HttpClient) -> None:
    server.answers["/"] = b"HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\n\r\n"
    server.closing.add("/")
    assert asked(client, f"{server.url}/").status == 101


@pytest.mark.parametrize(
    ("headers", "is_taken"),
    [
        (b"Set-Cookie: a=b\r\n" * 150, True),
        (b"a: " + b"b" * 60_000 + b"\r\n", True),
        (b"Set-Cookie: a=b\r\n" * 1_001, False),
        (b"a: " + b"b" * 70_000 + b"\r\n", False),
        ((b"a: " + b"b" * 60_000 + b"\r\n") * 5, False),
    ],
)
def test_as_many_headers_are_read_as_browsers_take(
    server: KeepingServer, client: HttpClient, headers: bytes, is_taken: bool
) -> None:
    server.answers["/"] = b"HTTP/1.1 200 OK\r\nContent-Length: 1\r\n" + headers + b"\r\nx"
    server.closing.add("/")
    if is_taken:
        assert asked(client, f"{server.url}/").status == 200
    else:
        with pytest.raises(ProtocolError, match="headers are too long"):
            asked(client, f"{server.url}/")


@pytest.mark.parametrize(
    ("trailers", "is_taken"),
    [
        (b"", True),
        (b"Expires: 0\r\n" * 500, True),
        (b"a: b\r\n" * 1_001, False),
        (b"a: " + b"b" * 70_000 + b"\r\n", False),
        ((b"a: " + b"b" * 60_000 + b"\r\n") * 5, False),
    ],
)
def test_the_lines_after_the_last_chunk_count_as_headers(
    server: KeepingServer, client: HttpClient, trailers: bytes, is_taken: bool
) -> None:
    server.answers["/"] = b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1\r\nx\r\n0\r\n" + trailers + b"\r\n"
    server.closing.add("/")
    with client.ask(HttpRequest("GET", f"{server.url}/")) as answer:
        if is_taken:
            assert answer.read() == b"x"
        else:
            with pytest.raises(HTTPException, match="headers are too long"):
                answer.read()


def test_a_folded_header_and_a_line_that_is_none_are_read_as_far_as_they_can(
    server: KeepingServer, client: HttpClient
) -> None:
    server.answers["/"] = (
        b"HTTP/1.1 200 OK\r\nContent-Length: 0\r\nnonsense\r\nA: 1\r\nA: 2\r\n  3\r\nB:\xc3\xa9\r\n\r\n"
    )
    found = asked(client, f"{server.url}/")
    assert (found.headers.all("a"), found.headers["b"]) == (["1", "2 3"], "\xc3\xa9")
    assert (found.headers["A"], found.headers.get("C"), len(found.headers)) == ("1", None, 3)


@pytest.mark.parametrize(
    "sent",
    [b"NOPE\r\n\r\n", b"", b"HTTP/1.1 x y\r\n\r\n", INTERIM * 30, b"HTTP/1.1 103 Early Hints\r\n\r\n"],
    ids=["no-http", "nothing", "no-status", "only-interim", "interim-and-end"],
)
def test_whatever_breaks_http_is_one_kind_of_error(server: KeepingServer, client: HttpClient, sent: bytes) -> None:
    server.answers["/"] = sent
    server.closing.add("/")
    with pytest.raises(ProtocolError, match=r"not HTTP|without an answer"):
        asked(client, f"{server.url}/")


def test_chunks_count_more_than_a_length(server: KeepingServer, client: HttpClient) -> None:
    head = b"HTTP/1.1 200 OK\r\nContent-Length: 9\r\nTransfer-Encoding: chunked\r\n\r\n"
    server.answers["/"] = head + b"3\r\nabc\r\n0\r\n\r\n"
    with client.ask(HttpRequest("GET", f"{server.url}/")) as found:
        assert found.read() == b"abc"
    asked(client, f"{server.url}/")
    assert server.connections == 1


@pytest.mark.parametrize(("method", "path"), [("GET", "/"), ("HEAD", "/"), ("GET", "/chunks"), ("GET", "/nothing")])
def test_a_connection_is_used_again(server: KeepingServer, client: HttpClient, method: str, path: str) -> None:
    server.answers["/chunks"] = b"HTTP/1.1 404 x\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n0\r\n\r\n"
    server.answers["/nothing"] = b"HTTP/1.1 304 Not Modified\r\nContent-Length: 9\r\n\r\n"
    for _ in range(3):
        client.ask(HttpRequest(method, f"{server.url}{path}")).close()  # what nobody wants is short, and read
    assert (server.connections, len(server.asked)) == (1, 3)


@pytest.mark.parametrize("body", [b"x" * 100_000, None])
def test_a_connection_is_not_used_again_if_much_of_an_answer_was_not_read(
    server: KeepingServer, client: HttpClient, body: bytes | None
) -> None:
    server.answers["/"] = answer(body) if body else b"HTTP/1.0 200 OK\r\n\r\nx"
    server.closing |= set() if body else {"/"}
    for _ in range(2):
        client.ask(HttpRequest("GET", f"{server.url}/")).close()
    assert server.connections == 2


def test_a_connection_that_the_server_has_closed_is_made_again(server: KeepingServer, client: HttpClient) -> None:
    server.closing.add("/")
    for _ in range(3):
        assert asked(client, f"{server.url}/").status == 200
    assert server.connections == 3


def test_a_request_that_may_change_something_is_sent_once_over_a_connection_of_its_own(
    server: KeepingServer, client: HttpClient
) -> None:
    server.closing.add("/closed")
    asked(client, f"{server.url}/closed")
    asked(client, f"{server.url}/", "POST", body=b"x")
    asked(client, f"{server.url}/", "POST", body=b"x")
    assert server.connections == 3
    assert [method for method, *_ in server.asked] == ["GET", "POST", "POST"]


def test_the_time_for_an_answer_begins_anew_with_each_request(server: KeepingServer, client: HttpClient) -> None:
    asked(client, f"{server.url}/")
    with pytest.raises(TimeoutError, match="longer than"):
        asked(client, f"{server.url}/", seconds=0)
    assert asked(client, f"{server.url}/", seconds=60).status == 200


def test_a_kept_connection_is_for_its_host_alone(server: KeepingServer, client: HttpClient) -> None:
    for host in ("127.0.0.1", "localhost", "127.0.0.1"):
        asked(client, f"http://{host}:{server.port}/")
    assert server.connections == 2


def test_the_connections_that_were_used_last_are_kept(server: KeepingServer) -> None:
    client = HttpClient(EVERY_HOST, TIMEOUTS)
    answers = [client.ask(HttpRequest("GET", f"{server.url}/{n}")) for n in range(70)]
    for found in answers:
        found.read()
        found.close()
    answers = [client.ask(HttpRequest("GET", f"{server.url}/{n}")) for n in range(70)]
    for found in answers:
        found.close()
    assert server.connections == 70 + 6


def test_a_client_that_is_gone_has_closed_its_connections() -> None:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        client = HttpClient(EVERY_HOST, TIMEOUTS)
        thread = Thread(target=asked, args=(client, f"http://127.0.0.1:{listener.getsockname()[1]}/"))
        thread.start()
        connection, _ = listener.accept()
        with connection:
            connection.recv(65_536)
            connection.sendall(answer("x"))
            thread.join()
            del client, thread
            gc.collect()
            connection.settimeout(60)
            assert connection.recv(1) == b""


def test_the_guard_is_asked_once_for_a_connection(server: KeepingServer) -> None:
    counted = _CountingGuard()
    client = HttpClient(counted, TIMEOUTS)
    for _ in range(3):
        asked(client, f"{server.url}/")
    assert counted.checked == [("127.0.0.1", server.port, "127.0.0.1")]


class _CountingGuard(PrivateHosts):
    """A guard that allows every address, and notes what it was asked."""

    checked: ClassVar[list[tuple[str, int, str]]] = []

    def check(self, host: str, port: int, address: str) -> None:
        self.checked.append((host, port, address))


def test_a_proxy_with_a_password_lets_requests_pass(server: KeepingServer, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("no_proxy", "NO_PROXY"):
        monkeypatch.delenv(name, raising=False)
    for name in ("http_proxy", "https_proxy"):
        monkeypatch.setenv(name, f"http://me:p%40ss@127.0.0.1:{server.port}")
    server.answers["www.example.org:443"] = b"HTTP/1.1 403 Forbidden\r\n\r\n"
    server.closing.add("www.example.org:443")
    client = HttpClient(EVERY_HOST, TIMEOUTS)
    asked(client, "http://www.example.org/a?b")
    with pytest.raises(OSError, match="403"):
        asked(client, "https://www.example.org/a")
    secret = "Basic " + base64.b64encode(b"me:p@ss").decode()
    assert [(method, target, headers["Proxy-Authorization"]) for method, target, headers in server.asked] == [
        ("GET", "http://www.example.org/a?b", secret),
        ("CONNECT", "www.example.org:443", secret),
    ]


@pytest.mark.parametrize(
    ("url", "target"),
    [("", "/"), ("/", "/"), ("?x=1", "/?x=1"), ("/a b/\xfc#part", "/a%20b/%C3%BC"), ("//a/../b", "//a/../b")],
)
def test_a_url_is_asked_for_as_it_is_written(server: KeepingServer, client: HttpClient, url: str, target: str) -> None:
    asked(client, server.url + url)
    assert [path for _, path, _ in server.asked] == [target]


CHUNKED = b"HTTP/1.1 404 No\r\nTransfer-Encoding: chunked\r\n\r\n"
NO_CONTENT = b"HTTP/1.1 204 No\r\n\r\n"
STRAY = b"HTTP/1.1 404 Smuggled\r\nContent-Length: 0\r\n\r\n"
FIRST = {
    "negative": CHUNKED + b"-5\r\nabc",
    "minus-one": CHUNKED + b"-1\r\n" + b"x" * 99_999,
    "hexadecimal": CHUNKED + b"0x5\r\nabcde\r\n0\r\n\r\n",
    "no-size": CHUNKED + b"zz\r\n" + STRAY,
    "chunks": CHUNKED + b"3\r\nabc\r\n0\r\n\r\n" + STRAY,
    "204": NO_CONTENT + STRAY,
    "304": b"HTTP/1.1 304 No\r\n\r\n" + STRAY,
    "101": b"HTTP/1.1 101 Switching Protocols\r\n\r\n" + STRAY,
    "length": answer("x") + STRAY,
    "coded": b"HTTP/1.1 200 OK\r\nTransfer-Encoding: gzip, chunked\r\nContent-Length: 3\r\n\r\nabc" + STRAY,
    "close": b"HTTP/1.1 200 OK\r\nConnection: x\r\nConnection: close\r\nContent-Length: 1\r\n\r\nx" + STRAY,
    "1.0": b"HTTP/1.0 200 OK\r\nContent-Length: 1\r\n\r\nx" + STRAY,
}
"""Answers behind which, or instead of which, a server sends what may be taken for another one."""


@pytest.mark.parametrize("first", FIRST.values(), ids=FIRST)
@pytest.mark.parametrize("is_read", [True, False])
def test_no_answer_is_taken_for_that_of_another_request(
    server: KeepingServer, client: HttpClient, first: bytes, *, is_read: bool
) -> None:
    server.answers["/first"] = first
    server.closing.add("/first") if b"gzip" in first or b"-1" in first else None
    with client.ask(HttpRequest("GET", f"{server.url}/first")) as found:
        if is_read and found.status != 101:
            with suppress(HTTPException, OSError):
                found.read(9_999)
    assert asked(client, f"{server.url}/second").status == 200


def test_a_body_that_follows_the_answer_to_head_is_nobody_s(server: KeepingServer, client: HttpClient) -> None:
    server.answers["HEAD"] = b"HTTP/1.1 200 OK\r\nContent-Length: 20000\r\n\r\n" + b"<p>" * 6_000
    for _ in range(3):
        assert asked(client, f"{server.url}/a", "HEAD").status == 200
        assert asked(client, f"{server.url}/b").status == 200


def test_what_a_server_says_while_nothing_is_asked_is_no_answer() -> None:
    with socket.create_server(("127.0.0.1", 0)) as listener, ExitStack() as opened:
        client, url = HttpClient(EVERY_HOST, TIMEOUTS), f"http://127.0.0.1:{listener.getsockname()[1]}/"
        statuses = list[int]()
        for _ in range(2):
            thread = Thread(target=lambda: statuses.append(asked(client, url).status))
            thread.start()
            connection = opened.enter_context(listener.accept()[0])
            connection.recv(65_536)
            connection.sendall(answer("x"))
            thread.join()
            connection.sendall(b"HTTP/1.1 408 Request Timeout\r\nContent-Length: 0\r\n\r\n")
        assert statuses == [200, 200]


def test_an_answer_that_is_not_wanted_is_not_waited_for(server: KeepingServer, client: HttpClient) -> None:
    server.answers["/"] = b"HTTP/1.1 404 No\r\nContent-Length: 100\r\n\r\n"
    client.ask(HttpRequest("GET", f"{server.url}/")).close()
    server.answers["/"] = CHUNKED + b"5\r\nabc"
    client.ask(HttpRequest("GET", f"{server.url}/")).close()


def test_two_different_lengths_are_no_answer(server: KeepingServer, client: HttpClient) -> None:
    server.answers["/"] = b"HTTP/1.1 200 OK\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nab"
    with pytest.raises(ProtocolError, match="two different lengths"):
        asked(client, f"{server.url}/")


def test_many_folded_headers_are_one_value(server: KeepingServer, client: HttpClient) -> None:
    server.answers["/"] = b"HTTP/1.1 200 OK\r\nA: 0\r\n" + b" 1\r\n" * 900 + b"Content-Length: 0\r\n\r\n"
    assert asked(client, f"{server.url}/").headers["A"] == " ".join(["0", *["1"] * 900])


@pytest.mark.parametrize(
    ("url", "port", "host"),
    [
        ("http://a.example/", 80, "a.example"),
        ("https://a.example/", 443, "a.example"),
        ("https://a.example:80/", 80, "a.example:80"),
    ],
)
def test_the_header_host_leaves_out_the_usual_port_alone(url: str, port: int, host: str) -> None:
    client = HttpClient(EVERY_HOST, TIMEOUTS)
    connection = client._connection(client._route(url))
    sent = list[bytes]()
    connection.send = sent.append  # type: ignore[method-assign, assignment]
    connection.request("GET", "/")
    assert f"Host: {host}\r\n".encode() in sent[0]
    assert connection.port == port


@pytest.mark.parametrize("proxy", ["http://127.0.0.1:99999", "http://[::1", "https://127.0.0.1:8443", "socks5://x"])
def test_a_proxy_of_another_kind_is_an_error_that_names_it(monkeypatch: pytest.MonkeyPatch, proxy: str) -> None:
    monkeypatch.setenv("http_proxy", proxy)
    monkeypatch.delenv("no_proxy", raising=False)
    with pytest.raises(OSError, match=f"is not an http URL: {re.escape(proxy)}"):
        HttpClient(EVERY_HOST, TIMEOUTS).ask(HttpRequest("GET", "http://www.example.org/"))


def test_a_host_with_an_impossible_name_is_an_error_with_a_proxy_too(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("http_proxy", "http://127.0.0.1:9")
    monkeypatch.delenv("no_proxy", raising=False)
    for host in ("a..b", f"{'x' * 70}.example"):
        with pytest.raises(OSError, match=r"looked up|refused"):
            HttpClient(EVERY_HOST, TIMEOUTS).ask(HttpRequest("GET", f"http://{host}/"))
