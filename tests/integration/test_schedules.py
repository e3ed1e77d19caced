"""Random schedules of several processes over one simulated bucket; `make schedules` runs a million."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import msgspec
import pytest
import quick
from schedules import progress, recorded
from schedules.progress import Progress
from schedules.running import failures, run

_FEW, _PARTS = 50, 2
_MANY, _MANY_PARTS = 500, 4


@pytest.mark.parametrize("part", quick.every(2, range(_PARTS)))
def test_every_invariant_holds_at_every_change_of_a_random_schedule(part: int) -> None:
    assert failures(part * _FEW, _FEW) == {}


@pytest.mark.parametrize("name", recorded.names())
def test_a_recorded_schedule_breaks_no_invariant(name: str) -> None:
    assert run(recorded.recorded(name)).problem == ""


@pytest.mark.slow
@pytest.mark.parametrize("part", range(_MANY_PARTS))
def test_every_invariant_holds_at_every_change_of_many_more_random_schedules(part: int) -> None:
    assert failures(10_000 + part * _MANY, _MANY) == {}


def run_schedules(count: int, file: Path, first: int = 7) -> str:
    """What the command prints that runs so many schedules from a seed on and keeps its progress in the file."""
    command = [sys.executable, "-m", "schedules", "--first", str(first), "--count", str(count), "--processes", "1"]
    ended = subprocess.run(
        [*command, "--progress", str(file)], cwd=progress.ROOT / "tests", capture_output=True, text=True, check=True
    )
    return ended.stdout


def kept(file: Path) -> list[Progress]:
    return msgspec.json.decode(file.read_bytes(), type=list[Progress])


@pytest.mark.slow
def test_a_run_of_schedules_continues_after_those_that_the_same_code_has_run(tmp_path: Path) -> None:
    in_parts, at_once = tmp_path / "parts.json", tmp_path / "once.json"
    run_schedules(2, in_parts)
    continued = run_schedules(5, in_parts)
    run_schedules(5, at_once)
    assert "The same code has run 2 schedules" in continued
    assert kept(in_parts) == kept(at_once)
    assert [each.totals.schedules for each in kept(at_once)] == [5]


@pytest.mark.slow
def test_a_run_from_another_seed_on_leaves_the_progress_of_the_first_one(tmp_path: Path) -> None:
    file = tmp_path / "progress.json"
    run_schedules(2, file)
    run_schedules(1, file, first=90)
    assert [(each.first, each.totals.schedules) for each in kept(file)] == [(7, 2), (90, 1)]


@pytest.mark.slow
def test_a_run_of_schedules_starts_again_when_other_code_had_run(tmp_path: Path) -> None:
    file = tmp_path / "progress.json"
    run_schedules(2, file)
    progress.save(file, msgspec.structs.replace(kept(file)[0], code="other"))
    assert "The same code" not in run_schedules(3, file)
    assert [each.totals.schedules for each in kept(file)] == [3]
