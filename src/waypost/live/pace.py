"""How fast requests may follow each other on one host."""

import math
from email.message import Message
from threading import Lock

from waypost.core.clock import Clock
from waypost.live.answer import OutOfTimeError
from waypost.sources.http import http_time

MAX_WAIT = 120.0
"""A host that asks for a longer pause, in seconds, is asked no more in this run."""
_MAX_INTERVAL = 60.0


class Pace:
    """Lets requests start at most `rate` times a second, and none at `deadline` or later; threads may share it."""

    def __init__(self, clock: Clock, rate: float, deadline: float = math.inf) -> None:
        self._clock, self._lock, self._deadline = clock, Lock(), deadline
        self._interval, self._next, self._pause_end = 1 / rate, 0.0, 0.0

    def at_least(self, interval: float) -> None:
        """Leave at least so many seconds between two requests; more than `MAX_WAIT` are not possible."""
        with self._lock:
            self._interval = max(self._interval, min(interval, MAX_WAIT))

    def wait(self) -> None:
        """Wait until the next request may start; raises OutOfTimeError at once if that is too late."""
        with self._lock:
            now = self._clock.time()
            start = max(now, self._next, self._pause_end)
            self._check_time(start)
            self._next = start + self._interval
        while start > now:
            self._clock.sleep(start - now)
            now = self._clock.time()
            start = max(start, self._pause_end)
            self._check_time(start)

    def _check_time(self, start: float) -> None:
        if start >= self._deadline:
            raise OutOfTimeError

    def slow_down(self, seconds: float | None) -> None:
        """Halve the rate, and pause for as long as the server asks, or else for one interval."""
        with self._lock:
            self._interval = max(self._interval, min(2 * self._interval, _MAX_INTERVAL))
            pause = self._interval if seconds is None else seconds
            self._pause_end = max(self._pause_end, self._clock.time() + pause)


def retry_after(headers: Message, now: float) -> float | None:
    """For how many seconds a server asks to wait (RFC 9110, 10.2.3); None if it does not say."""
    value = str(headers.get("Retry-After", "")).strip()
    if value.isascii() and value.isdecimal():
        return float(value[:12])
    time = http_time(value)
    return None if time is None else max(0.0, time - now)
