"""Computes a run's wall time and cost from the usage of its calls: workers, throttling, prices."""

import re
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from heapq import heapify, heapreplace
from pathlib import Path

import aws_prices

from scale.worker import CallUsage

_COLD_STARTS = Path(__file__).parents[1] / "results" / "cold.md"
WORKERS = 1_000
PARTITIONS = 16
"""Assumed partitions of a site's bucket, each with request limits of its own; the ledger's bucket has one."""
READS_PER_SECOND, WRITES_PER_SECOND = 5_500, 3_500
"""What S3 promises for each partition ("Optimizing Amazon S3 performance")."""
_READS = dict.fromkeys(("GET", "HEAD", "LIST", "SAMPLE", "PROBE"), 1)
_WRITES = {"PUT": 1, "DELETE": 1, "DELETES": 1_000}
RAMP_CALLS, RAMP_SECONDS = 1_000, 10
"""Lambda adds so many concurrent calls in so many seconds ("Lambda scaling behavior")."""
STARTS_PER_SECOND = 400
"""Child executions: each has two transitions, of the 800 a second that Step Functions allows in most regions."""
TRANSITIONS = 2
PROCESSOR_FACTOR = 1.5
"""Lambda's processor is assumed to need so many times the seconds that this machine's needs."""
BANDWIDTH = 75_000_000
"""Bytes a second between Lambda and S3."""
OVERHEAD = 0.05
"""Seconds between two steps, and of a call in a warm environment."""
READ_KINDS, WRITE_KINDS = ("GET", "HEAD"), ("PUT", "LIST", "SAMPLE", "PROBE")
"""The kinds of requests by their price."""


def cold_start() -> float:
    """Seconds until a new environment of the function is ready, from the results of `benchmarks/cold.py`."""
    match = re.search(r"ready for an event \| (\d+) \|", _COLD_STARTS.read_text(encoding="utf-8"))
    assert match
    return int(match[1]) / 1_000 * PROCESSOR_FACTOR


@dataclass
class Call:
    """One call: its seconds, its requests by kind and bucket, and its peak in megabytes if it was measured."""

    seconds: float
    requests: Mapping[str, float]
    peak: float = 0.0


@dataclass
class Phase:
    """All calls of one step, some of them at the same time.

    `peak` is the most megabytes of a measured call, `largest` the most objects of a call, and `processor` the measured
    processor seconds.
    """

    step: str
    calls: list[Call]
    peak: float = 0.0
    largest: int = 0
    processor: float = 0.0

    def requests(self) -> Counter[str]:
        """All requests by kind and bucket."""
        requests: Counter[str] = Counter()
        for call in self.calls:
            requests.update(call.requests)
        return requests

    def seconds(self, partitions: int = PARTITIONS, workers: int = WORKERS) -> float:
        """Wall time: the workers take the calls in order, and are limited by the requests that S3 answers."""
        by_workers = makespan([call.seconds for call in self.calls], workers)
        return max(by_workers, throttled_seconds(self.requests(), partitions))

    def billed_seconds(self, partitions: int = PARTITIONS, workers: int = WORKERS) -> float:
        """Seconds that Lambda charges; where S3 is the limit, all workers wait for it."""
        throttled = throttled_seconds(self.requests(), partitions) * min(workers, len(self.calls))
        return max(sum(call.seconds for call in self.calls), throttled)


