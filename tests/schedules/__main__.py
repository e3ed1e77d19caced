"""Runs random schedules in all processors, prints progress and totals, and the first failures with few actions.

A run that was stopped continues where it was, as long as none of the code that it tests or that tests it has changed.
"""

from __future__ import annotations

import argparse
import gc
import sys
import time
from itertools import accumulate
from multiprocessing import get_context
from pathlib import Path

from schedules import progress
from schedules.generator import schedule
from schedules.progress import Progress, Totals
from schedules.recorded import record
from schedules.running import run, run_seed, shrink

_BATCH, _MAX_SHOWN = 1_000, 5
_PROGRESS = progress.ROOT / "benchmarks" / "results" / "schedules.json"
_SECONDS_BETWEEN_LINES = 20


def run_batch(seeds: range) -> Totals:
    """Run the schedules of some seeds; garbage is collected seldom, which takes less time than often or never."""
    gc.freeze()
    gc.set_threshold(20_000, 20, 20)
    totals = Totals()
    for seed in seeds:
        done = run_seed(seed)
        failed = ((seed, done.problem),) if done.problem else ()
        totals = totals.plus(Totals(1, done.processes, done.requests, done.changes, failed))
    return totals


def show(seed: int, problem: str, *, traces: bool = False) -> None:
    """Print a failing schedule, with as few actions as possible; with `traces`, also every request."""
    found = shrink(schedule(seed), problem[:30])
    conditions = found.conditions
    etags = "content" if conditions.has_content_etags else "upload"
    print(f"\nseed {seed}: {run(found).problem}\n  settings: {conditions.versions}")
    print(f"  offsets {conditions.offsets}, {etags} ETags, {conditions.page_size} keys a listing")
    for action in found.actions:
        print(f"  {action}")
    if traces:
        run(found, print)


def run_all(first: int, count: int, processes: int | None, path: Path) -> Totals:
    """Run the schedules of so many seeds in as many processes, by default one a processor, except those done before."""
    began = last = time.monotonic()
    before = progress.load(path, first)
    done, shown = before.totals, 0
    if done.schedules:
        print(f"The same code has run {done.text()}. This run continues after them.", flush=True)
    seeds = range(first + done.schedules, first + count)
    batches = [seeds[n : n + _BATCH] for n in range(0, len(seeds), _BATCH)]
    with get_context("fork").Pool(processes, maxtasksperchild=1) as pool:
        for totals in accumulate(pool.imap(run_batch, batches), Totals.plus, initial=done):
            done = totals
            while shown < min(len(done.failed), _MAX_SHOWN):
                _show_elsewhere(*done.failed[shown])
                shown += 1
            if time.monotonic() - last > _SECONDS_BETWEEN_LINES:
                last = time.monotonic()
                _report(before, done, last - began, path)
    _report(before, done, time.monotonic() - began, path)
    return done


def _show_elsewhere(seed: int, problem: str) -> None:
    """Show a failing schedule in a process of its own: the pool forks this one, which must hold no lock then."""
    process = get_context("fork").Process(target=show, args=(seed, problem))
    process.start()
    process.join()


def _report(before: Progress, done: Totals, seconds: float, path: Path) -> None:
    progress.save(path, before.with_totals(done))
    print(f"{done.text()}; {(done.schedules - before.totals.schedules) / seconds:.0f} a second", flush=True)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--count", type=int, default=1_000_000)
    parser.add_argument("--first", type=int, default=0, help="the first seed")
    parser.add_argument("--processes", type=int, default=None)
    parser.add_argument("--progress", type=Path, default=_PROGRESS, help="the file that says what was done before")
    parser.add_argument("--seed", type=int, help="run only this one, and print every request of the shrunk schedule")
    parser.add_argument("--record", metavar="NAME", help="keep the shrunk schedule of --seed among the recorded ones")
    given = parser.parse_args()
    if given.seed is not None:
        problem = run_seed(given.seed).problem
        if problem and given.record:
            record(given.record, shrink(schedule(given.seed), problem[:30]))
        elif problem:
            show(given.seed, problem, traces=True)
        return 1 if problem else 0
    failed = run_all(given.first, given.count, given.processes, given.progress).failed
    if failed:
        print(f"the first seeds that fail: {[seed for seed, _ in failed[:20]]}")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
