"""Whether the tests notice small mistakes in the rules, the URLs, the dates, the shards and the order of publishing.

Each mutant is a checkout with one line changed. It is killed if the tests of its part fail. Prints each mutant, and
exits with 1 if one survives: `python benchmarks/mutants.py`, or with the beginnings of names to try only some.
"""

import os
import shutil
import subprocess
import sys
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from queue import SimpleQueue
from tempfile import TemporaryDirectory

from mutant import Mutant
from mutants_of_pages import MUTANTS_OF_PAGES
from mutants_of_publishing import MUTANTS_OF_PUBLISHING

CHECKOUT = Path(__file__).resolve().parents[1]
_PROCESSES = 2
_TESTS_FAILED = 1
"""The exit code of pytest if a test failed; others mean that the tests did not run."""


def run(checkout: Path, tests: Sequence[str]) -> int:
    """Run tests of a checkout in one process until one fails; returns pytest's exit code."""
    python = str(CHECKOUT / ".venv" / "bin" / "python")
    command = [python, "-m", "pytest", "-x", "-q", "-n", "0", "-m", "not slow", "-p", "no:cacheprovider", *tests]
    environment = {**os.environ, "PYTHONPATH": str(checkout / "src"), "PYTHONDONTWRITEBYTECODE": "1"}
    return subprocess.run(command, cwd=checkout, env=environment, capture_output=True, check=False).returncode


def verdict(mutant: Mutant, checkout: Path) -> str:
    """What becomes of a mutant in this checkout, which is then as before."""
    path = checkout / "src" / "waypost" / mutant.module
    text = path.read_text("utf-8")
    if text.count(mutant.old) != 1:
        return "NOT APPLIED: its old text is not there once"
    path.write_text(text.replace(mutant.old, mutant.new), "utf-8")
    try:
        code = run(checkout, mutant.tests)
    finally:
        path.write_text(text, "utf-8")
    return "killed" if code == _TESTS_FAILED else "SURVIVED" if code == 0 else f"NOT TESTED: pytest exited with {code}"


def main(names: Sequence[str]) -> int:
    """Try the mutants whose names begin with one of these, or all."""
    chosen = [each for each in (*MUTANTS_OF_PAGES, *MUTANTS_OF_PUBLISHING) if each.name.startswith(tuple(names) or "")]
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
                return verdict(mutant, checkout)
            finally:
                free.put(checkout)

        with ThreadPoolExecutor(_PROCESSES) as pool:
            verdicts = list(pool.map(judge, chosen))
    for mutant, found in zip(chosen, verdicts, strict=True):
        print(f"{mutant.name:50} {found}")
    return 0 if all(found == "killed" for found in verdicts) else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
