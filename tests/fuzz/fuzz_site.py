"""Throws bytes at the readers of a site: `python tests/fuzz/fuzz_site.py -runs=20000`, with libFuzzer's options."""

import sys
from pathlib import Path

import atheris  # type: ignore[import-untyped]

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from fuzz.libfuzzer import fuzz

with atheris.instrument_imports(include=["waypost"]):
    from fuzz.site_trial import trial, write

if __name__ == "__main__":
    fuzz(trial, write, length=4_096, memory=1_024)
