"""Adds up what a site uses in a month: the measured calls, as often as its uploads cause them."""

import re
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from bill.measurement import PROCESSOR_FACTOR
from bill.sites import OWN_EVENTS, REBUILD, UPLOADS, BilledSite
from bill.stack import Stack
from bill.usage import MeasuredSite, Usage

_COLD_STARTS = Path(__file__).parents[1] / "results" / "cold.md"
DAYS = 30
POLLERS, POLL_SECONDS = 5, 20
"""How many of Lambda's pollers wait for messages at the same time, and how long each request waits."""
LIFECYCLE_DAYS = 0.5
"""S3 counts the days of a lifecycle rule from the next midnight in UTC."""
PLATFORM_LINES = 3
PLATFORM_BYTES = 560
"""Lambda's own lines of one call: the start, the report and, after a cold start, that of the environment."""
LINE_OVERHEAD = 26
"""Bytes that CloudWatch adds to each line."""


def cold_start() -> float:
    """Seconds until a new environment of the function is ready, from the results of `benchmarks/cold.py`."""
    match = re.search(r"ready for an event \| (\d+) \|", _COLD_STARTS.read_text(encoding="utf-8"))
    assert match
    return int(match[1]) / 1_000 * PROCESSOR_FACTOR


@dataclass(frozen=True)
class Call:
    """A kind of measured call: how many of them a day, of which function, and whether they start cold."""

    usage: Usage
    a_day: int
    is_rebuild: bool = False
    is_cold: bool = False

    @property
    def seconds(self) -> float:
        """The seconds of a day that Lambda charges, cold starts included."""
        return self.a_day * (self.usage.seconds + (cold_start() if self.is_cold else 0))


@dataclass(frozen=True)
class Month:
    """A month of one site, with so many rebuilds a day."""

    site: BilledSite
    measured: MeasuredSite
    stack: Stack
    rebuilds: int = 1

    @property
    def calls(self) -> list[Call]:
        """The calls by kind."""
        usages, site = self.measured.usages, self.site
        return [
            Call(usages[UPLOADS], site.batches, is_cold=not site.is_busy),
            Call(usages[OWN_EVENTS], site.batches),
            Call(usages[REBUILD], site.partitions * self.rebuilds, is_rebuild=True, is_cold=True),
        ]

    def total(self, value: Callable[[Usage], float]) -> float:
        """The sum over all calls of a month."""
        return DAYS * sum(call.a_day * value(call.usage) for call in self.calls)

    def requests(self, *names: str) -> float:
        """The requests of a month with these names, each a kind and a bucket."""
        return self.total(lambda usage: sum(usage.requests.get(name, 0) for name in names))

    def written(self, bucket: str) -> float:
        """The bytes that are written to a bucket in a day."""
        return self.total(lambda usage: usage.written.get(bucket, 0)) / DAYS

    def invocations(self, *, is_rebuild: bool) -> float:
        """The calls of a month of one function."""
        return DAYS * sum(call.a_day for call in self.calls if call.is_rebuild == is_rebuild)

    def gigabyte_seconds(self, *, is_rebuild: bool) -> float:
        """The gigabyte-seconds of a month of one function."""
        seconds = DAYS * sum(call.seconds for call in self.calls if call.is_rebuild == is_rebuild)
        return seconds * self.stack.memory / 1_024

    @property
    def uploads(self) -> int:
        """The uploads of a month."""
        return DAYS * self.site.batches * self.site.uploads

    @property
    def events(self) -> float:
        """The events that the bucket sends: those of uploads, and those of published files."""
        return self.uploads + self.total(lambda usage: usage.events)

    @property
    def polls(self) -> float:
        """The requests by which Lambda waits for messages."""
        return DAYS * 86_400 / POLL_SECONDS * POLLERS

    @property
    def version_days(self) -> float:
        """For how long S3 keeps the version of a file that was replaced or deleted."""
        return self.stack.version_days + LIFECYCLE_DAYS

    @property
    def metrics(self) -> list[str]:
        """The metrics that the measured calls write."""
        return sorted({name for call in self.calls for name in call.usage.metrics})

    @property
    def log_bytes(self) -> float:
        """The bytes of a month's log."""
        platform = PLATFORM_BYTES + PLATFORM_LINES * LINE_OVERHEAD
        return self.total(lambda usage: usage.log_bytes + usage.log_lines * LINE_OVERHEAD + platform)
