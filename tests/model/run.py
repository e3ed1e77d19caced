"""Explores scenarios and prints a table: `python -m model.run`, in the folder `tests`.

`--rules` leaves out each rule once instead. `--trace` prints the shortest trace to each violation. Words choose among
the scenarios, or the rules, by a part of their names.
"""

import argparse
import multiprocessing
from collections.abc import Iterator, Sequence

from model.cases import CASES, LEFT_OUT, Case
from model.explore import Report, explore

LIMIT = 4_000_000
"""The number of states after which an exploration is cut."""
LIMIT_WITHOUT_RULE = 1_000_000


def main(arguments: Sequence[str] | None = None) -> int:
    """Print the table; 1 if an invariant does not hold although no rule is left out."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("words", nargs="*")
    parser.add_argument("--rules", action="store_true")
    parser.add_argument("--trace", action="store_true")
    parser.add_argument("--processes", type=int, default=2)
    options = parser.parse_args(arguments)
    jobs = [each for each in _jobs(with_rules=options.rules) if all(word in _title(*each) for word in options.words)]
    reports = list(_reports(jobs, options.processes, with_trace=options.trace))
    states = sum(report.states for report in reports)
    cut = sum(not report.is_complete for report in reports)
    print(f"{len(reports)} explorations, {states:,} states, {cut} cut")
    return int(any(report.violation for report in reports) and not options.rules)


def _jobs(*, with_rules: bool) -> list[tuple[Case, str]]:
    return [(case, rule) for rule, case in LEFT_OUT] if with_rules else [(case, "") for case in CASES]


def _title(case: Case, rule: str) -> str:
    return f"{rule}: {case.name}" if rule else case.name


def _reports(jobs: list[tuple[Case, str]], processes: int, *, with_trace: bool) -> Iterator[Report]:
    """Explore in several processes, and print each result when it is there."""
    print(f"{'scenario and faults':<60}{'states':>11}{'depth':>7}{'seconds':>9}  result")
    with multiprocessing.Pool(processes, maxtasksperchild=1) as pool:
        for (case, rule), report in zip(jobs, pool.imap(_explored, jobs), strict=True):
            result = report.violation or ("complete" if report.is_complete else "cut")
            print(f"{_title(case, rule):<60}{report.states:>11,}{report.depth:>7}{report.seconds:>9.1f}  {result}")
            for number, label in enumerate(report.trace if with_trace else (), 1):
                print(f"    {number:>3} {label}")
            yield report


def _explored(job: tuple[Case, str]) -> Report:
    case, rule = job
    return explore(case.scenario(rule), LIMIT_WITHOUT_RULE if rule else LIMIT)


if __name__ == "__main__":
    raise SystemExit(main())
