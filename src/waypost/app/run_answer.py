"""Makes the answer of a run over a bucket with a ledger."""

from collections.abc import Mapping, Sequence

from msgspec import UNSET, Struct, UnsetType

from waypost.app.formatting import warning_text
from waypost.core.model import printable
from waypost.sync import inspect
from waypost.sync.result import RunResult
from waypost.sync.updater import Updater

NO_PAGE = "there is no page to list; the published files are left unchanged"


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


def run_answer(updater: Updater, result: RunResult) -> RunAnswer:
    """What a run did, and what the ledger lists after it; raises LedgerError and StoreError."""
    manifest = result.manifest or updater.ledger.read().manifest
    counts = inspect.ledger_counts(updater, manifest)
    return RunAnswer(
        finished=result.resume_after is None,
        written=result.written,
        removed=result.removed,
        url_count=counts.url_count,
        sitemap_count=counts.sitemap_count,
        root_sitemaps=counts.root_sitemaps,
        generation=manifest.generation,
        objects_listed=result.objects_listed,
        objects_read=result.objects_read,
        records_changed=result.records_changed,
        changes=ChangeTotals(**result.changes.counts),
        conflicts=result.conflicts,
        excluded_by_reason=counts.excluded_by_reason,
        ignored=result.ignored,
        failed={printable(key): problem for key, problem in result.failed.items()},
        not_found=tuple(map(printable, result.not_found)),
        warnings=[
            *(f"{each.code}: {warning_text(each)}" for each in result.warnings),
            *([] if counts.url_count else [NO_PAGE]),
        ],
        resume_after=UNSET if result.resume_after is None else result.resume_after,
    )
