"""Run Waypost of two checkouts over the same inputs and say whether the published files are byte-identical.

Each checkout's command runs with its own code, under the Python that runs this. Both have the same fixed clock
(SOURCE_DATE_EPOCH), so that dates are compared as they are. The state is not compared, nor is what commands
print.
"""

import argparse
import sys
import time
from pathlib import Path

import compare_buckets
import compare_folders
from checkouts import Checkout, Comparison
from measure import say

_INPUTS = ("trees", "generated", "bucket")


def main() -> None:
    """Compare all inputs, or some; exit with 1 on a difference."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("before", type=Path, metavar="BEFORE", help="a checkout")
    parser.add_argument("after", type=Path, metavar="AFTER", help="another checkout")
    parser.add_argument("--only", default=",".join(_INPUTS), help="some of %(default)s")
    parser.add_argument("--objects", type=int, default=100_000, help="in the largest bucket [default: %(default)s]")
    parser.add_argument("--debs", type=Path, help="a folder that holds the packages; else apt-get downloads them")
    given = parser.parse_args()
    only = given.only.split(",")
    if unknown := set(only) - set(_INPUTS):
        parser.error(f"unknown inputs: {', '.join(sorted(unknown))}")
    began, now = time.monotonic(), int(time.time())
    comparison = Comparison(Checkout.at("before", given.before), Checkout.at("after", given.after))
    inputs = {
        "trees": lambda: compare_folders.trees(comparison, now, given.debs),
        "generated": lambda: compare_folders.generated(comparison, now, given.objects),
        "bucket": lambda: compare_buckets.buckets(comparison, now, given.objects),
    }
    for name in only:
        inputs[name]()
    say(f"finished, {time.monotonic() - began:.0f} s")
    if comparison.differences:
        sys.exit(1)


if __name__ == "__main__":
    main()
