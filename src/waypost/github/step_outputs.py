"""Writes a step's outputs into the file that the GitHub runner reads.

Source: GitHub, "Workflow commands".
"""

from collections.abc import Mapping
from uuid import uuid4

from waypost.app.workflow_commands import append


def write_outputs(environ: Mapping[str, str], outputs: Mapping[str, str]) -> None:
    """Set the step's outputs; a value may have several lines."""
    lines = []
    for name, value in outputs.items():
        delimiter = f"end-{uuid4().hex}"
        lines.append(f"{name}<<{delimiter}\n{value}\n{delimiter}\n")
    append(environ, "GITHUB_OUTPUT", "".join(lines))
