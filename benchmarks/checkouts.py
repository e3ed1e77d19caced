"""Two checkouts of Waypost: each runs its own code, and what both publish is compared."""

import gzip
import json
import subprocess
import sys
import tomllib
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple

from measure import environment, say

_NOT_INHERITED = ("AWS_", "GIT_", "GITHUB_", "WAYPOST_")
"""Variables of the caller that begin so could change what is published."""
_LOADED = """
import importlib, json, sys
importlib.import_module(sys.argv[1])
modules = [module for name, module in sys.modules.items() if name.partition(".")[0] == sys.argv[1].partition(".")[0]]
print(json.dumps([module.__file__ for module in modules]))
"""
_CONTEXT = 30
PYTHON = (sys.executable, "-P")
"""`-P` keeps the working folder off Python's path."""


class CommandError(Exception):
    """A command of a checkout failed, or published nothing."""


class PublishedFile(NamedTuple):
    """A file's bytes, and the HTTP headers that a bucket serves it with."""

    content: bytes
    headers: tuple[str, ...] = ()


Published = Mapping[str, PublishedFile]
"""What a checkout published, by name."""


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

    def waypost(
        self,
        *arguments: str,
        now: int,
        folder: Path,
        variables: Mapping[str, str] | None = None,
        stdin: str = "",
    ) -> None:
        """Run the command in a folder, at a time in Unix seconds; raises CommandError."""
        start = f"import sys; from {self.module} import {self.function} as main; sys.argv[0] = 'waypost'; main()"
        given = {"SOURCE_DATE_EPOCH": str(now), **(variables or {})}
        done = self.python("-c", start, *arguments, folder=folder, variables=given, stdin=stdin)
        if done.returncode:
            last = done.stderr.strip().splitlines()[-1:]
            raise CommandError(f"{self.name}: exit code {done.returncode}: {' '.join(last)}")

    def python(
        self,
        *arguments: str,
        folder: Path | None = None,
        variables: Mapping[str, str] | None = None,
        stdin: str = "",
    ) -> "subprocess.CompletedProcess[str]":
        """Run Python with this checkout's packages."""
        return subprocess.run(
            [*PYTHON, *arguments],
            cwd=folder,
            env=self.variables | dict(variables or {}),
            input=stdin,
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


@dataclass
class Comparison:
    """Has two checkouts do the same and prints a row of a table for each step."""

    before: Checkout
    after: Checkout
    differences: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        _print_row("input", "files", "bytes", "result")
        _print_row("---", "--:", "--:", "---")

    def step(self, title: str, publish: Callable[[Checkout], Published]) -> None:
        """Have both publish, and compare all that they published."""
        say(title)
        files: Published = {}
        try:
            files, others = publish(self.before), publish(self.after)
            found = difference(files, others) if files or others else "nothing was published"
        except CommandError as error:
            found = str(error)
        size = sum(len(file.content) for file in files.values())
        _print_row(title, f"{len(files):,}", f"{size:,}", found or "identical")
        if found:
            self.differences.append(title)


def _print_row(*cells: str) -> None:
    print(f"| {' | '.join(cell.replace('|', '&#124;') for cell in cells)} |", flush=True)


def difference(before: Published, after: Published) -> str:
    """The first difference between two sets of files, or `""`."""
    for name in sorted(before.keys() | after.keys()):
        if name not in before or name not in after:
            return f"{name}: only {'BEFORE' if name in before else 'AFTER'} has it"
        one, other = before[name], after[name]
        if one.content != other.content:
            return f"{name}: {_content_difference(one.content, other.content)}"
        if one.headers != other.headers:
            return f"{name}: the headers are {one.headers} and {other.headers}"
    return ""


def _content_difference(one: bytes, other: bytes) -> str:
    """Where two contents differ; where both are gzip files, where they do uncompressed."""
    if one.startswith(b"\x1f\x8b") and other.startswith(b"\x1f\x8b"):
        one, other = gzip.decompress(one), gzip.decompress(other)
        if one == other:
            return "the compressed bytes differ, the uncompressed do not"
    pairs = enumerate(zip(one, other, strict=False))
    place = next((n for n, (a, b) in pairs if a != b), min(len(one), len(other)))
    line, start = one.count(b"\n", 0, place) + 1, max(0, place - _CONTEXT)
    return f"line {line}: {one[start : place + _CONTEXT]!r} and {other[start : place + _CONTEXT]!r}"


def files_below(folder: Path) -> Published:
    """All files below a folder, but not a repository's own."""
    paths = (path for path in folder.rglob("*") if path.is_file() and ".git" not in path.parts)
    return {path.relative_to(folder).as_posix(): PublishedFile(path.read_bytes()) for path in paths}
