"""What is planned of a key space beyond its ranges, and what is refused."""

from __future__ import annotations

import pytest
from run_harness import at
from unit.distributed.test_commit import KEYS, execution, world

from waypost.core.errors import SegmentTooLargeError
from waypost.distributed.plan import RunLimits
from waypost.distributed.steps import Steps


def test_more_objects_side_by_side_than_memory_holds_are_refused_with_what_to_leave_out() -> None:
    given = world(respect_robots=True)
    given.put("robots.txt", "User-agent: *\nDisallow: /0\nAllow: /00")
    many = execution(given)
    for item in many.items(many.run(until="scan")):
        Steps(given.updater(), many.limits).take_step(item)
    few = Steps(given.updater(), RunLimits(4, 10, 5, 2, max_segment_objects=len(KEYS) // 2))
    with pytest.raises(SegmentTooLargeError, match=r"exclude: 3\d objects from 00\d\.html on, of which \d are listed"):
        few.take_step({"step": "plan", "run": "run"})
    assert given.outputs.bodies() == {}
    assert many.run().next_step == "done"


def test_a_worker_is_to_leave_what_takes_long_to_others_while_there_is_not_enough_work_for_all() -> None:
    given = world()
    few = Steps(given.updater(), RunLimits(4, 10, 5, 2)).take_step({"step": "plan", "run": "few"})
    assert {item["scan_task"]["max_reads"] for item in execution(given).items(few)} == {10_000}
    cut = at(*KEYS[1:])
    many = Steps(given.updater(), RunLimits(4, 10, 5, 2), cut).take_step({"step": "plan", "run": "many"})
    assert [item["scan_task"].get("reads") for item in execution(given).items(many)] == [None] * len(KEYS)
