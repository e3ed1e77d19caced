"""The commands of the documentation, and a shell that runs no others."""

from __future__ import annotations

import re
import subprocess
import sys
from functools import cache
from typing import TYPE_CHECKING

from stacks import ROOT, TOOLS

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

_BLOCK = re.compile(r"^ *```console\n(.*?)^ *```", re.MULTILINE | re.DOTALL)
_CONTINUATION = re.compile(r"\\\n\s*")
_FUNCTIONS = ("output() { aws cloudformation ", "log() { ")
"""The beginnings of the documented shell functions that other commands use."""
_TO_EMULATOR = 'aws() { command aws ${AWS_ENDPOINT_URL:+--endpoint-url "$AWS_ENDPOINT_URL"} "$@"; }'
"""Version 1 of the AWS CLI does not heed the variable in its commands of SQS."""


@cache
def documented_commands() -> tuple[str, ...]:
    """The commands in the `console` blocks of the documentation, each on one line."""
    blocks = [block for page in sorted((ROOT / "docs").glob("*.md")) for block in _BLOCK.findall(page.read_text())]
    lines = [line.lstrip() for block in blocks for line in _CONTINUATION.sub("", block).splitlines()]
    return tuple(line.removeprefix("$ ").partition("  #")[0].rstrip() for line in lines if line.startswith("$ "))


class Console:
    """Runs documented commands in a folder, against the AWS of the environment."""

    def __init__(self, folder: Path, environment: Mapping[str, str]) -> None:
        path = f"{TOOLS}:{sys.prefix}/bin:{environment['PATH']}"
        self._folder, self._environment, self.used = folder, {**environment, "PATH": path}, dict[str, None]()

    def run(self, command: str, *more: str, replace: Mapping[str, str] | None = None, **variables: str) -> str:
        """Run a command, which must be a documented one, and return what it prints; raises AssertionError if it fails.

        `more` are words to add, `replace` has values for the words in capitals that the documentation leaves open.
        """
        assert command in documented_commands(), f"this command is not in the documentation: {command}"
        self.used[command] = None
        text = " ".join([command, *more])
        for word, value in (replace or {}).items():
            text = text.replace(word, value)
        functions = dict.fromkeys(each for each in documented_commands() if each.startswith(_FUNCTIONS))
        done = subprocess.run(
            ["bash", "-c", "\n".join(["set -e", _TO_EMULATOR, *functions, text])],
            cwd=self._folder,
            env={**self._environment, **variables},
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == 0, f"{text}\n{done.stdout}{done.stderr}"
        return done.stdout
