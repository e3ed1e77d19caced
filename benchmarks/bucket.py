"""Measures a bucket of many objects on a local S3 server: a full build, one change, and 10,000 changes.

The build is compared with a bare listing. This command starts and fills the server (SeaweedFS), unless `--endpoint` and
`--filer` name one that has the bucket `million` already. Reads of objects are answered without the server, so that the
comparison does not include a million downloads; `--reads` measures reads alone.
"""

import argparse
import json
import os
import sys
import time
from threading import Lock
from typing import Any

import boto3
from measure import Report, Run, decision, run, say
from seaweedfs import KEYS, client, put, server

from waypost.build.object_reader import read_objects
from waypost.config import load
from waypost.config.load import ConfigSource
from waypost.core.memory import share_one_heap
from waypost.core.model import Body, Item
from waypost.ledger.store import Ledger
from waypost.sitemaps.render import Renderer
from waypost.sources.s3 import S3Source
from waypost.sources.s3_client import s3_client
from waypost.stores.s3 import S3Store
from waypost.sync import rebuild
from waypost.sync.updater import Updater

BUCKET = "million"
OUTPUT_BUCKET = "million-beside"
"""Where the ledger and the sitemaps go."""
PAGE = b"<title>x</title>"


class Known(S3Source):
    """A bucket whose objects all say the same, which need not be read to be known."""

    def read(self, item: Item, size: int | None = None) -> Body:
        """The content that every object has."""
        del size
        return Body(PAGE, etag=item.etag, modified=item.modified)


def main() -> None:
    """Fill the bucket, then measure."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--objects", type=int, default=1_000_000)
    parser.add_argument("--endpoint")
    parser.add_argument("--filer", default="127.0.0.1:8888")
    parser.add_argument("--child", choices=("list", "build", "reads"), help=argparse.SUPPRESS)
    parser.add_argument("--run-name", help=argparse.SUPPRESS)
    given = parser.parse_args()
    os.environ |= KEYS
    if given.child:
        _CHILDREN[given.child](given.endpoint, given.run_name)
    elif given.endpoint:
        report(given.objects, given.endpoint, given.filer)
    else:
        with server() as started:
            client(started.endpoint).create_bucket(Bucket=BUCKET)
            fill(given.objects, started.filer)
            report(given.objects, started.endpoint, started.filer)


def fill(objects: int, filer: str) -> None:
    """Put all objects; half an hour's work for S3's own interface, some minutes for the server's."""
    say(f"putting {objects:,} objects")
    put(filer, BUCKET, dict.fromkeys(map(key, range(objects)), PAGE))


def key(number: int) -> str:
    """A page of a catalogue."""
    return f"catalogue/item-{number:07}.html"


