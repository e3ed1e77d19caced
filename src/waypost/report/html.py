"""Renders a site's report as one HTML page that loads nothing else."""

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

import msgspec

from waypost.core.reasons import REASONS
from waypost.report.overview import Overview
from waypost.report.treemap import cells
from waypost.sitemaps.render import Renderer

_MAX_SECTIONS = 24
"""The map has at most so many cells, and one more for all other sections."""
_MAP_SIZES = (("wide", 960, 380), ("narrow", 340, 420))
_LETTER_WIDTH, _LINE_HEIGHT = 8.2, 18
"""The size of a label's letter and line, in the map's units."""


class TreemapCell(NamedTuple):
    """A section as a cell of the map; `label` is as much of its name as fits."""

    name: str
    pages: int
    share: float
    x: float
    y: float
    width: float
    height: float
    label: str
    shows_count: bool


class AgeBar(NamedTuple):
    """A bar of the histogram, with its height in percent of the highest bar."""

    name: str
    pages: int
    height: float


def render_report(overview: Overview, renderer: Renderer) -> bytes:
    """Render the report; raises RenderError."""
    sections = _sections(overview)
    highest = max([*overview.ages.values(), 1])
    values: dict[str, Any] = {
        "overview": overview,
        "maps": [(name, w, h, list(_map_cells(sections, w, h))) for name, w, h in _MAP_SIZES] if sections else [],
        "sections": sections,
        "bars": [AgeBar(name, count, 100 * count / highest) for name, count in overview.ages.items()],
        "meanings": {str(reason): reason.meaning for reason in REASONS.values()},
        "rows": _script_json([(row.key, row.reason, row.detail) for row in overview.rows]),
    }
    return renderer.text("report.html.j2", **values)


def _sections(overview: Overview) -> list[tuple[str, int]]:
    """The sections with the most pages, and one more for all others."""
    largest = sorted(overview.sections.items(), key=lambda each: (-each[1], each[0]))
    shown, rest = largest[:_MAX_SECTIONS], sum(count for _, count in largest[_MAX_SECTIONS:])
    return [*shown, *([(f"{len(largest) - _MAX_SECTIONS:,} more", rest)] if rest else [])]


def _map_cells(sections: Sequence[tuple[str, int]], width: int, height: int) -> Iterator[TreemapCell]:
    ordered = sorted(sections, key=lambda each: -each[1])
    total = sum(count for _, count in ordered)
    for (name, count), cell in zip(ordered, cells([count for _, count in ordered], width, height), strict=True):
        letters = int((cell.width - 12) / _LETTER_WIDTH)
        fits = letters >= 3 and cell.height >= _LINE_HEIGHT + 6
        label = (name if len(name) <= letters else f"{name[: letters - 1]}…") if fits else ""
        shows_count = bool(label) and cell.height >= 2 * _LINE_HEIGHT + 8 and len(f"{count:,}") <= letters
        x, y, cell_width, cell_height = (round(number, 1) for number in cell)
        yield TreemapCell(name, count, count / total, x, y, cell_width, cell_height, label, shows_count)


def _script_json(value: Any) -> str:
    """A value as JSON that is safe in a script element (HTML, "Restrictions for contents of script elements")."""
    return msgspec.json.encode(value).decode().replace("<", "\\u003c").replace("\u2028", "\\u2028")
