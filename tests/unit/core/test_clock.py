"""The clock of this machine, and the time that a clock gives as text."""

from __future__ import annotations

import pytest
from fake_stores import VirtualClock

from waypost.core.clock import ONE_ATTEMPT, Retry, w3c_now


def test_the_present_is_a_w3c_datetime_in_utc_without_fractions() -> None:
    assert w3c_now(VirtualClock(1_795_219_200.9)) == "2026-11-21T00:00:00Z"


def pauses(jitter: float = 0, most: int = 99) -> list[float]:
    """The pauses of an action that always fails, until there were so many."""
    paused: list[float] = []
    retry = Retry(lambda: len(paused) >= most, paused.append, lambda: jitter)
    attempts = sum(1 for _ in retry.attempts())
    assert attempts == len(paused) + 1
    return paused


def test_pauses_grow_and_last_half_a_minute_together() -> None:
    assert pauses() == [1, 2, 4, 8, 16]


def test_each_pause_is_up_to_half_longer_by_chance() -> None:
    assert pauses(jitter=1) == [1.5, 3, 6, 12, 24]
    assert pauses(jitter=0.5) == [1.25, 2.5, 5, 10, 20]


def test_after_the_deadline_there_is_no_further_pause() -> None:
    assert pauses(most=2) == [1, 2]


def test_an_action_that_succeeds_is_not_followed_by_a_pause() -> None:
    paused: list[float] = []
    for _ in Retry(lambda: False, paused.append).attempts():
        break
    assert paused == []


def test_one_attempt_is_made_without_a_deadline_to_wait_for() -> None:
    assert sum(1 for _ in ONE_ATTEMPT.attempts()) == 1


def test_a_request_is_repeated_until_it_is_answered() -> None:
    paused: list[float] = []
    errors = [TimeoutError("busy"), TimeoutError("busy")]

    def request() -> str:
        if errors:
            raise errors.pop()
        return "answer"

    retry = Retry(lambda: False, paused.append, lambda: 0)
    assert retry.answer(request, lambda error: isinstance(error, TimeoutError)) == "answer"
    assert paused == [1, 2]


def test_the_last_error_is_raised_and_at_once_if_it_is_not_temporary() -> None:
    paused: list[float] = []

    def request() -> str:
        raise TimeoutError(f"busy {len(paused)}")

    with pytest.raises(TimeoutError, match="busy 5"):
        Retry(lambda: False, paused.append).answer(request, lambda error: True)
    paused.clear()
    with pytest.raises(TimeoutError, match="busy 0"):
        Retry(lambda: False, paused.append).answer(request, lambda error: False)
