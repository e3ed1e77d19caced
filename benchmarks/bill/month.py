"""Adds up what a site uses in a month: the measured calls, as often as its uploads cause them."""

from collections.abc import Callable
from dataclasses import dataclass

from scale.cost_model import cold_start

from bill.sites import OWN_EVENTS, REBUILD, UPLOADS, BilledSite
from bill.stack import Stack
from bill.usage import MeasuredSite, Usage

DAYS = 30
POLLERS, POLL_SECONDS = 5, 20
"""How many of Lambda's pollers wait for messages at the same time, and how long each request waits."""
DAYS_UNTIL_DELETED = 1.5
"""Days for which a file of records is kept that nothing names: one rebuild notes it, and that of the next day deletes
it."""
LIFECYCLE_DAYS = 0.5
"""S3 counts the days of a lifecycle rule from the next midnight in UTC."""
PLATFORM_LINES = 3
PLATFORM_BYTES = 560
"""Lambda's own lines of one call: the start, the report and, after a cold start, that of the environment."""
STEP_BYTES = 160
"""The line of one step of a distributed rebuild."""
LINE_OVERHEAD = 26
"""Bytes that CloudWatch adds to each line."""


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
        return self.a_day * (self.usage.seconds + (self.usage.calls * cold_start() if self.is_cold else 0))


@dataclass(frozen=True)
class Month:
    """A month of one site."""

    site: BilledSite
    measured: MeasuredSite
    stack: Stack

    @property
    def calls(self) -> list[Call]:
        """The calls by kind."""
        usages, batches = self.measured.usages, self.site.batches
        uploads = [Call(usages[UPLOADS], batches, is_cold=not self.site.is_busy)]
        if OWN_EVENTS in usages:
            uploads.append(Call(usages[OWN_EVENTS], batches))
        return [*uploads, Call(usages[REBUILD], 1, is_rebuild=True, is_cold=True)]

    def total(self, value: Callable[[Usage], float]) -> float:
        """The sum over all calls of a month."""
        return DAYS * sum(call.a_day * value(call.usage) for call in self.calls)

    def requests(self, *names: str) -> float:
        """The requests of a month with these names, each a kind and a bucket."""
        return self.total(lambda usage: sum(usage.requests.get(name, 0) for name in names))

    def written(self, *kinds: str) -> float:
        """The bytes of a day that were written of these kinds."""
        return self.total(lambda usage: sum(usage.written.get(kind, 0) for kind in kinds)) / DAYS

    def invocations(self, *, is_rebuild: bool) -> float:
        """The calls of a month of one function."""
        return DAYS * sum(call.a_day * call.usage.calls for call in self.calls if call.is_rebuild == is_rebuild)

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
    def unnamed_bytes(self) -> float:
        """The bytes of records that no manifest names, and that no rebuild has deleted yet."""
        return self.written("records") * DAYS_UNTIL_DELETED

    @property
    def version_bytes(self) -> float:
        """The bytes of earlier versions in the bucket of the ledger."""
        return self.written("records", "manifest", "other") * self.version_days

    @property
    def metrics(self) -> list[str]:
        """The metrics that the measured calls write."""
        names = {name for call in self.calls for name in call.usage.metrics}
        return sorted(names | ({"RebuildsCompleted"} if self.site.is_distributed else set()))

    @property
    def alarms(self) -> int:
        """The alarms of the stack."""
        return self.stack.alarms + (self.stack.run_alarms if self.site.is_distributed else 0)

    @property
    def log_bytes(self) -> float:
        """The bytes of a month's log."""

        def of_call(usage: Usage) -> float:
            steps = STEP_BYTES + LINE_OVERHEAD if usage.transitions else 0
            platform = PLATFORM_BYTES + PLATFORM_LINES * LINE_OVERHEAD
            return usage.log_bytes + usage.log_lines * LINE_OVERHEAD + usage.calls * (platform + steps)

        return self.total(of_call)
