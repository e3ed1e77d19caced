"""A search engine that takes URLs as IndexNow says, on a server that also publishes the site's key file."""

from __future__ import annotations

import json
from http.server import BaseHTTPRequestHandler
from typing import Any

from servers import Local

KEY = "a1b2c3d4e5f60718"


class SearchEngine(Local):
    """Takes URLs as IndexNow says, unless it answers with a `status`; at `/site/` it publishes the `key_file`."""

    def __init__(self) -> None:
        super().__init__(_Handler)
        self.key_file: str | None = KEY
        self.status = 0
        self.headers: dict[str, str] = {}
        self.submitted: list[list[str]] = []
        self.read_keys = 0

    @property
    def site(self) -> str:
        return f"{self.url}/site/"

    def status_of(self, request: dict[str, Any]) -> int:
        """The answer to a submission (indexnow.org, "Response format")."""
        if self.status:
            return self.status
        if (
            request["key"] != KEY
            or request["keyLocation"] != f"{self.site}{KEY}.txt"
            or (self.key_file or "").strip() != KEY
        ):
            return 403
        if request["host"] != f"127.0.0.1:{self.port}":
            return 422
        urls = request["urlList"]
        if not all(url.startswith(self.site) for url in urls) or not 0 < len(urls) <= 10_000:
            return 422
        self.submitted.append(urls)
        return 202 if len(self.submitted) == 1 else 200


class _Handler(BaseHTTPRequestHandler):
    server: SearchEngine

    def do_GET(self) -> None:
        self.server.read_keys += 1
        found = self.server.key_file if self.path == f"/site/{KEY}.txt" else None
        self._answer(200 if found is not None else 404, (found or "").encode())

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers["Content-Length"]))
        is_json = self.headers["Content-Type"] == "application/json; charset=utf-8"
        self._answer(self.server.status_of(json.loads(body)) if is_json else 400, b"")

    def _answer(self, status: int, body: bytes) -> None:
        self.send_response(status)
        for name, value in self.server.headers.items():
            self.send_header(name, value)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *args: Any) -> None:
        """Log nothing: tests look at what was submitted."""
