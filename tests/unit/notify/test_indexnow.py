"""IndexNow against a server that follows its protocol, and that also publishes the key file."""

from __future__ import annotations

import json
import socket
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler
from typing import TYPE_CHECKING

import pytest
from search_engine import KEY, SearchEngine
from servers import Local, running

from waypost.core.errors import AnnounceError, ConflictError, TryLaterError
from waypost.core.model import Changes
from waypost.core.private_hosts import EVERY_HOST
from waypost.notify import DroppedUrl, Sent
from waypost.notify.base import PublishResult
from waypost.notify.indexnow import IndexNow

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator


pytestmark = pytest.mark.usefixtures("without_proxies")


def send(
    engine: SearchEngine,
    *changes: Changes,
    at: str = "",
    site: str = "",
    write: Callable[[str, bytes], object] | None = None,
    timeout: float = 30,
) -> None:
    """Send changes, by default the URL of the site, to the engine of this URL."""
    site, at = site or engine.site, at or f"{engine.url}/indexnow"
    results = [PublishResult("1", site, changes=each) for each in changes or (Changes((site,)),)]
    IndexNow(KEY, site, at, write, timeout, EVERY_HOST).notify(results)


def test_the_urls_that_came_went_or_changed_are_sent_once_each(engine: SearchEngine) -> None:
    a, b, c, d = (f"{engine.site}{name}.html" for name in "abcd")
    send(engine, Changes((a,), (b,), (c,), (c, d)), Changes((d,)))
    assert engine.submitted == [[a, b, c, d]]


def test_a_request_has_at_most_10_000_urls(engine: SearchEngine) -> None:
    urls = tuple(f"{engine.site}{n}.html" for n in range(20_001))
    send(engine, Changes(urls))
    assert list(map(len, engine.submitted)) == [10_000, 10_000, 1]
    assert engine.read_keys == 1


def test_urls_that_no_key_file_covers_are_counted_apart_with_the_reason(engine: SearchEngine) -> None:
    urls = (f"{engine.site}a", f"{engine.url}/outside", "https://old.example.org/a.html")
    subscriber = IndexNow(KEY, engine.site, f"{engine.url}/indexnow", private=EVERY_HOST)
    results = [PublishResult("1", engine.site, changes=Changes(urls))]
    dropped = (
        DroppedUrl(urls[1], f"it is not below {engine.site}, which the key file covers"),
        DroppedUrl(urls[2], f"it is not on the host of {engine.site}"),
    )
    assert subscriber.would_send(results) == Sent(1, 0, 2, dropped)
    assert (engine.submitted, engine.read_keys) == ([], 0)
    assert subscriber.notify(results) == Sent(1, 0, 2, dropped)
    assert engine.submitted == [[urls[0]]]


def test_nothing_sent_is_no_success(engine: SearchEngine) -> None:
    with pytest.raises(AnnounceError, match="no URL was sent: it is not on the host of"):
        send(engine, Changes(removed=("https://old.example.org/a.html",)))
    assert (engine.submitted, engine.read_keys) == ([], 0)


def test_each_host_has_requests_and_a_key_file_of_its_own() -> None:
    with running(SearchEngine()) as engine, running(OtherHosts()) as other:
        subscriber = IndexNow(KEY, engine.site, f"{other.url}/indexnow", private=EVERY_HOST, has_other_hosts=True)
        named = f"http://localhost:{other.port}"
        urls = (f"{engine.site}a", f"{other.url}/b", f"{named}/c", f"{other.url}/d", "http://localhost:1/e")
        found = subscriber.notify([PublishResult("1", engine.site, changes=Changes(urls))])
        assert (found.url_count, found.dropped_count) == (4, 1)
        assert [(each.url, "cannot be read" in each.reason) for each in found.dropped] == [(urls[4], True)]
        assert other.requests == [
            (f"127.0.0.1:{engine.port}", f"{engine.site}{KEY}.txt", [urls[0]]),
            (f"127.0.0.1:{other.port}", f"{other.url}/{KEY}.txt", [urls[1], urls[3]]),
            (f"localhost:{other.port}", f"{named}/{KEY}.txt", [urls[2]]),
        ]


