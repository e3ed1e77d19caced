"""Throws bytes at an examination: `python tests/fuzz/fuzz_validate.py -runs=20000`, with any options of libFuzzer."""

import sys
from pathlib import Path

import atheris  # type: ignore[import-untyped]

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from fuzz.libfuzzer import fuzz

with atheris.instrument_imports(include=["waypost"]):
    from fuzz import seeds
    from fuzz.trial import trial

if __name__ == "__main__":
    fuzz(trial, seeds.write, length=8_192, memory=512)
