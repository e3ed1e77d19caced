"""Writes a step's outputs and the job's summary into the files that the GitHub runner reads.

Source: GitHub, "Workflow commands".
"""

from collections.abc import Mapping
from pathlib import Path
from uuid import uuid4


def write_outputs(environ: Mapping[str, str], outputs: Mapping[str, str]) -> None:
    """Set the step's outputs; a value may have several lines."""
    lines = []
    for name, value in outputs.items():
        delimiter = f"end-{uuid4().hex}"
        lines.append(f"{name}<<{delimiter}\n{value}\n{delimiter}\n")
    _append(environ, "GITHUB_OUTPUT", "".join(lines))


def write_summary(environ: Mapping[str, str], markdown: str) -> None:
    """Append Markdown to the job's summary."""
    _append(environ, "GITHUB_STEP_SUMMARY", markdown)


def _append(environ: Mapping[str, str], variable: str, text: str) -> None:
    path = environ.get(variable)
    if path:
        with Path(path).open("a", encoding="utf-8", errors="backslashreplace") as file:
            file.write(text)
