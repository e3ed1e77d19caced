"""Runs the cases one after another on one stack, prints each, and writes the table of results."""

from __future__ import annotations

import argparse
import sys
import tempfile
import traceback
from pathlib import Path

from operate import damage, failures, report, state_damage, uploads
from operate.cases import Case, SkippedError
from operate.report import Row
from operate.trial import SHORT, Times, Trial, deployed

CASES = (*uploads.CASES, *damage.CASES, *failures.CASES, *state_damage.CASES)


def main() -> int:
    parser = argparse.ArgumentParser(prog="operate", description=__doc__)
    parser.add_argument("--short", action="store_true", help="a short visibility timeout, and no page of results")
    parser.add_argument("--only", default="", help="only cases whose names contain this text, after the first build")
    given = parser.parse_args()
    chosen = [case for case in CASES if any(part in case.name for part in given.only.split(",")) or case is CASES[0]]
    with tempfile.TemporaryDirectory() as folder, deployed(Path(folder), SHORT if given.short else Times()) as trial:
        rows = [row_of(trial, case) for case in chosen]
        page = report.page(rows, trial.times, list(trial.console.used))
    if not (given.short or given.only):
        report.RESULTS.write_text(page)
    return int(any(row.has_failed for row in rows))


def row_of(trial: Trial, case: Case) -> Row:
    """Run a case, and print what came of it."""
    print(f"== {case.name}", flush=True)
    try:
        trial.start()
        row = Row(case.name, case.run(trial))
    except SkippedError as reason:
        row = Row(case.name, None, f"skipped: {reason}")
    except Exception as problem:
        traceback.print_exc()
        row = Row(case.name, None, f"failed: {problem}", has_failed=True)
    print(f"   {row.text}", flush=True)
    return row


if __name__ == "__main__":
    sys.exit(main())
