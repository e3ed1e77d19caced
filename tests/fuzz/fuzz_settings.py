"""Throws bytes at the readers of settings: `python tests/fuzz/fuzz_settings.py -runs=20000`; libFuzzer's options."""

import sys
import tempfile
from pathlib import Path

import atheris  # type: ignore[import-untyped]

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

with atheris.instrument_imports(include=["waypost"]):
    from fuzz.settings_trial import trial, write


def main() -> None:
    """Run until libFuzzer's options say that it is enough; the corpus is forgotten."""
    with tempfile.TemporaryDirectory() as folder:
        write(Path(folder))
        atheris.Setup(
            [sys.argv[0], "-max_len=4096", "-timeout=300", "-rss_limit_mb=1024", *sys.argv[1:], folder], trial
        )
        atheris.Fuzz()


if __name__ == "__main__":
    main()
