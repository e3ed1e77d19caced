"""The JSON answers of the command line and of the Lambda function, beside those about a ledger in `sync/answers.py`.

The names of the fields are a contract. `docs/schemas/` has the JSON Schema of each answer.
A field whose type allows UNSET, or that has a default where defaults are omitted, is absent where it does not apply.
The same site gives the same bytes.
"""

from collections.abc import Mapping, Sequence

import msgspec
from msgspec import UNSET, Struct, UnsetType

from waypost.core.diff import SectionChanges
from waypost.core.model import Changes, DateCount, Example, Page, SourceKind, UrlFormCount
from waypost.sync.answers import Explanation, KeySample, StatusAnswer
from waypost.validate.findings import Finding

SCHEMA_VERSION = 1
"""The version of the answers that have one: it rises when a field is renamed, removed, or gets another meaning."""
_MAX_KEYS = 20


class WarningAnswer(Struct, frozen=True):
    """A warning: its code and message, how many files it is about, and the first of them; `text` has all in a line."""

    code: str
    message: str
    count: int
    examples: Sequence[Example]
    text: str


class FileAnswer(Struct, frozen=True):
    """A file to publish: its size in bytes is uncompressed, and `url_count` counts its entries."""

    name: str
    kind: str
    loc: str
    url_count: int
    bytes: int
    lastmod: str | None


class ExcludedFile(Struct, frozen=True):
    """A file that is left out, the code of the reason, and what decided; the path of a folder ends with `/`."""

    key: str
    reason: str
    detail: str


class BuildAnswer(Struct, frozen=True):
    """What `waypost build` publishes of a folder; `stale` is whether the published files differ from it.

    `source_kind` is what the folder was recognised as, `url_forms` what decided the form of the URLs, and `date_counts`
    what dated the pages.
    `root_sitemap` is the file to submit to search engines. Paths in `written`, `unchanged` and `removed` are relative
    to the output folder.
    """

    schema_version: int
    base_url: str
    source_kind: SourceKind
    url_forms: Sequence[UrlFormCount]
    date_counts: Sequence[DateCount]
    root_sitemap: str
    url_count: int
    sitemap_count: int
    excluded_count: int
    excluded_by_reason: Mapping[str, int]
    stale: bool
    written: Sequence[str]
    unchanged: Sequence[str]
    removed: Sequence[str]
    changes: Changes
    files: Sequence[FileAnswer]
    pages: Sequence[Page]
    excluded: Sequence[ExcludedFile]
    warnings: Sequence[WarningAnswer]


class ChangeTotals(Struct, frozen=True):
    """How many URLs were added and removed, have another lastmod, or have other metadata."""

    added: int = 0
    removed: int = 0
    lastmod_changed: int = 0
    metadata_changed: int = 0


class RunAnswer(Struct, frozen=True):
    """What a build, update or rebuild of a bucket did, and what its ledger lists now.

    `failed` has the keys that could not be read, with the reason. `not_found` has the keys of which there is neither
    an object nor a record. `ignored` counts listed objects that cannot be pages, by reason. `resume_after` is the key
    after which a run that ran out of time continues; it is absent if the run has finished.
    """

    finished: bool
    written: Sequence[str]
    removed: Sequence[str]
    url_count: int
    sitemap_count: int
    root_sitemaps: Sequence[str]
    generation: int
    objects_listed: int
    objects_read: int
    records_changed: int
    changes: ChangeTotals
    conflicts: int
    excluded_by_reason: Mapping[str, int]
    ignored: Mapping[str, int]
    failed: Mapping[str, str]
    not_found: Sequence[str]
    warnings: Sequence[str]
    resume_after: str | UnsetType = UNSET
    note: str | UnsetType = UNSET


class ReportAnswer(Struct, frozen=True):
    """Where `waypost report` wrote its page, and the counts in it."""

    report: str
    url_count: int
    excluded_by_reason: Mapping[str, int]


class ValidatedFile(Struct, frozen=True):
    """A file that `waypost validate` read; its size in bytes is uncompressed, and `loc` is empty if unknown."""

    name: str
    loc: str
    kind: str
    entry_count: int
    bytes: int


class ValidateAnswer(Struct, frozen=True):
    """What `waypost validate` found; `failed` has the messages about targets that could not be read.

    `findings` may be cut (`--most`); the counts are of all.
    """

    schema_version: int
    error_count: int
    warning_count: int
    note_count: int
    count_by_code: Mapping[str, int]
    files: Sequence[ValidatedFile]
    findings: Sequence[Finding]
    failed: Sequence[str]


