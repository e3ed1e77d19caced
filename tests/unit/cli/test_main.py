"""The command `waypost`: what it can do, and what it imports for that."""

from __future__ import annotations

import json
import subprocess
import sys
from typing import TYPE_CHECKING

import click
import pytest
from unit.cli.invoke import BASE

from waypost.cli.main import main

if TYPE_CHECKING:
    from pathlib import Path

    from unit.cli.invoke import Invoke

COMMANDS = main.list_commands(click.Context(main))
IMPORTED = """
import json, sys
from waypost.cli.main import main
main(sys.argv[1:], standalone_mode=False)
print(json.dumps([name for name in sys.modules if name.startswith("waypost")]))
"""


def imported(*arguments: str) -> list[str]:
    """The modules of Waypost that a command imports in a process of its own."""
    command = [sys.executable, "-c", IMPORTED, *arguments]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    modules: list[str] = json.loads(done.stdout.splitlines()[-1])
    return modules


@pytest.mark.parametrize("name", COMMANDS)
def test_each_command_is_listed_and_has_help_without_exit_codes(invoke: Invoke, name: str) -> None:
    shown = invoke(name, "--help")
    assert (shown.exit_code, "Exit codes:" in shown.stdout) == (0, False)
    assert f"  {name} " in invoke("--help").stdout


def test_the_help_has_the_exit_codes_of_all_commands(invoke: Invoke) -> None:
    assert "Exit codes:" in invoke("--help").stdout


def test_an_unknown_command_is_a_mistake_on_the_command_line(invoke: Invoke) -> None:
    result = invoke("biuld")
    assert (result.exit_code, "No such command 'biuld'" in result.stderr) == (2, True)


def test_the_package_runs_as_a_module() -> None:
    command = [sys.executable, "-m", "waypost", "--version"]
    assert subprocess.run(command, capture_output=True, text=True, check=True).stdout.startswith("waypost ")


def test_the_build_of_a_folder_imports_nothing_of_buckets_and_at_most_200_modules(tmp_path: Path) -> None:
    (tmp_path / "index.html").write_text("<title>Home</title>")
    modules = imported("build", str(tmp_path), "--base-url", BASE, "--dry-run")
    assert "waypost.build.pipeline" in modules
    assert [each for each in modules if each.split(".")[1:2] in (["aws"],)] == []
    assert len(modules) <= 200
