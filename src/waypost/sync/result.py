"""What a run over a bucket did, as a value that can be added."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

from msgspec import Struct

from waypost.core.diff import ChangeCounts
from waypost.core.model import SiteWarning
from waypost.ledger.manifest import Manifest


class RunResult(Struct, frozen=True):
    """What a run did.

    `objects_listed` counts listed objects, `objects_read` those that were read, `records_changed` changed records.
    `failed` has the error of each key that could not be read; `not_found` names keys without object and record;
    `ignored` counts objects that cannot be pages, by reason. `resume_after` is the key after which a run that reached
    its deadline would continue. `manifest` is the ledger's at the end of the run, if the run read one. `changes` counts
    what readers of the sitemaps see; a ledger's first build counts as no change. `drift` counts the objects whose
    events were lost, in a rebuild that looks for that. `is_all_published` is false if the deadline was reached before
    all files were published. In `notify_after` seconds subscribers may be notified that could not be.
    `unreadable` counts the failed objects that a run tried to read. `same_facts` are keys whose objects say the same as
    before, though they have other ETags.
    """

    objects_listed: int = 0
    objects_read: int = 0
    records_changed: int = 0
    written: tuple[str, ...] = ()
    removed: tuple[str, ...] = ()
    conflicts: int = 0
    failed: Mapping[str, str] = {}
    ignored: Mapping[str, int] = {}
    warnings: tuple[SiteWarning, ...] = ()
    not_found: tuple[str, ...] = ()
    resume_after: str | None = None
    manifest: Manifest | None = None
    changes: ChangeCounts = ChangeCounts()
    drift: int = 0
    is_all_published: bool = True
    notify_after: float | None = None
    unreadable: int = 0
    same_facts: frozenset[str] = frozenset()

    def __add__(self, other: "RunResult") -> "RunResult":
        return RunResult(
            self.objects_listed + other.objects_listed,
            self.objects_read + other.objects_read,
            self.records_changed + other.records_changed,
            tuple(dict.fromkeys((*self.written, *other.written))),
            tuple(dict.fromkeys((*self.removed, *other.removed))),
            self.conflicts + other.conflicts,
            {**self.failed, **other.failed},
            _added(self.ignored, other.ignored),
            _merge_warnings((*self.warnings, *other.warnings)),
            (*self.not_found, *other.not_found),
            other.resume_after,
            other.manifest or self.manifest,
            self.changes + other.changes,
            self.drift + other.drift,
            self.is_all_published and other.is_all_published,
            self.notify_after if other.notify_after is None else other.notify_after,
            self.unreadable + other.unreadable,
            self.same_facts | other.same_facts,
        )


def total(results: Sequence[RunResult]) -> RunResult:
    """The sum of results; adding by halves copies each of them only a few times."""
    if len(results) < 2:
        return results[0] if results else RunResult()
    middle = len(results) // 2
    return total(results[:middle]) + total(results[middle:])


def _added(first: Mapping[str, int], second: Mapping[str, int]) -> Mapping[str, int]:
    return dict(sorted((Counter(first) + Counter(second)).items())) if first and second else first or second


def _merge_warnings(warnings: Iterable[SiteWarning]) -> tuple[SiteWarning, ...]:
    """Each warning once, with the first of its examples."""
    found: dict[str, SiteWarning] = {}
    for each in warnings:
        before = found.get(each.code)
        examples = (before.examples or each.examples) if before else each.examples
        found[each.code] = SiteWarning(each.code, each.message, each.count + (before.count if before else 0), examples)
    return tuple(found.values())
