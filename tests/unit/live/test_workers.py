"""Calls in several threads."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from threading import Barrier, Event

import pytest

from waypost.live.workers import as_completed


def test_every_value_has_its_result() -> None:
    assert sorted(as_completed(lambda n: n * n, range(100), 4)) == [(n, n * n) for n in range(100)]


def test_calls_run_at_the_same_time() -> None:
    together = Barrier(3, timeout=60)
    assert len(list(as_completed(lambda n: together.wait(), range(3), 3))) == 3


def test_few_values_are_taken_ahead_of_the_results() -> None:
    taken = []

    def values() -> Iterator[int]:
        for n in range(100):
            taken.append(n)
            yield n

    for done, _ in enumerate(as_completed(lambda n: n, values(), 2), start=1):
        assert len(taken) <= done + 4


def test_an_error_is_raised_here() -> None:
    def fail(n: int) -> int:
        raise ValueError(n)

    with pytest.raises(ValueError, match="7"):
        list(as_completed(fail, [7], 2))


def test_who_stops_waits_for_no_call() -> None:
    never = Event()
    calls = as_completed(lambda n: n == 0 or never.wait(), range(10), 3)
    assert next(calls) == (0, True)
    calls.close()  # type: ignore[attr-defined]
    never.set()


@pytest.mark.skipif(sys.platform != "linux", reason="other systems choose the processor themselves")
def test_all_calls_run_on_one_processor_and_what_comes_after_them_on_any() -> None:
    before = os.sched_getaffinity(0)
    during = {tuple(where) for _, where in as_completed(lambda n: os.sched_getaffinity(0), range(20), 4)}
    assert len(during) == 1
    assert len(next(iter(during))) == 1
    assert os.sched_getaffinity(0) == before
