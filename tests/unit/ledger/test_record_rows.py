"""What pages say of themselves is stored without their names, and is restored."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from waypost.ledger.record_rows import RecordRow, dump_rows, load_rows
from waypost.rules.html_head import Head

KEYS = st.lists(st.text('ab./%\1\n"é', max_size=5) | st.sampled_from(["null", "canonicals.html", "a/index.html"]))


def row(*canonicals: str) -> RecordRow:
    return RecordRow(Head(canonicals=canonicals) if canonicals else None)


@pytest.mark.parametrize(
    ("key", "url"),
    [
        ("blog/first.html", "https://example.org/blog/first"),
        ("blog/first/index.html", "https://example.org/blog/first/"),
        ("first.tar.gz", "/archive/first"),
        ("blog/first", "../blog/first"),
        ("blog/f\u00fcrst.html", "/f%C3%BCrst.html"),
    ],
)
def test_a_byte_stands_for_the_name_of_the_page_or_its_folder(key: str, url: str) -> None:
    (line,) = dump_rows([row(url)], [key])
    assert b"\1" in line
    assert b"rst" not in line
    assert load_rows([line], [key]) == [row(url)]


@pytest.mark.parametrize("key", ["", "blog/", "blog/.hidden", "index.html"])
def test_a_key_without_a_name_changes_nothing(key: str) -> None:
    (line,) = dump_rows([row("/blog/")], [key])
    assert line == b'[{"canonicals":["/blog/"]},null,null]'
    assert load_rows([line], [key]) == [row("/blog/")]


def test_there_are_no_lines_without_rows() -> None:
    assert dump_rows([], ["a", "b"]) == []
    assert load_rows([], ["a", "b"]) == []


@given(KEYS, st.data())
def test_every_row_is_restored(keys: list[str], data: st.DataObject) -> None:
    texts = st.text(max_size=3) | st.sampled_from([*keys, "x"])
    rows = [row(*data.draw(st.lists(texts, max_size=2))) for _ in keys]
    lines = dump_rows(rows, keys)
    assert not any(b"\n" in line or b"\0" in line for line in lines)
    assert load_rows(lines, keys) == rows
