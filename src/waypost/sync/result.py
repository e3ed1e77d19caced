"""What a run over a bucket did, as a value that adds up."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

from msgspec import Struct

from waypost.core.diff import ChangeCounts
from waypost.core.model import SiteWarning
from waypost.ledger.manifest import Manifest


class RunResult(Struct, frozen=True):
    """What a run did.

    `listed` counts objects in a listing, `looked` those that were asked for or read, `changed` the records that
    became others. `failed` are keys that could not be looked at, with why; `unknown` those of which there is neither
    an object nor a record; `passed_over` counts what can be no page, by its reason. `rest` is the key behind which a
    run that ran out of time would go on, and `manifest` the ledger's as the run left it, where it read one. `changes`
    counts what readers see change; the first build of a ledger is none.
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

    def __add__(self, other: "RunResult") -> "RunResult":
        return RunResult(
            self.objects_listed + other.objects_listed,
            self.objects_read + other.objects_read,
            self.records_changed + other.records_changed,
            tuple(dict.fromkeys((*self.written, *other.written))),
            tuple(dict.fromkeys((*self.removed, *other.removed))),
            self.conflicts + other.conflicts,
            {**self.failed, **other.failed},
            dict(sorted((Counter(self.ignored) + Counter(other.ignored)).items())),
            _merge_warnings((*self.warnings, *other.warnings)),
            (*self.not_found, *other.not_found),
            other.resume_after,
            other.manifest or self.manifest,
            self.changes + other.changes,
        )


def total(outcomes: Sequence[RunResult]) -> RunResult:
    """Many outcomes as one: by halves, so that each is copied but a few times."""
    if len(outcomes) < 2:
        return outcomes[0] if outcomes else RunResult()
    middle = len(outcomes) // 2
    return total(outcomes[:middle]) + total(outcomes[middle:])


def _merge_warnings(warned: Iterable[SiteWarning]) -> tuple[SiteWarning, ...]:
    """Each warning once, with the first of its examples."""
    found: dict[str, SiteWarning] = {}
    for each in warned:
        before = found.get(each.code)
        examples = (before.examples or each.examples) if before else each.examples
        found[each.code] = SiteWarning(each.code, each.message, each.count + (before.count if before else 0), examples)
    return tuple(found.values())
