"""The steps of a distributed rebuild: each call does what its payload asks for, and answers what comes next."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from waypost.core import concurrency
from waypost.core.errors import EventError, WaypostError
from waypost.distributed import publish
from waypost.distributed.artifacts import (
    RESULT_NAMES,
    BuildResult,
    MergeResult,
    RunArtifacts,
    RunContext,
    ScanTask,
    Segment,
)
from waypost.distributed.build_shards import build_shards
from waypost.distributed.commit import RunCommit
from waypost.distributed.plan import RunLimits, RunPlan, RunPlanner, SplitRanges, split_ranges
from waypost.distributed.publish import PublishBatch
from waypost.distributed.run_publisher import RunPublisher
from waypost.distributed.scan import RangeScanner
from waypost.ledger.ledger_state import LedgerState, Run
from waypost.ledger.manifest_update import ManifestUpdater
from waypost.ledger.store import LedgerVersion
from waypost.sync.publisher_lease import LeaseExpiredError
from waypost.sync.rebuild import without_run
from waypost.sync.rebuild_options import parse_options
from waypost.sync.result import RunResult, total
from waypost.sync.site_warnings import form_warnings, newer_release_warning
from waypost.sync.updater import Updater

_MAX_FAILURES = 5
_MAX_PAYLOAD = 100_000
"""Bytes of a payload; Step Functions passes on 256 KB, in which it may be escaped once more."""
_SETTINGS_CHANGED = "the settings or robots.txt have changed since the run started"
_SUPERSEDED = "another rebuild replaced this one"


class StepResult(Struct, frozen=True, omit_defaults=True):
    """What comes next: a step, and for a step of many workers the name of the file of their payloads.

    `result` is what the run did, once it is done.
    """

    next_step: str
    tasks: str = ""
    task_count: int = 0
    note: str = ""
    result: RunResult | None = None


class _WorkerPayload(Struct, frozen=True, omit_defaults=True):
    """The task of one worker; `is_in_file` if the task itself is in a file, because it is too large."""

    step: str
    run: str
    start_generation: int
    number: int
    scan_task: ScanTask | None = None
    segments: tuple[Segment, ...] = ()
    batch: PublishBatch | None = None
    is_in_file: bool = False

    @property
    def task_name(self) -> str:
        """The step and the number of the task, as in the names of its files."""
        return f"{self.step}-{self.number:07}"


class Steps:
    """The steps over one bucket."""

    def __init__(self, updater: Updater, limits: RunLimits, split: SplitRanges | None = None) -> None:
        self._updater, self._ledger, self._limits = updater, updater.ledger, limits
        self._planner = RunPlanner(updater, split or split_ranges(updater.source, limits), limits)

    def take_step(self, payload: Mapping[str, Any], deadline_reached: Callable[[], bool] = lambda: False) -> StepResult:
        """Take the step that a payload asks for.

        Raises EventError for an unknown or incomplete step, and whatever the step itself raises.
        """
        step, owner = payload.get("step"), str(payload.get("run", ""))
        if not owner:
            raise EventError(f"the step {step!r} has no run; only the state machine takes steps")
        if step == "plan":
            return self._plan(owner, self._planner.plan(owner, parse_options(payload.get("input"))))
        if step == "commit":
            return self._commit(owner, deadline_reached, parse_options(payload.get("input")).max_removed)
        if step == "finalize":
            return self._finalize(owner, deadline_reached)
        if step == "handle-failure":
            return self._handle_failure(owner)
        try:
            task = msgspec.convert(payload, _WorkerPayload)
        except msgspec.ValidationError as error:
            raise EventError(f"the step {step!r} is unknown or incomplete: {error}") from None
        return self._work(task, deadline_reached)

    def _plan(self, owner: str, plan: RunPlan) -> StepResult:
        if plan.run is None:
            return self._ledger.commit_with_retry(lambda: self._superseded(self._ledger.read_or_recover(), owner))
        run = plan.run
        if plan.scan_tasks:
            return self._assign(run, [_task("scan", run, each.number, scan_task=each) for each in plan.scan_tasks])
        tasks = [_task("build", run, n, segments=tuple(some)) for n, some in enumerate(plan.build_batches)]
        return self._assign(run, tasks) if tasks else StepResult("commit")

    def _assign(self, run: Run, tasks: Sequence[_WorkerPayload]) -> StepResult:
        """Write the payloads of many workers."""
        artifacts = RunArtifacts(self._ledger.store, run)
        payloads = concurrency.map_concurrently(
            lambda task: _write_if_large(artifacts, task), tasks, self._ledger.store.width
        )
        step = tasks[0].step
        return StepResult(step, artifacts.write_tasks(step, tasks[0].number, payloads), len(tasks))

    def _work(self, task: _WorkerPayload, deadline_reached: Callable[[], bool]) -> StepResult:
        """Do one worker's task; an error is kept in a file, since Step Functions does not report a single worker's."""
        artifacts = RunArtifacts(self._ledger.store, Run(task.run, task.start_generation))
        try:
            self._do_task(task, artifacts, deadline_reached)
        except WaypostError as error:
            artifacts.put(f"failed-{task.task_name}", str(error))
            raise
        return StepResult("plan")

    def _do_task(self, task: _WorkerPayload, artifacts: RunArtifacts, deadline_reached: Callable[[], bool]) -> None:
        """Write a task's result; nothing is done if the settings have changed since the run started."""
        context = artifacts.get("context.json", RunContext)
        if task.is_in_file:
            task = artifacts.get(f"payload-{task.task_name}", _WorkerPayload)
        if context.config_digest != self._updater.config_digest:
            return
        if task.scan_task:
            scanner = RangeScanner(self._updater, context, self._limits.max_objects, deadline_reached)
            scan = scanner.scan(task.scan_task)
            self._ledger.write_records(scan.files)
            artifacts.put_once(f"scanned-{task.number:07}", scan.result)
        elif task.segments:
            merged = artifacts.get("merged.json", MergeResult) if self._updater.site.alternates else None
            wants_changes = context.base_is_current and self._updater.outbox.wants_urls
            base = self._ledger.read().manifest if wants_changes else None
            built = build_shards(task.segments, self._updater, self._manifest_updater(context), merged, base)
            self._ledger.write_records(built.files)
            artifacts.put_once(f"built-{task.number:07}", built.result)
        elif task.batch:
            published = publish.publish_batch(self._updater, task.batch, artifacts.run, context.robots_rules)
            artifacts.put(f"published-{task.number:07}", published)

    def _commit(self, owner: str, deadline_reached: Callable[[], bool], max_removed: int | None) -> StepResult:
        run_commit: RunCommit | None = None

        def attempt() -> StepResult:
            nonlocal run_commit
            version = self._ledger.read()
            run = version.manifest.run
            if run is None or run.owner != owner:
                return self._superseded(version, owner)
            if version.manifest.state == LedgerState.PUBLISHING:
                return self._publish(version, run)
            if not self._is_built_with_present_settings(version):
                return StepResult("plan", note=_SETTINGS_CHANGED)
            artifacts = RunArtifacts(self._ledger.store, run)
            if not artifacts.is_done("build"):
                return StepResult("plan", note="not all shards are built")
            run_commit = run_commit or RunCommit(self._updater, artifacts, deadline_reached, max_removed)
            if run_commit.start_generation != run.start_generation:
                return StepResult("plan", note=_SETTINGS_CHANGED)
            publisher = self._run_publisher(artifacts)
            if not publisher.lease.is_free(version.manifest):
                self._updater.lease_clock.sleep(self._updater.timing.patience)
                return StepResult("commit", note="another run publishes")
            after, result = run_commit.commit(version, publisher.lease)
            if after is None:
                return StepResult("commit")
            artifacts.put("committed.json", result)
            return self._publish(after, run)

        return self._ledger.commit_with_retry(attempt)

    def _publish(self, version: LedgerVersion, run: Run) -> StepResult:
        if not version.manifest.is_publishable:
            return StepResult("finalize")
        publisher = self._run_publisher(RunArtifacts(self._ledger.store, run))
        return self._assign_batches(run, publisher.begin(version))

    def _run_publisher(self, artifacts: RunArtifacts) -> RunPublisher:
        return RunPublisher(self._updater, artifacts, self._limits.files_per_batch)

    def _assign_batches(self, run: Run, batches: Sequence[PublishBatch]) -> StepResult:
        first = RunArtifacts(self._ledger.store, run).task_count("publish")
        return self._assign(run, [_task("publish", run, n, batch=batch) for n, batch in enumerate(batches, first)])

    def _finalize(self, owner: str, deadline_reached: Callable[[], bool]) -> StepResult:
        def attempt() -> StepResult:
            version = self._ledger.read()
            run = version.manifest.run
            if run is None or run.owner != owner:
                return self._superseded(version, owner)
            is_publishing = version.manifest.state == LedgerState.PUBLISHING
            if not (is_publishing and self._is_built_with_present_settings(version)):
                return StepResult("plan", note=_SETTINGS_CHANGED)
            publisher = self._run_publisher(RunArtifacts(self._ledger.store, run))
            if version.manifest.is_publishable and (batches := publisher.proceed(version)):
                return self._assign_batches(run, batches)
            return self._finish(run, publisher, deadline_reached)

        try:
            return self._ledger.commit_with_retry(attempt)
        except LeaseExpiredError:
            return StepResult("finalize", note="the run's lease as publisher ended; it is renewed")

    def _finish(self, run: Run, publisher: RunPublisher, deadline_reached: Callable[[], bool]) -> StepResult:
        done, is_complete = publisher.finish(self._ledger.read(), deadline_reached)
        if not is_complete:
            return StepResult("finalize")
        return StepResult("done", result=total([self._total_result(run), *publisher.results(), done]))

    def _is_built_with_present_settings(self, version: LedgerVersion) -> bool:
        return self._updater.is_built_with(version.manifest, self._updater.robots_rules())

    def _total_result(self, run: Run) -> RunResult:
        """What all workers and the commit did."""
        artifacts = RunArtifacts(self._ledger.store, run)
        merged = artifacts.find("merged.json", MergeResult)
        results = [merged.result] if merged else []
        if (context := artifacts.find("context.json", RunContext)) and context.has_base:
            of_form = form_warnings(context.base_url_form, context.url_form)
            results.append(RunResult(warnings=(*newer_release_warning(context.recorded_facts), *of_form)))
        results += [each.result for each in artifacts.read_all("built-", BuildResult)]
        results += [artifacts.find("committed.json", RunResult) or RunResult()]
        return total(results)

    def _handle_failure(self, owner: str) -> StepResult:
        """End a run that has failed; the next rebuild publishes what it has committed.

        The note has the errors of the tasks that no worker finished.
        """

        def attempt() -> StepResult:
            version = self._ledger.read()
            run = version.manifest.run
            if run is None or run.owner != owner:
                self._superseded(version, owner)
                return StepResult("done")
            self._ledger.commit(version, without_run(version.manifest), {})
            return StepResult("done", note=_failures(RunArtifacts(self._ledger.store, run)))

        return self._ledger.commit_with_retry(attempt)

    def _superseded(self, version: LedgerVersion, owner: str) -> StepResult:
        """End a run that another rebuild has replaced, and let others publish if it is still the publisher."""
        publisher = version.manifest.publisher
        if publisher and publisher.owner == owner:
            self._ledger.commit(version, replace(version.manifest, publisher=None), {})
        return StepResult("superseded", note=_SUPERSEDED)

    def _manifest_updater(self, context: RunContext) -> ManifestUpdater:
        return self._updater.manifest_updater(context.manifest)


def _task(step: str, run: Run, number: int, **what: Any) -> _WorkerPayload:
    return _WorkerPayload(step, run.owner, run.start_generation, number, **what)


def _write_if_large(artifacts: RunArtifacts, task: _WorkerPayload) -> _WorkerPayload:
    """The payload, or one that refers to a file that holds it."""
    if len(msgspec.json.encode(task)) <= _MAX_PAYLOAD:
        return task
    artifacts.put(f"payload-{task.task_name}", task)
    return _WorkerPayload(task.step, task.run, task.start_generation, task.number, is_in_file=True)


def _failures(artifacts: RunArtifacts) -> str:
    """The errors of tasks that no worker finished: the first few, each once."""
    done = {
        f"{step}-{name.rpartition('-')[2]}"
        for step, stem in RESULT_NAMES.items()
        for name in artifacts.names(f"{stem}-")
    }
    failed = [name for name in artifacts.names("failed-") if name.removeprefix("failed-") not in done]
    return "; ".join(dict.fromkeys(artifacts.read_each(failed[:_MAX_FAILURES], str)))
