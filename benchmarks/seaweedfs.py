"""A local S3 server, SeaweedFS, and the quick way to fill it."""

import http.client
import os
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import quote

import boto3
from botocore.config import Config
from botocore.exceptions import BotoCoreError, ClientError

KEYS = {"AWS_ACCESS_KEY_ID": "test", "AWS_SECRET_ACCESS_KEY": "testtest", "AWS_DEFAULT_REGION": "us-east-1"}
_WEED = Path(sys.prefix) / "aws" / "bin" / "weed"
_WRITERS = 8
_START_LIMIT = 60
_QUIET = ("-master.telemetry=false", "-admin.ui=false", "-webdav=false", "-s3.port.iceberg=0", "-s3.port.lance=0")


class Server(NamedTuple):
    """The addresses of a running SeaweedFS: of its S3 interface, and of the interface of its own."""

    endpoint: str
    filer: str


@contextmanager
def server() -> Iterator[Server]:
    """Start a SeaweedFS on free ports of this machine alone."""
    ports = {name: _free_port() for name in ("s3", "filer", "master", "volume", "admin")}
    options = [*_QUIET, "-ip=127.0.0.1", "-ip.bind=127.0.0.1", *(f"-{name}.port={n}" for name, n in ports.items())]
    found = Server(f"http://127.0.0.1:{ports['s3']}", f"127.0.0.1:{ports['filer']}")
    with tempfile.TemporaryDirectory() as folder:
        command = [str(_WEED), "mini", f"-dir={folder}", *options]
        process = subprocess.Popen(
            command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, cwd=folder, env=os.environ | KEYS
        )
        try:
            _await_answer(found, process)
            yield found
        finally:
            process.terminate()
            process.wait()


def _free_port() -> int:
    """A free port; the server also takes the one that is 10,000 above it."""
    while True:
        with socket.socket() as found:
            found.bind(("127.0.0.1", 0))
            port = int(found.getsockname()[1])
        if port + 10_000 < 65_536:
            return port


def _await_answer(found: Server, process: "subprocess.Popen[bytes]") -> None:
    """Wait until the server can make a bucket."""
    s3, end = client(found.endpoint), time.monotonic() + _START_LIMIT
    while time.monotonic() < end and process.poll() is None:
        try:
            s3.create_bucket(Bucket="first")
            return
        except (BotoCoreError, ClientError):
            time.sleep(0.2)
    raise SystemExit(f"SeaweedFS did not start within {_START_LIMIT} s")


def client(endpoint: str) -> Any:
    """An S3 client with as many connections as there are readers."""
    return boto3.client(
        "s3",
        endpoint_url=endpoint,
        aws_access_key_id=KEYS["AWS_ACCESS_KEY_ID"],
        aws_secret_access_key=KEYS["AWS_SECRET_ACCESS_KEY"],
        region_name=KEYS["AWS_DEFAULT_REGION"],
        config=Config(max_pool_connections=32),
    )


def put(filer: str, bucket: str, objects: Mapping[str, bytes], content_type: str = "text/html") -> None:
    """Put objects through the server's own interface, which is many times quicker than S3's."""

    def put_some(keys: list[str]) -> None:
        connection = http.client.HTTPConnection(filer)
        for key in keys:
            connection.request("PUT", f"/buckets/{bucket}/{quote(key)}", objects[key], {"Content-Type": content_type})
            response = connection.getresponse()
            response.read()
            if response.status >= 300:
                raise SystemExit(f"SeaweedFS answers {response.status} to a PUT of {key}")
        connection.close()

    keys = list(objects)
    with ThreadPoolExecutor(_WRITERS) as writers:
        list(writers.map(put_some, (keys[n::_WRITERS] for n in range(_WRITERS))))
