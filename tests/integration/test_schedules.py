"""Random schedules of several processes over one simulated bucket; `make schedules` runs a million."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import msgspec
import pytest
from schedules import progress
from schedules.progress import Progress
from schedules.running import failures

_FEW, _PARTS = 50, 4
_MANY, _MANY_PARTS = 500, 14


@pytest.mark.parametrize("part", range(_PARTS))
def test_every_invariant_holds_at_every_change_of_a_random_schedule(part: int) -> None:
    assert failures(part * _FEW, _FEW) == {}


@pytest.mark.slow
@pytest.mark.parametrize("part", range(_MANY_PARTS))
def test_every_invariant_holds_at_every_change_of_many_more_random_schedules(part: int) -> None:
    assert failures(10_000 + part * _MANY, _MANY) == {}


def run_schedules(count: int, file: Path) -> str:
    """What the command prints that runs so many schedules from seed 7 on and keeps its progress in the file."""
    command = [sys.executable, "-m", "schedules", "--first", "7", "--count", str(count), "--processes", "1"]
    ended = subprocess.run(
        [*command, "--progress", str(file)], cwd=progress.ROOT / "tests", capture_output=True, text=True, check=True
    )
    return ended.stdout


def kept(file: Path) -> Progress:
    return msgspec.json.decode(file.read_bytes(), type=Progress)


def test_a_run_of_schedules_continues_after_those_that_the_same_code_has_run(tmp_path: Path) -> None:
    in_parts, at_once = tmp_path / "parts.json", tmp_path / "once.json"
    run_schedules(2, in_parts)
    continued = run_schedules(5, in_parts)
    run_schedules(5, at_once)
    assert "The same code has run 2 schedules" in continued
    assert kept(in_parts) == kept(at_once)
    assert kept(at_once).totals.schedules == 5


def test_a_run_of_schedules_starts_anew_when_other_code_had_run(tmp_path: Path) -> None:
    file = tmp_path / "progress.json"
    run_schedules(2, file)
    progress.save(file, msgspec.structs.replace(kept(file), code="other"))
    assert "The same code" not in run_schedules(3, file)
    assert kept(file).totals.schedules == 3
