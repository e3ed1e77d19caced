"""The Lambda function: woken by what happens in the bucket, by a schedule, or by a person."""

import os
from collections.abc import Callable, Collection, Mapping, Sequence
from datetime import UTC, datetime
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

import msgspec

from waypost.app import bucket
from waypost.app.ledger_site import LedgerSite, answer
from waypost.aws.logs import log, metrics
from waypost.config import load
from waypost.config.load import ConfigSource
from waypost.core import reasons
from waypost.core.dates import seconds_between
from waypost.core.errors import (
    BusyError,
    ConfigIssue,
    ConfigurationError,
    EventError,
    LedgerError,
    SettingsChangedError,
    SourceError,
    WaypostError,
)
from waypost.ledger.manifest_update import ROBOTS
from waypost.report import html
from waypost.sources import s3_events
from waypost.sources.s3 import S3Source
from waypost.sources.s3_events import ObjectChange, QueueMessage
from waypost.sync import inspect, rebuild
from waypost.sync.result import RunResult

if TYPE_CHECKING:
    from waypost.aws.state_machine import StateMachine

_NEEDED = {"base_url": "WAYPOST_BASE_URL", "state": "WAYPOST_STATE"}
_VARIABLES = _NEEDED | {"name": "WAYPOST_NAME"}
_ACTIONS = ("rebuild", "update", "status", "explain", "check")
_ENDED_STATUSES = ("ABORTED", "FAILED", "TIMED_OUT")
_LAST_ERROR, _REPORT = "last-error.json", "report.html"
_MAX_REPORT_PAGES = 2_000_000
"""Of more pages no report is made at each rebuild: all of their records would be read for it."""
_RESERVE = 120
"""Seconds that a run keeps for what it has begun; of a shorter timeout a quarter."""


class Context(Protocol):
    """What Lambda tells of a call."""

    aws_request_id: str
    invoked_function_arn: str

    def get_remaining_time_in_millis(self) -> int:
        """How long the call may still take."""


def handler(event: Any, context: Context) -> Any:
    """What Lambda calls."""
    return function().handle(event, context)


def function() -> "Function":
    """The function of this environment, made at its first call and when its settings in S3 are others."""
    file = os.environ.get("WAYPOST_CONFIG", "")
    return _function(_read(file) if file.startswith("s3://") else None)


@lru_cache(maxsize=1)
def _function(settings: bytes | None) -> "Function":
    ledger_site, here = prepare(os.environ, settings)
    return Function(ledger_site, here, _invoke, _machine(os.environ, ledger_site))


def _machine(environment: Mapping[str, str], ledger_site: LedgerSite) -> "StateMachine | None":
    if not environment.get("WAYPOST_STATE_MACHINE"):
        return None
    from waypost.aws import state_machine  # most deployments have none, and need not wait for it

    state = bucket.parse_s3_uri(ledger_site.site.state or "", "environment", "WAYPOST_STATE")
    return state_machine.state_machine(environment, ledger_site.updater, state)


def prepare(environment: Mapping[str, str], settings: bytes | None = None) -> tuple[LedgerSite, bucket.S3Location]:
    """Check the environment's settings, all at once; raises ConfigurationError.

    WAYPOST_CONFIG is a waypost.toml beside the handler, or at an address in S3, where `settings` were read.
    """
    folder = Path(environment.get("LAMBDA_TASK_ROOT", "."))
    needed = ("WAYPOST_SOURCE", *_NEEDED.values())
    issues = [
        ConfigIssue("environment", name, "it is missing", _ALLOWED[name])
        for name in needed
        if not environment.get(name)
    ]
    own = ConfigSource(
        "environment",
        {key: environment[name] for key, name in _VARIABLES.items() if environment.get(name)},
        spellings=_VARIABLES,
    )
    file = _layer(environment.get("WAYPOST_CONFIG", ""), folder, settings)
    if file and environment.get("WAYPOST_NAME") and file.values.get("name", own.values["name"]) != own.values["name"]:
        issues.append(file.issue("name", "the function may write the names of the parameter SitemapName alone"))
    sources = [layer for layer in (file, own) if layer]
    try:
        site = bucket.settings(sources, folder, issues)
    except ConfigurationError as error:  # what is missing is told once
        told = {mistake.key: mistake for mistake in reversed(error.issues)}
        raise ConfigurationError(tuple(reversed(told.values()))) from None
    here = bucket.parse_s3_uri(environment["WAYPOST_SOURCE"], "environment", "WAYPOST_SOURCE")
    bucket.parse_s3_uri(site.state or "", "environment", "WAYPOST_STATE")
    warn = lambda message: log("WARNING", message)  # noqa: E731
    return bucket.ledger_site(site, folder, bucket.s3_client(), here, warn=warn), here


