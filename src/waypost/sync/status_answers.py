"""The JSON answers about a ledger: its status, a check of it against the bucket, and why a key is listed or not.

The names of the fields are a contract. `docs/schemas/` has the JSON Schema of each answer.
A field whose type allows UNSET is absent where it does not apply.
"""

from collections.abc import Mapping, Sequence

from msgspec import UNSET, Struct, UnsetType

from waypost.core.model import PageDating, Skipped, SourceKind, UrlDecision, printable


class Problem(Struct, frozen=True):
    """Something that is wrong: where, what it is, and what to do.

    `kind` is one of `settings`, `site`, `templates`, `store`, `ledger`, `queue`, `events` and `state-machine`.
    """

    kind: str
    where: str
    problem: str
    what_to_do: str


class RebuildProgress(Struct, frozen=True):
    """How far a distributed rebuild is: the stage, and how many of its tasks are done.

    `execution` is the ARN of the Step Functions execution, and `status` is its status there: `gone` if it does not
    exist any more, and `unknown` if it cannot be read; then `problem` says why.
    """

    run: str
    stage: str
    done: int
    of: int
    execution: str | UnsetType = UNSET
    status: str | UnsetType = UNSET
    problem: str | UnsetType = UNSET


class LastError(Struct, frozen=True):
    """The last error of the Lambda function since the last complete rebuild; `time` is in UTC."""

    time: str
    message: str
    type: str
    request_id: str


class LedgerCounts(Struct, frozen=True):
    """What the files list that a ledger has published; `built_at` and `age_seconds` are null before the first build."""

    built_at: str | None
    age_seconds: int | None
    url_count: int
    sitemap_count: int
    excluded_by_reason: Mapping[str, int]
    root_sitemaps: Sequence[str]
    beyond_bounds_count: int


class StatusAnswer(Struct, frozen=True):
    """What a ledger holds, and what is wrong. While a build is under way, the counts are those of what is published.

    `built_at` and `age_seconds` are null before the first build. What cannot be known because of a problem is null.
    `beyond_bounds_count` is how many pages exceed a bound of the parser, so that what they say is not wholly known.
    Only the Lambda function answers with `rebuild`, while a distributed rebuild is under way, and `last_error`, which
    is null if there is none.
    """

    base_url: str | None
    state: str
    generation: int | None = None
    built_at: str | None = None
    age_seconds: int | None = None
    url_count: int | None = None
    sitemap_count: int | None = None
    excluded_by_reason: Mapping[str, int] | None = None
    root_sitemaps: Sequence[str] | None = None
    beyond_bounds_count: int | None = None
    problems: Sequence[Problem] = []
    rebuild: RebuildProgress | UnsetType = UNSET
    last_error: LastError | UnsetType | None = UNSET


class KeySample(Struct, frozen=True):
    """How many keys there are, and the first of them."""

    count: int
    first: Sequence[str]


class Drift(Struct, frozen=True):
    """The keys that differ between the bucket and its ledger."""

    new: KeySample
    changed: KeySample
    removed: KeySample


class CheckAnswer(Struct, frozen=True):
    """Whether bucket, ledger and published files agree.

    `files` has the published files that are wrong, each with what is wrong. `drift` and `files` are absent where there
    is nothing to compare with, or a problem prevents it. `linked_form` is present if the site's links use another form
    of URLs than the sitemaps, as examples of both; the next rebuild lists pages so.
    """

    in_sync: bool
    state: str
    drift: Drift | UnsetType = UNSET
    files: Mapping[str, str] | UnsetType = UNSET
    linked_form: str | UnsetType = UNSET
    problems: Sequence[Problem] = []


class Explanation(Struct, frozen=True):
    """Why a file is listed or not; `listed` is null if a problem prevents that this is known.

    A listed page has `loc`, `lastmod` (null if it has no date, and then `no_date_reason` says why if that is known),
    `sitemap` (null if none holds it yet) and, in a bucket, `ledger`. Any other file has `reason`, `detail`, and
    `decided_by`: the file, or the folder above it, that the reason applies to. A file of a folder has `source_kind`:
    what the folder was recognised as; a listed page also has `url_decided_by`, what decided the form of its URL, and
    `dating`, what dated it, with the abbreviated id of the `commit`. In a
    bucket, `problems` has what is wrong, if anything is.
    """

    path: str
    listed: bool | None
    loc: str | UnsetType = UNSET
    lastmod: str | UnsetType | None = UNSET
    no_date_reason: str | UnsetType = UNSET
    sitemap: str | UnsetType | None = UNSET
    ledger: str | UnsetType = UNSET
    reason: str | UnsetType = UNSET
    detail: str | UnsetType = UNSET
    decided_by: str | UnsetType = UNSET
    source_kind: SourceKind | UnsetType = UNSET
    url_decided_by: UrlDecision | UnsetType = UNSET
    dating: PageDating | UnsetType = UNSET
    commit: str | UnsetType = UNSET
    problems: Sequence[Problem] | UnsetType = UNSET


def excluded(path: str, reason: str, detail: str, decided_by: str = "") -> Explanation:
    """The explanation of a file that is not listed; without `decided_by` the reason is the file's own."""
    return Explanation(path, listed=False, reason=str(reason), detail=detail, decided_by=decided_by or path)


def explain_skipped(path: str, skipped: Skipped) -> Explanation:
    """The explanation of a file that a rule skipped, or that lies in a folder that a rule skipped."""
    detail = f" ({skipped.detail})" if skipped.detail else ""
    return excluded(path, str(skipped.reason), skipped.reason.meaning + detail, printable(skipped.key))
