"""Lays out a squarified treemap: nearly square cells whose areas show numbers (Bruls, Huizing, van Wijk, 2000)."""

from collections.abc import Iterator, Sequence
from typing import NamedTuple


class Cell(NamedTuple):
    """A rectangle: its upper left corner, its width and its height."""

    x: float
    y: float
    width: float
    height: float


def cells(values: Sequence[float], width: float, height: float) -> list[Cell]:
    """A cell for each value, in the same order; the values are positive, and sorted with the largest first."""
    total = sum(values)
    areas = [value * width * height / total for value in values]
    return list(_lay_out(areas, Cell(0, 0, width, height)))


def _lay_out(areas: Sequence[float], free: Cell) -> Iterator[Cell]:
    """Fill one row after another along the shorter side; add areas to a row while that makes its cells more square."""
    start = 0
    while start < len(areas):
        side = min(free.width, free.height)
        stop = start + 1
        while stop < len(areas) and _is_squarer(areas[start : stop + 1], areas[start:stop], side):
            stop += 1
        row = areas[start:stop]
        yield from _row(row, free)
        free = _remaining(sum(row), free)
        start = stop


def _is_squarer(row: Sequence[float], other: Sequence[float], side: float) -> bool:
    """Whether the least square cell of a row is at least as square as that of another row."""
    return _worst_ratio(row, side) <= _worst_ratio(other, side)


def _worst_ratio(row: Sequence[float], side: float) -> float:
    """The ratio of the sides of the cell of a row that is least square."""
    total = sum(row)
    return max(side * side * max(row) / (total * total), total * total / (side * side * min(row)))


def _row(row: Sequence[float], free: Cell) -> Iterator[Cell]:
    total, offset = sum(row), 0.0
    for area in row:
        if free.width >= free.height:
            length = area / total * free.height
            yield Cell(free.x, free.y + offset, total / free.height, length)
        else:
            length = area / total * free.width
            yield Cell(free.x + offset, free.y, length, total / free.width)
        offset += length


def _remaining(area: float, free: Cell) -> Cell:
    if free.width >= free.height:
        used = area / free.height
        return Cell(free.x + used, free.y, max(free.width - used, 1e-9), free.height)
    used = area / free.width
    return Cell(free.x, free.y + used, free.width, max(free.height - used, 1e-9))
