"""Measures the processor time that one request needs in boto3, with a local server that answers at once.

`python -m scale.request_costs`, in `benchmarks/`, prints the figures.
"""

import os
import socket
import sys
import threading
import time
from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from multiprocessing import Process
from typing import Any

from waypost.sources.s3_client import s3_client

_COUNT, _WIDTH, _ROUNDS = 800, 32, 3
_ENVIRONMENT = {"AWS_ACCESS_KEY_ID": "x", "AWS_SECRET_ACCESS_KEY": "x", "AWS_DEFAULT_REGION": "us-east-1"}
_LISTING_ENTRY = (
    "<Contents><Key>products/category/{n:012}.html</Key><LastModified>2026-11-20T00:00:00.000Z</LastModified>"
    "<ETag>&quot;b7ed38bc70c7a599867b8aecdcf0e3df&quot;</ETag><Size>10000</Size><StorageClass>STANDARD</StorageClass>"
    "</Contents>"
)
_LISTING_PAGE = (
    '<?xml version="1.0" encoding="UTF-8"?><ListBucketResult xmlns="http://s3.amazonaws.com/doc/2006-03-01/">'
    "<Name>site</Name><Prefix></Prefix><KeyCount>{count}</KeyCount><MaxKeys>{count}</MaxKeys>"
    "<IsTruncated>false</IsTruncated>{entries}</ListBucketResult>"
)
_DELETED: Any = {"Objects": [{"Key": f"ledger/shards/{n:064}"} for n in range(1_000)], "Quiet": True}
_DELETE_RESULT = b'<DeleteResult xmlns="http://s3.amazonaws.com/doc/2006-03-01/"></DeleteResult>'
_HEAD = (
    'HTTP/1.1 200 OK\r\nETag: "b7ed38bc70c7a599867b8aecdcf0e3df"\r\nLast-Modified: Fri, 20 Nov 2026 00:00:00 GMT\r\n'
    "x-amz-request-id: 0123456789ABCDEF\r\nContent-Type: {type}\r\nContent-Length: {length}\r\n\r\n"
)


def measure_requests() -> Mapping[str, float]:
    """Processor seconds of one request by its kind, with the client that Waypost makes."""
    listener = socket.create_server(("127.0.0.1", 0), backlog=128)
    server = Process(target=_serve, args=(listener,), daemon=True)
    server.start()
    os.environ |= {**_ENVIRONMENT, "AWS_ENDPOINT_URL_S3": f"http://127.0.0.1:{listener.getsockname()[1]}"}
    try:
        return {kind: _best_round(request, count) for kind, (request, count) in _requests(s3_client()).items()}
    finally:
        server.terminate()
        del os.environ["AWS_ENDPOINT_URL_S3"]


def _requests(client: Any) -> dict[str, tuple[Callable[[], Any], int]]:
    """A request of each kind, and how often to send it in a round."""
    target = {"Bucket": "site", "Key": "page"}
    return {
        "GET": (lambda: client.get_object(**target)["Body"].read(), _COUNT),
        "HEAD": (partial(client.head_object, **target), _COUNT),
        "PUT": (partial(client.put_object, **target, Body=b"x" * 10_000, ChecksumAlgorithm="SHA256"), _COUNT),
        "DELETE": (partial(client.delete_object, **target), _COUNT),
        "DELETES": (partial(client.delete_objects, Bucket="site", Delete=_DELETED), _COUNT // 20),
        "LIST": (partial(client.list_objects_v2, Bucket="site"), _COUNT // 20),
        "SAMPLE": (partial(client.list_objects_v2, Bucket="site", MaxKeys=250), _COUNT // 5),
        "PROBE": (partial(client.list_objects_v2, Bucket="site", MaxKeys=1), _COUNT),
    }


def _best_round(request: Callable[[], Any], count: int) -> float:
    """The best of some rounds, because other programs use the machine too."""
    request()
    return min(_round(request, count) for _ in range(_ROUNDS))


def _round(request: Callable[[], Any], count: int) -> float:
    start = time.process_time()
    with ThreadPoolExecutor(_WIDTH) as pool:
        for done in [pool.submit(request) for _ in range(count)]:
            done.result()
    return (time.process_time() - start) / count


def _serve(listener: socket.socket) -> None:
    while True:
        connection, _ = listener.accept()
        threading.Thread(target=_answer, args=(connection,), daemon=True).start()


def _answer(connection: socket.socket) -> None:
    """Answer all requests of one connection."""
    stream = connection.makefile("rwb")
    while line := stream.readline():
        headers = {}
        while header := stream.readline().strip():
            name, _, value = header.partition(b":")
            headers[name.lower()] = value.strip()
        if b"100-continue" in headers.get(b"expect", b""):
            stream.write(b"HTTP/1.1 100 Continue\r\n\r\n")
            stream.flush()
        stream.read(int(headers.get(b"content-length", 0)))
        stream.write(_reply(line.decode()))
        stream.flush()


def _reply(request_line: str) -> bytes:
    method, target, _ = request_line.split()
    is_listing = "list-type" in target
    if is_listing:
        count = next((n for n in (1, 250) if f"max-keys={n}&" in f"{target}&"), 1_000)
        body = _LISTING_PAGE.format(
            count=count, entries="".join(_LISTING_ENTRY.format(n=n) for n in range(count))
        ).encode()
    else:
        body = {"GET": b"x" * 10_000, "POST": _DELETE_RESULT}.get(method, b"")
    content_type = "application/xml" if is_listing or method == "POST" else "text/html"
    return _HEAD.format(type=content_type, length=10_000 if method == "HEAD" else len(body)).encode() + body


if __name__ == "__main__":
    for request_kind, seconds in measure_requests().items():
        sys.stdout.write(f"{request_kind}: {seconds * 1_000:.2f} ms\n")
