"""Runs random schedules in all processors, prints progress and totals, and the first failures with few actions."""

from __future__ import annotations

import argparse
import gc
import sys
import time
from itertools import accumulate
from multiprocessing import get_context
from typing import NamedTuple

from schedules.generator import schedule
from schedules.running import run, run_seed, shrink

_BATCH, _MAX_SHOWN = 200, 5
_SECONDS_BETWEEN_LINES = 20


class Totals(NamedTuple):
    """What schedules have done together, and the problem of each seed that failed."""

    schedules: int = 0
    processes: int = 0
    requests: int = 0
    changes: int = 0
    failed: tuple[tuple[int, str], ...] = ()

    def plus(self, other: Totals) -> Totals:
        """The sum of both."""
        return Totals(
            self.schedules + other.schedules,
            self.processes + other.processes,
            self.requests + other.requests,
            self.changes + other.changes,
            self.failed + other.failed,
        )

    def line(self, seconds: float) -> str:
        """The totals after so many seconds, as text."""
        return (
            f"{self.schedules:,} schedules, {self.schedules / seconds:.0f} a second; {self.processes:,} processes, "
            f"{self.requests:,} requests, {self.changes:,} changes checked; {len(self.failed)} violations"
        )


def run_batch(seeds: range) -> Totals:
    """Run the schedules of some seeds, in a process of their own that ends before it must look for unused objects."""
    gc.disable()
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


def run_all(seeds: range, processes: int | None) -> Totals:
    """Run the schedules of all seeds in as many processes, by default one a processor."""
    started = last = time.monotonic()
    batches = [seeds[n : n + _BATCH] for n in range(0, len(seeds), _BATCH)]
    totals, shown = Totals(), 0
    with get_context("fork").Pool(processes, maxtasksperchild=1) as pool:
        for totals in accumulate(pool.imap(run_batch, batches), Totals.plus):
            while shown < min(len(totals.failed), _MAX_SHOWN):
                show(*totals.failed[shown])
                shown += 1
            if time.monotonic() - last > _SECONDS_BETWEEN_LINES:
                last = time.monotonic()
                print(totals.line(last - started), flush=True)
    print(totals.line(time.monotonic() - started))
    return totals


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--count", type=int, default=1_000_000)
    parser.add_argument("--first", type=int, default=0, help="the first seed")
    parser.add_argument("--processes", type=int, default=None)
    parser.add_argument("--seed", type=int, help="run only this one, and print every request of the shrunk schedule")
    given = parser.parse_args()
    if given.seed is not None:
        problem = run_seed(given.seed).problem
        if problem:
            show(given.seed, problem, traces=True)
        return 1 if problem else 0
    failed = run_all(range(given.first, given.first + given.count), given.processes).failed
    if failed:
        print(f"the first seeds that fail: {[seed for seed, _ in failed[:20]]}")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
