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
    items: str = ""
    count: int = 0
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

    def __init__(self, upkeep: Updater, extent: RunLimits, parted: SplitRanges | None = None) -> None:
        self._upkeep, self._ledger, self._extent = upkeep, upkeep.ledger, extent
        self._planning = RunPlanner(upkeep, parted or split_ranges(upkeep.source, extent), extent)

    def take_step(self, asked: Mapping[str, Any], is_over: Callable[[], bool] = lambda: False) -> StepResult:
        """Take the step that is asked for; raises EventError for what is none, and what the step raises."""
        step, run = asked.get("step"), str(asked.get("run", ""))
        if not run:
            raise EventError(f"the step {step!r} names no run; only the state machine takes steps")
        if step == "plan":
            return self._plan(self._planning.plan(run))
        if step == "commit":
            return self._commit(run, is_over)
        if step == "conclude":
            return self._finalize(run, is_over)
        if step == "abandon":
            return self._handle_failure(run)
        try:
            payload = msgspec.convert(asked, _WorkerPayload)
        except msgspec.ValidationError as error:
            raise EventError(f"{step!r} is no step that Waypost knows, or not whole: {error}") from None
        dossier = RunArtifacts(self._ledger.store, Run(payload.run, payload.start_generation))
        try:
            return self._work(payload, dossier, is_over)
        except WaypostError as error:  # of one worker among many Step Functions tells those after it nothing
            dossier.put(f"failed-{_task_name(payload)}", str(error))
            raise

    def _plan(self, plan: RunPlan) -> StepResult:
        if plan.run is None:
            return StepResult("superseded", note=_SUPERSEDED)
        if plan.scan_tasks:
            return self._assign(plan.run, "gather", [{"number": part.number, "scan_task": part} for part in plan.scan_tasks])
        return self._assign(
            plan.run, "shape", [{"number": n, "segments": tuple(some)} for n, some in enumerate(plan.build_batches)]
        )

    def _assign(self, run: Run, step: str, items: Sequence[Mapping[str, Any]]) -> StepResult:
        """Write the payloads for many workers; without any the step after theirs is next."""
        if not items:
            return StepResult({"shape": "commit", "publish": "conclude"}[step])
        dossier = RunArtifacts(self._ledger.store, run)
        made = [_WorkerPayload(step, run.owner, run.start_generation, **item) for item in items]
        payloads = concurrency.map_concurrently(
            lambda payload: _write_payload(dossier, payload), made, self._ledger.store.width
        )
        name = dossier.write_tasks(step, payloads[0].number, payloads)
        return StepResult(step, name, len(items))

    def _work(self, payload: _WorkerPayload, dossier: RunArtifacts, is_over: Callable[[], bool]) -> StepResult:
        """One of many workers' part; what it finds is in the dossier, and nothing is done under other settings."""
        brief = dossier.get("brief.json", RunContext)
        if payload.is_in_file:
            payload = dossier.get(_payload_file(payload), _WorkerPayload)
        if brief.config_digest != self._upkeep.config_digest:
            return StepResult("plan", note=_OTHERS)
        if payload.scan_task:
            haul = RangeScanner(self._upkeep, brief, self._extent.max_objects, is_over).scan(payload.scan_task)
            self._ledger.write_records(haul.files, payload.scan_task.base)
            dossier.put_once(f"gathered-{payload.number:07}", haul.result)
        elif payload.segments:
            joined = dossier.get("joined.json", MergeResult) if self._upkeep.site.alternates else None
            shape = build_shards(payload.segments, self._upkeep, self._revising(brief), joined)
            self._ledger.write_records(shape.files)
            dossier.put_once(f"shaped-{payload.number:07}", shape.result)
        elif payload.batch:
            settled = publish.publish_batch(self._upkeep, payload.batch, brief.robots_rules)
            dossier.put(f"published-{payload.number:07}", settled)
        return StepResult("plan")

    def _commit(self, name: str, is_over: Callable[[], bool]) -> StepResult:
        committing: RunCommit | None = None
        for _ in range(TRIES):
            version = self._ledger.read()
            run = version.manifest.run
            if run is None or run.owner != name:
                return StepResult("superseded", note=_SUPERSEDED)
            if run.is_publishing:
                return self._publish(version, run)
            if not self._upkeep.is_built_with(version.manifest, self._upkeep.robots_rules()):
                return StepResult("plan", note=_OTHERS)
            dossier = RunArtifacts(self._ledger.store, run)
            if not dossier.is_done("shape"):
                return StepResult("plan", note="not all shards were made")
            committing = committing or RunCommit(self._upkeep, dossier, is_over)
            if committing.start_generation != run.start_generation:
                return StepResult("plan", note=_OTHERS)
            with suppress(ConflictError):
                after, told = committing.commit(version, run)
                if after is None:
                    return StepResult("commit")
                dossier.put("committed.json", told)
                return self._publish(after, run)
        raise ConflictError(NEVER)

    def _publish(self, version: LedgerVersion, run: Run) -> StepResult:
        some = publish.publish_batches(version, self._extent.files_per_batch) if version.manifest.is_publishable else []
        first = RunArtifacts(self._ledger.store, run).task_count("publish")
        return self._assign(run, "publish", [{"number": n, "batch": batch} for n, batch in enumerate(some, first)])

    def _finalize(self, name: str, is_over: Callable[[], bool]) -> StepResult:
        version = self._ledger.read()
        run = version.manifest.run
        if run is None or run.owner != name:
            return StepResult("superseded", note=_SUPERSEDED)
        if not (run.is_publishing and self._upkeep.is_built_with(version.manifest, self._upkeep.robots_rules())):
            return StepResult("plan", note=_OTHERS)
        if not RunArtifacts(self._ledger.store, run).is_done("publish"):
            return self._publish(version, run)
        done = publish_all(self._upkeep, version, (), is_over)
        if done.resume_after is not None:
            return StepResult("conclude")
        return StepResult("done", result=self._total_result(run) + done)

    def _total_result(self, run: Run) -> RunResult:
        """What all workers did."""
        dossier = RunArtifacts(self._ledger.store, run)
        joined = dossier.find("joined.json", MergeResult)
        told = [joined.result] if joined else []
        told += [each.result for each in dossier.read_all("shaped-", BuildResult)]
        told += [dossier.find("committed.json", RunResult) or RunResult()]
        for settled in dossier.read_all("published-", PublishResult):
            told.append(RunResult(0, 0, 0, settled.written, settled.removed, settled.conflicts))
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

    def _revising(self, brief: RunContext) -> ManifestUpdater:
        return self._upkeep.manifest_updater(Manifest(robots_rules=brief.robots_rules))


def _write_payload(dossier: RunArtifacts, payload: _WorkerPayload) -> _WorkerPayload:
    """The payload, or one that names the file which holds it: Step Functions passes on 256 KB at most."""
    if len(msgspec.json.encode(payload)) <= _MOST:
        return payload
    dossier.put(_payload_file(payload), payload)
    return _WorkerPayload(payload.step, payload.run, payload.start_generation, payload.number, is_in_file=True)


def _payload_file(payload: _WorkerPayload) -> str:
    return f"apart-{_task_name(payload)}"


def _task_name(payload: _WorkerPayload) -> str:
    return f"{payload.step}-{payload.number:07}"


def _failures(dossier: RunArtifacts) -> str:
    """What workers said whose part was never done, once each, and the first few of them."""
    done = {
        f"{step}-{name.rpartition('-')[2]}" for step, stem in RESULT_NAMES.items() for name in dossier.names(f"{stem}-")
    }
    failed = [name for name in dossier.names("failed-") if name.removeprefix("failed-") not in done]
    return "; ".join(dict.fromkeys(dossier.read_each(failed[:_SHOWN], str)))
