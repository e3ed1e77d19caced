"""One scenario's states as numbers; equal parts of states are kept once, and their steps are computed once.

Processes have no order: of states that differ only in which process is which, one is kept.
"""

from collections.abc import Iterator
from typing import NamedTuple

from model.invariants import broken_by, is_quiet, wrong_at_the_end
from model.protocol import environment_steps, noticed, writer_steps
from model.state import IDLE, Notice, Scenario, Shared, Step, Writer

State = tuple[int, ...]
"""The number of what is shared, and the numbers of the writers in order."""
ENVIRONMENT = -1
"""Stands for a writer where a step is one that no writer does."""


class Successor(NamedTuple):
    """A state that follows, by which step of which writer, and the invariant that this breaks."""

    state: State
    writer: int
    position: int
    broken: str


class _NumberedStep(NamedTuple):
    shared: int
    writer: int
    notice: int
    broken: str


class Exploration:
    """The states of one scenario, and what follows from each."""

    def __init__(self, scenario: Scenario) -> None:
        self._scenario = scenario
        self._shared: list[Shared] = []
        self._shared_numbers: dict[Shared, int] = {}
        self._writers: list[Writer] = []
        self._writer_numbers: dict[Writer, int] = {}
        self._notices: list[Notice | None] = [None]
        self._notice_numbers: dict[Notice | None, int] = {None: 0}
        self._steps: dict[tuple[int, int], list[_NumberedStep]] = {}
        self._noticed: dict[tuple[int, int], int] = {}
        self._at_end: dict[int, str | None] = {}
        self._idle = self._writer_number(IDLE)

    def first(self, shared: Shared) -> State:
        """The state in which no process runs."""
        return (self._shared_number(shared), *(self._idle for _ in range(self._scenario.writers)))

    def successors(self, state: State) -> Iterator[Successor]:
        """All states that may follow."""
        for writer in (ENVIRONMENT, *dict.fromkeys(state[1:])):
            for position, step in enumerate(self._steps_of(state[0], writer)):
                yield Successor(self._after(state, writer, step), writer, position, step.broken)

    def at_end(self, state: State) -> str | None:
        """None if the state is not quiet, else what is wrong in it, or nothing."""
        number = state[0]
        if number not in self._at_end:
            shared = self._shared[number]
            is_end = is_quiet(self._scenario, shared)
            self._at_end[number] = wrong_at_the_end(self._scenario, shared) if is_end else None
        return self._at_end[number]

    def label(self, state: State, writer: int, position: int) -> str:
        """What a step does."""
        return self._computed_steps(state[0], writer)[position].label

    def _after(self, state: State, writer: int, step: _NumberedStep) -> State:
        others = list(state[1:])
        if writer != ENVIRONMENT:
            others.remove(writer)
        if step.notice:
            others = [self._after_notice(each, step.notice) for each in others]
        if writer != ENVIRONMENT:
            others.append(step.writer)
        return (step.shared, *sorted(others))

    def _steps_of(self, number: int, writer: int) -> list[_NumberedStep]:
        key = (number, writer)
        found = self._steps.get(key)
        if found is None:
            shared = self._shared[number]
            found = [
                _NumberedStep(
                    self._shared_number(step.shared),
                    self._writer_number(step.writer),
                    self._notice_number(step.notice),
                    broken_by(self._scenario, shared, step),
                )
                for step in self._computed_steps(*key)
            ]
            self._steps[key] = found
        return found

    def _computed_steps(self, shared: int, writer: int) -> list[Step]:
        if writer == ENVIRONMENT:
            return environment_steps(self._scenario, self._shared[shared])
        return writer_steps(self._scenario, self._shared[shared], self._writers[writer])

    def _after_notice(self, writer: int, notice: int) -> int:
        found = self._noticed.get((writer, notice))
        if found is None:
            value = self._notices[notice]
            assert value
            found = self._writer_number(noticed(self._writers[writer], value))
            self._noticed[writer, notice] = found
        return found

    def _shared_number(self, value: Shared) -> int:
        number = self._shared_numbers.setdefault(value, len(self._shared))
        if number == len(self._shared):
            self._shared.append(value)
        return number

    def _writer_number(self, value: Writer) -> int:
        number = self._writer_numbers.setdefault(value, len(self._writers))
        if number == len(self._writers):
            self._writers.append(value)
        return number

    def _notice_number(self, value: Notice | None) -> int:
        number = self._notice_numbers.setdefault(value, len(self._notices))
        if number == len(self._notices):
            self._notices.append(value)
        return number
