"""Runs a distributed rebuild as AWS Step Functions does: each step in a call of its own, the workers in any order."""

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

NEXT_STEP = {"scan": "plan", "build": "commit", "publish": "finalize"}
"""The step that follows once the workers of a step have ended."""
DEFAULT_LIMITS = RunLimits()
_TRIES = 3


def split_at_keys(*split_points: str) -> SplitRanges:
    """A function that splits all ranges that are not scanned yet at these keys."""

    def split(gaps: Sequence[KeyRange], base: Manifest) -> list[KeyRange]:
        del base
        return [part for gap in gaps for part in split_at(sorted(split_points), gap.start_after, gap.through)]

    return split


@dataclass
class Execution:
    """One execution of the state machine; each call gets an `updater` of its own.

    `history` has the next step after each answer, and its number of tasks, and `input` is what the execution began
    with. With `chance` workers run in any order, some of them twice, and some reach their deadline early.
    """

    name: str
    updater: Callable[[], Updater]
    state: Store
    limits: RunLimits = DEFAULT_LIMITS
    split: SplitRanges | None = None
    chance: random.Random | None = None
    history: list[tuple[str, int]] = field(default_factory=list)
    input: dict[str, Any] = field(default_factory=dict)

    def run(self, until: str = "") -> StepResult:
        """Take the steps from `plan` on, up to the one that is named or the end."""
        step = "plan"
        while True:
            answer = self.take_step(step)
            self.history.append((answer.next_step, answer.task_count))
            if answer.next_step in ("done", "superseded", until):
                return answer
            self.take_all(self.tasks(answer))
            step = NEXT_STEP[answer.next_step] if answer.tasks else answer.next_step

    def run_workers(self, step: str) -> None:
        """Run up to a step of many workers, and all its workers."""
        self.take_all(self.tasks(self.run(until=step)))

    def take_all(self, tasks: Sequence[dict[str, Any]]) -> None:
        """Take the steps of workers."""
        for task in tasks:
            self.take(task)

    def take_step(self, step: str) -> StepResult:
        """Take one step that is not a worker's."""
        return self.take({"step": step, "run": self.name, "input": self.input})

    def tasks(self, answer: StepResult) -> list[dict[str, Any]]:
        """The payloads of the workers that an answer asks for."""
        if not answer.tasks:
            return []
        tasks: list[dict[str, Any]] = msgspec.json.decode(self.state.read(answer.tasks) or b"[]")
        assert len(tasks) == answer.task_count
        if self.chance:
            tasks += [task for task in tasks if self.chance.random() < 0.2]
            self.chance.shuffle(tasks)
        return tasks

    def take(self, payload: dict[str, Any]) -> StepResult:
        """Take the step of a payload; a step that fails is tried again."""
        for n in range(_TRIES):
            try:
                return Steps(self.updater(), self.limits, self.split).take_step(payload, self._deadline_reached)
            except StoreError:
                if n + 1 == _TRIES:
                    raise
        raise AssertionError

    def _deadline_reached(self) -> bool:
        return self.chance is not None and self.chance.random() < 0.2
