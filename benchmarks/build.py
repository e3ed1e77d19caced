"""Measures `waypost build` with Git's dates on seeded repositories, compared with the least work (floor.py)."""

import argparse
import shutil
import stat
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import repositories
from measure import ROUNDS, WAYPOST, Report, Run, decision, median_run, run, say

_MOST_RATIO, _RATIO_PAGES = 5.5, 10_000
_MOST_MEGABYTES, _MEMORY_PAGES = 300.0, 50_000
_FLOOR = Path(__file__).with_name("floor.py")


class Measured(NamedTuple):
    """A repository's size and what was measured on it."""

    pages: int
    commits: int
    waypost: Run
    again: Run
    floor: Run
    processes: int

    @property
    def ratio(self) -> float:
        """Waypost's time as a multiple of the floor's."""
        return self.waypost.seconds / self.floor.seconds


def main() -> None:
    """Measure each combination of pages and commits."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--pages", type=int, nargs="+", default=[1_000, 10_000, 50_000])
    parser.add_argument("--commits", type=int, nargs="+", default=[200, 2_000])
    chosen = parser.parse_args()
    measured = [_measured(pages, commits) for pages in chosen.pages for commits in chosen.commits]
    _report(measured).write()


def _measured(pages: int, commits: int) -> Measured:
    say(f"{pages:,} pages, {commits:,} commits")
    with tempfile.TemporaryDirectory() as name:
        scratch = Path(name)
        repository = scratch / "repository"
        repositories.make(repository, pages, commits)
        builds, again, floors = [], [], []
        for _ in range(1 + ROUNDS):
            shutil.rmtree(repository / ".git" / "waypost", ignore_errors=True)
            builds.append(run(_build(repository, scratch / "output")))
            again.append(run(_build(repository, scratch / "output")))
            shutil.rmtree(scratch / "output")
            floors.append(run([sys.executable, str(_FLOOR), str(repository)]))
        processes = _processes(scratch, repository)
    medians = median_run(builds[1:]), median_run(again[1:]), median_run(floors[1:])
    return Measured(pages, commits, *medians, processes)


def _build(repository: Path, output: Path) -> list[str]:
    return [WAYPOST, "build", str(repository), "--base-url", "https://www.example.org/", "--output", str(output)]


def _processes(scratch: Path, repository: Path) -> int:
    """How often a build starts Git, counted by a script on PATH that counts and then runs Git."""
    programs, notes = scratch / "programs", scratch / "notes"
    programs.mkdir()
    counting = programs / "git"
    counting.write_text(f'#!/bin/sh\necho >> "{notes}"\nexec "{shutil.which("git")}" "$@"\n')
    counting.chmod(counting.stat().st_mode | stat.S_IXUSR)
    path = f"{programs}:{Path(sys.executable).parent}:/usr/local/bin:/usr/bin:/bin"
    run(_build(repository, scratch / "output"), {"PATH": path})
    return len(notes.read_text().splitlines())


def _report(measured: list[Measured]) -> Report:
    report = Report("build", "Building with Git's dates")
    head = [
        "pages",
        "commits",
        "build, s",
        "again, s",
        "floor, s",
        "ratio",
        "peak, MB",
        "floor's peak, MB",
        "git processes",
    ]
    report.table(head, [_row(each) for each in measured])
    report.text(
        f"Medians of {ROUNDS} runs after a warm-up, alternating, each a process of its own; `again` continues the "
        "history that the build kept. The floor is one Python process: a bare `git log -c --raw` read to its end and "
        "dropped, then a bare walk that reads 16 KiB of each page. Peaks are of the largest process, git's included."
    )
    report.table(["target", "measured", ""], list(_targets(measured)))
    return report


def _row(each: Measured) -> list[str]:
    return [
        f"{each.pages:,}",
        f"{each.commits:,}",
        f"{each.waypost.seconds:.2f}",
        f"{each.again.seconds:.2f}",
        f"{each.floor.seconds:.2f}",
        f"{each.ratio:.2f}",
        f"{each.waypost.megabytes:.0f}",
        f"{each.floor.megabytes:.0f}",
        str(each.processes),
    ]


def _targets(measured: list[Measured]) -> Iterator[list[str]]:
    if ratios := [each.ratio for each in measured if each.pages == _RATIO_PAGES]:
        target = f"within {_MOST_RATIO} times the floor at {_RATIO_PAGES:,} pages"
        yield [target, f"{max(ratios):.2f}", decision(max(ratios), _MOST_RATIO)]
    if peaks := [each.waypost.megabytes for each in measured if each.pages == _MEMORY_PAGES]:
        target = f"under {_MOST_MEGABYTES:.0f} MB at {_MEMORY_PAGES:,} pages"
        yield [target, f"{max(peaks):.0f} MB", decision(max(peaks), _MOST_MEGABYTES)]
    counts = {each.processes for each in measured}
    yield ["as many git processes at every size", ", ".join(map(str, sorted(counts))), decision(len(counts), 1)]


if __name__ == "__main__":
    main()
