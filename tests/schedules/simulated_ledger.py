"""One ledger of a simulated site: its settings, its messages, and what its runs have to do."""

from __future__ import annotations

import random
from dataclasses import dataclass, field
from functools import cached_property, partial
from typing import TYPE_CHECKING, Any

from run_harness import Execution, split_at_keys

from schedules.buckets import Bucket, BucketSource, BucketStore
from schedules.processes import MAX_REQUEST_SECONDS, Crash, ProcessClock, current_process
from schedules.rendering import RENDERER
from waypost.core.dates import format_unix_time
from waypost.core.errors import (
    ConflictError,
    LedgerError,
    OtherRunError,
    OutdatedSettingsError,
    SettingsChangedError,
    SourceError,
    StoreError,
)
from waypost.distributed.plan import RunLimits
from waypost.distributed.steps import StepResult, Steps
from waypost.ledger.ledger_state import LedgerState
from waypost.ledger.store import Ledger
from waypost.sync import rebuild
from waypost.sync.result import RunResult
from waypost.sync.updater import Updater

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Sequence

    from schedules.processes import Process, Processes
    from waypost.announce.base import Subscriber
    from waypost.config.schema import Site


FAILURES = (OtherRunError, OutdatedSettingsError, StoreError, SourceError, ConflictError)
"""The errors with which a run may fail; its messages are delivered again."""
HIDDEN = 120
"""Seconds after which the messages of a call that was killed come again: longer than a publisher's lease (template)."""
_LONGEST_STOP = 3_600
_TASK_TIMEOUT, _RETRY_DELAY = 960, 5
"""Seconds: after which a step is taken again that may still be at work, or that writes no sitemaps (state machine)."""
_DELAY, _REDELIVERY, _PATIENCE = 120, 100, 10
"""Seconds: when a rebuild's message is delivered, and again if that fails; how long its call waits for others."""


def _do_nothing() -> None:
    pass


@dataclass
class _ParallelExecution(Execution):
    """An execution whose workers run at the same time, up to `width` of them; `start_worker` starts one."""

    start_worker: Callable[[Callable[[], StepResult]], Process] = field(kw_only=True)
    width: int = field(kw_only=True)

    def take_step(self, step: str) -> StepResult:
        """Take a step; Step Functions takes one that crashes again, if it writes sitemaps only once it surely ended."""
        try:
            return super().take_step(step)
        except Crash:
            assert self.chance
            if self.chance.random() < 0.5:
                raise
        _own_process().sleep(_TASK_TIMEOUT if step == "finalize" else _RETRY_DELAY)
        return super().take_step(step)

    def take_all(self, tasks: Sequence[dict[str, Any]]) -> None:
        """Start the workers, and wait for all of them; one that crashes is started once more."""
        waiting = [(task, True) for task in tasks]
        running: list[tuple[Process, dict[str, Any], bool]] = []
        while waiting or running:
            while waiting and len(running) < self.width:
                task, may_crash = waiting.pop(0)
                running.append((self.start_worker(partial(self.take, task)), task, may_crash))
            _own_process().sleep(1)
            for process, task, may_crash in [each for each in running if each[0].is_done]:
                running.remove((process, task, may_crash))
                if isinstance(process.error, Crash) and may_crash:
                    waiting.append((task, False))
                elif process.error:
                    raise StoreError(f"{process} failed: {process.error}")


def _own_process() -> Process:
    found = current_process()
    assert found
    return found


class _NextId:
    """Ids that are the same in every run of a schedule."""

    def __init__(self, stem: str) -> None:
        self._stem, self._count = stem, 0

    def __call__(self) -> str:
        self._count += 1
        return f"{self._stem}{self._count:015x}"


@dataclass
class Stop:
    """Where a rebuild reached its deadline, when, and which changes it had to find when it began."""

    resume_after: str
    stopped_at: float
    known: int


@dataclass
class Job:
    """What a process does: the messages of an update, or the changes that a rebuild finds if it succeeds."""

    process: Process
    keys: Sequence[str] = ()
    known: int = 0
    covers: bool = False
    is_message: bool = False
    is_run: bool = False
    is_worker: bool = False


