"""Runs over the function's site: each is logged and measured, and continued by another call if it runs out of time."""

import time
from collections.abc import Callable, Collection, Sequence
from datetime import UTC, datetime
from typing import TYPE_CHECKING

import msgspec
from msgspec import UNSET

from waypost.app.ledger_site import LedgerSite
from waypost.app.run_answer import ChangeTotals
from waypost.aws.call import Call
from waypost.aws.last_error import LastErrorFile
from waypost.aws.logs import ContinueLine, LogLine, Metric, RunLine, StepLine, log, log_warnings, put_metrics
from waypost.aws.own_messages import OwnMessages
from waypost.core.dates import format_unix_time, seconds_between
from waypost.core.errors import RebuildNeededError, RemovalError, SettingsChangedError, WaypostError
from waypost.ledger.manifest import Manifest
from waypost.report import render_report
from waypost.sources.s3_events import ObjectChange
from waypost.sync import inspect, ledger_overview, rebuild
from waypost.sync.drift import DriftCheck
from waypost.sync.rebuild_options import NO_OPTIONS, RebuildOptions
from waypost.sync.result import RunResult

if TYPE_CHECKING:
    from waypost.aws.state_machine import StateMachine

Invoke = Callable[[str, bytes], None]
"""Calls a function by its ARN with a payload, and does not wait for it."""
_REPORT = "report.html"
_MAX_REPORT_PAGES = 2_000_000
"""A rebuild writes no report of more pages, because all of their records would be read for it."""
_MAX_SHOWN = 20
_METRIC_OF_WARNING = {
    "records-lost": Metric.RECORDS_LOST,
    "contested": Metric.CONTESTED,
    "sitemap-kept": Metric.SITEMAPS_KEPT,
}
_MAX_PENDING = 50
"""A call for events publishes no more files than this that a rebuild has left: a large one takes 0.6 seconds."""
_EVENT_PATIENCE = 10
"""Seconds that a call with messages waits for another publisher: after that they are delivered again, which is free."""


