"""Measures what the Action installs on a runner: the time, the size, and the time to import Waypost."""

import argparse
import shutil
import sys
import tempfile
from pathlib import Path

from measure import ROOT, ROUNDS, Report, Run, median_run, run

_REQUIREMENTS = ROOT / "action" / "requirements.txt"
_INSTALL = (
    *("-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--root-user-action=ignore"),
    *("--require-hashes", "--no-deps", "--only-binary", ":all:", "--no-compile", "--no-cache-dir"),
    *("-r", str(_REQUIREMENTS)),
)


def main() -> None:
    """Install into a new folder several times, then import from there."""
    argparse.ArgumentParser(description=__doc__).parse_args()
    with tempfile.TemporaryDirectory() as name:
        scratch = Path(name)
        installed = median_run([_install(scratch / str(n)) for n in range(1 + ROUNDS)][1:])
        target = scratch / "0"
        packages, megabytes = _packages(target), _megabytes(target)
        shutil.copytree(ROOT / "src" / "waypost", target / "waypost", ignore=shutil.ignore_patterns("__pycache__"))
        first, later = _import(target), median_run([_import(target) for _ in range(ROUNDS)])
    report = Report("action_install", "What the Action installs")
    report.text(f"From action/requirements.txt: {', '.join(packages)}.")
    report.table(
        ["", "measured"],
        [
            ["packages", len(packages)],
            ["megabytes on disk", f"{megabytes:.1f}"],
            ["`pip install`, s", f"{installed.seconds:.2f}"],
            ["start to `import waypost.build.pipeline`, nothing compiled yet, ms", f"{first.seconds * 1_000:.0f}"],
            ["start to `import waypost.build.pipeline`, later, ms", f"{later.seconds * 1_000:.0f}"],
        ],
    )
    report.text(f"Medians of {ROUNDS} runs, except the first import; pip without a cache, from its configured index.")
    report.write()


def _packages(target: Path) -> list[str]:
    """Names and versions, from the metadata's folders."""
    return sorted(path.stem.replace("-", " ") for path in target.glob("*.dist-info"))


def _megabytes(target: Path) -> float:
    return sum(path.stat().st_size for path in target.rglob("*") if path.is_file()) / 1e6


def _install(target: Path) -> Run:
    return run([sys.executable, *_INSTALL, "--target", str(target)])


def _import(target: Path) -> Run:
    """Start a Python that has only the standard library and the target folder, which keeps its compiled files."""
    code = f"import sys; sys.path.insert(0, {str(target)!r}); import waypost.build.pipeline"
    return run([sys.executable, "-S", "-c", code], {"PYTHONPYCACHEPREFIX": ""})


if __name__ == "__main__":
    main()