_ALLOWED = {
    "WAYPOST_SOURCE": "s3://bucket/prefix, where the site is",
    "WAYPOST_STATE": "s3://bucket/prefix in a private bucket",
    "WAYPOST_BASE_URL": "the URL of the site's root folder",
}


def _layer(file: str, folder: Path, settings: bytes | None) -> ConfigSource | None:
    if not file:
        return None
    if file.startswith("s3://"):
        text = settings if settings is not None else _read(file)
    else:
        text = (folder / file).read_bytes() if (folder / file).is_file() else None
    if text is None:
        raise ConfigurationError((ConfigIssue("environment", "WAYPOST_CONFIG", f"there is no file {file}"),))
    return load.parse_toml(text.decode("utf-8-sig"), file)


def _read(address: str) -> bytes | None:
    folder, _, name = address.rpartition("/")
    place = bucket.parse_s3_uri(f"{folder}/", "environment", "WAYPOST_CONFIG")
    return S3Source(bucket.s3_client(), place.bucket, place.prefix).find(name)


def _invoke(name: str, payload: bytes) -> None:
    import boto3  # few calls are not finished in their time

    boto3.client("lambda").invoke(FunctionName=name, InvocationType="Event", Payload=payload)


class Function:
    """One site's function; `invoke` calls a function by its name with a payload and does not wait.

    `machine` rebuilds what is too large for one call, where it was deployed.
    """

    def __init__(
        self,
        ledger_site: LedgerSite,
        place: bucket.S3Location,
        invoke: Callable[[str, bytes], None],
        machine: "StateMachine | None" = None,
    ) -> None:
        self._ledger_site, self._place, self._invoke, self._machine = ledger_site, place, invoke, machine

    def handle(self, event: Any, context: Context) -> Any:
        """Do what an event calls for; a person's mistake is answered, and a failure is raised and remembered."""
        try:
            if s3_events.is_object_event(event):
                return self._handle_events(event, context)
            if self._machine and isinstance(event, dict) and "step" in event:
                return self._take_step(self._machine, event, context)
            return self._handle_request(event, context)
        except BusyError as error:  # Step Functions tries again, with more patience at each time
            log("WARNING", str(error), request=context.aws_request_id)
            raise
        except EventError as error:
            log("ERROR", str(error), request=context.aws_request_id)
            if isinstance(event, dict) and "step" in event:
                raise  # an answer would count as a step that is done
            return {"error": str(error), "actions": list(_ACTIONS)}
        except Exception as error:
            self._save_error(error, context)
            raise

    def _handle_events(self, event: Mapping[str, Any], context: Context) -> dict[str, Any]:
        """Bring the sitemaps up to a batch of events; messages that could not be dealt with are told by their ids."""
        messages = s3_events.parse_messages(event)
        for message in messages:
            if message.problem:
                log("ERROR", message.problem, request=context.aws_request_id, message_id=message.id)
        if not messages[0].id and messages[0].problem:
            raise EventError(messages[0].problem)
        changes = [change for message in messages for change in message.changes if self._is_ours(change)]
        result = RunResult()
        if changes:
            result = self._update({self._key(c) for c in changes}, context)
            self._log_result("update", result, context, changes)
            self._continue_later(result, context)
        if result.failed and not messages[0].id:
            raise SourceError(f"cannot look at {', '.join(result.failed)}; the event is tried again")
        return {"batchItemFailures": [{"itemIdentifier": id} for id in self._failed_messages(messages, result)]}

    def _update(self, keys: Collection[str], context: Context) -> RunResult:
        """Bring the sitemaps up to keys; where the ledger must be built anew first, that covers them as well."""
        try:
            return self._ledger_site.updater.update(keys, _deadline(context))
        except SettingsChangedError as error:
            if not (self._machine and self._machine.is_needed()):
                return rebuild.rebuild(self._ledger_site.updater, _deadline(context))
            about, is_new = self._machine.start(_execution_name(context))
            log("INFO", f"{error}: {about['note']}", request=context.aws_request_id, execution=about["execution"])
            if is_new or self._ledger_site.updater.defer(keys):
                return RunResult()
            return RunResult(failed=dict.fromkeys(keys, about["note"]))

    def _take_step(self, machine: "StateMachine", event: Mapping[str, Any], context: Context) -> dict[str, Any]:
        """Take a step of a rebuild by many workers."""
        answer, result = machine.take_step(event, _deadline(context))
        if event.get("step") == "handle-failure":
            why = answer.get("note") or _cause(event.get("error"))
            self._write_error({"error": why, "type": "Rebuild", "request": context.aws_request_id})
        log(
            "INFO",
            f"{event['step']}: {answer['next_step']} is next",
            request=context.aws_request_id,
            run=event.get("run"),
        )
        if result:
            self._log_result("rebuild", result, context, ())
            self._write_report(result, context)
            self._clear_last_error(context)
        return answer

    def _describe_run(self) -> dict[str, Any]:
        """The rebuild by many workers that is under way, or was stopped, if there is one."""
        run = self._ledger_site.updater.ledger.read().manifest.run
        if not (run and self._machine):
            return {}
        about = self._machine.describe_run(run)
        if about["status"] not in _ENDED_STATUSES:
            return {"rebuild": about}
        state = f'the rebuild by many workers ended as {about["status"]}; {{"action": "rebuild"}} begins anew'
        return {"state": state, "rebuild": about}

    def _failed_messages(self, messages: Sequence[QueueMessage], result: RunResult) -> list[str]:
        return [
            message.id
            for message in messages
            if message.problem or any(self._is_ours(c) and self._key(c) in result.failed for c in message.changes)
        ]

    def _handle_request(self, event: Any, context: Context) -> Any:
        """What a person or a schedule asks for."""
        asked = event if isinstance(event, dict) else {}
        is_scheduled = asked.get("source") == "aws.events"
        action, updater = "rebuild" if is_scheduled else asked.get("action"), self._ledger_site.updater
        if action == "rebuild":
            after = asked.get("after", "")
            if not isinstance(after, str):
                raise EventError(f'"after" is the key behind which a rebuild goes on, and not {after!r}')
            if self._machine and not after and self._machine.is_needed():
                return self._machine.start(_execution_name(context)).answer
            return self._answer_result("rebuild", rebuild.rebuild(updater, _deadline(context), after), context)
        if action == "update":
            return self._answer_result("update", self._update(_keys(self._ledger_site, asked), context), context)
        if action == "status":
            return {**inspect.status(updater), **self._describe_run(), "last_error": self._last_error()}
        if action == "explain":
            return {"explained": [inspect.explain(updater, key) for key in _keys(self._ledger_site, asked)]}
        if action == "check":
            return self._check()
        raise EventError(
            f'{action!r} is no action; send {{"action": …}} with one of {", ".join(_ACTIONS)}'
            if action is not None
            else f"this is no event that Waypost knows: {str(event)[:200]}"
        )

    def _check(self) -> dict[str, Any]:
        try:
            return inspect.check(self._ledger_site.updater)
        except LedgerError as error:  # which is an answer to the question
            return {"is_right": False, "state": str(error)}

    def _answer_result(self, action: str, result: RunResult, context: Context) -> dict[str, Any]:
        self._log_result(action, result, context, ())
        told = answer(self._ledger_site.updater, result)
        if action == "rebuild" and result.resume_after is None:
            self._write_report(result, context)
            self._clear_last_error(context)
        if action == "update" and result.manifest and result.manifest.run and result.manifest.position is not None:
            told["note"] = "a rebuild is under way, which looks at these before it commits"
        handed_on = self._continue_later(result, context)
        return {**told, "note": "the time was over; another call goes on with the rest"} if handed_on else told

    def _write_report(self, result: RunResult, context: Context) -> None:
        """Put a report on the site beside the ledger; that it cannot be made costs nothing else."""
        updater = self._ledger_site.updater
        if result.manifest is None or result.manifest.page_count > _MAX_REPORT_PAGES or _deadline(context)():
            log("INFO", "the report is left as it was; `waypost report` makes one", request=context.aws_request_id)
            return
        try:
            shown = inspect.overview(updater, result.warnings, result.changes)
            self._ledger_site.state.write(_REPORT, html.render_report(shown, self._ledger_site.renderer))
        except WaypostError as error:
            log("ERROR", f"the report could not be made: {error}", request=context.aws_request_id)

    def _continue_later(self, result: RunResult, context: Context) -> bool:
        """Have another call go on where the time of this one was over."""
        if result.resume_after is None:
            return False
        log("INFO", "the time is over; another call goes on", request=context.aws_request_id, after=result.resume_after)
        payload = msgspec.json.encode({"action": "rebuild", "after": result.resume_after})
        self._invoke(context.invoked_function_arn, payload)
        return True

    def _log_result(self, action: str, result: RunResult, context: Context, changes: Sequence[ObjectChange]) -> None:
        """Log and measure what was done."""
        values: dict[str, float] = {
            "SitemapsWritten": len(result.written),
            "Conflicts": result.conflicts,
            "Failed": len(result.failed),
        }
        if result.manifest:
            values["UrlsListed"] = result.manifest.page_count
        lag = _lag(changes)
        if result.written and lag is not None:
            values["SecondsToPublished"] = lag
        log(
            "INFO",
            f"{action}: {len(result.written)} written, {len(result.removed)} removed, {result.records_changed} changed",
            request=context.aws_request_id,
            events=len(changes),
            read=result.objects_read,
            listed=result.objects_listed,
            written=result.written[:20],
            removed=result.removed[:20],
            changes=result.changes.counts,
            sections=result.changes.sections,
            added=result.changes.first.added[:20],
            gone=result.changes.first.removed[:20],
            conflicts=result.conflicts,
            failed=dict(list(result.failed.items())[:20]),
            warnings=[warned.code for warned in result.warnings],
        )
        metrics(self._ledger_site.site_uri, values)
        if action == "rebuild" and result.manifest:
            for reason, count in inspect.excluded_by_reason(result.manifest).items():
                metrics(self._ledger_site.site_uri, {"LeftOut": count}, Reason=reason)

    def _is_ours(self, change: ObjectChange) -> bool:
        """Whether a change concerns the site: what the function has written itself does only when it is deleted."""
        if change.bucket != self._place.bucket or not change.key.startswith(self._place.prefix):
            return False
        key = self._key(change)
        return change.is_deleted or key == ROBOTS or self._ledger_site.updater.exclusion_reason(key) != reasons.OUTPUT

    def _key(self, change: ObjectChange) -> str:
        return change.key.removeprefix(self._place.prefix)

    def _clear_last_error(self, context: Context) -> None:
        """Forget the last error: after a whole rebuild nothing is left of it."""
        try:
            self._ledger_site.state.remove(_LAST_ERROR)
        except WaypostError as error:
            log("ERROR", f"the last error could not be forgotten: {error}", request=context.aws_request_id)

    def _save_error(self, error: Exception, context: Context) -> None:
        """Keep the last error where `status` finds it; what prevents that too is only logged."""
        about = {"error": str(error), "type": type(error).__name__, "request": context.aws_request_id}
        log("ERROR", about["error"], type=about["type"], request=about["request"])
        self._write_error(about)

    def _write_error(self, about: Mapping[str, str]) -> None:
        try:
            now = self._ledger_site.updater.clock()
            self._ledger_site.state.write(_LAST_ERROR, msgspec.json.encode({"when": now, **about}))
        except WaypostError as second:
            log("ERROR", f"the error could not be kept: {second}", request=about["request"])

    def _last_error(self) -> Any:
        kept = self._ledger_site.state.read(_LAST_ERROR)
        return msgspec.json.decode(kept) if kept else None


