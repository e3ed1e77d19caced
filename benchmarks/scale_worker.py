"""One call of the function in a process of its own: takes a step over a synthetic bucket, and tells what it took.

`python scale_worker.py TASK.json` prints JSON. The product's code is what runs; only S3 and the threads are not real.
"""

import json
import sys
import time
from pathlib import Path
from typing import Any

import boto3
import msgspec
import synthetic
from scale_client import Client
from scale_clock import Clock

from waypost.config import load
from waypost.config.load import ConfigSource
from waypost.config.schema import Site
from waypost.distributed.plan import RunLimits
from waypost.distributed.steps import Steps
from waypost.ledger.store import Ledger
from waypost.sitemaps.render import Renderer
from waypost.sources.s3 import S3Source
from waypost.stores.s3 import S3Store
from waypost.sync import rebuild
from waypost.sync.updater import Updater

NOW = "2026-11-21T00:00:00Z"


class Task(msgspec.Struct, frozen=True):
    """What to do over which bucket: a step's `payload`, or an update of `keys`; neither, for a rebuild."""

    shape: str
    size: int
    folder: str
    workers: int
    payload: dict[str, Any] | None = None
    keys: tuple[str, ...] = ()
    changed: tuple[int, ...] = ()
    limits: str = "strict"


class Taken(msgspec.Struct, frozen=True):
    """What a call took: seconds of waiting and of the processor, requests, bytes, and megabytes at its peak."""

    waited: float
    processor: float
    requests: dict[str, int]
    bytes: int
    peak: float
    answer: dict[str, Any]


def site(limits: str = "strict") -> Site:
    """The settings of a site in a bucket, which are the defaults."""
    values = {"base_url": "https://example.org/", "state": "s3://state/ledger/", "lastmod": "content", "limits": limits}
    return load.check_settings([ConfigSource("benchmark", values)])


def updater(task: Task, client: Any) -> Updater:
    """The site, its ledger and its sitemaps."""
    ledger = Ledger(S3Store(client, "state", "ledger/"), "s3://site/")
    return Updater(
        S3Source(client, "site", ""), site(task.limits), ledger, S3Store(client, "site", ""), Renderer(), lambda: NOW
    )


def run(task: Task) -> Taken:
    """Take the step in this process."""
    clock = Clock()
    client = Client(clock, synthetic.bucket(task.shape, task.size), Path(task.folder), task.changed)
    keeper = updater(task, client)
    began = time.process_time()
    with clock.installed():
        answer = _answer(task, keeper)
    processor = time.process_time() - began - client.own
    return Taken(clock.now, processor, dict(client.requests), client.bytes, _peak(), answer)


def _answer(task: Task, keeper: Updater) -> dict[str, Any]:
    if task.payload is not None:
        found = Steps(keeper, RunLimits(task.workers)).take_step(task.payload)
        return {"next_step": found.next_step, "tasks": found.tasks, "task_count": found.task_count}
    result = rebuild.update(keeper, task.keys) if task.keys else rebuild.rebuild(keeper)
    return {"written": len(result.written), "changed": result.records_changed, "conflicts": result.conflicts}


def _peak() -> float:
    """Megabytes that this process had at its peak: unlike `getrusage`, nothing of the one that started it."""
    status = Path("/proc/self/status").read_text(encoding="utf-8")
    return int(status.partition("VmHWM:")[2].split()[0]) / 1_024


if __name__ == "__main__":
    boto3.client("s3", region_name="us-east-1", aws_access_key_id="x", aws_secret_access_key="x")  # as a call has one
    task = msgspec.json.decode(Path(sys.argv[1]).read_bytes(), type=Task)
    print(json.dumps(msgspec.to_builtins(run(task))))
