"""One call of the function in a process of its own: runs a step over a synthetic bucket and reports what it used.

`python -m scale.worker TASK.json`, in `benchmarks/`, prints JSON. The code that runs is Waypost's own; only S3 and the
threads are simulated.
"""

import json
import sys
import time
from pathlib import Path
from typing import Any

import boto3
import msgspec

from scale.clock import SimulatedClock
from scale.s3_client import SimulatedS3Client
from scale.synthetic_bucket import make_bucket
from waypost.config import load
from waypost.config.load import ConfigSource
from waypost.config.schema import Site
from waypost.core.clock import w3c_now
from waypost.core.dates import unix_time
from waypost.distributed.plan import RunLimits
from waypost.distributed.steps import Steps
from waypost.ledger.store import Ledger
from waypost.sitemaps.render import Renderer
from waypost.sources.s3 import S3Source
from waypost.stores.s3 import S3Store
from waypost.sync import rebuild
from waypost.sync.updater import Updater

NOW = "2026-11-21T00:00:00Z"

_DAY_SECONDS = 86_400


class CallTask(msgspec.Struct, frozen=True):
    """What to do over which bucket, on which day: a step's `payload`, or an update of `keys`, or a whole rebuild."""

    shape: str
    size: int
    folder: str
    workers: int
    payload: dict[str, Any] | None = None
    keys: tuple[str, ...] = ()
    changed: tuple[int, ...] = ()
    limits: str = "strict"
    day: int = 0


class CallUsage(msgspec.Struct, frozen=True):
    """What a call used: simulated seconds of waiting, processor seconds, requests, bytes, and megabytes at its peak."""

    waited: float
    processor: float
    requests: dict[str, int]
    bytes: int
    peak: float
    answer: dict[str, Any]


def make_site(limits: str = "strict") -> Site:
    """The default settings of a site in a bucket."""
    values = {"base_url": "https://example.org/", "state": "s3://state/ledger/", "lastmod": "content", "limits": limits}
    return load.check_settings([ConfigSource("benchmark", values)])


def make_updater(task: CallTask, client: Any, clock: SimulatedClock) -> Updater:
    """Waypost's updater over the simulated client."""
    ledger = Ledger(S3Store(client, "state", "ledger/"), "s3://site/")
    source, outputs = S3Source(client, "site", ""), S3Store(client, "site", "")
    return Updater(
        source, make_site(task.limits), ledger, outputs, Renderer(), lambda: w3c_now(clock), lease_clock=clock
    )


def run_call(task: CallTask) -> CallUsage:
    """Do a task in this process."""
    clock = SimulatedClock(unix_time(NOW) + task.day * _DAY_SECONDS)
    client = SimulatedS3Client(clock, make_bucket(task.shape, task.size), Path(task.folder), task.changed)
    updater = make_updater(task, client, clock)
    start = time.process_time()
    with clock.installed():
        answer = _answer(task, updater)
    processor = time.process_time() - start - client.own_seconds
    return CallUsage(clock.now, processor, dict(client.requests), client.bytes, _peak_megabytes(), answer)


def _answer(task: CallTask, updater: Updater) -> dict[str, Any]:
    if task.payload is not None:
        step = Steps(updater, RunLimits(task.workers)).take_step(task.payload)
        return {"next_step": step.next_step, "tasks": step.tasks, "task_count": step.task_count}
    result = rebuild.update(updater, task.keys) if task.keys else rebuild.rebuild(updater)
    return {"written": len(result.written), "changed": result.records_changed, "conflicts": result.conflicts}


def _peak_megabytes() -> float:
    """The peak of this process alone: `getrusage` would include its parent's."""
    status = Path("/proc/self/status").read_text(encoding="utf-8")
    return int(status.partition("VmHWM:")[2].split()[0]) / 1_024


if __name__ == "__main__":
    boto3.client("s3", region_name="us-east-1", aws_access_key_id="x", aws_secret_access_key="x")  # uses memory
    call_task = msgspec.json.decode(Path(sys.argv[1]).read_bytes(), type=CallTask)
    print(json.dumps(msgspec.to_builtins(run_call(call_task))))
