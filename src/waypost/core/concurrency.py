"""Runs several requests at the same time, for work that waits rather than computes."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

T = TypeVar("T")
R = TypeVar("R")


def map_concurrently(function: Callable[[T], R], values: Iterable[T], width: int) -> list[R]:
    """The function's results in the order of the values, with up to `width` calls at the same time.

    If a call raises, its error is raised after all calls that had started have ended.
    """
    arguments = list(values)
    if width == 1 or len(arguments) < 2:
        return [function(value) for value in arguments]
    results: dict[int, R] = {}
    indexes = iter(range(len(arguments)))  # next() is atomic, so the threads can share the iterator

    def work() -> None:
        for index in indexes:
            results[index] = function(arguments[index])

    workers = min(width, len(arguments))
    with ThreadPoolExecutor(workers) as pool:
        for done in [pool.submit(work) for _ in range(workers)]:
            done.result()
    return [results[index] for index in range(len(arguments))]


def map_in_batches(function: Callable[[T], R], values: Sequence[T], width: int, size: int) -> Iterator[R]:
    """The same, one batch of `size` values after another: the next one begins when all results before it are used."""
    for start in range(0, len(values), size):
        yield from map_concurrently(function, values[start : start + size], width)
