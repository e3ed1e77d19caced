"""What one upload to a bucket with a state costs: CPU, memory, requests and the size of the state; and a rebuild.

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
from collections.abc import Callable, Sequence
from functools import partial
from statistics import median
from typing import Any, NamedTuple

from measure import ROOT, Report, decision, say

from waypost.config import load
from waypost.config.load import ConfigSource

_UPLOADS, _WRITE = 3, "PUT outputs/"
_AIMS = {10_000: (0.6, 90, 10, 1), 100_000: (4, 350, 10, 9), 200_000: (8, 700, 10, 18)}
"""By the number of objects: seconds of CPU on an idle core, MiB, requests with those of the echo, MB of the state."""


class Costs(NamedTuple):
    """Of one upload: seconds of CPU, requests with those of its echo, bytes of the state; and of a rebuild."""

    objects: int
    cpu: float
    requests: int
    state: int
    rebuild_cpu: float
    rebuild_requests: int
    memory: int
    """The peak of the process, in MiB; the synthetic bucket is part of it."""


def measure(count: int) -> Costs:
    """Build the state of a bucket of so many pages, and upload one of them a few times."""
    sys.path.insert(0, str(ROOT / "tests"))
    bucket: Any = importlib.import_module("fake_buckets").StatefulBucket()
    settings = {"base_url": "https://example.org/", "state": "state", "lastmod": "content"}
    bucket.settings, bucket.source.page_size = load.check_settings([ConfigSource("benchmark", settings)]), 1_000
    keys = sorted(["index.html", *(f"docs/{n // 200}/page-{n}.html" for n in range(count - 1))])
    bucket.source.objects = {key: (_page(key, 0), "2026-01-01T00:00:00Z") for key in keys}
    bucket.rebuild()
    key, times = keys[len(keys) // 2], list[float]()

    def counted(run: Callable[[], object]) -> list[str]:
        start = time.process_time()
        requests: list[str] = bucket.counted(run)
        times.append(time.process_time() - start)
        return requests

    requests = list[str]()
    for number in range(1, _UPLOADS + 1):
        bucket.put(key, _page(key, number))
        requests = counted(partial(bucket.update, key))
        names = [each.removeprefix(_WRITE) for each in requests if each.startswith(_WRITE)]
        etags = {name: bucket.outputs.head(name).etag for name in names}
        requests += counted(partial(bucket.update, *names, etags=etags))
    upload = median(map(sum, zip(times[::2], times[1::2], strict=True)))
    rebuild = counted(bucket.rebuild)
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024
    size = len(bucket.state.bodies()["state"])
    return Costs(count, upload, len(requests), size, times[-1], len(rebuild), peak)


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
        found.append(Costs(*json.loads(subprocess.run(command, check=True, capture_output=True).stdout)))
        say(str(found[-1]))
    _report(found)


def _report(found: Sequence[Costs]) -> None:
    seconds = _seconds_of_additions()
    report = Report("bucket_costs", "What one upload to a bucket with a state costs")
    report.text(
        f"Ten million additions took {seconds:.2f} s beside this, and 0.7 s on an idle core of the machine that the "
        "aims are for. CPU in brackets is in proportion to that."
    )
    head = ["objects", "CPU, s", "memory, MiB", "requests", "state, MB", "aims", "rebuild, s", "its requests"]
    report.table(head, [_row(each, 0.7 / seconds) for each in found])
    report.write()


def _row(costs: Costs, speed: float) -> Sequence[str]:
    cpu, memory, requests, state = _AIMS.get(costs.objects, (math.inf,) * 4)
    met = (
        decision(costs.cpu * speed, cpu),
        decision(costs.memory, memory),
        decision(costs.requests, requests),
        decision(costs.state / 1e6, state),
    )
    return (
        f"{costs.objects:,}",
        f"{costs.cpu:.2f} ({costs.cpu * speed:.2f})",
        f"{costs.memory:,}",
        str(costs.requests),
        f"{costs.state / 1e6:.1f}",
        ", ".join(met),
        f"{costs.rebuild_cpu:.2f} ({costs.rebuild_cpu * speed:.2f})",
        f"{costs.rebuild_requests:,}",
    )


def _seconds_of_additions() -> float:
    start, total = time.process_time(), 0
    for number in range(10_000_000):
        total += number
    return time.process_time() - start


if __name__ == "__main__":
    main()
