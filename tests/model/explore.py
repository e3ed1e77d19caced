"""Explores all states of a scenario, and checks the invariants in each."""

import itertools
import time
from array import array
from typing import NamedTuple

from model.documents import ROBOTS, Robots, documents, roots, written
from model.invariants import broken_by, is_quiet, wrong_at_the_end
from model.protocol import environment_steps, noticed, writer_steps
from model.state import IDLE, Manifest, Notice, Scenario, Shared, Writer


class Report(NamedTuple):
    """What was found: the number of states, the depth, and a trace to a violation, if there is one."""

    name: str
    states: int
    transitions: int
    depth: int
    quiet: int
    seconds: float
    violation: str = ""
    trace: tuple[str, ...] = ()
    is_complete: bool = True


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
        faults=(scenario.crashes, scenario.unanswered, scenario.late, scenario.pauses),
    )


class Exploration:
    """One scenario's states, numbered; equal parts of states are kept once."""

    def __init__(self, scenario: Scenario) -> None:
        self.scenario = scenario
        self.shared: list[Shared] = []
        self.shared_numbers: dict[Shared, int] = {}
        self.writers: list[Writer] = []
        self.writer_numbers: dict[Writer, int] = {}
        self.steps: dict[tuple[int, int, int], list[tuple[int, int, int, str]]] = {}
        self.notices: list[object] = [None]
        self.notice_numbers: dict[object, int] = {None: 0}
        self.after_notice: dict[tuple[int, int], int] = {}
        self.quiet: dict[int, str | None] = {}

    def shared_number(self, value: Shared) -> int:
        number = self.shared_numbers.setdefault(value, len(self.shared))
        if number == len(self.shared):
            self.shared.append(value)
        return number

    def writer_number(self, value: Writer) -> int:
        number = self.writer_numbers.setdefault(value, len(self.writers))
        if number == len(self.writers):
            self.writers.append(value)
        return number

    def notice_number(self, value: object) -> int:
        number = self.notice_numbers.setdefault(value, len(self.notices))
        if number == len(self.notices):
            self.notices.append(value)
        return number

    def steps_of(self, shared: int, slot: int, writer: int) -> list[tuple[int, int, int, str]]:
        """The steps of one process (or of the environment: slot -1) as numbers: shared, writer, notice, violation."""
        key = (shared, slot, writer)
        found = self.steps.get(key)
        if found is None:
            value = self.shared[shared]
            if slot < 0:
                steps = environment_steps(self.scenario, value)
            else:
                steps = writer_steps(self.scenario, value, self.writers[writer], slot)
            found = self.steps[key] = [
                (
                    self.shared_number(step.shared),
                    self.writer_number(step.writer),
                    self.notice_number(step.notice),
                    broken_by(self.scenario, value, step),
                )
                for step in steps
            ]
        return found

    def noticed(self, writer: int, notice: int) -> int:
        key = (writer, notice)
        found = self.after_notice.get(key)
        if found is None:
            found = self.after_notice[key] = self.writer_number(noticed(self.writers[writer], self.notices[notice]))
        return found

    def quiet_problem(self, shared: int) -> str | None:
        """None if the state is not quiet, else what is wrong in it, or nothing."""
        if shared not in self.quiet:
            value = self.shared[shared]
            self.quiet[shared] = wrong_at_the_end(self.scenario, value) if is_quiet(self.scenario, value) else None
        return self.quiet[shared]


def explore(scenario: Scenario, limit: int = 0) -> Report:
    """Breadth first, to the end, the first violation, or a number of states."""
    began = time.perf_counter()
    run = Exploration(scenario)
    idle = run.writer_number(IDLE)
    slots = range(scenario.writers)
    first = (run.shared_number(initial(scenario)), *(idle for _ in slots))
    numbers = {first: 0}
    states, parents = [first], [-1]
    sources, targets = array("I"), array("I")
    quiet: list[int] = []
    depth, depth_ends = 0, 1

    def report(violation: str = "", at: int = 0, last: str = "", complete: bool = True) -> Report:
        trace = _trace(run, states, parents, at) + ([last] if last else []) if violation else []
        return Report(
            scenario.name, len(states), len(targets), depth, len(quiet), time.perf_counter() - began, violation,
            tuple(trace), complete,
        )

    n = 0
    while n < len(states):
        if n == depth_ends:
            depth, depth_ends = depth + 1, len(states)
        state = states[n]
        shared = state[0]
        problem = run.quiet_problem(shared)
        if problem is not None:
            if problem:
                return report(problem, n)
            quiet.append(n)
        count = 0
        for slot in (-1, *slots):
            writer = state[slot + 1] if slot >= 0 else idle
            for index, (after, local, notice, broken) in enumerate(run.steps_of(shared, slot, writer)):
                if broken:
                    label = _label(run, state, slot, index)
                    return report(broken, n, label)
                if notice:
                    rest = [run.noticed(each, notice) for each in state[1:]]
                    if slot >= 0:
                        rest[slot] = local
                    new = (after, *rest)
                elif slot >= 0:
                    new = (after, *state[1 : slot + 1], local, *state[slot + 2 :])
                else:
                    new = (after, *state[1:])
                number = numbers.setdefault(new, len(states))
                if number == len(states):
                    states.append(new)
                    parents.append(n)
                sources.append(n)
                targets.append(number)
                count += 1
        if not count and problem is None:
            return report("nothing can happen any more, before the end", n)
        n += 1
        if limit and n >= limit:
            return report(complete=False)
    stuck = _cannot_end(len(states), sources, targets, quiet)
    if stuck is not None:
        return report("no quiet end can be reached from here", stuck)
    return report()


def _cannot_end(count: int, sources: "array[int]", targets: "array[int]", quiet: list[int]) -> int | None:
    """The first state from which no quiet state can be reached, or None."""
    before: dict[int, list[int]] = {}
    for source, target in zip(sources, targets, strict=True):
        if source != target:
            before.setdefault(target, []).append(source)
    reaches = bytearray(count)
    stack = list(quiet)
    for each in stack:
        reaches[each] = 1
    while stack:
        for source in before.get(stack.pop(), ()):
            if not reaches[source]:
                reaches[source] = 1
                stack.append(source)
    first = reaches.find(0)
    return first if first >= 0 else None


def _label(run: Exploration, state: tuple[int, ...], slot: int, index: int) -> str:
    shared = run.shared[state[0]]
    if slot < 0:
        return environment_steps(run.scenario, shared)[index].label
    return writer_steps(run.scenario, shared, run.writers[state[slot + 1]], slot)[index].label


def _trace(run: Exploration, states: list[tuple[int, ...]], parents: list[int], at: int) -> list[str]:
    """The labels of the steps to a state."""
    path = [at]
    while parents[path[-1]] >= 0:
        path.append(parents[path[-1]])
    path.reverse()
    return [_step_label(run, states[a], states[b]) for a, b in itertools.pairwise(path)]


def _step_label(run: Exploration, before: tuple[int, ...], after: tuple[int, ...]) -> str:
    for slot in range(-1, len(before) - 1):
        writer = before[slot + 1] if slot >= 0 else 0
        for index, (shared, local, notice, _) in enumerate(run.steps_of(before[0], slot, writer)):
            rest = [run.noticed(each, notice) for each in before[1:]] if notice else list(before[1:])
            if slot >= 0:
                rest[slot] = local
            if (shared, *rest) == after:
                return _label(run, before, slot, index)
    raise AssertionError("no step leads there")
