"""Several requests at once, for what waits for others and does not compute."""

from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

T = TypeVar("T")
R = TypeVar("R")


def each(function: Callable[[T], R], values: Iterable[T], width: int) -> list[R]:
    """The function's answers in the order of the values, up to `width` of them being worked out at a time.

    Raises what the first of them raised, once all have ended.
    """
    known = list(values)
    if width == 1 or len(known) < 2:
        return [function(value) for value in known]
    with ThreadPoolExecutor(min(width, len(known))) as workers:
        return list(workers.map(function, known))
