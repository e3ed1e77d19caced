"""Runs random schedules in all processors: `python -m schedules --count 1000000`; prints the first failures, shrunk."""

from __future__ import annotations

import argparse
import sys
import time
from concurrent.futures import ProcessPoolExecutor
from contextlib import suppress

from schedules.generator import schedule
from schedules.running import failure, failure_of_seed, run, shrink

_BATCH, _MAX_SHOWN = 200, 5


def failures(first: int) -> list[tuple[int, str]]:
    """The seeds of a batch that fail."""
    return [(seed, text) for seed in range(first, first + _BATCH) if (text := failure_of_seed(seed))]


def show(seed: int, text: str, *, traces: bool = False) -> None:
    """Print a failing schedule, with as few actions as possible; with `traces`, also every request."""
    kind = text[:30]
    found = shrink(schedule(seed), kind)
    print(f"\nseed {seed}: {failure(found)}")
    print(f"  settings: {found.conditions.versions}")
    conditions = found.conditions
    print(f"  offsets {conditions.offsets}, {'content' if conditions.has_content_etags else 'upload'} ETags, "
          f"{conditions.page_size} keys a listing")
    for action in found.actions:
        print(f"  {action}")
    if traces:
        with suppress(AssertionError):
            run(found, print)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--count", type=int, default=1_000_000)
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--processes", type=int, default=None)
    parser.add_argument("--seed", type=int, help="run only this one, and print every request of the shrunk schedule")
    given = parser.parse_args()
    if given.seed is not None:
        text = failure_of_seed(given.seed)
        show(given.seed, text, traces=True)
        return 1 if text else 0
    started, done, wrong = time.monotonic(), 0, list[tuple[int, str]]()
    batches = range(given.first, given.first + given.count, _BATCH)
    with ProcessPoolExecutor(given.processes) as pool:
        for found in pool.map(failures, batches):
            done += _BATCH
            wrong += found
            if found and len(wrong) - len(found) < _MAX_SHOWN:
                for seed, text in found[:_MAX_SHOWN]:
                    show(seed, text)
            if done % 10_000 == 0:
                rate = done / (time.monotonic() - started)
                print(f"{done:,} schedules, {rate:.0f} a second, {len(wrong)} failed", flush=True)
    print(f"{done:,} schedules from seed {given.first} on, {len(wrong)} failed: {[seed for seed, _ in wrong[:20]]}")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
