"""Requests to a server that misbehaves."""

from __future__ import annotations

import gzip
import socket
import struct
import sys
import zlib
from collections.abc import Iterator
from itertools import count
from threading import Event, Thread

import brotli
import pytest
from servers import Answer, Send, Server, answer, serving

from waypost import REPOSITORY, __version__
from waypost.core.private_hosts import EVERY_HOST, NO_PRIVATE_HOST
from waypost.files.guarded_http import Timeouts
from waypost.live.answer import HTML_TYPES
from waypost.live.transport import MAX_BODY, HttpSender, LiveRequest, Reply

if sys.version_info >= (3, 14):
    from compression import zstd
else:
    from backports import zstd

HEAD = b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n"
_NEVER = Event()
SHORT = Timeouts(idle=0.05, total=0.2)


pytestmark = pytest.mark.usefixtures("without_proxies")


@pytest.fixture
def server() -> Iterator[Server]:
    with serving({}) as running:
        yield running


def read(server: Server, given: Answer, *, timeouts: Timeouts | None = None) -> Reply:
    """The answer to GET, with its body."""
    server.answers["/"] = given
    send = HttpSender(EVERY_HOST, timeouts=timeouts) if timeouts else HttpSender(EVERY_HOST)
    return send(LiveRequest("GET", f"{server.url}/", read_types=HTML_TYPES))


def why(server: Server, given: Answer, *, timeouts: Timeouts | None = None) -> str:
    """Why there is no answer."""
    with pytest.raises(OSError, match=r"sent|answer|HTTP|longer") as caught:
        read(server, given, timeouts=timeouts)
    return str(caught.value.strerror)


def endless(first: bytes, data: bytes = b"x" * 65_536) -> Answer:
    """A response that never ends."""

    def send_all(send: Send) -> None:
        send(first)
        for _ in count():
            send(data)

    return send_all


def stalled(first: bytes) -> Answer:
    """A response that stops, while the connection stays open until the client closes it."""

    def send_some(send: Send) -> None:
        send(first)
        _NEVER.wait(2)

    return send_some


def test_a_page_is_read(server: Server) -> None:
    found = read(server, answer("<p>Hello", Content_Type="text/html"))
    assert (found.status, found.body, found.damage) == (200, b"<p>Hello", "")


def test_the_user_agent_names_the_program_and_its_repository() -> None:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        request = LiveRequest("HEAD", f"http://127.0.0.1:{listener.getsockname()[1]}/")
        with pytest.raises(TimeoutError):
            HttpSender(EVERY_HOST, timeouts=SHORT)(request)
        connection, _ = listener.accept()
        with connection:
            sent = connection.recv(4_096).decode()
    about = f" (+https://github.com/{REPOSITORY})" if REPOSITORY else ""
    assert f"User-Agent: Waypost/{__version__}{about}\r\n" in sent


def test_head_and_conditions_are_sent(server: Server) -> None:
    server.answers["HEAD /"] = answer(status=304)
    found = HttpSender(EVERY_HOST)(LiveRequest("HEAD", f"{server.url}/", {"If-None-Match": '"1"'}))
    assert (found.status, found.body, server.asked) == (304, None, ["HEAD /"])


def test_a_body_after_head_is_ignored(server: Server) -> None:
    server.answers["HEAD /"] = answer("a body", Content_Type="text/html")
    found = HttpSender(EVERY_HOST)(LiveRequest("HEAD", f"{server.url}/", read_types=HTML_TYPES))
    assert (found.status, found.body) == (200, None)


@pytest.mark.parametrize("status", [301, 404, 500])
def test_every_status_is_an_answer_without_a_body(server: Server, status: int) -> None:
    found = read(server, answer("x", status=status, Location="http://10.0.0.1/", Content_Type="text/html"))
    assert (found.status, found.body) == (status, None)


def test_only_the_body_of_a_page_is_read(server: Server) -> None:
    found = read(server, endless(b"HTTP/1.1 200 OK\r\nContent-Type: video/mp4\r\n\r\n"))
    assert (found.body, found.content_type) == (None, "video/mp4")


def test_an_endless_body_is_cut(server: Server) -> None:
    found = read(server, endless(HEAD + b"\r\n"))
    assert (len(found.body or b""), found.damage) == (MAX_BODY, "")


def test_a_body_that_is_too_long_when_it_is_decompressed_is_cut(server: Server) -> None:
    bomb = gzip.compress(bytes(MAX_BODY + 1))
    found = read(server, answer(bomb, Content_Encoding="gzip", Content_Type="text/html"))
    assert (len(found.body or b""), found.damage) == (MAX_BODY, "")


