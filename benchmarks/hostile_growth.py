"""Doubles hostile inputs, and shows how the processor time to read them grows: linear at most, up to a bound.

Each input runs in a process of its own, so that one that is slow or takes much memory costs no other its figures.
"""

import argparse
import resource
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from itertools import pairwise
from typing import Any, NamedTuple

from hostile.configurations import CONFIGURATIONS
from hostile.html import HTML
from hostile.pages_and_sitemaps import PAGES_AND_SITEMAPS
from hostile.sites import SITES
from measure import Report

CASES: dict[str, tuple[Callable[[int], Any], Callable[[Any], object], int]] = {
    **HTML,
    **CONFIGURATIONS,
    **PAGES_AND_SITEMAPS,
    **SITES,
}
_DOUBLINGS = 6
_LIMIT_SECONDS = 60
_NOISE = 0.02
"""Times below this are not compared."""
_MOST_GROWTH = 2.6
"""A doubling may take so many times the time: more than 2 by caches, garbage collection and the clock's steps."""


class Growth(NamedTuple):
    """The seconds at each size, and the greatest memory in MB."""

    seconds: Sequence[float]
    megabytes: int

    @property
    def factor(self) -> float:
        """The greatest growth of a doubling."""
        return max((after / before for before, after in pairwise(self.seconds) if before >= _NOISE), default=1)

    @property
    def is_linear(self) -> bool:
        """Whether no two doublings, one after the other, take far more than twice the time each."""
        grown = [after > _MOST_GROWTH * before >= _MOST_GROWTH * _NOISE for before, after in pairwise(self.seconds)]
        return not any(first and second for first, second in pairwise(grown))


def main() -> None:
    """Measure all inputs, or print the figures of one."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--only", help="the name of one input, whose figures are printed")
    only = parser.parse_args().only
    if only:
        print(*_measured(only), resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1_024)
        return
    report = Report("hostile_growth", "What hostile inputs cost")
    found = {name: _in_process(name) for name in CASES}
    rows = [
        [name, *(f"{each:.3f}" for each in growth.seconds), f"{growth.factor:.1f}", growth.megabytes]
        for name, growth in found.items()
    ]
    report.table(["input", *(f"{2**n} times, s" for n in range(_DOUBLINGS)), "most growth", "MB"], rows)
    grows = [name for name, each in found.items() if not each.is_linear]
    report.text(
        f"{len(found)} inputs, each doubled {_DOUBLINGS - 1} times. Faster than linear grow: {grows or 'none'}."
    )
    report.write()


def _measured(name: str) -> list[str]:
    """The seconds to read an input at each size."""
    make, read, first = CASES[name]
    seconds = []
    for doubling in range(_DOUBLINGS):
        value = make(first * 2**doubling)
        started = time.process_time()
        read(value)
        seconds.append(f"{time.process_time() - started:.4f}")
    return seconds


def _in_process(name: str) -> Growth:
    command = [sys.executable, __file__, "--only", name]
    try:
        done = subprocess.run(command, capture_output=True, text=True, check=True, timeout=_LIMIT_SECONDS)
    except subprocess.TimeoutExpired:
        return Growth((float("inf"),) * _DOUBLINGS, 0)
    *seconds, megabytes = done.stdout.split()[-_DOUBLINGS - 1 :]
    return Growth(list(map(float, seconds)), int(megabytes))


if __name__ == "__main__":
    main()
