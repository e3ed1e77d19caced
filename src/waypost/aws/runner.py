"""Runs over the function's bucket: each is logged and measured, and another call continues what runs out of time."""

from collections.abc import Callable, Collection, Mapping, Sequence
from datetime import UTC, datetime

import msgspec
from msgspec import UNSET, UnsetType, structs

from waypost.aws.call import Call
from waypost.aws.event_queue import EventQueue
from waypost.aws.logs import Metric, RunLine, clear_error, log, log_warnings, put_metrics, save_error, write_line
from waypost.build import bucket_run, divided_bucket, status
from waypost.build.bucket_run import BY_SETTINGS, LONGEST_PART, RebuildOptions
from waypost.build.bucket_site import BucketResult, BucketSite
from waypost.build.bucket_state import ROBOTS, removed_percent
from waypost.build.divided_bucket import DividedBucket
from waypost.build.run_answer import change_totals
from waypost.core import diff
from waypost.core.clock import Retry, w3c_now
from waypost.core.dates import seconds_between
from waypost.core.errors import RebuildNeededError, RemovalError, WaypostError
from waypost.core.model import Changes
from waypost.files.s3_events import ObjectChange
from waypost.report import overview_of_plan, render_report

Invoke = Callable[[str, bytes], None]
"""Calls a function by its ARN with a payload, and does not wait for it."""
_REPORT = "report.html"
_MAX_SHOWN = 20
_ASKED_SECONDS = 300.0
"""A process asks for no other rebuild so soon: the first one may not have begun to say that it is under way."""


