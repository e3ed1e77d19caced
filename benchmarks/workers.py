"""A bucket on a local S3 server rebuilt by one call, and by one process and two that take the steps of many workers.

Each step is a call with clients of its own. What a build reads of each object is answered at once, as in `bucket.py`:
so processes are compared, not downloads.
"""

import argparse
import os
import time
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from typing import Any

import boto3
import bucket
import msgspec
from bucket import BESIDE, BUCKET, Known, updater
from measure import Report, say
from seaweedfs import KEYS, client, server

from waypost.distributed.plan import RunLimits
from waypost.distributed.steps import StepResult, Steps
from waypost.sync import rebuild
from waypost.sync.updater import Updater

_AFTER = {"scan": "plan", "build": "commit", "publish": "finalize"}


def main() -> None:
    """Fill the bucket, then rebuild it three times, each time from nothing."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--objects", type=int, default=200_000)
    given = parser.parse_args()
    os.environ |= KEYS
    page = Report("workers", f"A bucket of {given.objects:,} objects rebuilt by several processes")
    with server() as started:
        for name in (BUCKET, BESIDE):
            client(started.endpoint).create_bucket(Bucket=name)
        bucket.fill(given.objects, started.filer)
        page.table(["", "s", "of one call", "calls", "same bytes published"], _rows(started.endpoint))
    page.text("Reads are answered at once, see bucket.py. The server runs on the same processors.")
    page.write()


def _rows(endpoint: str) -> list[list[str]]:
    say("one call")
    began = time.perf_counter()
    rebuild.rebuild(_keeper(endpoint, "one"))
    whole = time.perf_counter() - began
    expected = _published(endpoint, "one")
    rows = [["`rebuild` in one call", f"{whole:.1f}", "1.00", "1", f"{len(expected)} files"]]
    for processes in (1, 2):
        say(f"{processes} processes")
        began = time.perf_counter()
        calls = _stepped(endpoint, f"by-{processes}", processes)
        seconds = time.perf_counter() - began
        are_same = _published(endpoint, f"by-{processes}") == expected
        name = f"steps, {processes} process{'es' if processes > 1 else ''}"
        rows.append([name, f"{seconds:.1f}", f"{seconds / whole:.2f}", str(calls), "yes" if are_same else "**no**"])
    return rows


def _stepped(endpoint: str, place: str, processes: int) -> int:
    """Take all steps; returns how many calls there were."""
    step, calls = "plan", 0
    with ProcessPoolExecutor(processes) as pool:
        while step != "done":
            found = pool.submit(_taken, endpoint, place, processes, {"step": step, "run": "run"}).result()
            items = _items(endpoint, place, found)
            done = [pool.submit(_taken, endpoint, place, processes, item) for item in items]
            calls += 1 + len([each.result() for each in done])
            step = _AFTER[found.next_step] if items else found.next_step
    return calls


def _taken(endpoint: str, place: str, processes: int, payload: dict[str, Any]) -> StepResult:
    return Steps(_keeper(endpoint, place), RunLimits(processes)).take_step(payload)


def _items(endpoint: str, place: str, found: StepResult) -> Sequence[dict[str, Any]]:
    """What the workers of a step are given."""
    if not found.tasks:
        return ()
    data = _s3(endpoint).get_object(Bucket=BESIDE, Key=f"{place}/ledger/{found.tasks}")["Body"].read()
    items: list[dict[str, Any]] = msgspec.json.decode(data)
    return items


def _published(endpoint: str, place: str) -> dict[str, bytes]:
    """All published files."""
    s3, stem = _s3(endpoint), f"{place}/out/"
    pages = s3.get_paginator("list_objects_v2").paginate(Bucket=BESIDE, Prefix=stem)
    names = [each["Key"] for page in pages for each in page.get("Contents", ())]
    return {name.removeprefix(stem): s3.get_object(Bucket=BESIDE, Key=name)["Body"].read() for name in names}


def _keeper(endpoint: str, place: str) -> Updater:
    s3 = client(endpoint)
    return updater(Known(s3, BUCKET, ""), place, s3)


def _s3(endpoint: str) -> Any:
    return boto3.client("s3", endpoint_url=endpoint)


if __name__ == "__main__":
    main()
