"""The clock of this machine, and the time that a clock gives as text."""

import time

from fake_stores import VirtualClock

from waypost.core.clock import SystemClock, w3c_now


def test_the_system_clock_gives_the_present_in_unix_seconds() -> None:
    before = time.time()
    assert before <= SystemClock().time() <= time.time()


def test_a_pause_of_no_length_ends_at_once() -> None:
    SystemClock().sleep(0)


def test_the_present_is_a_w3c_datetime_in_utc_without_fractions() -> None:
    assert w3c_now(VirtualClock(1_795_219_200.9)) == "2026-11-21T00:00:00Z"
