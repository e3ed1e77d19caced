"""What runs over a bucket cost: the first build, an upload, the events of what it publishes, and a rebuild.

The bucket and the stores are in memory, so CPU is Waypost's own. A page that is known gets another text; its event is
handled, and then the events of the files that this published. Each size runs in a process of its own.
"""

import argparse
import importlib
import json
import math
import resource
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import Any, NamedTuple

from measure import ROOT, Report, decision, say

from waypost.config import load
from waypost.config.load import ConfigSource

_UPLOADS, _WRITE, _HEAD_BYTES = 3, "PUT outputs/", 65_536
_IDLE = 0.7
_AIMS = {10_000: (0.6, 90, 10, 1), 100_000: (4, 350, 10, 9), 200_000: (8, 700, 10, 18)}
"""By the number of objects: seconds of CPU on an idle core, MiB, requests with those of the echo, MB of the state."""


class Run(NamedTuple):
    """Seconds of CPU, requests to S3, and the bytes of state and sitemaps that were read or written.

    `memory` is the peak of the process until then, in MiB; the synthetic bucket is part of it.
    """

    cpu: float
    requests: int
    bytes: int
    memory: int


class Costs(NamedTuple):
    """What runs over a bucket of so many objects cost, the bytes of its state, and the time of additions meanwhile."""

    objects: int
    state: int
    additions: float
    first_build: Run
    upload: Run
    echo: Run
    """The events of the files that an upload published."""
    rebuild: Run


def measure(count: int) -> Costs:
    """Build the state of a bucket of so many pages, and upload one of them a few times."""
    sys.path.insert(0, str(ROOT / "tests"))
    bucket: Any = importlib.import_module("fake_buckets").StatefulBucket()
    settings = {"base_url": "https://example.org/", "state": "state", "lastmod": "content"}
    bucket.settings, bucket.source.page_size = load.check_settings([ConfigSource("benchmark", settings)]), 1_000
    keys = sorted(["index.html", *(f"docs/{n // 200}/page-{n}.html" for n in range(count - 1))])
    bucket.source.objects = {key: (_page(key, 0), "2026-01-01T00:00:00Z") for key in keys}
    first_build, key = _measured(bucket, bucket.rebuild)[0], keys[len(keys) // 2]
    uploads, echoes, additions = list[Run](), list[Run](), list[float]()
    for number in range(1, _UPLOADS + 1):
        bucket.put(key, _page(key, number))
        upload, names = _measured(bucket, partial(bucket.update, key))
        etags = {name: bucket.outputs.head(name).etag for name in names}
        uploads.append(upload)
        additions.append(_seconds_of_additions())
        echoes.append(_measured(bucket, partial(bucket.update, *names, etags=etags))[0])
    rebuild = _measured(bucket, bucket.rebuild)[0]
    size = len(bucket.state.bodies()["state"])
    return Costs(count, size, sorted(additions)[1], first_build, sorted(uploads)[1], sorted(echoes)[1], rebuild)


def _measured(bucket: Any, run: Callable[[], object]) -> tuple[Run, list[str]]:
    """What a run costs, and the names of the files that it publishes."""
    start = time.process_time()
    requests: list[str] = bucket.counted(run)
    cpu, moved = time.process_time() - start, 0
    for verb, place, *start_only in map(str.split, requests):
        store, _, name = place.partition("/")
        if verb in ("GET", "PUT") and store in ("state", "outputs"):
            size = len({"state": bucket.state, "outputs": bucket.outputs}[store].bodies().get(name, b""))
            moved += min(size, _HEAD_BYTES) if start_only else size
    names = [each.removeprefix(_WRITE) for each in requests if each.startswith(_WRITE)]
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024
    return Run(cpu, len(requests), moved, peak), names


def _page(key: str, number: int) -> bytes:
    return f"<!doctype html><html lang=en><title>{key}</title><p>text {number} of {key}</p></html>".encode()


def main() -> None:
    """Measure each number of objects in a process of its own, and report."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("objects", nargs="*", type=int, default=list(_AIMS))
    parser.add_argument("--one", action="store_true", help="measure in this process, and print JSON")
    given = parser.parse_args()
    if given.one:
        print(json.dumps(measure(given.objects[0])))
        return
    found = list[Costs]()
    for count in given.objects:
        command = [sys.executable, __file__, "--one", str(count)]
        size, state, additions, *runs = json.loads(subprocess.run(command, check=True, capture_output=True).stdout)
        found.append(Costs(size, state, additions, *(Run(*each) for each in runs)))
        say(str(found[-1]))
    _report(found)


def _report(found: Sequence[Costs]) -> None:
    report = Report("bucket_costs", "What runs over a bucket with a state cost")
    seconds = ", ".join(f"{each.additions:.2f}" for each in found)
    report.text(
        f"Ten million additions took {seconds} s beside these, and {_IDLE} s on an idle core of the machine that the "
        "aims are for. CPU is in proportion to that. Memory is the peak of the process until then, the bucket included."
    )
    head = ["objects", "state, MB", "run", "CPU, s", "memory, MiB", "requests", "MB read and written", "aims"]
    report.table(head, [row for each in found for row in _rows(each)])
    report.text("The aims are for an upload with the events of what it publishes: CPU, memory, requests, state.")
    report.write()


def _rows(costs: Costs) -> Iterator[Sequence[str]]:
    cpu, memory, requests, state = _AIMS.get(costs.objects, (math.inf,) * 4)
    speed = _IDLE / costs.additions
    met = (
        decision((costs.upload.cpu + costs.echo.cpu) * speed, cpu),
        decision(costs.upload.memory, memory),
        decision(costs.upload.requests + costs.echo.requests, requests),
        decision(costs.state / 1e6, state),
    )
    sizes = f"{costs.objects:,}", f"{costs.state / 1e6:.1f}"
    for name in ("first_build", "upload", "echo", "rebuild"):
        run: Run = getattr(costs, name)
        figures = f"{run.cpu * speed:.2f}", f"{run.memory:,}", f"{run.requests:,}", f"{run.bytes / 1e6:.1f}"
        yield *sizes, name.replace("_", " "), *figures, ", ".join(met) if name == "upload" else ""


def _seconds_of_additions() -> float:
    start, total = time.process_time(), 0
    for number in range(10_000_000):
        total += number
    return time.process_time() - start


if __name__ == "__main__":
    main()
