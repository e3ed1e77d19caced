"""The steps of a distributed build, each a call of its own: does what a payload asks for, and tells what comes next."""

from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from typing import Any

import msgspec
from msgspec import Struct

from waypost.core import concurrency
from waypost.core.errors import ConflictError, EventError, WaypostError
from waypost.distributed import publish
from waypost.distributed.artifacts import RESULTS, Brief, Dossier, Joined, Part, Segment, Shaped
from waypost.distributed.build_shards import shaped
from waypost.distributed.commit import Committing
from waypost.distributed.plan import Extent, Plan, Planning, Spread, spread
from waypost.distributed.publish import Batch
from waypost.distributed.scan import Gathering
from waypost.ledger.manifest import Manifest, Run
from waypost.ledger.manifest_update import Revising
from waypost.ledger.store import NEVER, TRIES, Version
from waypost.sync.publisher import Settled
from waypost.sync.rebuild import alone, conclude
from waypost.sync.result import Outcome, total
from waypost.sync.updater import Upkeep

_SHOWN = 5
_MOST = 100_000
"""Bytes of a payload: in an execution's state it may be escaped once more."""
_OTHERS = "the settings, or robots.txt, are others than when it began"
_SUPERSEDED = "another rebuild has taken this one's place"


class Next(Struct, frozen=True, omit_defaults=True):
    """What comes next: a step, and for one of many workers the name of the file of their payloads.

    `outcome` is what was done, once all is.
    """

    todo: str
    items: str = ""
    count: int = 0
    note: str = ""
    outcome: Outcome | None = None


class _Payload(Struct, frozen=True, omit_defaults=True):
    """What a worker of many is given; `is_apart` where that is in a file of its own."""

    step: str
    run: str
    begun: int
    n: int
    part: Part | None = None
    segments: tuple[Segment, ...] = ()
    batch: Batch | None = None
    is_apart: bool = False


