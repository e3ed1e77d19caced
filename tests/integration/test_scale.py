"""The simulator of huge buckets, at small sizes: its keys, its clock, and that what it leaves is what calls leave."""

from __future__ import annotations

import random
import sys
from importlib import import_module
from pathlib import Path

import pytest

from waypost.core import concurrency
from waypost.ledger import manifest
from waypost.sitemaps.sharding import begins_segment

ROOT = Path(__file__).parents[2]
sys.path.insert(0, str(ROOT / "benchmarks"))

scale_client, scale_model, scale_plots, synthetic = map(
    import_module, ("scale_client", "scale_model", "scale_plots", "synthetic")
)
Clock = import_module("scale_clock").Clock
Ledger = import_module("scale_ledger").Ledger
Task, run = import_module("scale_worker").Task, import_module("scale_worker").run

SHAPES = pytest.mark.parametrize("shape", sorted(synthetic.SHAPES))


@SHAPES
@pytest.mark.parametrize("size", [1_000, 100_000, 10**9])
def test_keys_are_in_order_and_found_by_their_numbers(shape: str, size: int) -> None:
    bucket = synthetic.bucket(shape, size)
    chance = random.Random(size)
    for n in [0, size - 2, *(chance.randrange(size - 1) for _ in range(100))]:
        key, following = bucket.keys(n, n + 2)
        assert key.encode() < following.encode()
        assert (bucket.find(key), synthetic.behind(bucket, key)) == (n, n + 1)


@SHAPES
def test_what_is_no_key_is_not_found(shape: str) -> None:
    bucket = synthetic.bucket(shape, 1_000)
    assert [
        bucket.find(key) for key in ("robots.txt", bucket.key(7) + "l", "products/none/1.html", "wiki/_.html")
    ] == 4 * [None]


@SHAPES
def test_boundaries_are_those_of_the_product(shape: str) -> None:
    bucket = synthetic.bucket(shape, 100_000)
    expected = [n for n, key in enumerate(bucket.keys(0, 100_000)) if begins_segment(key, synthetic.LIMIT)]
    assert synthetic.boundaries(shape, 100_000) == expected


def test_boundaries_that_are_kept_are_those_that_would_be_found() -> None:
    for file in synthetic.DATA.glob("*.bin"):
        shape, _, size = file.stem.partition("-")
        bucket, kept = synthetic.bucket(shape, int(size)), synthetic.boundaries(shape, int(size))
        assert all(begins_segment(bucket.key(n), synthetic.LIMIT) for n in kept[:: len(kept) // 50])
        assert abs(len(kept) * 25_000 / int(size) - 1) < 0.15


def test_what_runs_at_the_same_time_waits_at_the_same_time() -> None:
    clock = Clock()

    def wait(seconds: float) -> None:
        clock.now += seconds

    with clock.installed():
        concurrency.map_concurrently(wait, [1, 1, 1, 1, 1], 2)
        assert clock.now == 3
        concurrency.map_concurrently(wait, [1, 1, 1, 1, 5], 32)
        assert clock.now == 8


def test_items_go_to_whoever_is_free_and_no_faster_than_step_functions_starts_them_and_s3_answers() -> None:
    assert scale_model.makespan([3, 1, 1, 1], 2) == pytest.approx(scale_model.cold() + 3, abs=0.01)
    assert scale_model.makespan([0] * 4_001, 4_001) >= 4_000 / scale_model.STARTS
    assert scale_model.throttled({"GET site": 55_000, "PUT state": 7_000}, 1) == 10
    assert scale_model.throttled({"GET site": 55_000, "PUT state": 7_000}, 16) == 2


def test_calls_that_are_not_run_are_on_the_line_through_those_that_were() -> None:
    known = [(0.0, scale_model.Call(1, {"GET site": 2})), (10.0, scale_model.Call(6, {"GET site": 12}))]
    found = scale_model.fitted(known)(4)
    assert (found.seconds, found.requests) == (3, {"GET site": 6})


@SHAPES
def test_a_build_over_the_simulator_publishes_each_page_once(tmp_path: Path, shape: str) -> None:
    size = 3_000
    taken = run(Task(shape, size, str(tmp_path), 4))
    assert taken.requests["GET site"] == size + 1  # and robots.txt
    assert taken.waited > size / 32 * scale_client.LATENCY["GET"]
    ledger = Ledger(shape, size, tmp_path)
    stored = ledger.manifest()
    assert [entry.pages for entry in stored.entries] == [size]
    assert (tmp_path / "site" / "sitemap.xml").read_bytes().count(b"<loc>") == size


@SHAPES
def test_records_that_are_written_for_a_call_are_what_a_call_would_have_written(tmp_path: Path, shape: str) -> None:
    run(Task(shape, 400, str(tmp_path), 4))
    ledger = Ledger(shape, 400, tmp_path)
    entry = ledger.manifest().entries[0]
    known = manifest.load((tmp_path / "state/ledger/manifest.json").read_bytes(), "manifest.json").entries[0]
    stored = (tmp_path / "state" / "ledger" / known.records_file).read_bytes()
    (tmp_path / "state" / "ledger" / entry.records).unlink()
    ledger.write([entry])
    assert len((tmp_path / "state" / "ledger" / entry.records).read_bytes()) == len(stored)


def test_a_chart_has_a_line_for_each_name_and_a_goal() -> None:
    drawn = scale_plots.chart("Time", "objects", "s", {"a": [(1e4, 1), (1e9, 50)], "b": [(1e4, 2)]}, {"goal": 300})
    assert [drawn.count(mark) for mark in ("<polyline", "<circle", 'class="goal"')] == [2, 3, 1]
