"""Reads what a Jupyter notebook shows: the text of its cells and of their outputs, not how it was run."""

import json
import re
from collections.abc import Iterator
from typing import Any

ENDING = ".ipynb"
_HIDDEN = re.compile(r"\s*#\s?\|\s*(?:hide|exporti?|exports|default_exp|include:\s*false)\b")
"""A cell of which neither code nor outputs are shown (nbdev, "Directives"; Quarto, "Execution Options")."""
_SHOWN_TYPES = ("text/markdown", "text/html", "text/latex", "text/plain")
"""The types of an output that are text, the one first that is shown before the others (nbformat 4, "Display data")."""


def shown(data: bytes) -> bytes | None:
    """The text that a notebook shows, a paragraph for each cell and output; None of what is no notebook."""
    try:
        cells = json.loads(data).get("cells", [])
        return "\n\n".join(text for cell in cells for text in _of_cell(cell)).encode("utf-8", "replace")
    except (ValueError, TypeError, AttributeError, RecursionError):
        return None


def _of_cell(cell: dict[str, Any]) -> Iterator[str]:
    text = _joined(cell.get("source"))
    if cell.get("cell_type") == "code" and _HIDDEN.match(text):
        return
    yield text if cell.get("cell_type") != "code" else f"```\n{text}\n```"
    for output in cell.get("outputs") or ():
        of_types = output.get("data") or {"text/plain": output.get("text")}
        yield next((_joined(of_types[each]) for each in _SHOWN_TYPES if each in of_types), "")


def _joined(lines: Any) -> str:
    """A text that is written as one, or as a list of its lines."""
    return "".join(map(str, lines)) if isinstance(lines, list) else str(lines or "")
