"""A checkout of Waypost, whose own code runs."""

import json
import subprocess
import sys
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from measure import environment

_NOT_INHERITED = ("AWS_", "GIT_", "GITHUB_", "WAYPOST_")
"""Variables of the caller that begin so could change what it shows."""
_LOADED = """
import importlib, json, sys
importlib.import_module(sys.argv[1])
modules = [module for name, module in sys.modules.items() if name.partition(".")[0] == sys.argv[1].partition(".")[0]]
print(json.dumps([module.__file__ for module in modules]))
"""
PYTHON = (sys.executable, "-P")
"""`-P` keeps the working folder off Python's path."""


@dataclass(frozen=True)
class Checkout:
    """A checkout, and the module and function that its `waypost` command starts."""

    name: str
    folder: Path
    module: str
    function: str

    @classmethod
    def at(cls, name: str, folder: Path) -> "Checkout":
        """Find the command in pyproject.toml, and make sure that Python loads this checkout's code for it."""
        project = tomllib.loads((folder / "pyproject.toml").read_text(encoding="utf-8"))["project"]
        module, _, function = project["scripts"]["waypost"].partition(":")
        checkout = cls(name, folder.resolve(), module, function)
        done = checkout.python("-c", _LOADED, module)
        if done.returncode:
            raise SystemExit(f"{name}: {module} cannot be imported:\n{done.stderr}")
        loaded: list[str | None] = json.loads(done.stdout)
        foreign = [file for file in loaded if file and not Path(file).is_relative_to(checkout.source)]
        if foreign or not any(loaded):
            raise SystemExit(f"{name}: Python loads {foreign[0] if foreign else 'nothing'}, not {checkout.source}")
        return checkout

    @property
    def source(self) -> Path:
        """The folder that holds the packages."""
        return self.folder / "src"

    def python(
        self,
        *arguments: str,
        folder: Path | None = None,
        variables: Mapping[str, str] | None = None,
    ) -> "subprocess.CompletedProcess[str]":
        """Run Python with this checkout's packages."""
        return subprocess.run(
            [*PYTHON, *arguments],
            cwd=folder,
            env=self.variables | dict(variables or {}),
            capture_output=True,
            encoding="utf-8",
            errors="backslashreplace",
            check=False,
        )

    @property
    def variables(self) -> dict[str, str]:
        """The environment in which Python finds this checkout's packages."""
        kept = {name: value for name, value in environment().items() if not name.startswith(_NOT_INHERITED)}
        return kept | {"PYTHONPATH": str(self.source)}
