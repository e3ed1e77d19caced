"""A simulated site: its bucket, one or two ledgers, and the processes that run; every change is checked."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any

from page_content import file_bytes

from schedules.buckets import Bucket, Change
from schedules.invariants import Invariants, Violation, unlisted_with
from schedules.processes import Fault, Process, Processes
from schedules.rendering import RENDERER
from schedules.simulated_ledger import HIDDEN, Job, SimulatedLedger
from schedules.subscribers import SimulatedSubscriber
from waypost.ledger.pending_files import ROBOTS
from waypost.ledger.store import MANIFEST_NAME

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from waypost.config.schema import Site
    from waypost.ledger.manifest import Manifest

_MAX_RUNNING = 3
_MAX_STEPS = 10_000


@dataclass(frozen=True)
class Conditions:
    """What stays the same during a schedule: the settings of each ledger, the clocks' offsets, and the ETags.

    A ranged read returns a byte for `bytes_for_one` bytes that it asks for. With `has_publish_messages` rebuilds send a
    message before they publish, as the function's rebuilds do. With `has_output_events` the files that processes write
    and delete cause events as well. With `has_daily_passes` days with a rebuild each follow the end. With
    `has_subscriber` one is notified of all changes. Messages of a call that was killed are `hidden` so many seconds:
    more than a margin, though the template has more than a lease.
    """

    versions: tuple[tuple[Mapping[str, Any], ...], ...]
    sites: tuple[tuple[Site, ...], ...]
    offsets: tuple[float, ...]
    has_content_etags: bool
    page_size: int
    bytes_for_one: int = 1
    has_publish_messages: bool = False
    has_output_events: bool = False
    has_daily_passes: bool = False
    has_subscriber: bool = False
    hidden: float = HIDDEN


def describe(manifest: Manifest) -> str:
    """What a manifest says of publishing, in a line."""
    publisher = manifest.publisher.owner if manifest.publisher else "nobody"
    pending = " ".join(f"{each.name}@{each.generation}" for each in manifest.pending)
    unreferenced = " ".join(each.name for each in manifest.unreferenced)
    builder = f"; builder {manifest.builder}" if manifest.builder else ""
    return (
        f"generation {manifest.generation}: {manifest.page_count} pages in {' '.join(sorted(manifest.files))}; "
        f"publisher {publisher}; pending {pending}; unreferenced {unreferenced}{builder}"
    )


class Simulation:
    """The state of one schedule; unless it `is_checked`, no invariants are."""

    def __init__(self, conditions: Conditions, *, is_checked: bool = True) -> None:
        self.conditions, self._is_checked = conditions, is_checked
        self.processes = Processes()
        self.bucket = Bucket(self.processes, "site", has_content_etags=conditions.has_content_etags)
        if is_checked:
            self.bucket.on_change = self._after_site_change
        self.foreign: dict[str, frozenset[str] | None] = {}
        self._ledger_of: dict[Process, int] = {}
        self.ledgers: list[SimulatedLedger] = []
        self.checks: list[Invariants] = []
        self._started = self.changes = 0
        self.violation: Violation | None = None
        for number, sites in enumerate(conditions.sites):
            self._add_ledger(number, sites)

    def _add_ledger(self, number: int, sites: Sequence[Site]) -> None:
        label = "state" if number == 0 else f"state-{number}"
        state = Bucket(self.processes, label, has_content_etags=self.conditions.has_content_etags)
        by_digest = {f"{site.digest}-{RENDERER.digest}": site for site in sites}
        checks = Invariants(self.bucket, state, by_digest, self.foreign, self.processes)
        if self._is_checked:
            state.on_change = lambda change: self._after_state_change(checks, change)
        conditions = self.conditions
        ledger = SimulatedLedger(
            self.processes, self.bucket, state, sites, conditions.page_size, conditions.bytes_for_one
        )
        ledger.has_publish_messages, ledger.hidden = conditions.has_publish_messages, conditions.hidden
        if conditions.has_subscriber:
            ledger.subscribers = [SimulatedSubscriber(self.processes, checks.notifications.note_result)]
        ledger.checked_manifest = lambda: checks.manifest
        self.ledgers.append(ledger)
        self.checks.append(checks)

    def _after_state_change(self, checks: Invariants, change: Change) -> None:
        self._noted(lambda: checks.after_state_change(change))
        if self.processes.trace and change.name == MANIFEST_NAME:
            self.processes.trace(f"{'':12}{describe(checks.manifest)}")

    def _after_site_change(self, change: Change) -> None:
        was_foreign = change.name in self.foreign
        if change.process is None:
            if change.before is not None and any(each.wrote(change.before) for each in self.checks):
                self.foreign[change.name] = unlisted_with(change.name, change.before.content)
        else:
            self.foreign.pop(change.name, None)
            self._send_output_event(change.name)
        for ledger, checks in zip(self.ledgers, self.checks, strict=True):
            is_own = change.process is not None and any(job.process is change.process for job in ledger.jobs)
            self._noted(partial(checks.after_site_change, change, is_own=is_own, was_foreign=was_foreign))

    def _send_output_event(self, name: str) -> None:
        if self.conditions.has_output_events and name != ROBOTS:
            for ledger in self.ledgers:
                ledger.messages.append(name)

    def _noted(self, check: Callable[[], None]) -> None:
        """Check a change, and keep the first violation: an error in a process might be caught there."""
        self.changes += 1
        try:
            check()
        except Violation as error:
            if not self.processes.has_overslept:
                self.violation = self.violation or error

    def require_no_violation(self) -> None:
        """Raise the first violation, if there was one."""
        if self.violation:
            raise self.violation

    @property
    def now(self) -> float:
        return self.processes.now

    def jobs(self) -> list[tuple[SimulatedLedger, Job]]:
        """All processes that run."""
        return [(ledger, job) for ledger in self.ledgers for job in ledger.jobs]

    def can_start(self) -> bool:
        return len(self.jobs()) < _MAX_RUNNING

    def offset(self) -> float:
        """The offset of the next process's clock."""
        self._started += 1
        return self.conditions.offsets[self._started % len(self.conditions.offsets)]

    def change(self, key: str, content: str | None, times: int) -> None:
        """Let the owner upload or delete (None) an object; `times` events report it."""
        if content is None:
            self.bucket.delete(key)
        else:
            self.bucket.put(key, file_bytes(key, content))
        for ledger in self.ledgers:
            ledger.messages += [key] * times
            ledger.lost += times == 0

    def step(self, ledger: SimulatedLedger, job: Job, fault: Fault = Fault.NONE, late_by: float = 0.0) -> None:
        """Let a process make one request; its job is concluded if it has ended."""
        job.process.resume(fault, late_by)
        self.require_no_violation()
        if job.process.is_done:
            ledger.conclude(job)

    def finish(self, ledger: SimulatedLedger, job: Job) -> None:
        """Let a process end."""
        for _ in range(_MAX_STEPS):
            if job.process.is_done:
                return
            self.step(ledger, job)
        raise AssertionError(f"{job.process} does not end")

    def finish_all(self) -> None:
        """Let all processes end, which take turns; those that wait until a time go on then."""
        for _ in range(_MAX_RUNNING * _MAX_STEPS):
            jobs = self.jobs()
            if not jobs:
                return
            self.step(*min(jobs, key=lambda each: each[1].process.wakes_at))
        raise AssertionError(f"{[job.process for _, job in self.jobs()]} do not end")