def _execution_name(context: Context) -> str:
    """A name for an execution, which no other has."""
    return f"rebuild-{datetime.now(UTC):%Y%m%dT%H%M%SZ}-{context.aws_request_id[:8]}"


def _lag(changes: Sequence[ObjectChange]) -> float | None:
    """Seconds since the first of the changes, where an event tells when it was."""
    whens = [change.event_time for change in changes if change.event_time]
    try:
        return max(0.0, seconds_between(min(whens), datetime.now(UTC).isoformat())) if whens else None
    except ValueError:
        return None


def _cause(error: Any) -> str:
    """What Step Functions passes on of a failure: of an exception its message."""
    about = error if isinstance(error, dict) else {}
    cause = str(about.get("Cause") or about.get("Error") or error or "")
    try:
        facts = msgspec.json.decode(cause)
    except msgspec.MsgspecError:
        return cause
    return str(facts["errorMessage"]) if isinstance(facts, dict) and "errorMessage" in facts else cause


def _keys(ledger_site: LedgerSite, asked: Mapping[str, Any]) -> list[str]:
    """The keys that a person names: `key` or `keys`, each a key, an address or a URL."""
    given = asked.get("keys", asked.get("key"))
    keys = [given] if isinstance(given, str) else given
    if not (isinstance(keys, list) and keys and all(isinstance(key, str) and key for key in keys)):
        raise EventError('name what to look at: {"action": …, "keys": ["index.html", …]}')
    return [ledger_site.key(key) for key in keys]


def _deadline(context: Context) -> Callable[[], bool]:
    """Whether the call should come to its end: decided once, by how much time it has."""
    reserve = min(_RESERVE * 1_000, context.get_remaining_time_in_millis() // 4)
    return lambda: context.get_remaining_time_in_millis() < reserve
