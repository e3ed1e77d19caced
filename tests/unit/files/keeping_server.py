"""A server that keeps connections open, and notes what it is asked."""

from __future__ import annotations

from http.server import BaseHTTPRequestHandler
from typing import Any

from servers import Answer, Local, answer


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    server: KeepingServer

    def setup(self) -> None:
        super().setup()
        self.server.connections += 1

    def do_GET(self) -> None:
        self.rfile.read(int(self.headers.get("Content-Length", 0)))
        self.server.asked.append((self.command, self.requestline.split()[1], self.headers))
        usual = self.server.answers.get(self.path, answer("x"))
        sent = self.server.answers.get("HEAD", answer()) if self.command == "HEAD" else usual
        if callable(sent):
            sent(self.wfile.write)
        else:
            self.wfile.write(sent)
        self.close_connection = self.path in self.server.closing

    do_HEAD = do_POST = do_CONNECT = do_GET  # noqa: N815, http.server prescribes the names

    def log_message(self, *args: Any) -> None:
        """Log nothing."""


class KeepingServer(Local):
    """Keeps connections open, but for requests of a path in `closing`, and counts them."""

    daemon_threads = True

    def __init__(self) -> None:
        super().__init__(_Handler)
        self.connections = 0
        self.answers: dict[str, Answer] = {}
        self.closing: set[str] = set()
        self.asked: list[tuple[str, str, Any]] = []