@dataclass
class SimulatedLedger:
    """A ledger; `versions` are its settings, of which `version` is the current one.

    `publish_messages` has when messages are due by which rebuilds ask that somebody publishes, `hidden_messages` has
    keys of messages that are delivered again, and when. Those of a call that was killed are `hidden` so many seconds.
    `lost` counts the changes that only a rebuild finds, `found` how many of them one has found.
    """

    processes: Processes
    site_bucket: Bucket
    state: Bucket
    versions: Sequence[Site]
    page_size: int = 100
    bytes_for_one: int = 1
    version: int = 0
    messages: list[str] = field(default_factory=list)
    hidden_messages: list[tuple[float, str]] = field(default_factory=list)
    delivered: set[str] = field(default_factory=set)
    stops: list[Stop] = field(default_factory=list)
    jobs: list[Job] = field(default_factory=list)
    failed_runs: list[str] = field(default_factory=list)
    publish_messages: list[float] = field(default_factory=list)
    has_publish_messages: bool = False
    hidden: float = HIDDEN
    subscribers: Sequence[Subscriber] = ()
    must_rebuild: bool = False
    lost: int = 1
    found: int = 0
    executions: int = 0

    @cached_property
    def _next_id(self) -> _NextId:
        return _NextId("a" if self.state.label == "state" else "b")

    @property
    def site(self) -> Site:
        return self.versions[self.version]

    def updater(self, offset: float = 0.0) -> Updater:
        """The updater of a process whose clock is wrong by `offset` seconds."""
        clock = ProcessClock(self.processes, offset)
        updater = Updater(
            BucketSource(self.site_bucket, self.page_size, self.bytes_for_one),
            self.site,
            self.ledger(),
            BucketStore(self.site_bucket),
            RENDERER,
            lambda: format_unix_time(int(clock.time())),
            lease_clock=clock,
            subscribers=self.subscribers,
            state_uri="s3://state/",
        )
        if process := current_process():
            process.owners.add(updater.lease.owner)
        if self.has_publish_messages:
            updater.before_taking_lease = partial(self._send_publish_message, updater)
        return updater

    def _send_publish_message(self, updater: Updater) -> None:
        updater.before_taking_lease = _do_nothing
        self.publish_messages.append(self.processes.now + _DELAY)

    def ledger(self) -> Ledger:
        return Ledger(BucketStore(self.state), "s3://site/", new_id=self._next_id)

    def start_update(self, keys: Sequence[str], offset: float, *, builds: bool) -> None:
        """Start an update for keys of messages; `builds` if it builds the ledger itself where that is necessary."""
        known, redelivered = self.lost, self.delivered.intersection(keys)
        self.delivered.update(keys)

        def run() -> RunResult:
            updater = self.updater(offset)
            if builds:
                return rebuild.update(updater, keys)
            updater.before_taking_lease = _do_nothing
            return updater.update(keys, redelivered=redelivered)

        self._start(f"update {' '.join(keys)}", run, offset, keys, known)

    def start_rebuild(self, offset: float, steps: int | None = None, stop: Stop | None = None) -> None:
        """Start or continue a rebuild; it reaches its deadline when it has been asked for so many `steps`."""
        left = [steps]
        known, covers = self.lost, self._begins_alone()
        is_late = stop is not None and self.processes.now - stop.stopped_at > _LONGEST_STOP + 10
        if stop and not is_late:
            known = stop.known

        def deadline_reached() -> bool:
            if left[0] is None:
                return False
            left[0] -= 1
            return left[0] < 0

        def run() -> RunResult:
            updater = self.updater(offset)
            if stop is None:
                return rebuild.rebuild(updater, deadline_reached)
            return rebuild.rebuild(updater, deadline_reached, stop.resume_after, stopped_at=stop.stopped_at)

        self._start(
            "rebuild" if stop is None else f"rebuild after {stop.resume_after!r}", run, offset, (), known, covers
        )

    def start_publication(self, offset: float) -> None:
        """Publish what is pending, as the message of a rebuild asks for."""
        self.publish_messages.remove(min(self.publish_messages))

        def run() -> RunResult:
            updater = self.updater(offset)
            updater.before_taking_lease = _do_nothing
            version = updater.ledger.read()
            lease = version.manifest.publisher
            if lease and lease.is_run and lease.is_live(updater.lease_clock.time()):
                raise OtherRunError("a distributed rebuild publishes now", 0)
            if not version.manifest.is_complete:
                self.must_rebuild = True
                raise OtherRunError("a build is in progress", 0)
            return updater.publish(version, patience=_PATIENCE).as_result()

        self._start("publish", run, offset, (), 0).is_message = True

    def start_execution(self, offset: float, seed: int) -> None:
        """Start a distributed rebuild, whose ranges end at keys chosen at random."""
        self.executions += 1
        chance, name = random.Random(seed), f"run-{self.state.label}-{self.executions}"
        keys = sorted(self.site_bucket.objects)
        split_points = chance.sample(keys, min(len(keys), chance.randrange(4)))
        limits = RunLimits(
            workers=chance.randrange(1, 9),
            max_objects=chance.randrange(1, 9),
            min_objects=chance.randrange(1, 9),
            files_per_batch=chance.randrange(1, 4),
        )
        split = split_at_keys(*split_points) if chance.random() < 0.7 else None
        width = chance.choice([1, 1, 2, 3])
        execution = _ParallelExecution(
            name,
            lambda: self.updater(offset),
            BucketStore(self.state),
            limits,
            split,
            chance,
            start_worker=partial(self._start_worker, name, offset),
            width=width,
        )
        job = self._start(name, execution.run, offset, (), self.lost, self._begins_alone())
        job.process.owners.add(name)
        job.is_run = True

    def _start_worker(self, name: str, offset: float, run: Callable[[], StepResult]) -> Process:
        job = self._start(f"worker of {name}", run, offset, (), 0)
        job.process.owners.add(name)
        job.is_run = job.is_worker = True
        return job.process

    def start_failure_handler(self, offset: float) -> None:
        """End a distributed rebuild that has failed, once none of its workers can write a sitemap any more."""
        name = self.failed_runs.pop(0)

        def run() -> StepResult:
            while self._is_published_by(name):
                _own_process().sleep(MAX_REQUEST_SECONDS)
            _own_process().sleep(MAX_REQUEST_SECONDS)
            return Steps(self.updater(offset), RunLimits()).take_step({"step": "handle-failure", "run": name})

        self._start(f"handle-failure {name}", run, offset, (), 0).is_run = True

    def _is_published_by(self, name: str) -> bool:
        """Whether a run is the publisher, and has workers."""
        publisher = self.checked_manifest().publisher
        has_workers = any(job.is_worker and name in job.process.owners for job in self.jobs)
        return has_workers and publisher is not None and publisher.owner == name

    def _start(
        self, label: str, run: Callable[[], Any], offset: float, keys: Sequence[str], known: int, covers: bool = False
    ) -> Job:
        job = Job(self.processes.start(f"{label}", run, offset), keys, known, covers)
        self.jobs.append(job)
        return job

    def _begins_alone(self) -> bool:
        """Whether no other build is in progress, so that a rebuild that starts now lists the whole bucket."""
        found = self.state.objects.get("manifest.json")
        if found is None:
            return True
        manifest = self.checked_manifest()
        return manifest.builder is None and manifest.state in (LedgerState.COMPLETE, LedgerState.EMPTY)

    checked_manifest: Callable[[], Any] = field(default=lambda: None)

    def conclude(self, job: Job) -> None:
        """Acknowledge the messages of a process that has ended, or deliver them again."""
        self.jobs.remove(job)
        error, result = job.process.error, job.process.result
        if isinstance(result, RunResult) and result.notify_after is not None:
            self.publish_messages.append(self.processes.now + result.notify_after)
        if job.is_message:
            self._conclude_publication(error)
            return
        if job.is_worker:
            if error is not None:
                _require_expected(job, error)
            return
        if isinstance(error, SettingsChangedError) and job.keys:
            self.messages += job.keys
            self.must_rebuild = True
            return
        if error is not None:
            self._note_failure(job, error)
        elif isinstance(result, StepResult):
            if result.next_step == "done" and result.result is not None:
                self._note_rebuilt(job, result.result.failed)
            elif result.next_step == "superseded":
                self.lost += 1
        elif job.keys and result.resume_after is None:
            self.messages += [key for key in job.keys if key in result.failed]
        elif job.keys:
            self.messages += job.keys
            self.lost += 1
        elif result.resume_after is not None:
            self.stops.append(Stop(result.resume_after, self.processes.now, job.known if job.covers else 0))
        else:
            self._note_rebuilt(job, result.failed)

    def _conclude_publication(self, error: BaseException | None) -> None:
        if error is not None:
            if not isinstance(error, (Crash, *FAILURES)):
                raise AssertionError(f"publishing raised {type(error).__name__}: {error}") from error
            self.publish_messages.append(self.processes.now + _REDELIVERY)

    def receive(self) -> list[str]:
        """The keys of all messages that are due: messages of a call that was killed come later."""
        due = [key for at, key in self.hidden_messages if at <= self.processes.now]
        self.hidden_messages = [each for each in self.hidden_messages if each[0] > self.processes.now]
        self.messages += due
        return self.messages

    def _note_failure(self, job: Job, error: BaseException) -> None:
        _require_expected(job, error)
        if isinstance(error, Crash):
            self.hidden_messages += [(self.processes.now + self.hidden, key) for key in job.keys]
        else:
            self.messages += job.keys
        if not job.keys:
            self.lost += 1
        if job.is_run:
            self.failed_runs.append(job.process.label)

    def _note_rebuilt(self, job: Job, failed: Collection[str]) -> None:
        if failed:
            self.lost += 1
        elif job.covers:
            self.found = max(self.found, job.known)


def _require_expected(job: Job, error: BaseException) -> None:
    is_expected = isinstance(error, (Crash, *FAILURES)) or (job.is_run and isinstance(error, LedgerError))
    if not is_expected:
        raise AssertionError(f"{job.process} raised {type(error).__name__}: {error}") from error