class Steps:
    """The steps over one bucket."""

    def __init__(self, upkeep: Upkeep, extent: Extent, parted: Spread | None = None) -> None:
        self._upkeep, self._ledger, self._extent = upkeep, upkeep.ledger, extent
        self._planning = Planning(upkeep, parted or spread(upkeep.source, extent), extent)

    def take(self, asked: Mapping[str, Any], is_over: Callable[[], bool] = lambda: False) -> Next:
        """Take the step that is asked for; raises EventError for what is none, and what the step raises."""
        step, run = asked.get("step"), str(asked.get("run", ""))
        if not run:
            raise EventError(f"the step {step!r} names no run; only the state machine takes steps")
        if step == "plan":
            return self._planned(self._planning.plan(run))
        if step == "commit":
            return self._committed(run, is_over)
        if step == "conclude":
            return self._concluded(run, is_over)
        if step == "abandon":
            return self._abandoned(run)
        try:
            payload = msgspec.convert(asked, _Payload)
        except msgspec.ValidationError as error:
            raise EventError(f"{step!r} is no step that Waypost knows, or not whole: {error}") from None
        dossier = Dossier(self._ledger.store, Run(payload.run, payload.begun))
        try:
            return self._worked(payload, dossier, is_over)
        except WaypostError as error:  # of one worker among many Step Functions tells those after it nothing
            dossier.put(f"failed-{_part(payload)}", str(error))
            raise

    def _planned(self, plan: Plan) -> Next:
        if plan.run is None:
            return Next("superseded", note=_SUPERSEDED)
        if plan.parts:
            return self._handed_out(plan.run, "gather", [{"n": part.n, "part": part} for part in plan.parts])
        return self._handed_out(
            plan.run, "shape", [{"n": n, "segments": tuple(some)} for n, some in enumerate(plan.batches)]
        )

    def _handed_out(self, run: Run, step: str, items: Sequence[Mapping[str, Any]]) -> Next:
        """Write the payloads for many workers; without any the step after theirs is next."""
        if not items:
            return Next({"shape": "commit", "publish": "conclude"}[step])
        dossier = Dossier(self._ledger.store, run)
        made = [_Payload(step, run.id, run.begun, **item) for item in items]
        payloads = concurrency.each(lambda payload: _payload(dossier, payload), made, self._ledger.store.width)
        name = dossier.hand_out(step, payloads[0].n, payloads)
        return Next(step, name, len(items))

    def _worked(self, payload: _Payload, dossier: Dossier, is_over: Callable[[], bool]) -> Next:
        """One of many workers' part; what it finds is in the dossier, and nothing is done under other settings."""
        brief = dossier.get("brief.json", Brief)
        if payload.is_apart:
            payload = dossier.get(_apart(payload), _Payload)
        if brief.configuration != self._upkeep.configuration:
            return Next("plan", note=_OTHERS)
        if payload.part:
            haul = Gathering(self._upkeep, brief, self._extent.most, is_over).haul(payload.part)
            self._ledger.keep(haul.files, payload.part.base)
            dossier.put_once(f"gathered-{payload.n:07}", haul.found)
        elif payload.segments:
            joined = dossier.get("joined.json", Joined) if self._upkeep.site.alternates else None
            shape = shaped(payload.segments, self._upkeep, self._revising(brief), joined)
            self._ledger.keep(shape.files)
            dossier.put_once(f"shaped-{payload.n:07}", shape.found)
        elif payload.batch:
            settled = publish.published(self._upkeep, payload.batch, brief.robots)
            dossier.put(f"published-{payload.n:07}", settled)
        return Next("plan")

    def _committed(self, name: str, is_over: Callable[[], bool]) -> Next:
        committing: Committing | None = None
        for _ in range(TRIES):
            version = self._ledger.current()
            run = version.manifest.run
            if run is None or run.id != name:
                return Next("superseded", note=_SUPERSEDED)
            if run.is_publishing:
                return self._published(version, run)
            if not self._upkeep.is_ready(version.manifest, self._upkeep.robots()):
                return Next("plan", note=_OTHERS)
            dossier = Dossier(self._ledger.store, run)
            if not dossier.is_done("shape"):
                return Next("plan", note="not all shards were made")
            committing = committing or Committing(self._upkeep, dossier, is_over)
            if committing.begun != run.begun:
                return Next("plan", note=_OTHERS)
            with suppress(ConflictError):
                after, told = committing.committed(version, run)
                if after is None:
                    return Next("commit")
                dossier.put("committed.json", told)
                return self._published(after, run)
        raise ConflictError(NEVER)

    def _published(self, version: Version, run: Run) -> Next:
        some = publish.batches(version, self._extent.files) if version.manifest.is_publishable else []
        first = Dossier(self._ledger.store, run).handed_out("publish")
        return self._handed_out(run, "publish", [{"n": n, "batch": batch} for n, batch in enumerate(some, first)])

    def _concluded(self, name: str, is_over: Callable[[], bool]) -> Next:
        version = self._ledger.current()
        run = version.manifest.run
        if run is None or run.id != name:
            return Next("superseded", note=_SUPERSEDED)
        if not (run.is_publishing and self._upkeep.is_ready(version.manifest, self._upkeep.robots())):
            return Next("plan", note=_OTHERS)
        if not Dossier(self._ledger.store, run).is_done("publish"):
            return self._published(version, run)
        done = conclude(self._upkeep, version, (), is_over)
        if done.rest is not None:
            return Next("conclude")
        return Next("done", outcome=self._told(run) + done)

    def _told(self, run: Run) -> Outcome:
        """What all workers did."""
        dossier = Dossier(self._ledger.store, run)
        joined = dossier.find("joined.json", Joined)
        told = [joined.told] if joined else []
        told += [each.told for each in dossier.all("shaped-", Shaped)]
        told += [dossier.find("committed.json", Outcome) or Outcome()]
        for settled in dossier.all("published-", Settled):
            told.append(Outcome(0, 0, 0, settled.written, settled.removed, settled.conflicts))
        return total(told)

    def _abandoned(self, name: str) -> Next:
        """Have the ledger forget a run that has failed; what it has committed the next rebuild publishes.

        The note is what the workers said that failed and never came to their end.
        """
        note = ""
        for _ in range(TRIES):
            version = self._ledger.current()
            run = version.manifest.run
            if run is None or run.id != name:
                break
            note = _failures(Dossier(self._ledger.store, run))
            with suppress(ConflictError):
                self._ledger.commit(version, alone(version.manifest), {})
                break
        return Next("done", note=note)

    def _revising(self, brief: Brief) -> Revising:
        return self._upkeep.revising(Manifest(robots=brief.robots))


def _payload(dossier: Dossier, payload: _Payload) -> _Payload:
    """The payload, or one that names the file which holds it: Step Functions passes on 256 KB at most."""
    if len(msgspec.json.encode(payload)) <= _MOST:
        return payload
    dossier.put(_apart(payload), payload)
    return _Payload(payload.step, payload.run, payload.begun, payload.n, is_apart=True)


def _apart(payload: _Payload) -> str:
    return f"apart-{_part(payload)}"


def _part(payload: _Payload) -> str:
    return f"{payload.step}-{payload.n:07}"


def _failures(dossier: Dossier) -> str:
    """What workers said whose part was never done, once each, and the first few of them."""
    done = {f"{step}-{name.rpartition('-')[2]}" for step, stem in RESULTS.items() for name in dossier.names(f"{stem}-")}
    failed = [name for name in dossier.names("failed-") if name.removeprefix("failed-") not in done]
    return "; ".join(dict.fromkeys(dossier.each(failed[:_SHOWN], str)))
