"""From what calls took to what a run takes: wall time over so many workers, throttling, and dollars."""

import importlib.util
import re
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from heapq import heapify, heapreplace
from typing import Any

from measure import ROOT
from scale_worker import Taken


def _costs() -> Any:
    """The prices of docs/costs.py."""
    spec = importlib.util.spec_from_file_location("costs", ROOT / "docs" / "costs.py")
    assert spec
    assert spec.loader
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


COSTS = _costs()
WORKERS = 1_000
PARTITIONS = 16
"""Parts that S3 keeps a site's bucket in, each with limits of its own; the ledger's bucket has one."""
READS, WRITES = 5_500, 3_500
"""Requests a second that S3 promises of each part of a bucket ("Optimizing Amazon S3 performance")."""
RAMP, RAMP_SECONDS = 1_000, 10
"""Calls at once that Lambda adds in so many seconds ("Lambda scaling behavior")."""
STARTS = 400
"""Children a second: two transitions each of the 800 a second that Step Functions allows in most regions."""
TRANSITION, TRANSITIONS = 0.025 / 1_000, 2
FACTOR = 1.5
"""How much longer Lambda's processor is taken to need than the one that this was measured on."""
BANDWIDTH = 75_000_000
"""Bytes a second that come and go between Lambda and S3."""
OVERHEAD = 0.05
"""Seconds between two steps, and of a call that finds its environment warm."""


def cold() -> float:
    """Seconds until a new environment of the function is ready, from the last benchmark of that."""
    text = (ROOT / "benchmarks" / "results" / "cold.md").read_text(encoding="utf-8")
    found = re.search(r"ready for an event \| (\d+) \|", text)
    assert found
    return int(found[1]) / 1_000 * FACTOR


@dataclass
class Call:
    """One call: its seconds, its requests by kind and bucket, and megabytes where they were measured."""

    seconds: float
    requests: Mapping[str, float]
    peak: float = 0.0


@dataclass
class Phase:
    """Calls of one step, some at the same time."""

    step: str
    calls: list[Call]
    peak: float = 0.0
    largest: int = 0
    processor: float = 0.0

    def requests(self) -> Counter[str]:
        """All requests by kind and bucket."""
        found: Counter[str] = Counter()
        for call in self.calls:
            found.update(call.requests)
        return found

    def seconds(self, partitions: int = PARTITIONS, workers: int = WORKERS) -> float:
        """Wall time: as many workers as there may be take the items in order, no faster than S3 answers."""
        return max(makespan([call.seconds for call in self.calls], workers), throttled(self.requests(), partitions))

    def busy(self, partitions: int = PARTITIONS, workers: int = WORKERS) -> float:
        """Seconds that are paid for: where S3 holds them up, all workers wait."""
        stored = throttled(self.requests(), partitions) * min(workers, len(self.calls))
        return max(sum(call.seconds for call in self.calls), stored)


@dataclass
class Run:
    """What was simulated of one scenario over one bucket."""

    scenario: str
    shape: str
    size: int
    phases: list[Phase] = field(default_factory=list)
    about: dict[str, float] = field(default_factory=dict)

    def requests(self) -> Counter[str]:
        """All requests by kind and bucket."""
        return sum((phase.requests() for phase in self.phases), Counter())

    def seconds(self, partitions: int = PARTITIONS) -> float:
        """Wall time of all steps, one after another."""
        return sum(phase.seconds(partitions) for phase in self.phases)

    def peak(self, *steps: str) -> float:
        """The most megabytes that a call of these steps, or of any, was measured to need."""
        return max((phase.peak for phase in self.phases if not steps or phase.step in steps), default=0.0)

    def workers(self) -> int:
        """The most calls at the same time."""
        return max(min(len(phase.calls), WORKERS) for phase in self.phases)

    def calls(self) -> int:
        """How many calls there are."""
        return sum(len(phase.calls) for phase in self.phases)

    def dollars(self, partitions: int = PARTITIONS) -> float:
        """S3's requests, Lambda's calls and time, and the state machine's transitions."""
        asked = self.requests()
        kinds = {kind: sum(n for name, n in asked.items() if name.startswith(kind)) for kind in _WRITE + _READ}
        s3 = sum(kinds[kind] for kind in _WRITE) * COSTS.WRITE + sum(kinds[kind] for kind in _READ) * COSTS.READ
        busy = sum(phase.busy(partitions) for phase in self.phases)
        transitions = TRANSITIONS * self.calls() * TRANSITION if self.calls() > 1 else 0
        return float(s3 + busy * COSTS.GIGABYTES * COSTS.GIGABYTE_SECONDS + self.calls() * COSTS.CALLS + transitions)


_WRITE, _READ = ["PUT", "LIST", "SAMPLE", "PROBE"], ["GET", "HEAD"]


def call(taken: Taken, of_request: Mapping[str, float]) -> Call:
    """A call's time: what it waits and what it computes, one after the other, as though they never overlapped."""
    client = sum(of_request[name.split()[0]] * count for name, count in taken.requests.items())
    seconds = taken.waited + taken.bytes / BANDWIDTH + FACTOR * (taken.processor + client) + OVERHEAD
    return Call(seconds, taken.requests, taken.peak)


def fitted(sampled: Sequence[tuple[float, Call]]) -> Callable[[float], Call]:
    """Calls by their size, on the straight lines through those that were sampled."""
    sizes = [size for size, _ in sampled]
    names = {name for _, call in sampled for name in call.requests}
    lines = {name: line(sizes, [call.requests.get(name, 0) for _, call in sampled]) for name in names}
    seconds = line(sizes, [call.seconds for _, call in sampled])
    return lambda size: Call(max(seconds(size), OVERHEAD), {name: max(at(size), 0) for name, at in lines.items()})


def line(xs: Sequence[float], ys: Sequence[float]) -> Callable[[float], float]:
    """The line of least squares; through zero where there is one point alone."""
    middle, height = sum(xs) / len(xs), sum(ys) / len(ys)
    spread = sum((x - middle) ** 2 for x in xs)
    slope = sum((x - middle) * (y - height) for x, y in zip(xs, ys, strict=True)) / spread if spread else 0.0
    return lambda x: height + slope * (x - middle)


def makespan(seconds: Iterable[float], workers: int) -> float:
    """When the last of some calls ends, each taken by the worker that is free first, in order."""
    many = list(seconds)
    free = [RAMP_SECONDS * (n // RAMP) + cold() for n in range(min(workers, len(many)))]
    heapify(free)
    for n, each in enumerate(many):
        heapreplace(free, max(free[0], n / STARTS) + each)
    return max(free, default=0.0)


def throttled(requests: Mapping[str, float], partitions: int) -> float:
    """The least time in which S3 answers so many requests."""
    times = [0.0]
    for bucket, parts in (("site", partitions), ("state", 1)):
        for kinds, rate in ((("GET", "HEAD", "LIST", "SAMPLE", "PROBE"), READS), (("PUT", "DELETE"), WRITES)):
            times.append(sum(requests.get(f"{kind} {bucket}", 0) for kind in kinds) / rate / parts)
    return max(times)
