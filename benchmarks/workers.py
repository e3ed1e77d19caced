"""Measures a rebuild of a bucket by one call, and by one and two processes that run the distributed steps.

The bucket is on a local S3 server. Each step has clients of its own. Reads of objects are answered without the server,
as in `bucket.py`.
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
from bucket import BUCKET, OUTPUT_BUCKET, Known, updater
from measure import Report, say
from seaweedfs import KEYS, client, server

from waypost.distributed.plan import RunLimits
from waypost.distributed.steps import StepResult, Steps
from waypost.sync import rebuild
from waypost.sync.updater import Updater

_STEP_AFTER = {"scan": "plan", "build": "commit", "publish": "finalize"}


def main() -> None:
    """Fill the bucket, then rebuild it three times, each time from nothing."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--objects", type=int, default=200_000)
    given = parser.parse_args()
    os.environ |= KEYS
    page = Report("workers", f"A bucket of {given.objects:,} objects rebuilt by several processes")
    with server() as started:
        for name in (BUCKET, OUTPUT_BUCKET):
            client(started.endpoint).create_bucket(Bucket=name)
        bucket.fill(given.objects, started.filer)
        page.table(["", "s", "of one call", "calls", "same bytes published"], _rows(started.endpoint))
    page.text("Reads are answered without the server (see bucket.py). The server runs on the same processors.")
    page.write()


def _rows(endpoint: str) -> list[list[str]]:
    say("one call")
    start = time.perf_counter()
    rebuild.rebuild(_updater(endpoint, "one"))
    whole = time.perf_counter() - start
    expected = _published(endpoint, "one")
    rows = [["`rebuild` in one call", f"{whole:.1f}", "1.00", "1", f"{len(expected)} files"]]
    for processes in (1, 2):
        say(f"{processes} processes")
        start = time.perf_counter()
        calls = _run_steps(endpoint, f"by-{processes}", processes)
        seconds = time.perf_counter() - start
        are_same = _published(endpoint, f"by-{processes}") == expected
        name = f"steps, {processes} process{'es' if processes > 1 else ''}"
        rows.append([name, f"{seconds:.1f}", f"{seconds / whole:.2f}", str(calls), "yes" if are_same else "**no**"])
    return rows


def _run_steps(endpoint: str, run_name: str, processes: int) -> int:
    """Run all steps; returns the number of calls."""
    step, calls = "plan", 0
    with ProcessPoolExecutor(processes) as pool:
        while step != "done":
            result = pool.submit(_run_step, endpoint, run_name, processes, {"step": step, "run": "run"}).result()
            payloads = _payloads(endpoint, run_name, result)
            done = [pool.submit(_run_step, endpoint, run_name, processes, item) for item in payloads]
            calls += 1 + len([each.result() for each in done])
            step = _STEP_AFTER[result.next_step] if payloads else result.next_step
    return calls


def _run_step(endpoint: str, run_name: str, processes: int, payload: dict[str, Any]) -> StepResult:
    return Steps(_updater(endpoint, run_name), RunLimits(processes)).take_step(payload)


def _payloads(endpoint: str, run_name: str, result: StepResult) -> Sequence[dict[str, Any]]:
    """The payloads of a step's workers."""
    if not result.tasks:
        return ()
    data = _s3(endpoint).get_object(Bucket=OUTPUT_BUCKET, Key=f"{run_name}/ledger/{result.tasks}")["Body"].read()
    payloads: list[dict[str, Any]] = msgspec.json.decode(data)
    return payloads


def _published(endpoint: str, run_name: str) -> dict[str, bytes]:
    """All published files."""
    s3, prefix = _s3(endpoint), f"{run_name}/out/"
    pages = s3.get_paginator("list_objects_v2").paginate(Bucket=OUTPUT_BUCKET, Prefix=prefix)
    names = [each["Key"] for page in pages for each in page.get("Contents", ())]
    return {name.removeprefix(prefix): s3.get_object(Bucket=OUTPUT_BUCKET, Key=name)["Body"].read() for name in names}


def _updater(endpoint: str, run_name: str) -> Updater:
    s3 = client(endpoint)
    return updater(Known(s3, BUCKET, ""), run_name, s3)


def _s3(endpoint: str) -> Any:
    return boto3.client("s3", endpoint_url=endpoint)


if __name__ == "__main__":
    main()
