"""The plan of a run: the limit of its scan tasks, and segments that are refused because they are too large."""

from __future__ import annotations

import pytest
from distributed_sites import KEYS, execution, simulated_site
from run_harness import split_at_keys

from waypost.core.errors import SegmentTooLargeError
from waypost.distributed.plan import RunLimits, is_large
from waypost.distributed.steps import Steps
from waypost.sync import rebuild


def test_more_unlisted_objects_in_a_row_than_fit_in_memory_are_refused_with_advice_what_to_exclude() -> None:
    site = simulated_site(respect_robots=True, max_removed=100)
    site.put("robots.txt", "User-agent: *\nDisallow: /0\nAllow: /00")
    workers = execution(site)
    workers.run_workers("scan")
    few = Steps(site.updater(), RunLimits(4, 10, 5, 2, max_segment_objects=len(KEYS) // 2))
    with pytest.raises(SegmentTooLargeError, match=r"exclude: 3\d objects from 00\d\.html on, of which \d are listed"):
        few.take_step({"step": "plan", "run": "run"})
    assert site.outputs.bodies() == {}
    assert workers.run().next_step == "done"


def test_a_worker_reads_a_limited_number_of_objects_unless_there_are_many_more_ranges_than_workers() -> None:
    site = simulated_site()
    few = Steps(site.updater(), RunLimits(4, 10, 5, 2)).take_step({"step": "plan", "run": "few"})
    assert {item["scan_task"]["max_reads"] for item in execution(site).tasks(few)} == {10_000}
    split = split_at_keys(*KEYS[1:])
    workers = Steps(site.updater(), RunLimits(4, 10, 5, 2), split).take_step({"step": "plan", "run": "many"})
    assert [item["scan_task"].get("max_reads") for item in execution(site).tasks(workers)] == [None] * len(KEYS)


@pytest.mark.parametrize(("objects", "expected"), [(40, True), (41, False)])
def test_a_bucket_is_large_if_its_ledger_records_so_many_objects(objects: int, expected: bool) -> None:
    site = simulated_site()
    rebuild.rebuild(site.updater())
    assert is_large(site.updater(), objects) is expected


def test_a_bucket_without_a_ledger_is_large_if_a_listing_finds_so_many_objects() -> None:
    site = simulated_site()
    assert is_large(site.updater(), 40)
    assert not is_large(site.updater(), 41)
