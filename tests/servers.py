"""A web server for tests: each response is sent byte for byte as the test gives it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from http.client import responses
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread
from typing import Any, TypeVar

Send = Callable[[bytes], object]
Answer = bytes | Callable[[Send], object]
"""A whole response, or a function that sends one. The function ends when the client closes the connection."""


class Local(ThreadingHTTPServer):
    """A server on a free port of the loopback interface."""

    request_queue_size = 128

    def __init__(self, handler: type[BaseHTTPRequestHandler]) -> None:
        super().__init__(("127.0.0.1", 0), handler)

    @property
    def port(self) -> int:
        return int(self.server_address[1])

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Log nothing: clients that close the connection early are expected."""


class Server(Local):
    """Answers by path: a test may add to `answers`. `asked` has the paths of all requests in order.

    A HEAD request is one for the path `HEAD /…`, and has the status 501 if that has no answer.
    """

    def __init__(self, answers: Mapping[str, Answer]) -> None:
        super().__init__(_Handler)
        self.answers, self.asked = dict(answers), list[str]()


class _Handler(BaseHTTPRequestHandler):
    server: Server

    def do_GET(self) -> None:
        self._answer(self.path, answer(status=404))

    def do_HEAD(self) -> None:
        self._answer(f"HEAD {self.path}", answer(status=501))

    def _answer(self, path: str, default: Answer) -> None:
        self.server.asked.append(path)
        found = self.server.answers.get(path, default)
        with suppress(ConnectionError):
            if callable(found):
                found(self.wfile.write)
            else:
                self.wfile.write(found)
        self.close_connection = True

    def log_message(self, *args: Any) -> None:
        """Log nothing: tests look at `asked`."""


def answer(body: str | bytes = b"", status: int = 200, **headers: str) -> bytes:
    """A whole response; the keyword `Last_Modified` sets the header Last-Modified."""
    content = body.encode() if isinstance(body, str) else body
    fields = {"Content-Length": str(len(content))} | {name.replace("_", "-"): value for name, value in headers.items()}
    lines = [f"HTTP/1.1 {status} {responses[status]}", *(f"{name}: {value}" for name, value in fields.items())]
    return "\r\n".join([*lines, "", ""]).encode() + content


S = TypeVar("S", bound=Local)


@contextmanager
def running(server: S) -> Iterator[S]:
    """Run a server in a thread."""
    with server:
        thread = Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        try:
            yield server
        finally:
            server.shutdown()
            thread.join()


@contextmanager
def serving(answers: Mapping[str, Answer]) -> Iterator[Server]:
    """Run a server with these responses by path."""
    with running(Server(answers)) as server:
        yield server
