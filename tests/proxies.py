"""A proxy for tests, between a program and a server: a request passes, waits, or is answered as the test says."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from http.client import HTTPConnection
from http.server import BaseHTTPRequestHandler
from typing import Any, NamedTuple
from urllib.parse import parse_qsl, unquote, urlsplit

from servers import Local, answer, running

_OF_ONE_CONNECTION = {"connection", "content-length", "expect", "keep-alive", "transfer-encoding"}


class Request(NamedTuple):
    """What was asked for; `path` and `query` are decoded."""

    method: str
    path: str
    query: Mapping[str, str]


Hook = Callable[[Request], bytes | None]
"""A whole answer in the place of the server's, or None to have a request pass; it may wait before it says so."""


class Proxy(Local):
    """Passes requests on to the server at `target`; `seen` are all of them, `problems` what the hook raised."""

    daemon_threads = True

    def __init__(self, target: str) -> None:
        super().__init__(_Handler)
        self.target, self.seen, self.problems = urlsplit(target).netloc, list[Request](), list[BaseException]()
        self.hook: Hook = passes


def passes(request: Request) -> None:
    """The hook that stops nothing."""


class _Handler(BaseHTTPRequestHandler):
    server: Proxy
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True

    def do_GET(self) -> None:
        body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
        path, _, query = self.path.partition("?")
        request = Request(self.command, unquote(path), dict(parse_qsl(query, keep_blank_values=True)))
        self.server.seen.append(request)
        with suppress(ConnectionError):
            self.wfile.write(self._answered(request) or self._passed_on(body))

    do_DELETE = do_HEAD = do_POST = do_PUT = do_GET  # noqa: N815, they are http.server's names

    def _answered(self, request: Request) -> bytes | None:
        try:
            return self.server.hook(request)
        except BaseException as problem:
            self.server.problems.append(problem)
            return answer(status=500)

    def _passed_on(self, body: bytes) -> bytes:
        connection = HTTPConnection(self.server.target)
        headers = {name: value for name, value in self.headers.items() if name.lower() not in _OF_ONE_CONNECTION}
        if self.command in ("POST", "PUT"):
            headers["Content-Length"] = str(len(body))
        try:
            connection.request(self.command, self.path, body or None, headers)
            got = connection.getresponse()
            content = got.read()
        finally:
            connection.close()
        size = got.headers.get("Content-Length", "0") if self.command == "HEAD" else str(len(content))
        told = [(name, value) for name, value in got.headers.items() if name.lower() not in _OF_ONE_CONNECTION]
        lines = [f"HTTP/1.1 {got.status} {got.reason}", *(f"{name}: {value}" for name, value in told)]
        return "\r\n".join([*lines, f"Content-Length: {size}", "", ""]).encode("latin-1") + content

    def log_message(self, *args: Any) -> None:
        """Tests look at `seen`."""


@contextmanager
def before(target: str) -> Iterator[Proxy]:
    """A proxy before the server at an address, for as long as it is needed."""
    with running(Proxy(target)) as proxy:
        yield proxy
