"""Answers for links that are remembered from one run to the next."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from waypost.core.errors import StoreError
from waypost.live.answer import Answer
from waypost.live.link_memory import LinkMemory

DAY = 86_400.0
NOON = 20_000 * DAY + DAY / 2
URL = "https://other.example/"


def test_an_answer_is_remembered(tmp_path: Path) -> None:
    for _ in range(2):
        with closing(LinkMemory(tmp_path / "answers")) as memory:
            memory.record(URL, Answer(status=200), NOON)
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
            known = memory.record(URL, Answer(status=status), NOON + days * DAY)
        assert known.is_missing_for_days == is_missing_for_days


def test_urls_that_no_page_names_any_more_are_forgotten(tmp_path: Path) -> None:
    with closing(LinkMemory(tmp_path / "answers")) as memory:
        for n in range(120):
            memory.record(f"{URL}{n}", Answer(status=200), NOON)
        memory.keep_only([f"{URL}7"])
    with closing(LinkMemory(tmp_path / "answers")) as memory:
        assert [n for n in range(120) if memory.of(f"{URL}{n}")] == [7]


def test_a_damaged_answer_is_none(tmp_path: Path) -> None:
    with closing(LinkMemory(tmp_path / "answers")) as memory:
        memory.record(URL, Answer(status=200), NOON)
    with closing(sqlite3.connect(tmp_path / "answers")) as database, database:
        database.execute("update answers set known = x'ff'")
    with closing(LinkMemory(tmp_path / "answers")) as memory:
        assert memory.of(URL) is None


@pytest.mark.parametrize("content", [b"no database, but text that is long enough" * 99, None])
def test_a_file_of_another_kind_is_an_error_and_stays(tmp_path: Path, content: bytes | None) -> None:
    path = tmp_path / "other"
    if content is None:
        with closing(sqlite3.connect(path)) as database, database:
            database.execute("create table x (y)")
    else:
        path.write_bytes(content)
    before = path.read_bytes()
    with pytest.raises(StoreError, match="other"):
        LinkMemory(path)
    assert path.read_bytes() == before


def test_a_file_without_its_table_is_an_error(tmp_path: Path) -> None:
    with closing(LinkMemory(tmp_path / "answers")):
        pass
    with closing(sqlite3.connect(tmp_path / "answers")) as database, database:
        database.execute("drop table answers")
        database.execute("create table other (x)")
    with closing(LinkMemory(tmp_path / "answers")) as memory, pytest.raises(StoreError, match="cannot be used"):
        memory.of(URL)