class OtherHosts(Local):
    """A server with the key at its root, which notes what it is sent."""

    def __init__(self) -> None:
        super().__init__(_OtherHandler)
        self.requests: list[tuple[str, str, list[str]]] = []


class _OtherHandler(BaseHTTPRequestHandler):
    server: OtherHosts

    def do_GET(self) -> None:
        self._answer(200 if self.path == f"/{KEY}.txt" else 404, KEY.encode())

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        self.server.requests.append((body["host"], body["keyLocation"], body["urlList"]))
        self._answer(200, b"")

    def _answer(self, status: int, body: bytes) -> None:
        self.send_response(status)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *arguments: object) -> None:
        """Log nothing."""


def test_what_was_accepted_before_a_failure_is_said(engine: SearchEngine) -> None:
    urls = tuple(f"{engine.site}{n:05}" for n in range(10_001))
    taken = engine.status_of
    engine.status_of = lambda request: taken(request) if len(request["urlList"]) > 1 else 429  # type: ignore[method-assign]
    with pytest.raises(TryLaterError, match=r"10,000 URLs were accepted, then: .* answers 429"):
        send(engine, Changes(urls))


@pytest.mark.parametrize(
    ("key_file", "message"),
    [(None, f"{KEY}.txt answers 404; publish a file {KEY}.txt"), ("other", f"{KEY}.txt does not hold the key")],
)
def test_without_the_key_in_its_file_nothing_is_sent(engine: SearchEngine, key_file: str | None, message: str) -> None:
    engine.key_file = key_file
    with pytest.raises(AnnounceError, match=message):
        send(engine)
    assert engine.submitted == []


def test_a_key_file_may_end_with_a_line_end(engine: SearchEngine) -> None:
    engine.key_file = f"{KEY}\n"
    send(engine)
    assert engine.submitted == [[engine.site]]


@pytest.mark.parametrize(
    ("status", "message"),
    [(400, "does not understand"), (403, "does not accept the key"), (422, "are not below"), (410, "answers 410")],
)
def test_a_refusal_says_what_to_do_and_is_final(engine: SearchEngine, status: int, message: str) -> None:
    engine.status = status
    with pytest.raises(AnnounceError, match=message) as raised:
        send(engine)
    assert not isinstance(raised.value, TryLaterError)


@pytest.mark.parametrize(("status", "asked", "seconds"), [(429, "120", 120), (503, "", 60), (429, "90000", 900)])
def test_too_many_requests_and_errors_of_the_server_are_tried_later(
    engine: SearchEngine, status: int, asked: str, seconds: float
) -> None:
    engine.status = status
    engine.headers = {"Retry-After": asked} if asked else {}
    with pytest.raises(TryLaterError) as raised:
        send(engine)
    assert raised.value.seconds == seconds


def test_who_does_not_answer_is_tried_later(engine: SearchEngine) -> None:
    with running(Local(BaseHTTPRequestHandler)) as gone:
        url = f"{gone.url}/"
    with pytest.raises(TryLaterError, match="does not answer"):
        send(engine, at=url)
    with pytest.raises(TryLaterError, match="cannot be read"):
        send(engine, site=url)
    with hanging() as url, pytest.raises(TryLaterError, match=r"does not answer: .* longer than 0\.05 seconds"):
        send(engine, at=url, timeout=0.05)


@contextmanager
def hanging() -> Iterator[str]:
    """The URL of a server that takes connections and never answers."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        yield f"http://127.0.0.1:{server.getsockname()[1]}/"


def test_the_key_file_is_written_if_that_is_asked_for_and_the_urls_are_sent_later(engine: SearchEngine) -> None:
    engine.key_file = None

    def write(name: str, content: bytes) -> None:
        assert name == f"{KEY}.txt"
        engine.key_file = content.decode()

    with pytest.raises(TryLaterError, match="answers 404; the file was written now"):
        send(engine, write=write)
    send(engine, write=write)
    assert engine.submitted == [[engine.site]]


def test_a_key_file_that_cannot_be_written_is_a_refusal(engine: SearchEngine) -> None:
    engine.key_file = "of another writer"

    def write(name: str, content: bytes) -> None:
        del name, content
        raise ConflictError("it exists")

    with pytest.raises(AnnounceError, match="could not be written: it exists; publish a file") as raised:
        send(engine, write=write)
    assert not isinstance(raised.value, TryLaterError)
