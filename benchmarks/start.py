"""Measures how long the command takes to start, and which packages it imports."""

import argparse
import os
import subprocess
import sys
import tempfile
from collections import defaultdict
from collections.abc import Sequence
from pathlib import Path

from measure import WAYPOST, Report, Run, environment, median_run, run

_ROUNDS = 10
_PAGES = 10
_NOTABLE = 1.0
"""Milliseconds; packages that take less are added up."""
_UNWANTED = ("boto3", "botocore", "isal", "lxml", "requests", "rich", "pytest")
_PAGE = "<!doctype html><html lang=en><head><meta charset=utf-8><title>Page {n}</title></head><body><p>{n}"


def main() -> None:
    """Time the commands, then find out what they import."""
    argparse.ArgumentParser(description=__doc__).parse_args()
    with tempfile.TemporaryDirectory() as name:
        site = Path(name)
        for n in range(_PAGES):
            (site / f"page-{n}.html").write_text(_PAGE.format(n=n))
        commands = {
            "python -c pass": ["-c", "pass"],
            "waypost --version": [WAYPOST, "--version"],
            "waypost build --dry-run, ten pages": [
                *(WAYPOST, "build", ".", "--base-url", "https://www.example.org/", "--dry-run")
            ],
        }
        os.chdir(site)  # in this checkout it would read the history of its repository
        runs = {name: _median(command) for name, command in commands.items()}
        imports = {name: _imports(command) for name, command in commands.items()}
    _report(runs, imports).write()


def _median(command: Sequence[str]) -> Run:
    return median_run([run([sys.executable, *command]) for _ in range(1 + _ROUNDS)][1:])


def _imports(command: Sequence[str]) -> dict[str, float]:
    """Milliseconds that each top-level package's own modules take to import."""
    command = [sys.executable, "-X", "importtime", *command]
    process = subprocess.run(command, check=True, capture_output=True, text=True, env=environment())
    packages: dict[str, float] = defaultdict(float)
    for line in process.stderr.splitlines():
        if line.startswith("import time:") and "imported package" not in line:
            itself, _, name = line.removeprefix("import time:").split("|")
            packages[_package(name.strip())] += int(itself) / 1_000
    return packages


def _package(module: str) -> str:
    top = module.partition(".")[0]
    return "the standard library" if top in sys.stdlib_module_names or top.startswith("_") else top


def _report(runs: dict[str, Run], imports: dict[str, dict[str, float]]) -> Report:
    report = Report("start", "Starting")
    rows = [[f"`{name}`", f"{run.seconds * 1_000:.0f}", f"{run.megabytes:.0f}"] for name, run in runs.items()]
    report.table(["command", "ms", "MB"], rows)
    report.text(f"Medians of {_ROUNDS} runs after a warm-up.")
    most = {name: max(each.get(name, 0.0) for each in imports.values()) for name in set().union(*imports.values())}
    packages = sorted(most, key=most.__getitem__, reverse=True)
    notable = [name for name in packages if most[name] >= _NOTABLE]
    small = [name for name in packages if name not in notable]
    report.table(
        ["imported, ms of its own modules", *(f"`{name}`" for name in imports)],
        [
            *([name, *(_cell(each.get(name, 0.0)) for each in imports.values())] for name in notable),
            [f"{len(small)} more", *(_cell(sum(each.get(name, 0.0) for name in small)) for each in imports.values())],
        ],
    )
    found = [name for name in _UNWANTED if any(name in each for each in imports.values())]
    report.text(f"Imported without need, of {', '.join(_UNWANTED)}: {', '.join(found) or 'none'}.")
    return report


def _cell(milliseconds: float) -> str:
    return f"{milliseconds:.1f}" if milliseconds else ""


if __name__ == "__main__":
    main()
