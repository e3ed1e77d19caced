from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from waypost.report.treemap import Cell, cells

VALUES = st.lists(st.integers(1, 1_000_000), min_size=1, max_size=25).map(lambda found: sorted(found, reverse=True))
SIDES = st.tuples(st.integers(50, 2_000), st.integers(50, 2_000))


def overlap(one: Cell, other: Cell) -> float:
    width = min(one.x + one.width, other.x + other.width) - max(one.x, other.x)
    height = min(one.y + one.height, other.y + other.height) - max(one.y, other.y)
    return max(width, 0) * max(height, 0)


@given(VALUES, SIDES)
def test_areas_are_as_the_values_are_and_fill_the_room(values: list[int], sides: tuple[int, int]) -> None:
    room = sides[0] * sides[1]
    made = cells(values, *sides)
    assert len(made) == len(values)
    for value, cell in zip(values, made, strict=True):
        assert cell.width * cell.height == pytest.approx(room * value / sum(values), rel=1e-6, abs=1e-3)
    assert sum(cell.width * cell.height for cell in made) == pytest.approx(room)


@given(VALUES, SIDES)
def test_cells_lie_in_the_room(values: list[int], sides: tuple[int, int]) -> None:
    width, height = sides
    for cell in cells(values, width, height):
        assert min(cell.x, cell.y) >= 0
        assert min(cell.width, cell.height) > 0
        assert cell.x + cell.width <= width + 1e-6
        assert cell.y + cell.height <= height + 1e-6


@given(VALUES, SIDES)
def test_no_two_cells_overlap(values: list[int], sides: tuple[int, int]) -> None:
    for one, other in combinations(cells(values, *sides), 2):
        assert overlap(one, other) < 1e-3


def test_one_value_is_the_whole_room() -> None:
    assert cells([7], 300, 200) == [Cell(0, 0, 300, 200)]


def test_equal_values_are_nearly_square() -> None:
    for cell in cells([1] * 12, 400, 300):
        assert cell.width / cell.height == pytest.approx(1)


def test_the_cells_of_the_paper_that_describes_them_are_those_of_the_paper() -> None:
    made = cells([6, 6, 4, 3, 2, 2, 1], 6, 4)
    assert [(round(cell.width, 2), round(cell.height, 2)) for cell in made] == [
        (3, 2),
        (3, 2),
        (1.71, 2.33),
        (1.29, 2.33),
        (1.2, 1.67),
        (1.2, 1.67),
        (0.6, 1.67),
    ]


def test_no_value_has_no_cell() -> None:
    assert cells([], 300, 200) == []