def test_gzip_that_was_not_asked_for_is_read(server: Server) -> None:
    found = read(server, answer(gzip.compress(b"<p>Hello"), Content_Encoding="gzip", Content_Type="text/html"))
    assert (found.body, found.damage) == (b"<p>Hello", "")


@pytest.mark.parametrize(
    ("given", "damage"),
    [
        (HEAD + b"Content-Length: 100\r\n\r\nshort", "95 bytes are missing"),
        (HEAD + b"Transfer-Encoding: chunked\r\n\r\nff\r\nshort", "incomplete"),
        (HEAD + b"Transfer-Encoding: chunked\r\n\r\nno number\r\n", "incomplete"),
        (HEAD + b"Content-Encoding: gzip\r\n\r\nnot gzip", "gzip data is damaged"),
        (HEAD + b"Content-Encoding: gzip\r\n\r\n" + gzip.compress(b"a" * 999, mtime=0)[:-9], "gzip data is cut short"),
        (HEAD + b"Content-Encoding: br\r\n\r\nbrotli", "br data is damaged"),
    ],
)
def test_a_body_that_cannot_be_read_to_its_end_says_why(server: Server, given: bytes, damage: str) -> None:
    found = read(server, given)
    assert damage in found.damage


PAGE = b"<p>Hello"


@pytest.mark.parametrize(
    ("coding", "data"),
    [("br", brotli.compress(PAGE)), ("deflate", zlib.compress(PAGE)), ("zstd", zstd.compress(PAGE))],
)
def test_codings_that_were_not_asked_for_are_decoded(server: Server, coding: str, data: bytes) -> None:
    found = read(server, answer(data, Content_Encoding=coding, Content_Type="text/html"))
    assert (found.body, found.damage) == (PAGE, "")


def test_a_body_in_a_coding_that_is_not_known_is_not_read(server: Server) -> None:
    found = read(server, answer(b"?", Content_Encoding="x-own", Content_Type="text/html"))
    assert (found.body, found.damage, found.unread) == (None, "", "its content coding 'x-own' is not known")


def test_a_body_that_stalls_says_so(server: Server) -> None:
    assert "sent nothing" in read(server, stalled(HEAD + b"\r\n<p>"), timeouts=SHORT).damage


@pytest.mark.parametrize("first", [b"", b"HTTP/1.1 200 OK\r\nContent-Ty"])
def test_a_server_that_hangs_is_left(server: Server, first: bytes) -> None:
    assert "sent nothing" in why(server, stalled(first), timeouts=SHORT)


def test_a_server_that_sends_its_headers_byte_by_byte_is_left(server: Server) -> None:
    def dribble(send: Send) -> None:
        send(b"HTTP/1.1 200 OK\r\nX-Slow: ")
        for _ in count():
            send(b"x")
            _NEVER.wait(0.01)

    assert "longer than" in why(server, dribble, timeouts=Timeouts(idle=0.1, total=0.2))


def test_a_connection_that_is_reset_says_so() -> None:
    def reset(listener: socket.socket) -> None:
        connection, _ = listener.accept()
        connection.recv(4_096)
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        connection.close()

    with socket.create_server(("127.0.0.1", 0)) as listener:
        thread = Thread(target=reset, args=(listener,))
        thread.start()
        with pytest.raises(OSError, match="reset"):
            HttpSender(EVERY_HOST)(LiveRequest("HEAD", f"http://127.0.0.1:{listener.getsockname()[1]}/"))
        thread.join()


def test_a_server_that_is_not_there_says_so() -> None:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        port = listener.getsockname()[1]
    with pytest.raises(OSError, match="refused"):
        HttpSender(EVERY_HOST)(LiveRequest("HEAD", f"http://127.0.0.1:{port}/"))


@pytest.mark.parametrize(
    ("given", "text"),
    [
        (b"", "without an answer"),
        (b"220 FTP ready\r\n", "not HTTP"),
        (b"HTTP/1.1 200 OK\r\n" + b"X: y\r\n" * 2_000 + b"\r\n", "not HTTP"),
        (b"HTTP/1.1 200 OK\r\nX: " + b"y" * 100_000 + b"\r\n\r\n", "not HTTP"),
    ],
)
def test_what_is_no_answer_says_so(server: Server, given: bytes, text: str) -> None:
    assert text in why(server, given)


@pytest.mark.parametrize("host", ["127.0.0.1", "localhost", "[::1]", "10.0.0.1", "0x7f.1", "169.254.169.254"])
def test_private_addresses_are_not_asked(host: str) -> None:
    with pytest.raises(PermissionError, match="not public"):
        HttpSender(NO_PRIVATE_HOST)(LiveRequest("HEAD", f"http://{host}/"))
