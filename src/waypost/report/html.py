"""A site's report: one HTML page that holds all it needs, for its owner's browser."""

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

import msgspec

from waypost.core.reasons import REASONS
from waypost.report.overview import Overview
from waypost.report.treemap import cells
from waypost.sitemaps.render import Renderer

_SECTIONS = 24
"""So many cells of the map can be told from each other; what is behind them is one more."""
_SHAPES = (("wide", 960, 380), ("narrow", 340, 420))
_LETTER, _LINE = 8.2, 18
"""How much room a label's letter and line take, in the map's units."""


class TreemapCell(NamedTuple):
    """A section as a cell of the map, with as much of its label as fits in."""

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
    """A bar of the histogram, its height in hundredths of the highest."""

    name: str
    pages: int
    height: float


def render_report(overview: Overview, renderer: Renderer) -> bytes:
    """The report's page; raises RenderError."""
    sections = _sections(overview)
    highest = max([*overview.ages.values(), 1])
    values: dict[str, Any] = {
        "overview": overview,
        "maps": [(name, w, h, list(_parts(sections, w, h))) for name, w, h in _SHAPES] if sections else [],
        "sections": sections,
        "bars": [AgeBar(name, count, 100 * count / highest) for name, count in overview.ages.items()],
        "meanings": {str(reason): reason.meaning for reason in REASONS.values()},
        "rows": _embedded([(row.key, row.reason, row.detail) for row in overview.rows]),
    }
    return renderer.text("report.html.j2", **values)


def _sections(overview: Overview) -> list[tuple[str, int]]:
    found = sorted(overview.sections.items(), key=lambda each: (-each[1], each[0]))
    shown, rest = found[:_SECTIONS], sum(count for _, count in found[_SECTIONS:])
    return [*shown, *([(f"{len(found) - _SECTIONS:,} more", rest)] if rest else [])]


def _parts(sections: Sequence[tuple[str, int]], width: int, height: int) -> Iterator[TreemapCell]:
    ordered = sorted(sections, key=lambda each: -each[1])
    total = sum(count for _, count in ordered)
    for (name, count), cell in zip(ordered, cells([count for _, count in ordered], width, height), strict=True):
        letters = int((cell.width - 12) / _LETTER)
        has_room = letters >= 3 and cell.height >= _LINE + 6
        label = (name if len(name) <= letters else f"{name[: letters - 1]}…") if has_room else ""
        shows_count = bool(label) and cell.height >= 2 * _LINE + 8 and len(f"{count:,}") <= letters
        x, y, wide, high = (round(side, 1) for side in cell)
        yield TreemapCell(name, count, count / total, x, y, wide, high, label, shows_count)


def _embedded(value: Any) -> str:
    """A value as JSON that may stand in a script element (HTML, "Restrictions for contents of script elements")."""
    return msgspec.json.encode(value).decode().replace("<", "\\u003c").replace("\u2028", "\\u2028")
