"""What is planned of a key space beyond its ranges, and what is refused."""

from __future__ import annotations

import pytest
from machines import at
from unit.distributed.test_commit import KEYS, execution, world

from waypost.core.errors import ExtentError
from waypost.distributed.plan import Extent
from waypost.distributed.steps import Steps


def test_more_objects_side_by_side_than_memory_holds_are_refused_with_what_to_leave_out() -> None:
    given = world(respect_robots=True)
    given.put("robots.txt", "User-agent: *\nDisallow: /0\nAllow: /00")
    many = execution(given)
    for item in many.items(many.run(until="gather")):
        Steps(given.upkeep(), many.extent).take(item)
    few = Steps(given.upkeep(), Extent(4, 10, 5, 2, held=len(KEYS) // 2))
    with pytest.raises(ExtentError, match=r"exclude: 3\d objects from 00\d\.html on, of which \d are listed"):
        few.take({"step": "plan", "run": "run"})
    assert given.outputs.bodies() == {}
    assert many.run().todo == "done"


def test_a_worker_is_to_leave_what_takes_long_to_others_while_there_is_not_enough_work_for_all() -> None:
    given = world()
    few = Steps(given.upkeep(), Extent(4, 10, 5, 2)).take({"step": "plan", "run": "few"})
    assert {item["part"]["reads"] for item in execution(given).items(few)} == {10_000}
    cut = at(*KEYS[1:])
    many = Steps(given.upkeep(), Extent(4, 10, 5, 2), cut).take({"step": "plan", "run": "many"})
    assert [item["part"].get("reads") for item in execution(given).items(many)] == [None] * len(KEYS)
