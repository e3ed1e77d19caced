"""The steps of a distributed build, each a call of its own: does what a payload asks for, and tells what comes next."""

from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from typing import Any

import msgspec
from msgspec import Struct

from waypost.core import concurrency
from waypost.core.errors import ConflictError, EventError, WaypostError
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
from waypost.distributed.scan import RangeScanner
from waypost.ledger.manifest import Manifest, Run
from waypost.ledger.manifest_update import ManifestUpdater
from waypost.ledger.store import NEVER, TRIES, LedgerVersion
from waypost.sync.publisher import PublishResult
from waypost.sync.rebuild import publish_all, without_run
from waypost.sync.result import RunResult, total
from waypost.sync.updater import Updater

_SHOWN = 5
_MOST = 100_000
"""Bytes of a payload: in an execution's state it may be escaped once more."""
_OTHERS = "the settings, or robots.txt, are others than when it began"
_SUPERSEDED = "another rebuild has taken this one's place"


class StepResult(Struct, frozen=True, omit_defaults=True):
    """What comes next: a step, and for one of many workers the name of the file of their payloads.

    `outcome` is what was done, once all is.
    """

    next_step: str
    tasks: str = ""
    task_count: int = 0
    note: str = ""
    result: RunResult | None = None


class _WorkerPayload(Struct, frozen=True, omit_defaults=True):
    """What a worker of many is given; `is_apart` where that is in a file of its own."""

    step: str
    run: str
    start_generation: int
    number: int
    scan_task: ScanTask | None = None
    segments: tuple[Segment, ...] = ()
    batch: PublishBatch | None = None
    is_in_file: bool = False


