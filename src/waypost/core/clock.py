"""The clock that runs read and wait by."""

import time
from typing import Protocol

from waypost.core.dates import format_unix_time


class Clock(Protocol):
    """A source of the current time; tests have one of their own."""

    def time(self) -> float:
        """The present in Unix seconds."""

    def sleep(self, seconds: float) -> None:
        """Wait."""


class SystemClock:
    """The clock of this machine."""

    def time(self) -> float:
        """The present in Unix seconds."""
        return time.time()

    def sleep(self, seconds: float) -> None:
        """Wait."""
        time.sleep(seconds)


def w3c_now(clock: Clock) -> str:
    """The current as a W3C datetime in UTC."""
    return format_unix_time(int(clock.time()))
