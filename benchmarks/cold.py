"""Measures how long the AWS function takes to start, compared with boto3's client alone.

Each run is a new interpreter with compiled bytecode, which is the best case of a function's start.
"""

import argparse
import os
import subprocess
import sys
import tempfile
from pathlib import Path
from statistics import median

from measure import ROOT, Report, decision, environment

_ROUNDS = 15
_CLIENT = "import boto3; boto3.client('s3')"
_FUNCTION = "import handler, os; from waypost.aws.process import Process; Process(os.environ).function()"
_TIMED = "import time; began = time.perf_counter()\n{work}\nprint((time.perf_counter() - began) * 1_000)"
_IMPORTED = "\nimport sys; print(*(name for name in {names!r} if name in sys.modules))"
_LATE = ("click", "jinja2", "isal", "waypost.build.pipeline", "waypost.build.lister", "waypost.build.plan")
_VARIABLES = {
    "AWS_ACCESS_KEY_ID": "x",
    "AWS_SECRET_ACCESS_KEY": "x",
    "AWS_DEFAULT_REGION": "us-east-1",
    "WAYPOST_SOURCE": "s3://site/",
    "WAYPOST_STATE": "s3://state/",
    "WAYPOST_BASE_URL": "https://www.example.org/",
}


def main() -> None:
    """Build the package, and time both alternately."""
    argparse.ArgumentParser(description=__doc__).parse_args()
    with tempfile.TemporaryDirectory() as name:
        package = [sys.executable, str(ROOT / "lambda" / "package.py"), "--output", name]
        python = f"{sys.version_info.major}.{sys.version_info.minor}"
        subprocess.run([*package, "--python", python], check=True, capture_output=True)
        task = Path(name) / "lambda"
        runs = {work: [_milliseconds(task, work)] for work in (_CLIENT, _FUNCTION)}
        for _ in range(_ROUNDS):
            for work, figures in runs.items():
                figures.append(_milliseconds(task, work))
        late = _run(task, _FUNCTION + _IMPORTED.format(names=_LATE)).split()
    client, function = (median(figures[1:]) for figures in runs.values())
    report = Report("cold", "Starting the function")
    ratio = function / client
    report.table(
        ["", "ms", "of boto3's client", "target: 1.5"],
        [
            ["a client for S3, by boto3", f"{client:.0f}", "1.00", ""],
            ["the function, ready for an event", f"{function:.0f}", f"{ratio:.2f}", decision(ratio, 1.5)],
        ],
    )
    report.text(f"Medians of {_ROUNDS} alternating runs after a warm-up. The function's time includes its client.")
    report.text(f"Imported before an event needs it, of {', '.join(_LATE)}: {', '.join(late) or 'none'}.")
    report.write()


def _milliseconds(task: Path, work: str) -> float:
    return float(_run(task, _TIMED.format(work=work)))


def _run(task: Path, program: str) -> str:
    variables = {**environment(), **_VARIABLES, "PYTHONPATH": str(task), "HOME": os.devnull}
    done = subprocess.run(
        [sys.executable, "-c", program], check=True, capture_output=True, text=True, env=variables, cwd=task
    )
    return done.stdout


if __name__ == "__main__":
    main()
