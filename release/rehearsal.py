"""What the steps of a rehearsal share: programs that must succeed, and the error if one does not."""

import os
import subprocess
from collections.abc import Mapping
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
EXAMPLE = ROOT / "examples" / "garden"


class RehearsalError(Exception):
    """The release would not be right; the text says what is wrong."""


def run(*command: str, cwd: Path | None = None, env: Mapping[str, str] | None = None, umask: int = -1) -> str:
    """Run a program and return what it prints; raises RehearsalError if it fails. Nothing of Python's is inherited."""
    inherited = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    done = subprocess.run(
        command,
        cwd=cwd,
        env=inherited if env is None else env,
        umask=umask,
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode:
        raise RehearsalError(f"{' '.join(command)}\nexited with {done.returncode}:\n{done.stdout}{done.stderr}")
    return done.stdout


def expect(actual: object, expected: object, what: str) -> None:
    """Raise RehearsalError unless a value is the expected one."""
    if actual != expected:
        raise RehearsalError(f"{what} is {actual!r}, not {expected!r}")
