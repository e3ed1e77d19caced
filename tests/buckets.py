"""Buckets for tests: moto's S3 over HTTP, in this process."""

from __future__ import annotations

from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from io import BytesIO
from threading import Thread
from typing import TYPE_CHECKING, Any
from uuid import uuid4

from page_content import file_bytes

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from mypy_boto3_s3 import S3Client


@dataclass(frozen=True)
class MadeBucket:
    """A bucket of the test's own."""

    client: S3Client
    name: str

    @classmethod
    def create(cls, client: S3Client) -> MadeBucket:
        name = f"site-{uuid4().hex[:12]}"
        client.create_bucket(Bucket=name)
        return cls(client, name)

    def put(self, objects: Mapping[str, str | bytes], **headers: Any) -> None:
        for key, content in objects.items():
            given = {"ContentType": "text/html", **headers} if key.endswith((".html", ".htm")) else headers
            self.client.put_object(Bucket=self.name, Key=key, Body=file_bytes(key, content), **given)

    def get(self, key: str) -> bytes:
        return self.client.get_object(Bucket=self.name, Key=key)["Body"].read()

    def keys(self) -> list[str]:
        pages = self.client.get_paginator("list_objects_v2").paginate(Bucket=self.name)
        return [entry["Key"] for page in pages for entry in page.get("Contents", ())]

    def versions(self) -> dict[str, Any]:
        """When each object was written last."""
        listed = self.client.list_objects_v2(Bucket=self.name).get("Contents", ())
        return {entry["Key"]: (entry["ETag"], entry["LastModified"]) for entry in listed}


@contextmanager
def aws_server() -> Iterator[str]:
    """Run moto's services in a thread; returns their address.

    The server of moto's package closes each connection after 10 ms, and looks for the service's module among all
    folders for each request.
    """
    from moto.moto_server.werkzeug_app import DomainDispatcherApplication, MotoRequestHandler, create_backend_app
    from werkzeug.serving import make_server
    from werkzeug.test import run_wsgi_app

    class Services(DomainDispatcherApplication):
        def __init__(self) -> None:
            super().__init__(create_backend_app)
            self._found = cache(super().get_backend_for_host)

        def get_backend_for_host(self, host: str | None) -> Any:
            return self._found(host)

    class Handler(MotoRequestHandler):
        protocol_version = "HTTP/1.1"
        disable_nagle_algorithm = True
        wbufsize = -1  # an answer is sent as a whole

        def run_wsgi(self) -> None:
            environ = self.make_environ()
            # All of the body is read, so that nothing of it is left before the connection's next request.
            environ["wsgi.input"] = BytesIO(self.rfile.read(int(self.headers.get("Content-Length", 0))))
            parts, status, headers = run_wsgi_app(self.server.app, environ, buffered=True)
            content = b"".join(parts)
            if self.command != "HEAD":
                headers["Content-Length"] = str(len(content))
            code, _, reason = status.partition(" ")
            self.send_response(int(code), reason)
            for name, value in headers:
                self.send_header(name, value)
            self.end_headers()
            self.wfile.write(content)

        def handle_expect_100(self) -> bool:
            is_continued = super().handle_expect_100()
            self.wfile.flush()
            return is_continued

        def log_request(self, code: int | str = "-", size: int | str = "-") -> None:
            """Log nothing."""

    server = make_server("127.0.0.1", 0, Services(), threaded=True, request_handler=Handler)
    thread = Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}"
    finally:
        server.shutdown()
        thread.join()
