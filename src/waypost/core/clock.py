"""The clock that runs read and wait by."""

import random
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Protocol, TypeVar

from waypost.core.dates import format_unix_time

T = TypeVar("T")
_PAUSES = (1, 2, 4, 8, 16)
"""Seconds before each further attempt: together, half a minute of trouble passes without an error."""


class Clock(Protocol):
    """A source of the current time; tests have one of their own."""

    def time(self) -> float:
        """The present in Unix seconds."""

    def sleep(self, seconds: float) -> None:
        """Wait."""


SYSTEM_CLOCK: Clock = time
"""The clock of this machine."""


def w3c_now(clock: Clock) -> str:
    """The current as a W3C datetime in UTC."""
    return format_unix_time(int(clock.time()))


@dataclass(frozen=True)
class Retry:
    """Attempts with growing pauses between them, until the deadline.

    `pause` waits for so many seconds. By `jitter`, a random number from 0 to 1, each pause is up to half longer, so
    that several runs do not repeat their requests at the same time.
    """

    deadline_reached: Callable[[], bool]
    pause: Callable[[float], object] = time.sleep
    jitter: Callable[[], float] = random.random

    def attempts(self) -> Iterator[None]:
        """A step for each attempt: the first at once, each other one after a pause, none after the deadline."""
        yield
        for seconds in _PAUSES:
            if self.deadline_reached():
                return
            self.pause(seconds * (1 + self.jitter() / 2))
            yield

    def answer(self, request: Callable[[], T], is_temporary: Callable[[Exception], bool]) -> T:
        """The answer to a request, which is repeated after errors that are temporary; raises the last one."""
        for _ in self.attempts():
            try:
                return request()
            except Exception as error:
                if not is_temporary(error):
                    raise
                last = error
        raise last


NO_DEADLINE = Retry(deadline_reached=lambda: False)
"""A command takes the time that it needs."""
ONE_ATTEMPT = Retry(deadline_reached=lambda: True)
"""Nothing is repeated."""
