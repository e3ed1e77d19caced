"""When a run would remove too much, and how the error says so."""

from __future__ import annotations

import pytest

from waypost.core.removals import is_too_much, removal_error


@pytest.mark.parametrize(
    ("removed", "listed", "max_removed", "is_refused"),
    [(10, 20, 50, False), (11, 20, 50, True), (19, 19, 50, False), (1, 20, 0, True)],
)
def test_more_than_the_allowed_share_of_at_least_twenty_pages_is_too_much(
    removed: int, listed: int, max_removed: int, is_refused: bool
) -> None:
    assert is_too_much(removed, listed, max_removed) == is_refused


def test_the_error_has_ten_examples_the_reasons_by_frequency_and_the_advice() -> None:
    error = removal_error("pages", 1_200, 2_000, 50, [f"p{n}" for n in range(12)], ["a", "b", "b"], ["do this"])
    assert str(error).split("\n  ") == [
        "1,200 of the 2,000 pages would no longer be listed (60%, and max_removed is 50), so nothing was written:",
        *(f"p{n}" for n in range(10)),
        "… and 1,190 more",
        "why: 2 b, 1 a",
        "do this",
    ]


def test_the_error_needs_neither_examples_nor_reasons() -> None:
    assert str(removal_error("pages", 30, 40, 50)) == (
        "30 of the 40 pages would no longer be listed (75%, and max_removed is 50), so nothing was written"
    )


def test_control_characters_of_an_example_are_shown() -> None:
    assert "a\\x07.html" in str(removal_error("pages", 30, 40, 50, ["a\x07.html"]))
