"""Throws bytes at an examination: `python tests/fuzz/fuzz_validate.py -runs=20000`, with any options of libFuzzer."""

import sys
import tempfile
from pathlib import Path

import atheris  # type: ignore[import-untyped]

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

with atheris.instrument_imports(include=["waypost"]):
    from fuzz import seeds
    from fuzz.trial import trial


def main() -> None:
    """Run until libFuzzer's options say that it is enough; the corpus is forgotten."""
    with tempfile.TemporaryDirectory() as folder:
        seeds.write(Path(folder))
        atheris.Setup([sys.argv[0], "-max_len=8192", "-timeout=300", "-rss_limit_mb=512", *sys.argv[1:], folder], trial)
        atheris.Fuzz()


if __name__ == "__main__":
    main()
