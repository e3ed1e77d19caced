"""Prints annotations for the GitHub runner, and writes to the files that it reads.

Source: GitHub, "Workflow commands". Messages escape `%`, CR and LF; properties also escape `:` and `,`.
"""

import sys
from collections.abc import Mapping
from pathlib import Path

from waypost.core.inert_text import visible, without_commands


def annotate(level: str, message: str, *, title: str = "", file: str = "", line: int | None = None) -> None:
    """Print an annotation for the run's page, at a file's line if they are given.

    `level` is notice, warning or error.
    """
    properties = {"file": file, "line": str(line or ""), "title": title}
    shown = ",".join(f"{name}={_property(value)}" for name, value in properties.items() if value)
    sys.stdout.write(f"::{level}{' ' + shown if shown else ''}::{_data(message)}\n")
    sys.stdout.flush()


def write_summary(environ: Mapping[str, str], markdown: str) -> None:
    """Append Markdown to the job's summary, in a workflow."""
    append(environ, "GITHUB_STEP_SUMMARY", markdown)


def append(environ: Mapping[str, str], variable: str, text: str) -> None:
    """Append a text to the file that a variable of the runner names, if there is one."""
    path = environ.get(variable)
    if path:
        with Path(path).open("a", encoding="utf-8", errors="backslashreplace") as file:
            file.write(text)


def _data(text: str) -> str:
    shown = visible(text.replace("\r\n", "\n"))
    return without_commands(shown.replace("%", "%25").replace("\n", "%0A"))


def _property(text: str) -> str:
    return _data(text).replace(":", "%3A").replace(",", "%2C")
