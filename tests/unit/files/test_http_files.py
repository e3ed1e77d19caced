from __future__ import annotations

import gzip
import socket
from collections.abc import Iterator
from contextlib import closing
from itertools import count
from threading import Event
from typing import TYPE_CHECKING

import pytest
from servers import Answer, Send, Server, answer, serving

from waypost.core.private_hosts import EVERY_HOST, NO_PRIVATE_HOST, PrivateHosts
from waypost.files.guarded_http import Timeouts
from waypost.files.http_client import HttpClient
from waypost.files.http_files import HttpFile
from waypost.validate import FindingReport, Validator

if TYPE_CHECKING:
    from waypost.validate import FileResult

SITEMAP = '<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"><url><loc>http://127.0.0.1/</loc></url></urlset>'
_NEVER = Event()


pytestmark = pytest.mark.usefixtures("without_proxies")


@pytest.fixture
def server() -> Iterator[Server]:
    with serving({"/sitemap.xml": answer(SITEMAP)}) as running:
        yield running


def read(server: Server, path: str = "/sitemap.xml") -> bytes:
    return b"".join(HttpFile(HttpClient(EVERY_HOST), server.url + path).chunks())


def why(url: str, *, private: PrivateHosts = EVERY_HOST, timeouts: Timeouts = Timeouts()) -> str:  # noqa: B008 (frozen)
    """What is said of a file that cannot be read."""
    try:
        list(HttpFile(HttpClient(private, timeouts), url).chunks())
    except OSError as error:
        return error.strerror or str(error)
    return pytest.fail(f"{url} was read")


def examined(url: str) -> tuple[FileResult, list[str]]:
    report = FindingReport()
    with closing(Validator(1e10, report)) as validator:
        (found,) = validator.validate([HttpFile(HttpClient(EVERY_HOST), url)])
    return found, [finding.code for finding in report]


# What may be asked


@pytest.mark.parametrize(
    "host",
    [
        *("127.0.0.1", "127.1", "0x7f.1", "0177.0.0.1", "2130706433", "LOCALHOST", "0"),
        *("[::1]", "[::]", "[0:0:0:0:0:0:0:1]", "[::ffff:127.0.0.1]", "[fd00:ec2::254]"),
    ],
)
def test_a_host_of_no_public_network_is_never_connected_to(server: Server, host: str) -> None:
    assert "not public; to allow it, use --allow-private" in why(
        f"http://{host}:{server.port}/sitemap.xml", private=NO_PRIVATE_HOST
    )
    assert server.asked == []


def test_private_networks_are_asked_where_that_is_allowed(server: Server) -> None:
    assert read(server) == SITEMAP.encode()


@pytest.mark.parametrize(
    "url", ["file:///etc/hosts", "ftp://127.0.0.1/", "data:text/plain,x", "http://", "http:///a", "http://[::1", "x"]
)
def test_what_is_no_http_url_is_not_opened(url: str) -> None:
    assert why(url) == "it is not an http or https URL with a host"


def test_a_password_is_neither_sent_nor_shown(server: Server) -> None:
    url = f"http://me:secret@127.0.0.1:{server.port}/sitemap.xml"
    assert "password" in (facts := why(url))
    assert "secret" not in facts + HttpFile(HttpClient(NO_PRIVATE_HOST), url).name
    assert server.asked == []


def test_a_port_where_nobody_listens_says_so() -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
    assert why(f"http://127.0.0.1:{port}/") == "Connection refused"


def test_tls_is_asked_of_an_https_url(server: Server) -> None:
    assert "SSL" in why(f"https://127.0.0.1:{server.port}/")
    assert server.asked == []


# Proxies


