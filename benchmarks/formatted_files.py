"""Counts the files that a formatter wrote anew, and those of them that Waypost takes for changed.

BEFORE has sources of real sites, and each AFTER copies of them that a formatter such as Prettier wrote.
"""

import argparse
from pathlib import Path

from measure import Report

from waypost.dates.source_changes import are_alike


def main() -> None:
    """Compare the files of each folder with those before."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("before", type=Path, metavar="BEFORE")
    parser.add_argument("after", type=Path, nargs="+", metavar="AFTER")
    arguments = parser.parse_args()
    report = Report("formatted_files", "Files that a formatter wrote anew")
    rows = [[after.name, *_counts(arguments.before, after)] for after in arguments.after]
    report.table(["formatter", "files", "written anew", "taken for changed"], rows)
    report.write()


def _counts(before: Path, after: Path) -> tuple[int, int, int]:
    """How many files there are, how many of them differ, and how many are taken for changed."""
    files = [(path.name, path.read_bytes(), (after / path.name).read_bytes()) for path in sorted(before.iterdir())]
    written = [(name, old, new) for name, old, new in files if old != new]
    return len(files), len(written), sum(not are_alike(name, new, old) for name, old, new in written)


if __name__ == "__main__":
    main()
