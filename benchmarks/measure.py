"""Measures child processes one at a time, and writes pages of results.

`measure.py RESULT COMMAND...` runs a command as its only child, and writes the time and the peak memory of the command
to a file. So the memory of the benchmark itself is not counted.
"""

import json
import os
import platform
import resource
import shlex
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Mapping, Sequence
from datetime import date
from functools import cache
from pathlib import Path
from statistics import median
from typing import NamedTuple

ROOT = Path(__file__).resolve().parents[1]
WAYPOST = str(Path(sys.executable).with_name("waypost"))
ROUNDS = 3
_RESULTS = Path(__file__).with_name("results")


class Run(NamedTuple):
    """Wall time, the peak of the largest process among the command and its children, and standard output."""

    seconds: float
    megabytes: float
    output: bytes = b""


def run(command: Sequence[str], variables: Mapping[str, str] | None = None) -> Run:
    """Run and measure a command; raises CalledProcessError, and prints its standard error, if it fails."""
    with tempfile.NamedTemporaryFile() as result:
        measuring = [sys.executable, __file__, result.name, *command]
        done = subprocess.run(measuring, capture_output=True, check=False, env=environment() | dict(variables or {}))
        if done.returncode:
            sys.stderr.buffer.write(done.stderr)
            done.check_returncode()
        return Run(**json.loads(result.read()), output=done.stdout)


def environment() -> dict[str, str]:
    """The variables of a measured process: compiled Python files are kept, as for users, but outside the checkout."""
    return os.environ | {"PYTHONDONTWRITEBYTECODE": "", "PYTHONPYCACHEPREFIX": _compiled_files().name}


@cache
def _compiled_files() -> "tempfile.TemporaryDirectory[str]":
    return tempfile.TemporaryDirectory()


def median_run(runs: Sequence[Run]) -> Run:
    """The medians of several runs of one command."""
    return Run(median(run.seconds for run in runs), median(run.megabytes for run in runs))


def seconds_of(work: Callable[[], object]) -> float:
    """How long some work takes in this process."""
    start = time.perf_counter()
    work()
    return time.perf_counter() - start


def say(text: str) -> None:
    """Print the benchmark's progress to standard error."""
    print(text, file=sys.stderr, flush=True)


class Report:
    """A page of results, which is printed and written to `results/<name>.md`."""

    def __init__(self, name: str, title: str) -> None:
        self._file = _RESULTS / f"{name}.md"
        command = shlex.join(["python", f"benchmarks/{Path(sys.argv[0]).name}", *sys.argv[1:]])
        python = f"{platform.python_implementation()} {platform.python_version()}"
        machine = f"{os.cpu_count()} cores, {platform.machine()}, {platform.system()}, {python}"
        self._parts = [f"# {title}", f"`{command}`, {date.today().isoformat()}; {machine}."]

    def text(self, text: str) -> None:
        """Add a paragraph."""
        self._parts.append(text)

    def table(self, head: Sequence[str], rows: Sequence[Sequence[object]]) -> None:
        """Add a table; every column but the first is aligned to the right."""
        lines = [head, ["---", *["--:"] * (len(head) - 1)], *rows]
        self._parts.append("\n".join(f"| {' | '.join(map(str, line))} |" for line in lines))

    def write(self) -> None:
        """Print the page, and write it."""
        page = "\n\n".join(self._parts) + "\n"
        self._file.parent.mkdir(exist_ok=True)
        self._file.write_text(page, encoding="utf-8")
        print(page)


def decision(value: float, most: float) -> str:
    """Whether a figure meets its target."""
    return "met" if value <= most else "**missed**"


def _measure(result: Path, command: Sequence[str]) -> int:
    start = time.perf_counter()
    code = subprocess.run(command, check=False).returncode
    seconds = time.perf_counter() - start
    megabytes = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024  # Linux counts in KiB
    result.write_text(json.dumps({"seconds": seconds, "megabytes": megabytes}))
    return code


if __name__ == "__main__":
    sys.exit(_measure(Path(sys.argv[1]), sys.argv[2:]))
