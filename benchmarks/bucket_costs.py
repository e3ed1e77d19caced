"""What runs over a bucket cost: the first build, an upload, the events of what it publishes, and a rebuild.

Keys and pages are computed when they are asked for, and the stores are in memory, so CPU and memory are Waypost's own.
A page that is known gets another text; its event is handled, and then the events of the files that this published. A
bucket that is too large for one state is divided first; then the largest partition is built.
Each size runs in a process of its own.
"""

import argparse
import hashlib
import importlib
import json
import math
import resource
import subprocess
import sys
import time
from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from typing import Any, NamedTuple

from measure import ROOT, Report, decision, say

from waypost.build import bucket_run, divided_bucket
from waypost.build.divided_bucket import MOST_OBJECTS, DividedBucket
from waypost.build.partitions import WHOLE
from waypost.core.model import Body, Item
from waypost.settings import load
from waypost.settings.load import ConfigSource

_UPLOADS, _WRITE, _HEAD_BYTES = 3, "PUT outputs/", 65_536
_LISTED, _FOLDER = 1_000, 200
_IDLE = 0.7
_AIMS = {
    10_000: (0.6, 90, 10, 1),
    100_000: (4, 350, 10, 9),
    200_000: (8, 700, 10, 18),
    1_000_000: (4, 350, 12, 9),
    10_000_000: (4, 350, 12, 9),
}
"""By the number of objects: seconds of CPU on an idle core, MiB, requests of an upload, and MB of its state."""


class Run(NamedTuple):
    """Seconds of CPU, requests to S3, and the bytes of state and sitemaps that were read or written.

    `memory` is the peak of the process until then, in MiB.
    """

    cpu: float
    requests: int
    bytes: int
    memory: int


class Costs(NamedTuple):
    """What runs over a bucket of so many objects cost, the bytes of its state, and the time of additions meanwhile.

    Of a bucket in `partitions`, all but the division is of the largest one.
    """

    objects: int
    partitions: int
    state: int
    additions: float
    division: Run
    first_build: Run
    upload: Run
    echo: Run
    """The events of the files that an upload published."""
    rebuild: Run


class _Keys(Sequence[str]):
    """The keys of so many pages, in order."""

    def __init__(self, count: int) -> None:
        self._count = count

    def __len__(self) -> int:
        return self._count

    def __getitem__(self, index: Any) -> Any:
        if isinstance(index, slice):
            return [self[n] for n in range(*index.indices(self._count))]
        if not 0 <= index < self._count:
            raise IndexError(index)
        folder, page = divmod(index, _FOLDER)
        return f"{folder // 1_000:03d}/docs-{folder % 1_000:03d}/page-{page:03d}.html"


class _ComputedBucket:
    """An ObjectSource of computed pages, each with the number of its text; `numbers` has those that are not 0."""

    width, has_etags = 1, True

    def __init__(self, count: int, gate: Any) -> None:
        self._keys, self._gate, self.numbers = _Keys(count), gate, dict[str, int]()

    def items(self, prunes: Any) -> Iterator[Item]:
        del prunes
        return (item for some in self.list_items("", ()) for item in some)

    def list_items(
        self, start_after: str, split_points: Iterable[str], through: str | None = None
    ) -> Iterator[Sequence[Item]]:
        del split_points
        start = bisect_right(self._keys, start_after)
        stop = len(self._keys) if through is None else bisect_right(self._keys, through)
        for first in range(start, stop, _LISTED):
            self._gate.admit(f"LIST site/ after {first}")
            yield [self._item(key) for key in self._keys[first : min(first + _LISTED, stop)]]

    def first_key_after(self, key: str) -> str | None:
        start = bisect_right(self._keys, key)
        return self._keys[start] if start < len(self._keys) else None

    def read(self, item: Item, size: int | None = None) -> Body:
        self._gate.admit(f"GET site/{item.key}")
        found = self._item(item.key)
        return Body(self._page(item.key)[:size], True, etag=found.etag, modified=found.modified)

    def etags(self, keys: Iterable[str]) -> dict[str, str | None]:
        return {key: self._item(key).etag for key in keys}

    def find(self, key: str) -> bytes | None:
        self._gate.admit(f"GET site/{key}")
        return None

    def _page(self, key: str) -> bytes:
        text = f"text {self.numbers.get(key, 0)} of {key}"
        return f"<!doctype html><html lang=en><title>{key}</title><p>{text}</p></html>".encode()

    def _item(self, key: str) -> Item:
        number = self.numbers.get(key, 0)
        etag = hashlib.md5(f"{key}{number}".encode(), usedforsecurity=False).hexdigest()
        return Item(key, key, 100, f'"{etag}"', f"2026-01-01T00:00:{number:02d}Z")


