"""Gives bytes to a trial until libFuzzer's options say that it is enough; the corpus is forgotten."""

import sys
import tempfile
from collections.abc import Callable
from pathlib import Path

import atheris  # type: ignore[import-untyped]


def fuzz(trial: Callable[[bytes], object], write_seeds: Callable[[Path], object], *, length: int, memory: int) -> None:
    """Run a trial with texts of at most `length` bytes and `memory` MiB."""
    with tempfile.TemporaryDirectory() as folder:
        write_seeds(Path(folder))
        bounds = [f"-max_len={length}", "-timeout=300", f"-rss_limit_mb={memory}"]
        atheris.Setup([sys.argv[0], *bounds, *sys.argv[1:], folder], trial)
        atheris.Fuzz()
