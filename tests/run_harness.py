"""What AWS Step Functions does of a distributed build: each step a call of its own, many of them in any order."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import msgspec

from waypost.core.errors import StoreError
from waypost.distributed.plan import RunLimits, SplitRanges
from waypost.distributed.steps import StepResult, Steps
from waypost.sources.parallel_listing import KeyRange, split_at

if TYPE_CHECKING:
    import random
    from collections.abc import Callable, Sequence

    from waypost.ledger.manifest import Manifest
    from waypost.stores.base import Store
    from waypost.sync.updater import Updater

AFTER = {"scan": "plan", "build": "commit", "publish": "finalize"}
EXTENT = RunLimits()
_TRIES = 3


def at(*cuts: str) -> SplitRanges:
    """A key space that is cut at these keys, wherever it is not covered yet."""

    def parted(gaps: Sequence[KeyRange], base: Manifest) -> list[KeyRange]:
        del base
        return [part for gap in gaps for part in split_at(sorted(cuts), gap.start_after, gap.through)]

    return parted


@dataclass
class Execution:
    """One run of the state machine; `upkeep` makes a worker's own, `trail` has what was done, and of how many.

    By `chance` workers run in any order, some twice, and some come to the end of their time early.
    """

    name: str
    updater: Callable[[], Updater]
    state: Store
    limits: RunLimits = EXTENT
    parted: SplitRanges | None = None
    chance: random.Random | None = None
    trail: list[tuple[str, int]] = field(default_factory=list)

    def run(self, until: str = "") -> StepResult:
        """Take one step after another, up to the one that is named, or the end."""
        step = "plan"
        while True:
            found = self._taken({"step": step, "run": self.name})
            self.trail.append((found.next_step, found.task_count))
            if found.next_step in ("done", "superseded", until):
                return found
            for item in self.items(found):
                self._taken(item)
            step = AFTER[found.next_step] if found.tasks else found.next_step

    def items(self, found: StepResult) -> list[dict[str, Any]]:
        """What the workers are given."""
        if not found.tasks:
            return []
        items: list[dict[str, Any]] = msgspec.json.decode(self.state.read(found.tasks) or b"[]")
        assert len(items) == found.task_count
        if self.chance:
            items += [item for item in items if self.chance.random() < 0.2]
            self.chance.shuffle(items)
        return items

    def _taken(self, payload: dict[str, Any]) -> StepResult:
        """Take a step, again where it fails."""
        for n in range(_TRIES):
            try:
                return Steps(self.updater(), self.limits, self.parted).take_step(payload, self._deadline_reached)
            except StoreError:
                if n + 1 == _TRIES:
                    raise
        raise AssertionError

    def _deadline_reached(self) -> bool:
        return self.chance is not None and self.chance.random() < 0.2
