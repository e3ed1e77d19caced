"""The JSON answers of the command line, except those about a ledger (`sync/status_answers.py`).

The names of the fields are a contract. `docs/schemas/` has the JSON Schema of each answer.
A field whose type allows UNSET, or that has a default where defaults are omitted, is absent where it does not apply.
The same site gives the same bytes.
"""

from collections.abc import Mapping, Sequence

import msgspec
from msgspec import UNSET, Struct, UnsetType

from waypost.audit.result import AuditCounts, AuditFinding, KnownCase
from waypost.core.diff import SectionChanges
from waypost.core.model import Changes, DateCount, Example, Page, SourceKind, UrlFormCount
from waypost.core.moves import MoveGroup, MoveKind
from waypost.report.verdict import Problem
from waypost.validate.findings import Finding
from waypost.validate.metadata_changes import FieldChange

SCHEMA_VERSION = 1
"""The version of the answers that have one: it rises when a field is renamed, removed, or gets another meaning."""


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


class NotifiedAnswer(Struct, frozen=True):
    """A subscriber and what it was notified of; `problem` is empty unless that failed."""

    subscriber: str
    problem: str = ""


class NotifyAnswer(Struct, frozen=True):
    """What `waypost notify` sent, or in a dry run would send, and to whom: files, and the first 10,000 changed URLs."""

    url_count: int
    urls: Sequence[str]
    written: Sequence[str]
    removed: Sequence[str]
    subscribers: Sequence[NotifiedAnswer]


class ReportAnswer(Struct, frozen=True):
    """Where `waypost report` wrote its page, and what is in it.

    `is_healthy` if nothing is to be fixed; `problems` may have notes all the same. They come in the order in which to
    fix them, with all their pages.
    """

    report: str
    url_count: int
    excluded_by_reason: Mapping[str, int]
    is_healthy: bool
    problems: Sequence[Problem]


class ValidatedFile(Struct, frozen=True):
    """A file that `waypost validate` read; its size in bytes is uncompressed, and `loc` is empty if unknown."""

    name: str
    loc: str
    kind: str
    entry_count: int
    bytes: int


class CheckLiveAnswer(Struct, frozen=True):
    """What `waypost check-live` found; `failed` has the messages about targets that could not be read.

    `url_count` counts the listed URLs, `chosen_count` those of the sample, or all, and `asked_count` those of them that
    were asked. `status_counts` has their statuses (0: no answer; that of a redirect, not of its target), and
    `unasked_by_reason` counts the other chosen ones. `findings` may be cut (`--most`); the counts are of all.
    """

    schema_version: int
    url_count: int
    chosen_count: int
    asked_count: int
    status_counts: Mapping[str, int]
    unasked_by_reason: Mapping[str, int]
    error_count: int
    warning_count: int
    note_count: int
    count_by_code: Mapping[str, int]
    findings: Sequence[Finding]
    failed: Sequence[str]


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


class AuditAnswer(Struct, frozen=True):
    """What `waypost audit` found; the counts are of cases, each of which may concern many pages.

    `hidden_count` counts the known cases of a baseline that were found again, once for each page, and are not among the
    findings; `resolved` are those that no longer occur.
    """

    schema_version: int
    base_url: str
    error_count: int
    warning_count: int
    note_count: int
    count_by_code: Mapping[str, int]
    checked: AuditCounts
    hidden_count: int
    resolved: Sequence[KnownCase]
    findings: Sequence[AuditFinding]


class UrlCounts(Struct, frozen=True):
    """How many URLs each side of a comparison lists."""

    old: int
    new: int


class LastmodChange(Struct, frozen=True):
    """A URL that both sides list with different dates; null is no date."""

    loc: str
    old: str | None
    new: str | None


class DateChange(Struct, frozen=True):
    """The old and the new date of a page; null is no date."""

    old: str | None
    new: str | None


class MetadataChange(Struct, frozen=True):
    """A URL that both sides list with different metadata, and the values that differ."""

    loc: str
    fields: Sequence[FieldChange]


class MovedUrl(Struct, frozen=True):
    """A page that both sides list at different URLs, and the kinds of differences between the two.

    `group` is the index of its group in `move_groups`. `lastmod` and `fields` are absent if the date or the metadata is
    the same.
    """

    old: str
    new: str
    kinds: Sequence[MoveKind]
    group: int
    lastmod: DateChange | UnsetType = UNSET
    fields: Sequence[FieldChange] | UnsetType = UNSET


class DiffAnswer(Struct, frozen=True):
    """What `waypost diff` found: the URLs of each kind of change, and how many there are by section of the site.

    A URL that only the old side lists is in `removed`, or an old URL in `moved`. One that only the new side lists is in
    `added`, or a new URL in `moved`. `unchanged_count` counts the URLs that have the same date and metadata on both
    sides. `removed_percent` is the share of the old URLs that are in `removed`. `metadata_changes` has the URLs of
    `metadata_changed`, with old and new values. `sections` does not count moves.
    """

    schema_version: int
    url_count: UrlCounts
    unchanged_count: int
    removed_percent: float
    added: Sequence[str]
    removed: Sequence[str]
    moved: Sequence[MovedUrl]
    move_groups: Sequence[MoveGroup]
    lastmod_changed: Sequence[LastmodChange]
    metadata_changed: Sequence[str]
    metadata_changes: Sequence[MetadataChange]
    sections: Sequence[SectionChanges]


class BucketEvents(Struct, frozen=True):
    """Whether the site's `bucket` sends its events to EventBridge.

    If its settings cannot be read, there is only `problem`, which says why.
    """

    eventbridge: bool | UnsetType = UNSET
    problem: str | UnsetType = UNSET
    bucket: str = ""


def to_json(answer: object, indent: int = 2) -> bytes:
    """An answer, or a list of them, as indented JSON."""
    return msgspec.json.format(msgspec.json.encode(answer), indent=indent)
