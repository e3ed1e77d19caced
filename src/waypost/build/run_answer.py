"""Makes the answer of a run over a bucket with a state."""

from collections.abc import Iterator, Mapping, Sequence

from msgspec import UNSET, Struct, UnsetType

from waypost.build.answers import count_noun, counts, names, row, totals, warning_text
from waypost.build.bucket_site import BucketResult, BucketSite
from waypost.build.bucket_state import StateHead
from waypost.core.model import Changes, SiteWarning, printable

NO_PAGE = "there is no page to list; the published files are left unchanged"


class ChangeTotals(Struct, frozen=True):
    """How many URLs were added and removed, have another lastmod, or have other metadata."""

    added: int = 0
    removed: int = 0
    lastmod_changed: int = 0
    metadata_changed: int = 0


class RunAnswer(Struct, frozen=True):
    """What a build, update or rebuild of a bucket did, and what its sitemaps list now.

    `failed` has the keys that could not be read, with the reason. `not_found` has the keys of which there is neither
    an object nor a record. `ignored` counts listed objects that cannot be pages, by reason. A run that ran out of time
    has not `finished`.
    """

    finished: bool
    written: Sequence[str]
    removed: Sequence[str]
    url_count: int
    sitemap_count: int
    root_sitemaps: Sequence[str]
    objects_listed: int
    objects_read: int
    changes: ChangeTotals
    excluded_by_reason: Mapping[str, int]
    ignored: Mapping[str, int]
    failed: Mapping[str, str]
    not_found: Sequence[str]
    warnings: Sequence[str]
    note: str | UnsetType = UNSET


def change_totals(changes: Changes) -> ChangeTotals:
    """How many URLs changed, and how."""
    return ChangeTotals(
        len(changes.added), len(changes.removed), len(changes.lastmod_changed), len(changes.metadata_changed)
    )


def run_answer(bucket: BucketSite, result: BucketResult, warnings: Sequence[SiteWarning] = ()) -> RunAnswer:
    """What a run did, and what the sitemaps list after it; raises StoreError and StateError."""
    head = result.head or bucket.state.head() or StateHead()
    return RunAnswer(
        finished=not result.is_unfinished,
        written=result.written,
        removed=result.removed,
        url_count=head.page_count,
        sitemap_count=head.sitemap_count,
        root_sitemaps=sorted({*(bucket.site.base_url + name for name in head.root_names), *head.other_roots}),
        objects_listed=result.objects_listed,
        objects_read=result.objects_read,
        changes=change_totals(result.plan.changes) if result.plan else ChangeTotals(),
        excluded_by_reason=head.excluded_by_reason,
        ignored=result.ignored,
        failed={printable(key): problem for key, problem in result.failed.items()},
        not_found=tuple(map(printable, result.not_found)),
        warnings=[
            *(f"{each.code}: {warning_text(each)}" for each in (*warnings, *result.warnings)),
            *([] if head.page_count or result.is_unfinished else [NO_PAGE]),
        ],
    )


def run_lines(answer: RunAnswer, *, is_written: bool = True) -> Iterator[str]:
    """The summary of a run over a bucket; in a dry run (`is_written` is false), what it would do."""
    yield totals(answer.url_count, answer.sitemap_count, ", ".join(answer.root_sitemaps[:3]))
    yield row("written" if is_written else "to write", names(answer.written))
    if answer.removed:
        yield row("removed" if is_written else "to remove", names(answer.removed))
    listed = f" of {answer.objects_listed:,} listed" if answer.objects_listed else ""
    yield row("read", f"{count_noun(answer.objects_read, 'object')}{listed}")
    yield row("left out", counts(answer.excluded_by_reason))
    for key in answer.not_found:
        yield row("not found", f"{key}: neither the bucket nor the state has this key")
    for key, problem in answer.failed.items():
        yield row("failed", f"{key}: {problem}")
