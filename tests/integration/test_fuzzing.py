import re
import subprocess
import sys
from pathlib import Path

import pytest
from fuzz import settings_trial, site_trial
from fuzz.seeds import seeds
from fuzz.trial import trial

FUZZ = Path(__file__).parents[1] / "fuzz"


def test_no_seed_breaks_an_examination_whole_or_cut_off() -> None:
    for seed in seeds():
        trial(seed)
        trial(seed[: len(seed) // 2])


def test_no_seed_breaks_a_reader_of_a_site_whole_or_cut_off() -> None:
    for seed in site_trial.seeds():
        site_trial.trial(seed)
        site_trial.trial(seed[: len(seed) // 2])


@pytest.mark.slow
def test_no_seed_breaks_a_reader_of_settings_whole_or_cut_off() -> None:
    for seed in settings_trial.seeds():
        settings_trial.trial(seed)
        settings_trial.trial(seed[: len(seed) // 2])


@pytest.mark.slow
@pytest.mark.parametrize("seed", [1, 2])
@pytest.mark.parametrize("program", ["fuzz_validate.py", "fuzz_site.py", "fuzz_settings.py"])
def test_no_file_of_whatever_bytes_breaks_an_examination(program: str, seed: int, tmp_path: Path) -> None:
    pytest.importorskip("atheris", reason="it has no wheel for this Python")
    # Linux counts the memory of the process that starts a program as the program's own peak, and libFuzzer has a limit
    # for that. A shell in between is small.
    command = ["sh", "-c", '"$@"; exit $?', "sh", sys.executable, str(FUZZ / program), "-runs=8000", f"-seed={seed}"]
    ended = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert ended.returncode == 0, ended.stderr[-4_000:]
    # libFuzzer counts the runs between two mutations only after them, so it may have done a few more.
    assert re.search(r"^Done 8\d{3} runs", ended.stderr, re.MULTILINE), ended.stderr[-4_000:]
    assert list(tmp_path.iterdir()) == []
