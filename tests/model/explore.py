"""Explores all states of a scenario breadth first, and checks the invariants in each."""

import time
from array import array
from collections import defaultdict
from typing import NamedTuple

from model.documents import ROBOTS, Robots, documents, roots, written
from model.exploration import Exploration, State
from model.state import NO_DAYS, Manifest, Records, Scenario, Shared


class Report(NamedTuple):
    """What was found: the numbers of states and steps, the depth, and the shortest trace to a violation, if any."""

    name: str
    states: int
    steps: int
    depth: int
    seconds: float
    violation: str = ""
    trace: tuple[str, ...] = ()
    is_complete: bool = True


def explore(scenario: Scenario, limit: int = 0) -> Report:
    """Explore to the end, to the first violation, or to a number of states."""
    return _Search(scenario, limit).run()


def initial(scenario: Scenario) -> Shared:
    """A site that is published and quiet."""
    files = documents(scenario.site, scenario.start, 0, 0)
    published = tuple(sorted(files.items(), key=lambda each: each[0]))
    if scenario.has_robots:
        published = written(published, ROBOTS, Robots(0, roots(files)))
    return Shared(
        site=scenario.start,
        files=published,
        manifest=Manifest(scenario.start),
        messages=(0,) * len(scenario.messages),
        scripts=(0,) * len(scenario.scripts),
        records=Records(((0, scenario.start),)) if scenario.has_records else Records(),
        day=0 if scenario.has_days else NO_DAYS,
        faults=(scenario.crashes, scenario.unanswered, scenario.late, scenario.pauses, scenario.sleeps),
    )


class _Search:
    """All states that were found, in the order in which they were found; each with the one from which it was found."""

    def __init__(self, scenario: Scenario, limit: int) -> None:
        self._scenario, self._limit, self._began = scenario, limit, time.perf_counter()
        self._exploration = Exploration(scenario)
        first = self._exploration.first(initial(scenario))
        self._numbers: dict[State, int] = {first: 0}
        self._states, self._parents = [first], array("l", [-1])
        self._sources, self._targets = array("I"), array("I")
        self._ends: list[int] = []
        self._depth = 0

    def run(self) -> Report:
        number, level_ends = 0, 1
        while number < len(self._states):
            if number == level_ends:
                self._depth, level_ends = self._depth + 1, len(self._states)
            if found := self._visit(number):
                return found
            number += 1
            if self._limit and number >= self._limit:
                return self._report(is_complete=False)
        stuck = _cannot_end(len(self._states), self._sources, self._targets, self._ends)
        if stuck is not None:
            return self._report("no quiet end can be reached from here", self._trace(stuck))
        return self._report()

    def _visit(self, number: int) -> Report | None:
        """Add the successors of a state; a report if an invariant does not hold."""
        state = self._states[number]
        problem = self._exploration.at_end(state)
        if problem:
            return self._report(problem, self._trace(number))
        if problem is not None:
            self._ends.append(number)
        before = len(self._sources)
        for after, writer, position, broken in self._exploration.successors(state):
            if broken:
                last = self._exploration.label(state, writer, position)
                return self._report(broken, (*self._trace(number), last))
            self._add(number, after)
        if len(self._sources) == before and problem is None:
            return self._report("nothing can happen any more, before the end", self._trace(number))
        return None

    def _add(self, source: int, state: State) -> None:
        number = self._numbers.setdefault(state, len(self._states))
        if number == len(self._states):
            self._states.append(state)
            self._parents.append(source)
        self._sources.append(source)
        self._targets.append(number)

    def _report(self, violation: str = "", trace: tuple[str, ...] = (), *, is_complete: bool = True) -> Report:
        seconds = time.perf_counter() - self._began
        states, steps = len(self._states), len(self._sources)
        return Report(self._scenario.name, states, steps, self._depth, seconds, violation, trace, is_complete)

    def _trace(self, number: int) -> tuple[str, ...]:
        """The labels of the steps to a state."""
        labels: list[str] = []
        while (parent := self._parents[number]) >= 0:
            labels.append(self._label(self._states[parent], self._states[number]))
            number = parent
        return tuple(reversed(labels))

    def _label(self, before: State, after: State) -> str:
        found = next(each for each in self._exploration.successors(before) if each.state == after)
        return self._exploration.label(before, found.writer, found.position)


def _cannot_end(count: int, sources: "array[int]", targets: "array[int]", ends: list[int]) -> int | None:
    """The first state from which no quiet end can be reached, or None."""
    before: dict[int, list[int]] = defaultdict(list)
    for source, target in zip(sources, targets, strict=True):
        if source != target:
            before[target].append(source)
    reaches, stack = bytearray(count), list(ends)
    for each in stack:
        reaches[each] = 1
    while stack:
        for source in before.get(stack.pop(), ()):
            if not reaches[source]:
                reaches[source] = 1
                stack.append(source)
    first = reaches.find(0)
    return first if first >= 0 else None
