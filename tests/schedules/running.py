"""Runs schedules, and finds the smallest part of one that still fails."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING, NamedTuple

from schedules.end_state import check_end
from schedules.generator import Schedule, schedule
from schedules.simulation import Simulation

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from schedules.actions import Action


class Outcome(NamedTuple):
    """What went wrong in a schedule, or `""`; its processes, their requests, and the changes that were checked."""

    problem: str
    processes: int
    requests: int
    changes: int


def run(found: Schedule, trace: Callable[[str], None] | None = None) -> Outcome:
    """Run a schedule; `trace` is called with what happens."""
    random.seed(0)
    simulation, problem = Simulation(found.conditions), ""
    simulation.processes.trace = trace
    try:
        for action in found.actions:
            if trace:
                trace(f"# {action}")
            action.apply(simulation)
            simulation.require_no_violation()
        check_end(simulation)
    except Exception as error:
        problem = f"{type(error).__name__}: {error}"
    processes = simulation.processes
    return Outcome(problem, processes.started, processes.requests, simulation.changes)


def run_seed(seed: int) -> Outcome:
    """Run the schedule of a seed."""
    return run(schedule(seed))


def failures(first: int, count: int) -> dict[int, str]:
    """What goes wrong in the schedules of so many seeds, by seed."""
    return {seed: problem for seed in range(first, first + count) if (problem := run_seed(seed).problem)}


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
    return run(found._replace(actions=tuple(actions))).problem.startswith(kind)
