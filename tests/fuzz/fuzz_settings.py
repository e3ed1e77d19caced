"""Throws bytes at the readers of settings: `python tests/fuzz/fuzz_settings.py -runs=20000`; libFuzzer's options."""

import sys
from pathlib import Path

import atheris  # type: ignore[import-untyped]

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from fuzz.libfuzzer import fuzz

with atheris.instrument_imports(include=["waypost"]):
    from fuzz.settings_trial import trial, write

if __name__ == "__main__":
    fuzz(trial, write, length=4_096, memory=1_024)
