"""Explores the scenarios, then some of them without rules, and prints a table: `python -m model.run`, in `tests`.

Words choose among the explorations by parts of their names, such as `crash` or `union:`. `--trace` prints the shortest
trace to each violation. `--write` writes the results into the tables of README.md.
"""

import argparse
import multiprocessing
from collections.abc import Iterator, Sequence

from model import tables
from model.explore import Report, explore
from model.jobs import JOBS, Job, Result

LIMIT = 4_000_000
"""The number of states after which an exploration is cut."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Print the table; 1 if a result is not the expected one."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("words", nargs="*")
    parser.add_argument("--trace", action="store_true")
    parser.add_argument("--write", action="store_true")
    parser.add_argument("--processes", type=int, default=2)
    options = parser.parse_args(arguments)
    jobs = [job for job in JOBS if all(word in job.title for word in options.words)]
    results = list(_results(jobs, options.processes, with_trace=options.trace))
    states, wrong = sum(each.report.states for each in results), [each for each in results if not each.is_expected]
    print(f"{len(results)} explorations, {states:,} states, {len(wrong)} unexpected results")
    if options.write:
        tables.write(results)
    return int(bool(wrong))


def _results(jobs: Sequence[Job], processes: int, *, with_trace: bool) -> Iterator[Result]:
    """Explore in several processes, and print each result when it is there."""
    print(f"{'scenario and faults':<60}{'states':>11}{'depth':>7}{'seconds':>9}  result")
    with multiprocessing.Pool(processes, maxtasksperchild=1) as pool:
        for result in map(Result, jobs, pool.imap(_explored, jobs)):
            report = result.report
            found = result.outcome if result.is_expected else f"UNEXPECTED: {result.outcome}"
            print(f"{result.job.title:<60}{report.states:>11,}{report.depth:>7}{report.seconds:>9.1f}  {found}")
            for number, label in enumerate(report.trace if with_trace else (), 1):
                print(f"    {number:>3} {label}")
            yield result


def _explored(job: Job) -> Report:
    return explore(job.case.scenario(*job.rules), LIMIT)


if __name__ == "__main__":
    raise SystemExit(main())
