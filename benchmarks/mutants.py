"""Whether the tests notice the small mistakes of mutants.toml.

Each mutant is a checkout with one line changed. It is killed if the tests of its part fail. Prints each mutant, and
exits with 1 if one survives: `python benchmarks/mutants.py`, or with the beginnings of names to try only some.
"""

import os
import shutil
import subprocess
import sys
import tomllib
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from queue import SimpleQueue
from tempfile import TemporaryDirectory

from msgspec import Struct, convert

CHECKOUT = Path(__file__).resolve().parents[1]
_PROCESSES = 2
_TESTS_FAILED = 1
"""The exit code of pytest if a test failed; others mean that the tests did not run."""


class Mutant(Struct, frozen=True, forbid_unknown_fields=True):
    """One change of one module, and the row of tests that should notice it; `old` is there exactly once."""

    name: str
    module: str
    old: str
    new: str
    tests: str


class Mutants(Struct, frozen=True, forbid_unknown_fields=True):
    """The tables of mutants.toml."""

    tests: dict[str, list[str]]
    mutant: list[Mutant]


def run(checkout: Path, tests: Sequence[str]) -> int:
    """Run tests of a checkout in one process until one fails; returns pytest's exit code."""
    python = str(CHECKOUT / ".venv" / "bin" / "python")
    command = [python, "-m", "pytest", "-x", "-q", "-n", "0", "-m", "not slow", "-p", "no:cacheprovider", *tests]
    environment = {**os.environ, "PYTHONPATH": str(checkout / "src"), "PYTHONDONTWRITEBYTECODE": "1"}
    return subprocess.run(command, cwd=checkout, env=environment, capture_output=True, check=False).returncode


def verdict(mutant: Mutant, tests: Sequence[str], checkout: Path) -> str:
    """What becomes of a mutant in this checkout, which is then as before."""
    path = checkout / "src" / "waypost" / mutant.module
    text = path.read_text("utf-8")
    if text.count(mutant.old) != 1:
        return "NOT APPLIED: its old text is not there once"
    path.write_text(text.replace(mutant.old, mutant.new), "utf-8")
    try:
        code = run(checkout, tests)
    finally:
        path.write_text(text, "utf-8")
    return "killed" if code == _TESTS_FAILED else "SURVIVED" if code == 0 else f"NOT TESTED: pytest exited with {code}"


def main(names: Sequence[str]) -> int:
    """Try the mutants whose names begin with one of these, or all."""
    table = convert(tomllib.loads(Path(__file__).with_suffix(".toml").read_text(encoding="utf-8")), Mutants)
    chosen = [each for each in table.mutant if each.name.startswith(tuple(names) or "")]
    with TemporaryDirectory() as folder:
        free: SimpleQueue[Path] = SimpleQueue()
        for number in range(_PROCESSES):
            copy = Path(folder) / str(number)
            ignored = shutil.ignore_patterns(".venv", ".git", "__pycache__", ".*_cache")
            shutil.copytree(CHECKOUT, copy, symlinks=True, ignore=ignored)
            free.put(copy)

        def judge(mutant: Mutant) -> str:
            checkout = free.get()
            try:
                return verdict(mutant, table.tests[mutant.tests], checkout)
            finally:
                free.put(checkout)

        with ThreadPoolExecutor(_PROCESSES) as pool:
            verdicts = list(pool.map(judge, chosen))
    for mutant, found in zip(chosen, verdicts, strict=True):
        print(f"{mutant.name:50} {found}")
    return 0 if all(found == "killed" for found in verdicts) else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
