"""Time that only requests take: what runs at the same time waits at the same time, and nothing is waited for.

The code under measure runs in one thread. Where it would use several, each has a clock of its own, as many as the code
says that there are, and the one that asks for all answers goes on when the last of them has ended.
"""

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from heapq import heappop, heappush, heapreplace
from typing import Any, Generic, TypeVar

from waypost.core import concurrency
from waypost.sources import parallel_listing

T = TypeVar("T")
R = TypeVar("R")


class Clock:
    """The seconds that the running thread has waited."""

    def __init__(self) -> None:
        self.now = 0.0

    @contextmanager
    def installed(self) -> Iterator[None]:
        """Have the product's code use threads of this clock in the place of the interpreter's."""
        before = concurrency.map_concurrently, vars(parallel_listing)["ThreadPoolExecutor"]
        concurrency.map_concurrently = self.each
        vars(parallel_listing)["ThreadPoolExecutor"] = lambda width: Pool(self, width)
        try:
            yield
        finally:
            concurrency.map_concurrently, vars(parallel_listing)["ThreadPoolExecutor"] = before

    def each(self, function: Callable[[T], R], values: Iterable[T], width: int) -> list[R]:
        """As `parallel.each`: each value goes to the thread that is free first."""
        known = list(values)
        free = [self.now] * max(min(width, len(known)), 1)
        answers: list[R] = []
        for value in known:
            self.now = free[0]
            answers.append(function(value))
            heapreplace(free, self.now)
        self.now = max(free)
        return answers


class Pool:
    """As ThreadPoolExecutor: what is submitted runs at once, at the time when a thread was free for it."""

    def __init__(self, clock: Clock, width: int) -> None:
        self._clock, self._width = clock, width
        self._free: list[float] = []

    def submit(self, function: Callable[[Any], R], value: Any) -> "Answer[R]":
        """Run a function beside the one that submits it."""
        clock, before = self._clock, self._clock.now
        began = heappop(self._free) if len(self._free) == self._width else before
        clock.now = max(began, before)
        found = function(value)
        heappush(self._free, clock.now)
        answer = Answer(clock, found, clock.now)
        clock.now = before
        return answer

    def shutdown(self, **_: bool) -> None:
        """Nothing runs any more."""

    def __enter__(self) -> "Pool":
        return self

    def __exit__(self, *_: object) -> None:
        pass


class Answer(Generic[R]):
    """As a Future that is done at a certain time."""

    def __init__(self, clock: Clock, found: R, at: float) -> None:
        self._clock, self._found, self._at = clock, found, at

    def result(self) -> R:
        """The answer; whoever asks waits for it."""
        self._clock.now = max(self._clock.now, self._at)
        return self._found