def measure(count: int) -> Costs:
    """Build the state of a bucket of so many pages, and upload one of them a few times."""
    sys.path.insert(0, str(ROOT / "tests"))
    bucket: Any = importlib.import_module("fake_buckets").StatefulBucket()
    settings = {"base_url": "https://example.org/", "state": "state", "lastmod": "content"}
    bucket.settings = load.check_settings([ConfigSource("benchmark", settings)])
    bucket.source = _ComputedBucket(count, bucket.gate)
    divided = DividedBucket(bucket.site())
    division = Run(0, 0, 0, 0)
    if count > MOST_OBJECTS:
        division, _ = _measured(bucket, lambda: divided.divide(WHOLE, divided.division()))
    part = min(divided.division().parts, key=lambda part: len(part.prefix) or math.inf)  # the largest
    first_build, _ = _measured(bucket, partial(_rebuild, divided, part.name))
    key = bucket.source.first_key_after(part.prefix)
    uploads, echoes, additions = list[Run](), list[Run](), list[float]()
    for number in range(1, _UPLOADS + 1):
        bucket.source.numbers[key] = number
        upload, names = _measured(bucket, lambda: divided_bucket.update(divided, [key]))
        uploads.append(upload)
        additions.append(_seconds_of_additions())
        etags = {name: bucket.outputs.head(name).etag for name in names}
        echoes.append(_measured(bucket, partial(_echo, divided, etags))[0])
    rebuild = _measured(bucket, partial(_rebuild, divided, part.name))[0]
    size = len(bucket.state.bodies()[divided.site(part, divided.division()).state.name])
    partitions, cpu = len(divided.division().partitions), sorted(additions)[1]
    return Costs(count, partitions, size, cpu, division, first_build, sorted(uploads)[1], sorted(echoes)[1], rebuild)


def _rebuild(divided: DividedBucket, name: str) -> None:
    while divided_bucket.rebuild_part(divided, name).is_unfinished:
        pass


def _echo(divided: DividedBucket, etags: Mapping[str, str]) -> None:
    """Handle the events of published files."""
    for site, own in divided.by_site(etags, divided.division()):
        bucket_run.update(site, own, etags=etags)


def _measured(bucket: Any, run: Callable[[], object]) -> tuple[Run, list[str]]:
    """What a run costs, and the names of the files that it publishes."""
    bucket.clock.sleep(1)  # a sitemap that changes gets another date, and with it its index
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
        values = json.loads(subprocess.run(command, check=True, capture_output=True).stdout)
        found.append(Costs(*values[:4], *(Run(*each) for each in values[4:])))
        say(str(found[-1]))
    _report(found)


def _report(found: Sequence[Costs]) -> None:
    report = Report("bucket_costs", "What runs over a bucket with a state cost")
    seconds = ", ".join(f"{each.additions:.2f}" for each in found)
    report.text(
        f"Ten million additions took {seconds} s beside these, and {_IDLE} s on an idle core of the machine that the "
        "aims are for. CPU is in proportion to that. Memory is the peak of the process until then. Of a bucket in "
        "partitions, the largest one was built."
    )
    head = [
        "objects",
        "partitions",
        "state, MB",
        "run",
        "CPU, s",
        "memory, MiB",
        "requests",
        "MB read and written",
        "aims",
    ]
    report.table(head, [row for each in found for row in _rows(each)])
    report.text("The aims are for an upload: CPU (with that of the events of its files), memory, requests, state.")
    report.write()


def _rows(costs: Costs) -> Iterator[Sequence[str]]:
    cpu, memory, requests, state = _AIMS.get(costs.objects, (math.inf,) * 4)
    speed = _IDLE / costs.additions
    met = (
        decision((costs.upload.cpu + costs.echo.cpu) * speed, cpu),
        decision(costs.upload.memory, memory),
        decision(costs.upload.requests, requests),
        decision(costs.state / 1e6, state),
    )
    sizes = f"{costs.objects:,}", f"{costs.partitions:,}", f"{costs.state / 1e6:.1f}"
    for name in ("division", "first_build", "upload", "echo", "rebuild"):
        run: Run = getattr(costs, name)
        if not run.requests:
            continue
        figures = f"{run.cpu * speed:.2f}", f"{run.memory:,}", f"{run.requests:,}", f"{run.bytes / 1e6:.1f}"
        yield *sizes, name.replace("_", " "), *figures, ", ".join(met) if name == "upload" else ""


def _seconds_of_additions() -> float:
    start, total = time.process_time(), 0
    for number in range(10_000_000):
        total += number
    return time.process_time() - start


if __name__ == "__main__":
    main()
