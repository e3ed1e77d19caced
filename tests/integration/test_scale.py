"""The simulator of huge buckets, at small sizes: its keys, its clock, and the ledger files that it writes itself."""

from __future__ import annotations

import random
import re
import sys
from importlib import import_module
from pathlib import Path
from urllib.parse import quote

import pytest
import quick

from waypost.core import concurrency
from waypost.ledger import manifest
from waypost.sitemaps.sharding import begins_segment
from waypost.sync import url_form

ROOT = Path(__file__).parents[2]
sys.path.insert(0, str(ROOT / "benchmarks"))

assumed_files, charts, cost_model, s3_client, scenarios, synthetic_bucket = (
    import_module(f"scale.{name}")
    for name in ("assumed_files", "charts", "cost_model", "s3_client", "scenarios", "synthetic_bucket")
)
SimulatedClock = import_module("scale.clock").SimulatedClock
SimulatedLedger = import_module("scale.simulated_ledger").SimulatedLedger
CallTask, run_call = (getattr(import_module("scale.worker"), name) for name in ("CallTask", "run_call"))

SHAPES = pytest.mark.parametrize("shape", quick.every(3, sorted(synthetic_bucket.SHAPES)))


@SHAPES
@pytest.mark.parametrize("size", [1_000, 100_000, 10**9])
def test_keys_are_in_order_and_found_by_their_numbers(shape: str, size: int) -> None:
    bucket = synthetic_bucket.make_bucket(shape, size)
    chance = random.Random(size)
    for n in [0, size - 2, *(chance.randrange(size - 1) for _ in range(100))]:
        key, following = bucket.keys(n, n + 2)
        assert key.encode() < following.encode()
        assert (bucket.number_of(key), synthetic_bucket.first_number_after(bucket, key)) == (n, n + 1)


@SHAPES
def test_a_text_that_is_no_key_is_not_found(shape: str) -> None:
    bucket = synthetic_bucket.make_bucket(shape, 1_000)
    assert [
        bucket.number_of(key) for key in ("robots.txt", bucket.key(7) + "l", "products/none/1.html", "wiki/_.html")
    ] == 4 * [None]


@SHAPES
def test_boundaries_are_those_that_waypost_computes(shape: str) -> None:
    bucket = synthetic_bucket.make_bucket(shape, 100_000)
    expected = [n for n, key in enumerate(bucket.keys(0, 100_000)) if begins_segment(key, synthetic_bucket.MAX_URLS)]
    assert synthetic_bucket.boundaries(shape, 100_000) == expected


def test_stored_boundaries_are_those_that_would_be_computed() -> None:
    for file in synthetic_bucket.DATA.glob("*.bin"):
        shape, _, size = file.stem.partition("-")
        bucket, kept = synthetic_bucket.make_bucket(shape, int(size)), synthetic_bucket.boundaries(shape, int(size))
        assert all(begins_segment(bucket.key(n), synthetic_bucket.MAX_URLS) for n in kept[:: len(kept) // 50])
        assert abs(len(kept) * 25_000 / int(size) - 1) < 0.15


def test_concurrent_requests_wait_at_the_same_time() -> None:
    clock = SimulatedClock(0)

    def wait(seconds: float) -> None:
        clock.now += seconds

    with clock.installed():
        concurrency.map_concurrently(wait, [1, 1, 1, 1, 1], 2)
        assert clock.now == 3
        concurrency.map_concurrently(wait, [1, 1, 1, 1, 5], 32)
        assert clock.now == 8


def test_calls_go_to_free_workers_and_no_faster_than_step_functions_starts_them_and_s3_answers() -> None:
    assert cost_model.makespan([3, 1, 1, 1], 2) == pytest.approx(cost_model.cold_start() + 3, abs=0.01)
    assert cost_model.makespan([0] * 4_001, 4_001) >= 4_000 / cost_model.STARTS_PER_SECOND
    assert cost_model.throttled_seconds({"GET site": 55_000, "PUT state": 7_000}, 1) == 10
    assert cost_model.throttled_seconds({"GET site": 55_000, "PUT state": 7_000}, 16) == 2


def test_calls_that_are_not_run_are_estimated_on_the_line_through_those_that_were() -> None:
    known = [(0.0, cost_model.Call(1, {"GET site": 2})), (10.0, cost_model.Call(6, {"GET site": 12}))]
    found = cost_model.interpolated_calls(known)(4)
    assert (found.seconds, found.requests) == (3, {"GET site": 6})


@SHAPES
def test_a_build_over_the_simulator_publishes_each_page_once(tmp_path: Path, shape: str) -> None:
    size = 3_000
    usage = run_call(CallTask(shape, size, str(tmp_path), 4))
    robots_reads = 2  # when the build begins, and before its last commit
    reads_for_links = usage.requests["GET site"] - size - robots_reads
    assert 0 <= reads_for_links <= url_form.MAX_FOLDERS * url_form.MAX_PAGES
    assert usage.waited > size / 32 * s3_client.LATENCY["GET"]
    ledger = SimulatedLedger(shape, size, tmp_path)
    stored = ledger.manifest()
    assert [entry.page_count for entry in stored.entries] == [size]
    assert (tmp_path / "site" / "sitemap.xml").read_bytes().count(b"<loc>") == size


@SHAPES
def test_records_written_for_a_call_are_as_long_as_those_that_a_call_writes(tmp_path: Path, shape: str) -> None:
    run_call(CallTask(shape, 400, str(tmp_path), 4))
    ledger = SimulatedLedger(shape, 400, tmp_path)
    entry = ledger.manifest().entries[0]
    known = manifest.load((tmp_path / "state/ledger/manifest.json").read_bytes(), "manifest.json").entries[0]
    stored = (tmp_path / "state" / "ledger" / known.records_file).read_bytes()
    (tmp_path / "state" / "ledger" / entry.records_file).unlink()
    ledger.write_records([entry])
    assert len((tmp_path / "state" / "ledger" / entry.records_file).read_bytes()) == len(stored)


@pytest.mark.slow
def test_sitemaps_that_are_assumed_to_be_published_are_written_only_when_they_change(tmp_path: Path) -> None:
    run_call(CallTask("wiki", 3_000, str(tmp_path), 4))
    ledger = SimulatedLedger("wiki", 3_000, tmp_path)
    ledger.assume_published()
    (tmp_path / "site" / "sitemap.xml").unlink()
    assert run_call(CallTask("wiki", 3_000, str(tmp_path), 4)).answer["written"] == 0
    key = ledger.bucket.key(7)
    changed = run_call(CallTask("wiki", 3_000, str(tmp_path), 4, keys=(key,), changed=(7,)))
    assert changed.answer["written"] == 1


def test_an_assumed_sitemap_lists_the_pages_of_its_shard(tmp_path: Path) -> None:
    bucket = synthetic_bucket.make_bucket("wiki", 1_000)
    assumed_files.write(tmp_path, {}, {"sitemap.xml": assumed_files.AssumedFile("00ff", 10, 13)})
    found = assumed_files.AssumedFiles(tmp_path).find("sitemap.xml")
    locs = [f"https://example.org/{quote(key)}" for key in bucket.keys(10, 13)]
    assert re.findall("<loc>(.*?)</loc>", found.content(bucket).decode()) == locs


def test_a_chart_has_a_line_for_each_name_and_for_each_target() -> None:
    drawn = charts.chart("Time", "objects", "s", {"a": [(1e4, 1), (1e9, 50)], "b": [(1e4, 2)]}, {"target": 300})
    assert [drawn.count(mark) for mark in ("<polyline", "<circle", 'class="target"')] == [2, 3, 1]