class Runner:
    """Updates and rebuilds of one site; `state_machine` does rebuilds that are too large for one call, if deployed."""

    def __init__(
        self,
        site: LedgerSite,
        invoke: Invoke,
        last_error: LastErrorFile,
        state_machine: "StateMachine | None",
        own_messages: OwnMessages,
    ) -> None:
        self._site, self._invoke, self._last_error = site, invoke, last_error
        self._state_machine, self._own_messages = state_machine, own_messages
        self._asked_for_rebuild: tuple[str, float] | None = None

    def update(self, keys: Collection[str], call: Call) -> RunResult:
        """Update the sitemaps for keys. If the ledger must be rebuilt first, the rebuild includes the keys."""
        self.send_publish_message(call)
        try:
            return self._site.updater.update(keys, call.deadline_reached)
        except SettingsChangedError as error:
            return self._start_machine(keys, call, error) or rebuild.update(
                self._site.updater, keys, call.deadline_reached
            )

    def update_for_events(self, keys: Collection[str], redelivered: Collection[str], call: Call) -> RunResult:
        """Update the sitemaps for keys of events, which are delivered again if this raises.

        If the ledger must be rebuilt first, another call does that. Then this raises RebuildNeededError, unless a
        distributed rebuild reads the keys before it commits. Of the `redelivered` keys only objects that changed are
        read.
        """
        updater = self._site.updater
        updater.before_taking_lease = _do_nothing
        if redelivered:  # the call before may have been killed because there are so many files to publish
            self._require_few_pending_files(updater.ledger.read().manifest, call)
        try:
            return updater.update(keys, call.deadline_reached, redelivered=redelivered, patience=_EVENT_PATIENCE)
        except SettingsChangedError as error:
            self._ask_for_rebuild(call)
            if updater.defer(keys):
                return RunResult()
            raise RebuildNeededError(f"{error}; another call rebuilds it") from error

    def publish(self, call: Call) -> RunResult:
        """Publish what is pending.

        Raises RebuildNeededError while a rebuild is in progress that may end early, and if a call for events has too
        little time for so many files: then a rebuild publishes them.
        """
        updater = self._site.updater
        updater.before_taking_lease = _do_nothing
        version = updater.ledger.read()
        if not version.manifest.is_complete:
            self._ask_for_rebuild(call)
            raise RebuildNeededError("a build is in progress; what it publishes is not known yet")
        lease = version.manifest.publisher
        if lease and lease.is_run and lease.is_live(updater.lease_clock.time()):
            raise RebuildNeededError("a distributed rebuild publishes now")
        self._require_few_pending_files(version.manifest, call)
        if lease and lease.is_run:  # an update that commits now would leave its files to the run, which has ended
            version = updater.lease.take(version)
        return updater.publish(version, None, call.deadline_reached, patience=_EVENT_PATIENCE).as_result()

    def _require_few_pending_files(self, manifest: Manifest, call: Call) -> None:
        """Raise RebuildNeededError if a run has left too many files for a call for events; a rebuild publishes them."""
        is_free = self._site.updater.lease.is_free(manifest)
        if call.is_for_events and is_free and len(manifest.pending) > _MAX_PENDING:
            self._ask_for_rebuild(call)
            raise RebuildNeededError("a rebuild publishes the pending files, which are too many for a call for events")

    def send_publish_message(self, call: Call) -> None:
        """Have the message sent that asks for a publisher, before a run of this call becomes the publisher."""
        self._site.updater.before_taking_lease = self._own_messages.publish_once(call.request_id)

    def _ask_for_rebuild(self, call: Call) -> None:
        """Have another call rebuild the ledger, unless one does.

        A rebuild becomes the builder only after it has counted what it would remove. So this process asks again only
        if a rebuild has ended since, or after a builder's lease.
        """
        updater = self._site.updater
        built_at, now = updater.ledger.read_or_recover().manifest.built_at, updater.lease_clock.time()
        asked = self._asked_for_rebuild
        is_asked = asked is not None and asked[0] == built_at and now < asked[1] + updater.timing.build_lease
        if not (is_asked or updater.has_builder()):
            self._asked_for_rebuild = built_at, now
            self._invoke(call.rebuild_function, msgspec.json.encode({"action": "rebuild"}))

    def _start_machine(self, keys: Collection[str], call: Call, error: SettingsChangedError) -> RunResult | None:
        """Start a distributed rebuild that includes the keys; None if one call can rebuild the ledger."""
        updater, machine = self._site.updater, self._state_machine
        if machine and machine.is_needed():
            started = machine.start(execution_name(call))
            answer, message = started.answer, f"{error}: {started.answer.note}"
            log(StepLine(level="INFO", message=message, request_id=call.request_id, execution=answer.execution))
            if started.is_new or updater.defer(keys):
                return RunResult()
            return RunResult(failed=dict.fromkeys(keys, answer.note))
        return None

    def rebuild(
        self, after: str, call: Call, options: RebuildOptions = NO_OPTIONS, stopped_at: float | None = None
    ) -> RunResult:
        """Rebuild from a listing of the bucket after a key.

        `stopped_at` is when the call ended that this one continues (Unix seconds). Raises RemovalError if too much
        would be removed; what updates have left is published all the same.
        """
        self.send_publish_message(call)
        updater, most = self._site.updater, options.max_removed
        check = self._drift_check(options.lag, call) if options.lag is not None else None
        try:
            return rebuild.rebuild(updater, call.deadline_reached, after, most, stopped_at, check)
        except RemovalError:
            self._publish_left(call)
            raise

    def _publish_left(self, call: Call) -> None:
        """Publish what updates have left, for which no other run may come; an error is only logged."""
        updater = self._site.updater
        try:
            version = updater.ledger.read()
            if version.manifest.pending or version.manifest.outbox:
                done = updater.publish(version, None, call.deadline_reached, patience=_EVENT_PATIENCE)
                self.conclude("publish", done.as_result(), call)
        except WaypostError as error:
            message = f"what updates have left could not be published: {error}"
            log(LogLine(level="ERROR", message=message, request_id=call.request_id))

    def _drift_check(self, lag: float, call: Call) -> DriftCheck:
        before = format_unix_time(int(self._site.updater.lease_clock.time() - lag))
        return DriftCheck(before, self._own_messages.look_again(lag, call.request_id))

    def conclude(
        self,
        action: str,
        result: RunResult,
        call: Call,
        changes: Sequence[ObjectChange] = (),
        options: RebuildOptions = NO_OPTIONS,
    ) -> None:
        """Log and measure a run, write the report after a complete rebuild, and continue.

        Another call continues a run that reached its deadline, with the same options; it publishes what an update had
        no time for, and notifies subscribers that could not be notified now.
        """
        self._log(action, result, call, changes)
        self._measure(action, result, changes)
        if result.resume_after is not None:
            self._continue(result.resume_after, call, options)
        elif action == "rebuild":
            self._write_report(result, call)
            self._last_error.clear(call.request_id)
        elif not result.is_all_published:
            self._ask_for_rebuild(call)
        if result.notify_after is not None:
            self._own_messages.publish_after(result.notify_after, call.request_id)

    def _continue(self, resume_after: str, call: Call, options: RebuildOptions) -> None:
        message = "the time is used up; another call continues"
        log(ContinueLine(level="INFO", message=message, request_id=call.request_id, resume_after=resume_after))
        stopped_at = self._site.updater.lease_clock.time()
        accepted = msgspec.to_builtins(options)
        payload = {"action": "rebuild", "after": resume_after, "stopped_at": stopped_at, **accepted}
        self._invoke(call.rebuild_function, msgspec.json.encode(payload))

    def _write_report(self, result: RunResult, call: Call) -> None:
        """Write the report of the site beside the ledger; a problem with it is only logged."""
        if result.manifest is None or result.manifest.page_count > _MAX_REPORT_PAGES or call.deadline_reached():
            message = "the report was not updated; `waypost report` writes one"
            log(LogLine(level="INFO", message=message, request_id=call.request_id))
            return
        try:
            overview = ledger_overview.overview(self._site.updater, result.warnings, result.changes)
            self._site.state.write(_REPORT, render_report(overview, self._site.renderer))
        except WaypostError as error:
            message = f"the report could not be written: {error}"
            log(LogLine(level="ERROR", message=message, request_id=call.request_id))

    def _log(self, action: str, result: RunResult, call: Call, changes: Sequence[ObjectChange]) -> None:
        counts = f"{len(result.written)} files written, {len(result.removed)} removed"
        log(
            RunLine(
                level="ERROR" if result.failed else "INFO",
                message=f"{action}: {counts}, {result.records_changed} records changed",
                request_id=call.request_id,
                action=action,
                event_count=len(changes),
                urls_listed=result.manifest.page_count if result.manifest else UNSET,
                objects_listed=result.objects_listed,
                objects_read=result.objects_read,
                records_changed=result.records_changed,
                written_count=len(result.written),
                written=result.written[:_MAX_SHOWN],
                removed_count=len(result.removed),
                removed=result.removed[:_MAX_SHOWN],
                changes=ChangeTotals(**result.changes.counts),
                sections=result.changes.sections,
                urls_added=result.changes.first.added[:_MAX_SHOWN],
                urls_removed=result.changes.first.removed[:_MAX_SHOWN],
                excluded_by_reason=inspect.excluded_by_reason(result.manifest) if result.manifest else {},
                conflicts=result.conflicts,
                failed_count=len(result.failed),
                failed=dict(list(result.failed.items())[:_MAX_SHOWN]),
                warnings=[warning.code for warning in result.warnings],
            )
        )
        log_warnings(result.warnings, call.request_id)

    def _measure(self, action: str, result: RunResult, changes: Sequence[ObjectChange]) -> None:
        values: dict[Metric, float] = {}
        if action == "rebuild" and result.resume_after is None:
            values[Metric.REBUILDS_COMPLETED] = 1
        if result.drift:
            values[Metric.DRIFT] = result.drift
        for warning in result.warnings:
            if warning.code in _METRIC_OF_WARNING:
                values[_METRIC_OF_WARNING[warning.code]] = warning.count
        unknown = (warning.count for warning in result.warnings if warning.code == "unknown-coding")
        if unreadable := result.unreadable + sum(unknown):
            values[Metric.UNREADABLE] = unreadable
        removed = result.manifest.removed if result.manifest else None
        if action != "rebuild" and result.changes.counts["removed"] and removed and removed.is_counted(time.time()):
            values[Metric.REMOVED_PERCENT] = round(removed.percent, 1)
        latency = _publish_latency(changes)
        if result.written and latency is not None:
            values[Metric.PUBLISH_LATENCY] = latency
        if values:
            put_metrics(self._site.site_uri, values)


def _do_nothing() -> None:
    """The message of an event, which is delivered again, is enough."""


def execution_name(call: Call) -> str:
    """A unique name for an execution of the state machine."""
    return f"rebuild-{datetime.now(UTC):%Y%m%dT%H%M%SZ}-{call.request_id[:8]}"


def _publish_latency(changes: Sequence[ObjectChange]) -> float | None:
    """Seconds since the first of the events, or None if none has a valid time."""
    times = [change.event_time for change in changes if change.event_time]
    try:
        return max(0.0, seconds_between(min(times), datetime.now(UTC).isoformat())) if times else None
    except ValueError:
        return None