def report(objects: int, endpoint: str, filer: str) -> None:
    """Measure, and write the page of results."""
    page = Report("bucket", f"A bucket of {objects:,} objects")
    run_name = f"run-{time.time():.0f}"
    if OUTPUT_BUCKET not in [each["Name"] for each in client(endpoint).list_buckets()["Buckets"]]:
        client(endpoint).create_bucket(Bucket=OUTPUT_BUCKET)
    say("listing")
    listing = _child("list", endpoint, run_name)
    say("building")
    builds = [_child("build", endpoint, run_name) for _ in range(2)]
    page.table(
        ["", "requests", "s", "of the listing", "to reach: 2.5", "peak MB", "to reach: 400"],
        [
            ["a bare boto3 paginator", *_requests_and_seconds(listing), "1.00", "", f"{listing.megabytes:.0f}", ""],
            *(_row(name, each, listing) for name, each in zip(("full build", "build again"), builds, strict=True)),
        ],
    )
    told = json.loads(builds[0].output)
    page.text(f"{told['pages']:,} pages in {told['sitemaps']} sitemaps. Reads are answered at once, see above.")
    reads = json.loads(_child("reads", endpoint, run_name).output)
    page.text(f"Reading alone: {reads['a second']:,.0f} objects a second, 32 at once.")
    anywhere = [key(n) for n in range(0, objects, objects // 10_000)]
    page.table(
        ["change", "s", "requests", "of them for pages", "files written", "bytes sent", "bytes received"],
        [
            changed(endpoint, filer, run_name, "one page", [key(objects // 3)]),
            changed(endpoint, filer, run_name, "10,000 pages side by side", [key(n) for n in range(10_000)]),
            changed(endpoint, filer, run_name, "10,000 pages anywhere", anywhere),
        ],
    )
    page.write()


def _row(name: str, build: Run, listing: Run) -> list[str]:
    ratio = build.seconds / listing.seconds
    memory = f"{build.megabytes:.0f}", decision(build.megabytes, 400)
    return [name, *_requests_and_seconds(build), f"{ratio:.2f}", decision(ratio, 2.5), *memory]


def _requests_and_seconds(done: Run) -> list[str]:
    return [f"{json.loads(done.output)['requests']:,}", f"{done.seconds:.1f}"]


def _child(name: str, endpoint: str, run_name: str) -> Run:
    return run([sys.executable, __file__, "--child", name, "--endpoint", endpoint, "--run-name", run_name], KEYS)


def _list(endpoint: str, run_name: str) -> None:
    del run_name
    pages = boto3.client("s3", endpoint_url=endpoint).get_paginator("list_objects_v2").paginate(Bucket=BUCKET)
    print(json.dumps({"requests": sum(1 for _ in pages)}))


def _build(endpoint: str, run_name: str) -> None:
    share_one_heap()
    requests = Requests()
    s3 = requests.count_requests_of(_own_client(endpoint))
    manifest = rebuild.rebuild(updater(Known(s3, BUCKET, ""), run_name, s3)).manifest
    assert manifest
    figures = {"pages": manifest.page_count, "sitemaps": len(manifest.entries), "requests": requests.all}
    print(json.dumps(figures))


def _own_client(endpoint: str) -> Any:
    """The client that Waypost itself makes, which reads the times of a listing quicker than boto3's."""
    os.environ["AWS_ENDPOINT_URL_S3"] = endpoint
    return s3_client()


def _reads(endpoint: str, run_name: str) -> None:
    many = [Item(key(n), key(n)) for n in range(5_000)]
    s3 = _own_client(endpoint)
    site_updater = updater(S3Source(s3, BUCKET, ""), run_name, s3)
    start = time.perf_counter()
    read_objects(site_updater.source, site_updater.site, many)
    print(json.dumps({"a second": len(many) / (time.perf_counter() - start)}))


_CHILDREN = {"list": _list, "build": _build, "reads": _reads}


def changed(endpoint: str, filer: str, run_name: str, name: str, keys: list[str]) -> list[str]:
    """Change pages, and measure the update."""
    put(filer, BUCKET, dict.fromkeys(keys, f"<title>{name} at {time.time()}</title>".encode()))
    requests = Requests()
    counted = requests.count_requests_of(_own_client(endpoint))
    site_updater = updater(S3Source(counted, BUCKET, ""), run_name, counted)
    start = time.perf_counter()
    result = rebuild.update(site_updater, keys)
    seconds = time.perf_counter() - start
    figures = (requests.all, requests.pages, len(result.written), requests.sent, requests.received)
    return [name, f"{seconds:.2f}", *(f"{figure:,}" for figure in figures)]


class Requests:
    """Counts requests and bytes."""

    def __init__(self) -> None:
        self.all = self.pages = self.sent = self.received = 0
        self._lock = Lock()

    def count_requests_of(self, client: Any) -> Any:
        """A client whose requests are counted."""
        client.meta.events.register("before-send.s3", self._sending)
        client.meta.events.register("after-call.s3", self._answered)
        return client

    def _sending(self, request: Any, **_: Any) -> None:
        with self._lock:
            self.all += 1
            self.pages += "/catalogue/" in request.url
            self.sent += int(request.headers.get("Content-Length", 0))

    def _answered(self, http_response: Any, **_: Any) -> None:
        with self._lock:
            self.received += int(http_response.headers.get("Content-Length", 0))


def updater(source: S3Source, run_name: str, s3: Any) -> Updater:
    """Waypost's updater, whose ledger and sitemaps are in another bucket."""
    site = load.check_settings([ConfigSource("benchmark", {"base_url": "https://example.org/", "state": "a bucket"})])
    ledger, outputs = S3Store(s3, OUTPUT_BUCKET, f"{run_name}/ledger/"), S3Store(s3, OUTPUT_BUCKET, f"{run_name}/out/")
    return Updater(source, site, Ledger(ledger, f"s3://{BUCKET}/"), outputs, Renderer(), lambda: "2026-11-21T00:00:00Z")


if __name__ == "__main__":
    main()
