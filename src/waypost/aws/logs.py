"""The function's log, one JSON object a line, its metrics in CloudWatch's embedded format, and its last error.

The fields of the lines and the names of the metrics are a contract: queries and alarms use them.
Source: "Embedded metric format specification" (CloudWatch User Guide).
"""

import time
from collections.abc import Iterable, Mapping, Sequence
from enum import StrEnum

import msgspec
from msgspec import UNSET, Struct, UnsetType

from waypost import __version__
from waypost.build.answers import warning_text
from waypost.build.run_answer import ChangeTotals
from waypost.build.status import LastError
from waypost.core.diff import SectionChanges
from waypost.core.errors import WaypostError
from waypost.core.model import SiteWarning
from waypost.files import Store

NAMESPACE = "Waypost"
_LAST_ERROR = "last-error.json"
"""The file beside the state with the last error, for `{"action": "status"}`."""


class LogLine(Struct, frozen=True, kw_only=True):
    """A line of the log; `request_id` is Lambda's, and empty for what happens before a call is handled.

    A message of the queue that cannot be read has its `message_id`, an error the class of its exception as
    `error_type`, and a warning of a run its code as `warning`.
    """

    level: str
    message: str
    request_id: str = ""
    release: str = __version__
    message_id: str | UnsetType = UNSET
    error_type: str | UnsetType = UNSET
    warning: str | UnsetType = UNSET


class RunLine(LogLine, frozen=True, kw_only=True):
    """A run, with counts of what it did and the first of its files and URLs.

    `event_count` is how many events of objects caused it, `latency` how many seconds the first of them is ago, and
    `urls_listed` how many URLs the sitemaps list after it, if it has read the state. `written` and `removed` are names
    of files, `urls_added` and `urls_removed` URLs; `changes` and `sections` count the changed URLs, the latter by the
    site's first folders. `excluded_by_reason` counts the possible pages that are left out. `failed` has keys that
    could not be read, each with the reason, and `warnings` the codes of the warnings.
    """

    action: str
    event_count: int
    urls_listed: int | UnsetType = UNSET
    objects_listed: int
    objects_read: int
    latency: float | UnsetType = UNSET
    written_count: int
    written: Sequence[str]
    removed_count: int
    removed: Sequence[str]
    changes: ChangeTotals
    sections: Sequence[SectionChanges]
    urls_added: Sequence[str]
    urls_removed: Sequence[str]
    excluded_by_reason: Mapping[str, int]
    failed_count: int
    failed: Mapping[str, str]
    warnings: Sequence[str]


class Metric(StrEnum):
    """The metrics, all with the dimension Site.

    Each costs $0.30 a month. What needs no alarm is in the log alone.
    """

    REBUILDS_COMPLETED = "RebuildsCompleted"
    """How many rebuilds have listed the whole bucket and published the result."""
    REBUILDS_REFUSED = "RebuildsRefused"
    """How many rebuilds were refused because they would remove too many listed pages."""
    DRIFT = "Drift"
    """How many objects a scheduled rebuild found changed for which no event had arrived."""
    PROBLEMS = "Problems"
    """How many problems the status names after a run, such as objects that cannot be read, or a damaged state."""
    REMOVED_PERCENT = "RemovedPercent"
    """How many percent of the pages that were listed in the last day are listed no longer."""

    @property
    def unit(self) -> str:
        """The unit in CloudWatch."""
        return "Percent" if self is Metric.REMOVED_PERCENT else "Count"


def log(level: str, message: str, request_id: str = "") -> None:
    """Write a message to the log."""
    write_line(LogLine(level=level, message=message, request_id=request_id))


def log_error(error: Exception, request_id: str) -> None:
    """Write an error, with its class, to the log."""
    error_type = type(error).__name__
    write_line(LogLine(level="ERROR", message=str(error), request_id=request_id, error_type=error_type))


def log_warnings(warnings: Iterable[SiteWarning], request_id: str) -> None:
    """Write a line for each warning, which names some of the files that it is about."""
    for each in warnings:
        write_line(LogLine(level="WARNING", message=warning_text(each), request_id=request_id, warning=each.code))


def put_metrics(site_uri: str, values: Mapping[Metric, float]) -> None:
    """Write metrics of a site to the log, from which CloudWatch takes them."""
    definition = {
        "Namespace": NAMESPACE,
        "Dimensions": [["Site"]],
        "Metrics": [{"Name": metric, "Unit": metric.unit} for metric in values],
    }
    metadata = {"Timestamp": int(time.time() * 1_000), "CloudWatchMetrics": [definition]}
    write_line({"_aws": metadata, "Site": site_uri, **{str(metric): value for metric, value in values.items()}})


def write_line(line: LogLine | Mapping[str, object]) -> None:
    """Write a line to the log."""
    print(msgspec.json.encode(line).decode(), flush=True)


def read_last_error(store: Store) -> LastError | None:
    """The last error, or None if there was none since the last complete rebuild; raises StoreError."""
    content = store.read(_LAST_ERROR)
    try:
        return msgspec.json.decode(content, type=LastError) if content else None
    except msgspec.MsgspecError as error:
        log("WARNING", f"{_LAST_ERROR} cannot be read: {error}")
        return None


def save_error(store: Store, error: Exception, request_id: str, now: str) -> None:
    """Log an error, and keep it in place of the one before; what prevents that is logged, too, and not raised."""
    log_error(error, request_id)
    last = LastError(now, str(error), type(error).__name__, request_id)
    try:
        store.write(_LAST_ERROR, msgspec.json.encode(last))
    except WaypostError as problem:
        log("ERROR", f"the error could not be saved: {problem}", request_id)


def clear_error(store: Store, request_id: str) -> None:
    """Remove the error: a complete rebuild repairs whatever it left undone. What prevents that is logged."""
    try:
        store.remove(_LAST_ERROR)
    except WaypostError as problem:
        log("ERROR", f"the last error could not be removed: {problem}", request_id)