class Runner:
    """Updates and rebuilds of one part of a bucket, or of the whole.

    Operators are told if more than `removed_limit` percent of its pages go.
    """

    def __init__(
        self,
        divided: DividedBucket,
        bucket: BucketSite,
        invoke: Invoke,
        queue: EventQueue,
        removed_limit: float = status.REMOVED_PERCENT,
    ) -> None:
        self._divided, self._bucket, self._invoke = divided, bucket, invoke
        self._queue, self._removed_limit = queue, removed_limit
        self._asked_at: float | None = None

    def update(self, keys: Collection[str], call: Call) -> BucketResult:
        """Update the sitemaps for keys, or rebuild them if the state must be made first; that includes the keys."""
        try:
            return bucket_run.update(self._bucket, keys, Retry(call.deadline_reached))
        except RebuildNeededError:
            return self.rebuild(call)

    def update_for_events(self, keys: Collection[str], etags: Mapping[str, str], call: Call) -> BucketResult:
        """Update the sitemaps for keys of events, which are delivered again if this raises.

        If the state must be made first, another call does that, and this raises RebuildNeededError. Rules of robots.txt
        that would remove too many pages are refused, and reported; the other keys are not.
        """
        retry = Retry(call.deadline_reached)
        try:
            return bucket_run.update(self._bucket, keys, retry, etags)
        except RebuildNeededError:
            self._ask_for_rebuild(call)
            raise
        except RemovalError as error:
            if ROBOTS not in keys:
                raise
            self.refuse(error, call)
            return bucket_run.update(self._bucket, set(keys) - {ROBOTS}, retry, etags)

    def publish(self, call: Call) -> BucketResult:
        """Publish what is pending, and tell subscribers what they wait for; raises as `update_for_events`."""
        try:
            return bucket_run.publish(self._bucket)
        except RebuildNeededError:
            self._ask_for_rebuild(call)
            raise

    def rebuild(self, call: Call, options: RebuildOptions = BY_SETTINGS) -> BucketResult:
        """Rebuild from a listing of the bucket; raises RemovalError if too much would be removed."""
        return divided_bucket.rebuild_part(self._divided, self._bucket.part.name, Retry(call.deadline_reached), options)

    def refuse(self, error: RemovalError, call: Call) -> None:
        """Measure and remember that a run was refused."""
        put_metrics(self._bucket.site_uri, {Metric.REBUILDS_REFUSED: 1})
        save_error(self._bucket.state.store, error, call.request_id, w3c_now(self._bucket.clock))

    def _ask_for_rebuild(self, call: Call) -> None:
        """Have another call rebuild the state, unless one does, or was asked to a short while ago."""
        head, now = self._bucket.state.usable_head(), self._bucket.clock.time()
        is_building = head and head.build and now - head.build.began < LONGEST_PART
        is_asked = self._asked_at is not None and now < self._asked_at + _ASKED_SECONDS
        if not (is_building or is_asked):
            self._asked_at = now
            self._invoke(call.rebuild_function, msgspec.json.encode({"action": "rebuild"}))

    def conclude(
        self,
        action: str,
        result: BucketResult,
        call: Call,
        changes: Sequence[ObjectChange] = (),
        *,
        max_removed: int | None = None,
        is_repeated: bool = True,
        is_whole: bool = True,
    ) -> None:
        """Log and measure a run, write the report after a complete rebuild, and continue.

        Another call continues a run that reached its deadline, with the same `max_removed`, unless something else
        repeats it (`is_repeated` is false), and notifies subscribers that could not be notified now. The rebuild of a
        divided bucket `is_whole` if no partition has failed.
        """
        self._log(action, result, call, changes)
        self._measure(action, result, is_whole=is_whole)
        if result.is_unfinished:
            if is_repeated:
                self._continue(result, call, max_removed)
        elif action == "rebuild":
            self._write_report(result, call)
            clear_error(self._bucket.state.store, call.request_id)
        if result.notify_after is not None:
            self._queue.publish_after(result.notify_after, call.request_id, self._bucket.part.name)

    def _continue(self, result: BucketResult, call: Call, max_removed: int | None) -> None:
        log("INFO", "the time is used up; another call continues", call.request_id)
        build = result.head.build if result.head else None
        payload: dict[str, object] = {"action": "rebuild", "part": build.part if build else ""}
        if max_removed is not None:
            payload["max_removed"] = max_removed
        self._invoke(call.rebuild_function, msgspec.json.encode(payload))

    def _write_report(self, result: BucketResult, call: Call) -> None:
        """Write the report of the site beside the state; a problem with it is only logged."""
        if result.plan is None or call.deadline_reached():
            log("INFO", "the report was not updated; `waypost report` writes one", call.request_id)
            return
        try:
            at = w3c_now(self._bucket.clock)
            plan = structs.replace(result.plan, warnings=result.warnings)
            report = render_report(overview_of_plan(plan, self._bucket.site, at), self._bucket.renderer)
            part = self._bucket.part.name
            self._bucket.state.store.write(f"{part}-{_REPORT}" if part else _REPORT, report)
        except WaypostError as error:
            log("ERROR", f"the report could not be written: {error}", call.request_id)

    def _log(self, action: str, result: BucketResult, call: Call, events: Sequence[ObjectChange]) -> None:
        counts = f"{len(result.written)} files written, {len(result.removed)} removed"
        changes = result.plan.changes if result.plan else Changes()
        write_line(
            RunLine(
                level="ERROR" if result.failed else "INFO",
                message=f"{action}: {counts}",
                request_id=call.request_id,
                action=action,
                event_count=len(events),
                urls_listed=result.head.page_count if result.head else UNSET,
                objects_listed=result.objects_listed,
                objects_read=result.objects_read,
                latency=_latency(events),
                written_count=len(result.written),
                written=result.written[:_MAX_SHOWN],
                removed_count=len(result.removed),
                removed=result.removed[:_MAX_SHOWN],
                changes=change_totals(changes),
                sections=diff.sections(changes),
                urls_added=changes.added[:_MAX_SHOWN],
                urls_removed=changes.removed[:_MAX_SHOWN],
                excluded_by_reason=result.head.excluded_by_reason if result.head else {},
                failed_count=len(result.failed),
                failed=dict(list(result.failed.items())[:_MAX_SHOWN]),
                warnings=[warning.code for warning in result.warnings],
            )
        )
        log_warnings(result.warnings, call.request_id)

    def _measure(self, action: str, result: BucketResult, *, is_whole: bool) -> None:
        values: dict[Metric, float] = {}
        is_complete = is_whole and not (result.is_unfinished or self._bucket.part.name)
        if action == "rebuild" and is_complete:
            values[Metric.REBUILDS_COMPLETED] = 1
        if result.drift:
            values[Metric.DRIFT] = result.drift
        if result.head:
            now, head = self._bucket.clock.time(), result.head
            if problems := len(list(status.told(self._bucket, head, self._removed_limit))):
                values[Metric.PROBLEMS] = problems
            if action != "rebuild" and (removed := removed_percent(head.counts, head.page_count, now)):
                values[Metric.REMOVED_PERCENT] = round(removed, 1)
        if values:
            put_metrics(self._bucket.site_uri, values)


def _latency(changes: Sequence[ObjectChange]) -> float | UnsetType:
    """Seconds since the first of the events; absent if none has a valid time."""
    times = [change.event_time for change in changes if change.event_time]
    try:
        return max(0.0, seconds_between(min(times), datetime.now(UTC).isoformat())) if times else UNSET
    except ValueError:
        return UNSET
