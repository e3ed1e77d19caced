"""A proxy between a program and a server: a test can forward, delay or answer each request."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from http.client import HTTPConnection
from http.server import BaseHTTPRequestHandler
from typing import Any, NamedTuple
from urllib.parse import parse_qsl, unquote, urlsplit

from servers import Local, answer, running

_HOP_BY_HOP = {"connection", "content-length", "expect", "keep-alive", "transfer-encoding"}


class Request(NamedTuple):
    """An HTTP request; `path` and `query` are decoded, `target` is the header X-Amz-Target."""

    method: str
    path: str
    query: Mapping[str, str]
    target: str = ""


Hook = Callable[[Request], bytes | None]
"""Returns a response to send instead of the server's, or None to forward the request. It may wait first."""


Gate = Callable[[Request, Mapping[str, str], bytes], bytes | None]
"""The same with the headers and the body of the request; it is asked before the hook."""


class Proxy(Local):
    """Forwards requests to the server at `target`; `seen` has all requests, `problems` what the hook raised."""

    daemon_threads = True

    def __init__(self, target: str) -> None:
        super().__init__(_Handler)
        self.target, self.seen, self.problems = urlsplit(target).netloc, list[Request](), list[BaseException]()
        self.hook: Hook = forward_all
        self.gate: Gate = admit_all


def forward_all(request: Request) -> None:
    """The hook that forwards all requests."""


def admit_all(request: Request, headers: Mapping[str, str], body: bytes) -> None:
    """The gate that refuses no request."""


class _Handler(BaseHTTPRequestHandler):
    server: Proxy
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True

    def do_GET(self) -> None:
        body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
        path, _, query = self.path.partition("?")
        values = dict(parse_qsl(query, keep_blank_values=True))
        request = Request(self.command, unquote(path), values, self.headers.get("X-Amz-Target", ""))
        self.server.seen.append(request)
        with suppress(ConnectionError):
            refusal = self.server.gate(request, dict(self.headers.items()), body)
            self.wfile.write(refusal or self._hook_response(request) or self._forwarded(body))

    do_DELETE = do_HEAD = do_POST = do_PUT = do_GET  # noqa: N815, http.server prescribes the names

    def _hook_response(self, request: Request) -> bytes | None:
        try:
            return self.server.hook(request)
        except BaseException as problem:
            self.server.problems.append(problem)
            return answer(status=500)

    def _forwarded(self, body: bytes) -> bytes:
        connection = HTTPConnection(self.server.target)
        headers = {name: value for name, value in self.headers.items() if name.lower() not in _HOP_BY_HOP}
        if self.command in ("POST", "PUT"):
            headers["Content-Length"] = str(len(body))
        try:
            connection.request(self.command, self.path, body or None, headers)
            got = connection.getresponse()
            content = got.read()
        finally:
            connection.close()
        size = got.headers.get("Content-Length", "0") if self.command == "HEAD" else str(len(content))
        kept = [(name, value) for name, value in got.headers.items() if name.lower() not in _HOP_BY_HOP]
        lines = [f"HTTP/1.1 {got.status} {got.reason}", *(f"{name}: {value}" for name, value in kept)]
        return "\r\n".join([*lines, f"Content-Length: {size}", "", ""]).encode("latin-1") + content

    def log_message(self, *args: Any) -> None:
        """Log nothing: tests look at `seen`."""


@contextmanager
def proxy_for(target: str) -> Iterator[Proxy]:
    """Run a proxy for the server at `target`, an origin such as http://127.0.0.1:8000."""
    with running(Proxy(target)) as proxy:
        yield proxy
