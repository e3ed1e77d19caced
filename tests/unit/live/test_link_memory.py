"""Answers for links that are remembered from one run to the next."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path

import pytest

from waypost.live.answer import Answer
from waypost.live.link_memory import LinkMemory

DAY = 86_400.0
NOON = 20_000 * DAY + DAY / 2
URL = "https://other.example/"


def test_an_answer_is_remembered(tmp_path: Path) -> None:
    for _ in range(2):
        with closing(LinkMemory(tmp_path / "answers")) as memory:
            memory.remember(URL, Answer(status=200), NOON)
    with closing(LinkMemory(tmp_path / "answers")) as memory:
        known = memory.of(URL)
        assert known is not None
        assert (known.asked, known.answer.status, known.missing_since) == (NOON, 200, None)
        assert memory.of("https://unknown.example/") is None


@pytest.mark.parametrize(
    ("answers", "is_missing_for_days"),
    [
        ([(404, 0)], False),
        ([(404, 0), (404, 0.4)], False),
        ([(404, 0), (410, 0.6)], True),
        ([(404, 0), (404, 3)], True),
        ([(404, 0), (200, 1), (404, 2)], False),
        ([(404, 0), (500, 1), (404, 2)], False),
        ([(200, 0), (404, 1)], False),
        ([(404, 0), (404, 1), (200, 2)], False),
    ],
)
def test_a_url_is_missing_for_days_if_it_was_on_two_days_in_a_row_of_answers(
    answers: list[tuple[int, float]], is_missing_for_days: bool
) -> None:
    with closing(LinkMemory(None)) as memory:
        for status, days in answers:
            known = memory.remember(URL, Answer(status=status), NOON + days * DAY)
        assert known.is_missing_for_days == is_missing_for_days


def test_urls_that_no_page_names_any_more_are_forgotten(tmp_path: Path) -> None:
    with closing(LinkMemory(tmp_path / "answers")) as memory:
        for n in range(120):
            memory.remember(f"{URL}{n}", Answer(status=200), NOON)
        memory.keep_only([f"{URL}7"])
    with closing(LinkMemory(tmp_path / "answers")) as memory:
        assert [n for n in range(120) if memory.of(f"{URL}{n}")] == [7]
