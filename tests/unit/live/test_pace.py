"""How fast requests follow each other."""

from __future__ import annotations

from email.message import Message

import pytest
from fake_stores import VirtualClock

from waypost.live.answer import OutOfTimeError
from waypost.live.pace import Pace, retry_after


def starts(pace: Pace, clock: VirtualClock, count: int) -> list[float]:
    """The times at which so many requests start, in seconds after the first."""
    times = []
    for _ in range(count):
        pace.wait()
        times.append(clock.time())
    return [time - times[0] for time in times]


def test_requests_are_as_far_apart_as_the_rate_asks() -> None:
    clock = VirtualClock()
    assert starts(Pace(clock, 2), clock, 4) == [0, 0.5, 1, 1.5]


def test_a_crawl_delay_makes_it_slower_but_never_faster() -> None:
    clock = VirtualClock()
    pace = Pace(clock, 1)
    pace.at_least(3)
    pace.at_least(0)
    assert starts(pace, clock, 3) == [0, 3, 6]


def test_after_a_pause_the_rate_is_half_of_what_it_was() -> None:
    clock = VirtualClock()
    pace = Pace(clock, 1)
    pace.wait()
    pace.slow_down(30)
    before = clock.time()
    first = starts(pace, clock, 3)
    assert (clock.time() - before, first) == (34, [0, 2, 4])


def test_a_pause_that_begins_while_a_request_waits_is_kept() -> None:
    class SlowedDown(VirtualClock):
        def sleep(self, seconds: float) -> None:
            super().sleep(seconds)
            if not slowed:
                slowed.append(seconds)
                pace.slow_down(10)

    slowed: list[float] = []
    clock = SlowedDown()
    pace = Pace(clock, 1)
    assert starts(pace, clock, 2) == [0, 11]


@pytest.mark.parametrize(
    ("value", "seconds"),
    [
        ("120", 120),
        ("Thu, 01 Jan 1970 00:20:00 GMT", 200),
        ("Thu, 01 Jan 1970 00:00:00 GMT", 0),
        ("soon", None),
        ("", None),
    ],
)
def test_a_server_may_name_seconds_or_a_date(value: str, seconds: float | None) -> None:
    headers = Message()
    headers["Retry-After"] = value
    assert retry_after(headers, 1_000) == seconds


@pytest.mark.parametrize("delay", [1e7, 1e20, float("inf")])
def test_no_pause_between_two_requests_is_longer_than_the_limit(delay: float) -> None:
    clock = VirtualClock()
    pace = Pace(clock, 1)
    pace.at_least(delay)
    assert starts(pace, clock, 3) == [0, 120, 240]


def test_nobody_waits_for_a_request_that_would_begin_after_the_deadline() -> None:
    clock = VirtualClock()
    begin = clock.time()
    pace = Pace(clock, 1, deadline=begin + 100)
    pace.at_least(60)
    assert starts(pace, clock, 2) == [0, 60]
    with pytest.raises(OutOfTimeError, match="max-minutes"):
        pace.wait()
    assert clock.time() == begin + 60
