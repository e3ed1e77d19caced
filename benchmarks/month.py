"""Measures what the calls of the three sites of docs/costs.md use; writes benchmarks/results/month.json.

`month.py blog shop` measures only these sites, and keeps the results of the others.
"""

import sys

import msgspec
from bill.measurement import measure
from bill.sites import SITES
from bill.usage import read_results, write_results
from measure import say


def main() -> None:
    """Measure the sites that the command line names, or all."""
    names = sys.argv[1:] or [site.name for site in SITES]
    for site in SITES:
        if site.name in names:
            say(f"{site.name}: {site.description}")
            measured = measure(site)
            write_results({**read_results(), site.name: measured})
            say(msgspec.json.encode(measured).decode())


if __name__ == "__main__":
    main()