class Steps:
    """The steps over one bucket."""

    def __init__(self, updater: Updater, limits: RunLimits, parted: SplitRanges | None = None) -> None:
        self._updater, self._ledger, self._limits = updater, updater.ledger, limits
        self._planner = RunPlanner(updater, parted or split_ranges(updater.source, limits), limits)

    def take_step(self, asked: Mapping[str, Any], deadline_reached: Callable[[], bool] = lambda: False) -> StepResult:
        """Take the step that is asked for; raises EventError for what is none, and what the step raises."""
        step, run = asked.get("step"), str(asked.get("run", ""))
        if not run:
            raise EventError(f"the step {step!r} names no run; only the state machine takes steps")
        if step == "plan":
            return self._plan(self._planner.plan(run))
        if step == "commit":
            return self._commit(run, deadline_reached)
        if step == "finalize":
            return self._finalize(run, deadline_reached)
        if step == "handle-failure":
            return self._handle_failure(run)
        try:
            payload = msgspec.convert(asked, _WorkerPayload)
        except msgspec.ValidationError as error:
            raise EventError(f"{step!r} is no step that Waypost knows, or not whole: {error}") from None
        artifacts = RunArtifacts(self._ledger.store, Run(payload.run, payload.start_generation))
        try:
            return self._work(payload, artifacts, deadline_reached)
        except WaypostError as error:  # of one worker among many Step Functions tells those after it nothing
            artifacts.put(f"failed-{_task_name(payload)}", str(error))
            raise

    def _plan(self, plan: RunPlan) -> StepResult:
        if plan.run is None:
            return StepResult("superseded", note=_SUPERSEDED)
        if plan.scan_tasks:
            return self._assign(
                plan.run, "scan", [{"number": part.number, "scan_task": part} for part in plan.scan_tasks]
            )
        return self._assign(
            plan.run, "build", [{"number": n, "segments": tuple(some)} for n, some in enumerate(plan.build_batches)]
        )

    def _assign(self, run: Run, step: str, items: Sequence[Mapping[str, Any]]) -> StepResult:
        """Write the payloads for many workers; without any the step after theirs is next."""
        if not items:
            return StepResult({"build": "commit", "publish": "finalize"}[step])
        artifacts = RunArtifacts(self._ledger.store, run)
        made = [_WorkerPayload(step, run.owner, run.start_generation, **item) for item in items]
        payloads = concurrency.map_concurrently(
            lambda payload: _write_payload(artifacts, payload), made, self._ledger.store.width
        )
        name = artifacts.write_tasks(step, payloads[0].number, payloads)
        return StepResult(step, name, len(items))

    def _work(
        self, payload: _WorkerPayload, artifacts: RunArtifacts, deadline_reached: Callable[[], bool]
    ) -> StepResult:
        """One of many workers' part; what it finds is in the dossier, and nothing is done under other settings."""
        context = artifacts.get("context.json", RunContext)
        if payload.is_in_file:
            payload = artifacts.get(_payload_file(payload), _WorkerPayload)
        if context.config_digest != self._updater.config_digest:
            return StepResult("plan", note=_OTHERS)
        if payload.scan_task:
            output = RangeScanner(self._updater, context, self._limits.max_objects, deadline_reached).scan(
                payload.scan_task
            )
            self._ledger.write_records(output.files, payload.scan_task.base)
            artifacts.put_once(f"scanned-{payload.number:07}", output.result)
        elif payload.segments:
            joined = artifacts.get("merged.json", MergeResult) if self._updater.site.alternates else None
            shape = build_shards(payload.segments, self._updater, self._manifest_updater(context), joined)
            self._ledger.write_records(shape.files)
            artifacts.put_once(f"built-{payload.number:07}", shape.result)
        elif payload.batch:
            published = publish.publish_batch(self._updater, payload.batch, context.robots_rules)
            artifacts.put(f"published-{payload.number:07}", published)
        return StepResult("plan")

    def _commit(self, name: str, deadline_reached: Callable[[], bool]) -> StepResult:
        run_commit: RunCommit | None = None
        for _ in range(TRIES):
            version = self._ledger.read()
            run = version.manifest.run
            if run is None or run.owner != name:
                return StepResult("superseded", note=_SUPERSEDED)
            if run.is_publishing:
                return self._publish(version, run)
            if not self._updater.is_built_with(version.manifest, self._updater.robots_rules()):
                return StepResult("plan", note=_OTHERS)
            artifacts = RunArtifacts(self._ledger.store, run)
            if not artifacts.is_done("build"):
                return StepResult("plan", note="not all shards were made")
            run_commit = run_commit or RunCommit(self._updater, artifacts, deadline_reached)
            if run_commit.start_generation != run.start_generation:
                return StepResult("plan", note=_OTHERS)
            with suppress(ConflictError):
                after, told = run_commit.commit(version, run)
                if after is None:
                    return StepResult("commit")
                artifacts.put("committed.json", told)
                return self._publish(after, run)
        raise ConflictError(NEVER)

    def _publish(self, version: LedgerVersion, run: Run) -> StepResult:
        some = publish.publish_batches(version, self._limits.files_per_batch) if version.manifest.is_publishable else []
        first = RunArtifacts(self._ledger.store, run).task_count("publish")
        return self._assign(run, "publish", [{"number": n, "batch": batch} for n, batch in enumerate(some, first)])

    def _finalize(self, name: str, deadline_reached: Callable[[], bool]) -> StepResult:
        version = self._ledger.read()
        run = version.manifest.run
        if run is None or run.owner != name:
            return StepResult("superseded", note=_SUPERSEDED)
        if not (run.is_publishing and self._updater.is_built_with(version.manifest, self._updater.robots_rules())):
            return StepResult("plan", note=_OTHERS)
        if not RunArtifacts(self._ledger.store, run).is_done("publish"):
            return self._publish(version, run)
        done = publish_all(self._updater, version, (), deadline_reached)
        if done.resume_after is not None:
            return StepResult("finalize")
        return StepResult("done", result=self._total_result(run) + done)

    def _total_result(self, run: Run) -> RunResult:
        """What all workers did."""
        artifacts = RunArtifacts(self._ledger.store, run)
        joined = artifacts.find("merged.json", MergeResult)
        told = [joined.result] if joined else []
        told += [each.result for each in artifacts.read_all("built-", BuildResult)]
        told += [artifacts.find("committed.json", RunResult) or RunResult()]
        for published in artifacts.read_all("published-", PublishResult):
            told.append(RunResult(0, 0, 0, published.written, published.removed, published.conflicts))
        return total(told)

    def _handle_failure(self, name: str) -> StepResult:
        """Have the ledger forget a run that has failed; what it has committed the next rebuild publishes.

        The note is what the workers said that failed and never came to their end.
        """
        note = ""
        for _ in range(TRIES):
            version = self._ledger.read()
            run = version.manifest.run
            if run is None or run.owner != name:
                break
            note = _failures(RunArtifacts(self._ledger.store, run))
            with suppress(ConflictError):
                self._ledger.commit(version, without_run(version.manifest), {})
                break
        return StepResult("done", note=note)

    def _manifest_updater(self, context: RunContext) -> ManifestUpdater:
        return self._updater.manifest_updater(Manifest(robots_rules=context.robots_rules))


def _write_payload(artifacts: RunArtifacts, payload: _WorkerPayload) -> _WorkerPayload:
    """The payload, or one that names the file which holds it: Step Functions passes on 256 KB at most."""
    if len(msgspec.json.encode(payload)) <= _MOST:
        return payload
    artifacts.put(_payload_file(payload), payload)
    return _WorkerPayload(payload.step, payload.run, payload.start_generation, payload.number, is_in_file=True)


def _payload_file(payload: _WorkerPayload) -> str:
    return f"payload-{_task_name(payload)}"


def _task_name(payload: _WorkerPayload) -> str:
    return f"{payload.step}-{payload.number:07}"


def _failures(artifacts: RunArtifacts) -> str:
    """What workers said whose part was never done, once each, and the first few of them."""
    done = {
        f"{step}-{name.rpartition('-')[2]}"
        for step, stem in RESULT_NAMES.items()
        for name in artifacts.names(f"{stem}-")
    }
    failed = [name for name in artifacts.names("failed-") if name.removeprefix("failed-") not in done]
    return "; ".join(dict.fromkeys(artifacts.read_each(failed[:_SHOWN], str)))
