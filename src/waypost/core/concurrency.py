"""Several requests at once, for what waits for others and does not compute."""

from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

T = TypeVar("T")
R = TypeVar("R")


def map_concurrently(function: Callable[[T], R], values: Iterable[T], width: int) -> list[R]:
    """The function's answers in the order of the values, up to `width` of them being worked out at a time.

    Raises what one of them raised, once all others that were begun have ended.
    """
    known = list(values)
    if width == 1 or len(known) < 2:
        return [function(value) for value in known]
    answers: dict[int, R] = {}
    places = iter(range(len(known)))  # taking the next is one step of the interpreter, so workers can share it

    def work() -> None:
        for place in places:
            answers[place] = function(known[place])

    workers = min(width, len(known))
    with ThreadPoolExecutor(workers) as pool:
        for done in [pool.submit(work) for _ in range(workers)]:
            done.result()
    return [answers[place] for place in range(len(known))]
