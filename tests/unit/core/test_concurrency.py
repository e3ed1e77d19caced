from __future__ import annotations

import threading

import pytest

from waypost.core.concurrency import map_concurrently, map_in_batches


@pytest.mark.parametrize("width", [1, 3, 100])
def test_answers_come_in_the_order_of_the_values(width: int) -> None:
    assert map_concurrently(lambda n: n * n, range(20), width) == [n * n for n in range(20)]
    assert map_concurrently(lambda n: n, (), width) == []


def test_no_more_are_worked_out_at_a_time_than_were_asked_for() -> None:
    meeting = threading.Barrier(3, timeout=900)
    assert map_concurrently(lambda n: meeting.wait() >= 0, range(3), 3) == [True] * 3
    here = threading.get_ident()
    assert map_concurrently(lambda n: threading.get_ident(), range(3), 1) == [here] * 3


def test_what_one_of_them_raises_is_raised() -> None:
    with pytest.raises(ZeroDivisionError):
        map_concurrently(lambda n: 1 // n, (1, 0), 2)


def test_a_batch_begins_only_when_the_results_before_it_are_used() -> None:
    begun: list[int] = []

    def double(value: int) -> int:
        begun.append(value)
        return 2 * value

    results = map_in_batches(double, range(5), 1, 2)
    assert next(results) == 0
    assert begun == [0, 1]
    assert list(results) == [2, 4, 6, 8]
    assert list(map_in_batches(double, [], 3, 2)) == []
