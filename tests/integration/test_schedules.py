"""Random schedules of several processes over one simulated bucket; `make schedules` runs a million."""

from __future__ import annotations

import pytest
from schedules.running import failures

_FEW, _PARTS = 50, 4
_MANY, _MANY_PARTS = 500, 16


@pytest.mark.parametrize("part", range(_PARTS))
def test_every_invariant_holds_at_every_change_of_a_random_schedule(part: int) -> None:
    assert failures(part * _FEW, _FEW) == {}


@pytest.mark.slow
@pytest.mark.parametrize("part", range(_MANY_PARTS))
def test_every_invariant_holds_at_every_change_of_many_more_random_schedules(part: int) -> None:
    assert failures(10_000 + part * _MANY, _MANY) == {}
