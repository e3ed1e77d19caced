"""Numbers as areas: rectangles that fill a larger one, each nearly square (Bruls, Huizing, van Wijk, 2000)."""

from collections.abc import Iterator, Sequence
from typing import NamedTuple


class Cell(NamedTuple):
    """A rectangle, its upper left corner first."""

    x: float
    y: float
    width: float
    height: float


def cells(values: Sequence[float], width: float, height: float) -> list[Cell]:
    """A cell for each of some positive values, which stand from the largest to the least, in their order."""
    total = sum(values)
    areas = [value * width * height / total for value in values]
    return list(_filled(areas, Cell(0, 0, width, height)))


def _filled(areas: Sequence[float], room: Cell) -> Iterator[Cell]:
    """Row after row along the shorter side, each as long as its cells grow squarer by it."""
    start = 0
    while start < len(areas):
        side = min(room.width, room.height)
        stop = start + 1
        while stop < len(areas) and _worst(areas[start : stop + 1], side) <= _worst(areas[start:stop], side):
            stop += 1
        row = areas[start:stop]
        yield from _row(row, room)
        room = _rest(sum(row), room)
        start = stop


def _worst(row: Sequence[float], side: float) -> float:
    """The ratio of the sides of the least square cell of a row."""
    total = sum(row)
    return max(side * side * max(row) / (total * total), total * total / (side * side * min(row)))


def _row(row: Sequence[float], room: Cell) -> Iterator[Cell]:
    total, at = sum(row), 0.0
    for area in row:
        if room.width >= room.height:
            length = area / total * room.height
            yield Cell(room.x, room.y + at, total / room.height, length)
        else:
            length = area / total * room.width
            yield Cell(room.x + at, room.y, length, total / room.width)
        at += length


def _rest(taken: float, room: Cell) -> Cell:
    if room.width >= room.height:
        used = taken / room.height
        return Cell(room.x + used, room.y, max(room.width - used, 1e-9), room.height)
    used = taken / room.width
    return Cell(room.x, room.y + used, room.width, max(room.height - used, 1e-9))