@dataclass
class SimulatedRun:
    """One scenario over one bucket; `figures` are further numbers of the scenario by name."""

    scenario: str
    shape: str
    size: int
    phases: list[Phase] = field(default_factory=list)
    figures: dict[str, float] = field(default_factory=dict)

    def requests(self) -> Counter[str]:
        """All requests by kind and bucket."""
        return sum((phase.requests() for phase in self.phases), Counter())

    def count(self, *kinds: str) -> float:
        """The number of requests of these kinds."""
        return sum(count for name, count in self.requests().items() if name.split()[0] in kinds)

    def seconds(self, partitions: int = PARTITIONS) -> float:
        """Wall time of all steps, one after another."""
        return sum(phase.seconds(partitions) for phase in self.phases)

    def peak(self, *steps: str) -> float:
        """The most megabytes that a measured call of these steps, or of any step, used."""
        return max((phase.peak for phase in self.phases if not steps or phase.step in steps), default=0.0)

    def workers(self) -> int:
        """The most calls at the same time."""
        return max(min(len(phase.calls), WORKERS) for phase in self.phases)

    def calls(self) -> int:
        """The number of calls."""
        return sum(len(phase.calls) for phase in self.phases)

    def dollars(self, partitions: int = PARTITIONS) -> float:
        """The cost of S3's requests, Lambda's calls and time, and the state machine's transitions."""
        requests = self.count(*WRITE_KINDS) * aws_prices.S3_WRITE + self.count(*READ_KINDS) * aws_prices.S3_READ
        gigabyte_seconds = aws_prices.LAMBDA_GIGABYTES * sum(phase.billed_seconds(partitions) for phase in self.phases)
        functions = gigabyte_seconds * aws_prices.LAMBDA_GIGABYTE_SECOND + self.calls() * aws_prices.LAMBDA_CALL
        transitions = TRANSITIONS * self.calls() if self.calls() > 1 else 0
        return float(requests + functions + transitions * aws_prices.STEP_FUNCTIONS_TRANSITION)


def call_from_usage(usage: CallUsage, request_seconds: Mapping[str, float]) -> Call:
    """A call's time: its waiting, its bytes and its processor time one after another, as if they never overlapped."""
    in_boto3 = sum(request_seconds[name.split()[0]] * count for name, count in usage.requests.items())
    processor = PROCESSOR_FACTOR * (usage.processor + in_boto3)
    return Call(usage.waited + usage.bytes / BANDWIDTH + processor + OVERHEAD, usage.requests, usage.peak)


def interpolated_calls(samples: Sequence[tuple[float, Call]]) -> Callable[[float], Call]:
    """A function that estimates a call by its size, on straight lines through sampled calls."""
    sizes = [size for size, _ in samples]
    names = {name for _, call in samples for name in call.requests}
    lines = {name: fitted_line(sizes, [call.requests.get(name, 0) for _, call in samples]) for name in names}
    seconds = fitted_line(sizes, [call.seconds for _, call in samples])
    return lambda size: Call(max(seconds(size), OVERHEAD), {name: max(at(size), 0) for name, at in lines.items()})


def fitted_line(xs: Sequence[float], ys: Sequence[float]) -> Callable[[float], float]:
    """The line of least squares; a level line if there is only one x."""
    mean_x, mean_y = sum(xs) / len(xs), sum(ys) / len(ys)
    spread = sum((x - mean_x) ** 2 for x in xs)
    slope = sum((x - mean_x) * (y - mean_y) for x, y in zip(xs, ys, strict=True)) / spread if spread else 0.0
    return lambda x: mean_y + slope * (x - mean_x)


def makespan(call_seconds: Iterable[float], workers: int) -> float:
    """When the last call ends, if the calls are taken in order, each by the worker that is free first."""
    calls = list(call_seconds)
    free_at = [RAMP_SECONDS * (n // RAMP_CALLS) + cold_start() for n in range(min(workers, len(calls)))]
    heapify(free_at)
    for n, seconds in enumerate(calls):
        heapreplace(free_at, max(free_at[0], n / STARTS_PER_SECOND) + seconds)
    return max(free_at, default=0.0)


def throttled_seconds(requests: Mapping[str, float], partitions: int) -> float:
    """The least time in which S3 answers so many requests."""
    return max(
        sum(requests.get(f"{kind} {bucket}", 0) * weight for kind, weight in kinds.items()) / rate / bucket_partitions
        for bucket, bucket_partitions in (("site", partitions), ("state", 1))
        for kinds, rate in ((_READS, READS_PER_SECOND), (_WRITES, WRITES_PER_SECOND))
    )
