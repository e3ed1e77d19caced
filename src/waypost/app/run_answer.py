"""Makes the answer of a run over a bucket with a ledger."""

from msgspec import UNSET

from waypost.app.answers import ChangeTotals, RunAnswer
from waypost.app.formatting import warning_text
from waypost.core.model import printable
from waypost.sync import inspect
from waypost.sync.result import RunResult
from waypost.sync.updater import Updater

NO_PAGE = "there is no page to list; the published files are left unchanged"


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
