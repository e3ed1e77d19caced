"""Runs the cases one after another on one stack, prints each, and writes the table of results."""

from __future__ import annotations

import argparse
import sys
import tempfile
from pathlib import Path

from operate import damage, failures, report, uploads
from operate.cases import SkippedError
from operate.report import Row
from operate.trial import SHORT, Times, deployed

CASES = (*uploads.CASES, *damage.CASES, *failures.CASES)


def main() -> int:
    parser = argparse.ArgumentParser(prog="operate", description=__doc__)
    parser.add_argument("--short", action="store_true", help="a short visibility timeout, and no page of results")
    parser.add_argument("--only", default="", help="only the cases whose names contain this, after the first build")
    given = parser.parse_args()
    chosen = [case for case in CASES if given.only in case.name or case is CASES[0]]
    with tempfile.TemporaryDirectory() as folder, deployed(Path(folder), SHORT if given.short else Times()) as trial:
        rows = []
        for case in chosen:
            print(f"== {case.name}", flush=True)
            trial.start()
            try:
                rows.append(Row(case.name, case.run(trial)))
            except SkippedError as reason:
                rows.append(Row(case.name, None, str(reason)))
            print(f"   {rows[-1].text}", flush=True)
        page = report.page(rows, trial.times, list(trial.console.used))
    if not (given.short or given.only):
        report.RESULTS.write_text(page)
    return 0


if __name__ == "__main__":
    sys.exit(main())
