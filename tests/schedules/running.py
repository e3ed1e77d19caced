"""Runs schedules, and finds the smallest part of one that still fails."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING

from schedules.end_state import check_end
from schedules.generator import Schedule, schedule
from schedules.simulation import Simulation

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from schedules.actions import Action


def run(found: Schedule, trace: Callable[[str], None] | None = None) -> None:
    """Run a schedule; raises AssertionError if an invariant does not hold. `trace` is called with what happens."""
    random.seed(0)
    simulation = Simulation(found.conditions)
    simulation.processes.trace = trace
    for action in found.actions:
        if trace:
            trace(f"# {action}")
        action.apply(simulation)
        simulation.require_no_violation()
    check_end(simulation)


def failure(found: Schedule) -> str:
    """What goes wrong in a schedule, or `""`."""
    try:
        run(found)
    except Exception as error:
        return f"{type(error).__name__}: {error}"
    return ""


def shrink(found: Schedule, kind: str) -> Schedule:
    """The schedule without the actions that its failure, which begins so, does not need."""
    actions = list(found.actions)
    size = max(1, len(actions) // 2)
    while True:
        before = len(actions)
        for start in range(len(actions) - size, -1, -size):
            fewer = actions[:start] + actions[start + size :]
            if _fails(found, fewer, kind):
                actions = fewer
        if size == 1 and len(actions) == before:
            return found._replace(actions=tuple(actions))
        size = max(1, size // 2) if len(actions) == before or size > 1 else 1


def _fails(found: Schedule, actions: Sequence[Action], kind: str) -> bool:
    return failure(found._replace(actions=tuple(actions))).startswith(kind)


def failure_of_seed(seed: int) -> str:
    return failure(schedule(seed))