class UrlCounts(Struct, frozen=True):
    """How many URLs each side of a comparison lists."""

    old: int
    new: int


class LastmodChange(Struct, frozen=True):
    """A URL that both sides list with different dates; null is no date."""

    loc: str
    old: str | None
    new: str | None


class DiffAnswer(Struct, frozen=True):
    """What `waypost diff` found: the URLs of each kind of change, and how many there are by section of the site."""

    schema_version: int
    url_count: UrlCounts
    added: Sequence[str]
    removed: Sequence[str]
    lastmod_changed: Sequence[LastmodChange]
    metadata_changed: Sequence[str]
    sections: Sequence[SectionChanges]


class QueueStatus(Struct, frozen=True):
    """The queue of events: how many messages wait in it, and how many a call handles or will be delivered again.

    `oldest_seconds` is the age of the oldest message, and null if there is none or CloudWatch does not know it yet. If
    the queue cannot be read, there is only `problem`, which says why.
    """

    waiting: int | UnsetType = UNSET
    in_flight: int | UnsetType = UNSET
    oldest_seconds: int | UnsetType | None = UNSET
    problem: str | UnsetType = UNSET


class BucketEvents(Struct, frozen=True):
    """Whether the site's bucket sends its events to EventBridge.

    If its settings cannot be read, there is only `problem`, which says why.
    """

    eventbridge: bool | UnsetType = UNSET
    problem: str | UnsetType = UNSET


class FunctionStatus(StatusAnswer, frozen=True):
    """The status of a ledger, of the queue of events, and of what sends them.

    `queue` is absent if the function has none, and `bucket_events` with it.
    """

    queue: QueueStatus | UnsetType = UNSET
    bucket_events: BucketEvents | UnsetType = UNSET


class ExplainAnswer(Struct, frozen=True):
    """The function's answer to the action `explain`, one explanation for each key."""

    explained: Sequence[Explanation]


class ErrorAnswer(Struct, frozen=True):
    """The function's answer to a request that it cannot understand: what is wrong, and the actions that there are."""

    error: str
    actions: Sequence[str]


class RefusedAnswer(Struct, frozen=True):
    """The function's answer to a rebuild that would remove too many listed pages: nothing was changed."""

    finished: bool
    refused: str


class FailedMessage(Struct, frozen=True, rename="camel"):
    """A message that SQS should deliver again; the name is Lambda's."""

    item_identifier: str


class BatchAnswer(Struct, frozen=True, rename="camel"):
    """The function's answer to events: the messages that failed (Lambda, "Reporting batch item failures")."""

    batch_item_failures: Sequence[FailedMessage] = ()


class StartAnswer(Struct, frozen=True):
    """The function's answer to a rebuild that the state machine does: its execution, and the command to watch it."""

    finished: bool
    execution: str
    watch: str
    note: str


class TaskFile(Struct, frozen=True):
    """The object that holds the payloads of a Distributed Map, a JSON array."""

    bucket: str
    key: str


class StepAnswer(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """The function's answer to a step of the state machine: the next step, and its tasks if it has many workers."""

    next_step: str
    tasks: TaskFile | None = None
    task_count: int = 0
    note: str = ""


class FailureSample(Struct, frozen=True):
    """How many objects could not be read, and the first of them, each with the reason."""

    count: int
    first: Mapping[str, str]


class FinalStepAnswer(StepAnswer, frozen=True, kw_only=True):
    """The function's answer to the last step of a distributed rebuild, which is the output of the execution.

    It is small, because an execution's output holds 256 KB at most.
    """

    finished: bool
    url_count: int
    generation: int
    objects_listed: int
    objects_read: int
    records_changed: int
    conflicts: int
    written: KeySample
    removed: KeySample
    failed: FailureSample
    ignored: Mapping[str, int]


def sample_keys(keys: Sequence[str]) -> KeySample:
    """How many keys there are, and the first twenty."""
    return KeySample(len(keys), tuple(keys[:_MAX_KEYS]))


def sample_failures(failed: Mapping[str, str], count: int) -> FailureSample:
    """How many failures there are, and the first twenty."""
    return FailureSample(count, dict(list(failed.items())[:_MAX_KEYS]))


def to_json(answer: object, indent: int = 2) -> bytes:
    """An answer, or a list of them, as indented JSON."""
    return msgspec.json.format(msgspec.json.encode(answer), indent=indent)
