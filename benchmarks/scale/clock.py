"""A clock that only simulated requests advance: concurrent requests wait at the same time, and nothing really waits.

The measured code runs in one thread. Where it would use a thread pool, each simulated thread has a time of its own,
and the caller continues at the time when the last one has finished.
"""

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from heapq import heappop, heappush, heapreplace
from typing import Any, Generic, TypeVar

from waypost.core import concurrency
from waypost.sources import parallel_listing

T = TypeVar("T")
R = TypeVar("R")


class SimulatedClock:
    """`now` is how many seconds the simulated thread has waited so far; it began at `start` (Unix seconds)."""

    def __init__(self, start: float) -> None:
        self.now, self._start = 0.0, start

    def time(self) -> float:
        """The present in Unix seconds."""
        return self._start + self.now

    def sleep(self, seconds: float) -> None:
        """Wait."""
        self.now += seconds

    @contextmanager
    def installed(self) -> Iterator[None]:
        """Replace the threads of Waypost's code by simulated ones while the block runs."""
        before = concurrency.map_concurrently, vars(parallel_listing)["ThreadPoolExecutor"]
        concurrency.map_concurrently = self.map_concurrently
        vars(parallel_listing)["ThreadPoolExecutor"] = lambda width: SimulatedExecutor(self, width)
        try:
            yield
        finally:
            concurrency.map_concurrently, vars(parallel_listing)["ThreadPoolExecutor"] = before

    def map_concurrently(self, function: Callable[[T], R], values: Iterable[T], width: int) -> list[R]:
        """Like `concurrency.map_concurrently`: each value goes to the thread that is free first."""
        arguments = list(values)
        free_at = [self.now] * max(min(width, len(arguments)), 1)
        results: list[R] = []
        for argument in arguments:
            self.now = free_at[0]
            results.append(function(argument))
            heapreplace(free_at, self.now)
        self.now = max(free_at)
        return results


class SimulatedExecutor:
    """Like ThreadPoolExecutor: a task runs at once, at the simulated time when a thread was free for it."""

    def __init__(self, clock: SimulatedClock, width: int) -> None:
        self._clock, self._width = clock, width
        self._free_at: list[float] = []

    def submit(self, function: Callable[[Any], R], argument: Any) -> "SimulatedFuture[R]":
        """Run a function in a simulated thread; the caller's own time does not advance."""
        clock, before = self._clock, self._clock.now
        start = heappop(self._free_at) if len(self._free_at) == self._width else before
        clock.now = max(start, before)
        result = function(argument)
        heappush(self._free_at, clock.now)
        future = SimulatedFuture(clock, result, clock.now)
        clock.now = before
        return future

    def shutdown(self, **_: bool) -> None:
        """Do nothing: every task has already run."""

    def __enter__(self) -> "SimulatedExecutor":
        return self

    def __exit__(self, *_: object) -> None:
        pass


class SimulatedFuture(Generic[R]):
    """Like a Future that is done at a certain time."""

    def __init__(self, clock: SimulatedClock, result: R, done_at: float) -> None:
        self._clock, self._result, self._done_at = clock, result, done_at

    def result(self) -> R:
        """The task's result; the caller waits until it is done."""
        self._clock.now = max(self._clock.now, self._done_at)
        return self._result
