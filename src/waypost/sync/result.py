"""What a run over a bucket did, as a value that adds up."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

from msgspec import Struct

from waypost.core.diff import Tally
from waypost.core.model import Warned
from waypost.ledger.manifest import Manifest


class Outcome(Struct, frozen=True):
    """What a run did.

    `listed` counts objects in a listing, `looked` those that were asked for or read, `changed` the records that
    became others. `failed` are keys that could not be looked at, with why; `unknown` those of which there is neither
    an object nor a record; `passed_over` counts what can be no page, by its reason. `rest` is the key behind which a
    run that ran out of time would go on, and `manifest` the ledger's as the run left it, where it read one. `changes`
    counts what readers see change; the first build of a ledger is none.
    """

    listed: int = 0
    looked: int = 0
    changed: int = 0
    written: tuple[str, ...] = ()
    removed: tuple[str, ...] = ()
    conflicts: int = 0
    failed: Mapping[str, str] = {}
    passed_over: Mapping[str, int] = {}
    warned: tuple[Warned, ...] = ()
    unknown: tuple[str, ...] = ()
    rest: str | None = None
    manifest: Manifest | None = None
    changes: Tally = Tally()

    def __add__(self, other: "Outcome") -> "Outcome":
        return Outcome(
            self.listed + other.listed,
            self.looked + other.looked,
            self.changed + other.changed,
            tuple(dict.fromkeys((*self.written, *other.written))),
            tuple(dict.fromkeys((*self.removed, *other.removed))),
            self.conflicts + other.conflicts,
            {**self.failed, **other.failed},
            dict(sorted((Counter(self.passed_over) + Counter(other.passed_over)).items())),
            _joined((*self.warned, *other.warned)),
            (*self.unknown, *other.unknown),
            other.rest,
            other.manifest or self.manifest,
            self.changes + other.changes,
        )


def total(outcomes: Sequence[Outcome]) -> Outcome:
    """Many outcomes as one: by halves, so that each is copied but a few times."""
    if len(outcomes) < 2:
        return outcomes[0] if outcomes else Outcome()
    middle = len(outcomes) // 2
    return total(outcomes[:middle]) + total(outcomes[middle:])


def _joined(warned: Iterable[Warned]) -> tuple[Warned, ...]:
    """Each warning once, with the first of its examples."""
    found: dict[str, Warned] = {}
    for each in warned:
        before = found.get(each.code)
        examples = (before.examples or each.examples) if before else each.examples
        found[each.code] = Warned(each.code, each.message, each.count + (before.count if before else 0), examples)
    return tuple(found.values())