def test_a_proxy_of_the_environment_is_used(server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("http_proxy", server.url)
    for url in (f"http://{host}/sitemap.xml" for host in ("www.example.org", "www.example.org.", "local.example.org")):
        server.answers[url] = answer("x")
        assert list(HttpFile(HttpClient(NO_PRIVATE_HOST), url).chunks()) == [b"x"]


@pytest.mark.parametrize(
    "host",
    [
        *("127.0.0.1", "127.0.0.1.", "127.1", "0x7f000001", "2130706433", "[::1]", "169.254.169.254"),
        *("localhost", "localhost.", "A.LOCALHOST.", "a.localhost", "ip6-localhost", "intranet"),
        *("metadata.google.internal", "printer.local.", "router.home.arpa"),
    ],
)
def test_no_proxy_is_asked_for_a_private_address(server: Server, monkeypatch: pytest.MonkeyPatch, host: str) -> None:
    monkeypatch.setenv("http_proxy", server.url)
    assert "not public" in why(f"http://{host}/", private=NO_PRIVATE_HOST)
    assert server.asked == []


def test_hosts_that_no_proxy_names_are_asked_directly(server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("http_proxy", "http://127.0.0.1:9")
    monkeypatch.setenv("no_proxy", "127.0.0.1")
    assert read(server) == SITEMAP.encode()


# Redirects


@pytest.mark.parametrize("status", [301, 302, 303, 307, 308])
def test_a_redirect_within_the_site_is_followed_and_told(server: Server, status: int) -> None:
    server.answers["/old.xml"] = answer(status=status, Location="/sitemap.xml")
    file = HttpFile(HttpClient(EVERY_HOST), f"{server.url}/old.xml")
    assert b"".join(file.chunks()) == SITEMAP.encode()
    assert file.redirected_to == f"{server.url}/sitemap.xml"


def test_a_redirect_in_utf_8_is_followed(server: Server) -> None:
    server.answers["/old.xml"] = answer(status=301, Location="/ü.xml".encode().decode("latin-1")).replace(
        "Ã¼".encode(), "ü".encode()
    )
    server.answers["/%C3%BC.xml"] = answer("x")
    assert read(server, "/old.xml") == b"x"


@pytest.mark.parametrize(
    "target",
    [
        "http://example.net/sitemap.xml",
        "//example.net/",
        "http://127.0.0.1:9/sitemap.xml",
        "http://localhost/",
        "http://169.254.169.254/latest/meta-data/",
        "file:///etc/hosts",
        "ftp://127.0.0.1/sitemap.xml",
        "data:text/plain,x",
        "gopher://127.0.0.1/",
        "http://[::1",
    ],
)
def test_a_redirect_to_another_site_or_scheme_is_not_followed(server: Server, target: str) -> None:
    server.answers["/old.xml"] = answer(status=302, Location=target)
    assert "the URL redirects to another site" in why(f"{server.url}/old.xml")
    assert server.asked == ["/old.xml"]


def test_a_redirect_to_a_password_is_not_followed(server: Server) -> None:
    server.answers["/old.xml"] = answer(status=302, Location=f"http://me:secret@127.0.0.1:{server.port}/sitemap.xml")
    assert "password" in why(f"{server.url}/old.xml")
    assert server.asked == ["/old.xml"]


def test_control_characters_of_a_redirect_are_not_repeated(server: Server) -> None:
    server.answers["/old.xml"] = answer(status=302, Location="http://example.net/\x1b[2J")
    assert "\x1b" not in why(f"{server.url}/old.xml")


@pytest.mark.parametrize("header", ["Location: /loop.xml\r\n", ""])
def test_a_loop_ends(server: Server, header: str) -> None:
    server.answers["/loop.xml"] = f"HTTP/1.1 301 Moved Permanently\r\n{header}\r\n".encode()
    assert why(f"{server.url}/loop.xml") == "the URL redirects more than 5 times"
    assert len(server.asked) == 6


# Answers


@pytest.mark.parametrize(
    ("sent", "facts"),
    [
        (b"", "the server closes the connection without an answer"),
        (b"SSH-2.0-OpenSSH_9.9\r\n", "the answer is not HTTP"),
        (b"HTTP/1.1 404 \x1b[31mHacked\r\n\r\n", "the server answers 404 Not Found"),
        (b"HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\nabc", "the body is incomplete: 997 bytes are missing"),
        (b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nab", "the body is incomplete"),
        (b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nabcde\r\n", "the body is incomplete"),
        (b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\nabcde\r\n", "the body is incomplete"),
        (
            b"HTTP/1.1 200 OK\r\nContent-Encoding: br\r\n\r\nabc",
            "the encoding of the body is 'br', which was not requested",
        ),
    ],
    ids=range(8),
)
def test_an_answer_that_is_garbage_or_cut_short_is_no_file(server: Server, sent: bytes, facts: str) -> None:
    server.answers["/a"] = sent
    assert why(f"{server.url}/a").startswith(facts)


@pytest.mark.parametrize("headers", [b"", b"Connection: close\r\n", b"Content-Length: x\r\n"])
def test_a_body_without_length_ends_with_the_connection(server: Server, headers: bytes) -> None:
    server.answers["/a"] = b"HTTP/1.1 200 OK\r\n" + headers + b"\r\nabc"
    assert read(server, "/a") == b"abc"


@pytest.mark.parametrize("path", ["/sitemap.xml", "/sitemap.xml.gz"])
@pytest.mark.parametrize("encoding", ["gzip", "X-GZip", "identity", ""])
def test_a_file_that_is_packed_by_gzip_is_read(server: Server, path: str, encoding: str) -> None:
    server.answers[path] = answer(gzip.compress(SITEMAP.encode()), Content_Encoding=encoding)
    found, codes = examined(server.url + path)
    assert (found.kind, found.entries) == ("urlset", 1)
    assert "gzip-damaged" not in codes


@pytest.mark.parametrize(
    ("header", "modified"),
    [
        ("Sun, 01 Mar 2026 12:00:00 GMT", 1_772_366_400.0),
        ("yesterday", None),
        ("Sun, 99 Mar 2026 12:00:00 GMT", None),
        ("Sun, 01 Mar 99999 12:00:00 GMT", None),
        ("", None),
    ],
)
def test_the_time_of_a_file_is_what_the_server_says(server: Server, header: str, modified: float | None) -> None:
    server.answers["/a"] = answer("x", Last_Modified=header)
    file = HttpFile(HttpClient(EVERY_HOST), f"{server.url}/a")
    assert file.modified is None
    list(file.chunks())
    assert (file.modified, file.redirected_to) == (modified, "")


# Without an end


def test_a_reader_may_stop_before_the_end_and_the_server_is_let_go(server: Server) -> None:
    sent = list[int]()
    ended = Event()

    def send(write: Send) -> None:
        try:
            write(b"HTTP/1.1 200 OK\r\n\r\n")
            for _ in count():
                write(b"x" * 65_536)
                sent.append(65_536)
        finally:
            ended.set()

    server.answers["/a"] = send
    chunks = HttpFile(HttpClient(EVERY_HOST), f"{server.url}/a").chunks()
    assert next(chunks)
    del chunks
    assert ended.wait(900)
    assert sum(sent) < 50_000_000


@pytest.mark.slow
def test_of_an_endless_file_a_bounded_part_is_read(server: Server) -> None:
    def send(write: Send) -> None:
        write(b"HTTP/1.1 200 OK\r\n\r\n" + SITEMAP[: SITEMAP.index("<url>")].encode())
        for _ in count():
            write(b"<!--" + b"a" * 65_000 + b"-->\n")

    server.answers["/a"] = send
    found, codes = examined(f"{server.url}/a")
    assert found.size < 250_000_000
    assert "too-large" in codes


def slowly(*begin: bytes, drop: bytes) -> Answer:
    def send(write: Send) -> None:
        for piece in begin:
            write(piece)
        while not _NEVER.wait(0.01):
            write(drop)

    return send


@pytest.mark.parametrize(
    ("begin", "drop"),
    [
        ((), b"H"),
        ((b"HTTP/1.1 200 OK\r\na: ",), b"b"),
        ((), b"HTTP/1.1 100 Continue\r\n\r\n"),
        ((b"HTTP/1.1 200 OK\r\n\r\n",), b"b"),
        ((b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n",), b"0"),
        ((b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n0\r\na: ",), b"b"),
    ],
)
def test_an_answer_that_comes_byte_by_byte_ends_at_the_deadline(
    server: Server, begin: tuple[bytes, ...], drop: bytes
) -> None:
    server.answers["/a"] = slowly(*begin, drop=drop)
    assert why(f"{server.url}/a", timeouts=Timeouts(5, 0.2)) == "the answer took longer than 0.2 seconds"


@pytest.mark.parametrize("begin", [b"", b"HTTP/1.1 200 OK\r\n\r\nabc", b"HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\n"])
def test_a_server_that_falls_silent_is_not_waited_for(server: Server, begin: bytes) -> None:
    heard = Event()

    def send(write: Send) -> None:
        write(begin)
        heard.wait(900)

    server.answers["/a"] = send
    try:
        assert why(f"{server.url}/a", timeouts=Timeouts(0.2, 900)) == "the server sent nothing for 0.2 seconds"
    finally:
        heard.set()


def test_a_server_that_is_silent_before_tls_is_not_waited_for() -> None:
    with socket.create_server(("127.0.0.1", 0)) as mute:
        url = f"https://127.0.0.1:{mute.getsockname()[1]}/"
        assert why(url, timeouts=Timeouts(0.2, 900)) == "the server sent nothing for 0.2 seconds"


@pytest.mark.parametrize(
    ("status", "is_missing"), [(404, True), (410, True), (304, False), (403, False), (429, False), (500, False)]
)
def test_a_file_that_the_server_does_not_have_is_told_from_other_failures(
    server: Server, status: int, is_missing: bool
) -> None:
    server.answers["/a.xml"] = answer("<html>", status=status)
    with pytest.raises(OSError, match=f"the server answers {status} ") as caught:
        list(HttpFile(HttpClient(EVERY_HOST), f"{server.url}/a.xml").chunks())
    assert isinstance(caught.value, FileNotFoundError) == is_missing
