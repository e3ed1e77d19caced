"""Front matter: where it begins and ends, and what follows if it cannot be read.

The expected times are those that Ruby 3.1 gave.
"""

from datetime import UTC, date, datetime, timedelta, timezone
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from waypost.core.data_files import YamlError
from waypost.pages.jekyll_front_matter import (
    JekyllFrontMatter,
    has_header,
    load_yaml,
    may_have_front_matter,
    parse_time,
    read_front_matter,
)


@pytest.mark.parametrize(
    ("data", "expected"),
    [(b"---\n", True), (b"---  \r\n", True), (b"----\n", False), (b"\n---\n", False), (b"\xef\xbb\xbf---\n", False)],
)
def test_a_header_is_a_first_line_of_three_hyphens(data: bytes, expected: bool) -> None:
    assert has_header(data) is expected


def test_a_byte_order_mark_hides_the_header_but_not_the_front_matter() -> None:
    assert may_have_front_matter(b"\xef\xbb\xbf---\n")
    assert read_front_matter(b"\xef\xbb\xbf---\na: 1\n---\nx").values == {"a": 1}


@pytest.mark.parametrize(
    ("data", "values", "content"),
    [
        (b"---\na: 1\n---\ntext", {"a": 1}, "text"),
        (b"---\r\na: 1\r\n---\r\ntext", {"a": 1}, "text"),
        (b"---\na: 1\n...\ntext", {"a": 1}, "text"),
        (b"---\na: 1\n--- \n\ntext", {"a": 1}, "text"),
        (b"---\na: 1\ntext", {}, "---\na: 1\ntext"),
        (b"---\na: 1\n----\n---\ntext", None, "text"),
        (b"---\n1: x\n---\n", {"1": "x"}, ""),
    ],
)
def test_the_block_ends_at_a_line_of_hyphens_or_dots(data: bytes, values: dict[str, object], content: str) -> None:
    front = read_front_matter(data)
    assert front.content == content
    assert front.values == (values or {})
    assert bool(front.problem) is (values is None)


@pytest.mark.parametrize(
    ("data", "problem"),
    [
        (b"---\na: [\n---\nx", "line 3"),
        (b"---\n- a\n---\nx", "no names with values"),
        (b"---\na: \xff\n---\nx", "not UTF-8 (byte 8)"),
    ],
)
def test_what_cannot_be_read_is_a_problem_and_no_values(data: bytes, problem: str) -> None:
    front = read_front_matter(data)
    assert front.values == {}
    assert problem in front.problem


def test_an_empty_file_has_nothing() -> None:
    assert read_front_matter(b"") == JekyllFrontMatter({})


@pytest.mark.parametrize(
    "data",
    [
        b"---\n" + b"\n" * 1_000_000 + b"x",
        b"---\n" + b"---   x\n" * 200_000,
        b"---\n" + b"---" + b"\t\r" * 300_000 + b"x",
    ],
)
def test_lines_that_end_no_front_matter_are_read_once(data: bytes) -> None:
    assert read_front_matter(data).values == {}


@pytest.mark.parametrize(
    ("line", "problem"),
    [
        ("categories: &a [*a, b]", "a contains itself"),
        ("permalink: &b {x: *b}", "b contains itself"),
        ("title: " + "[" * 50_000, "nested more than 64 levels deep"),
        ("title: &a [x]\ntags: &b [" + "*a," * 100_000 + "]", "too many nodes"),
    ],
)
def test_values_over_a_limit_are_a_problem(line: str, problem: str) -> None:
    front = read_front_matter(f"---\n{line}\n---\ntext".encode())
    assert (front.values, front.content) == ({}, "text")
    assert problem in front.problem


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("2024-02-30", "2024-02-30"),
        ("2024-05-01", date(2024, 5, 1)),
        ("2024-05-01 10:00:00 +02:00", datetime(2024, 5, 1, 8, tzinfo=UTC)),
        (":title", ":title"),
        ("=", "="),
        ("yes", True),
        ("y", "y"),
        ("010", 8),
        ("!own text", "text"),
        ("!own [1]", [1]),
        ("!own {a: 1}", {"a": 1}),
        ("~", None),
    ],
)
def test_values_are_those_that_jekyll_gets(text: str, value: object) -> None:
    assert load_yaml(f"key: {text}") == {"key": value}


@pytest.mark.parametrize(("text", "line"), [("a: 1\nb: [", 3), ("a: 1\n\tb: 2\n", 2), ("a: \x00", 1)])
def test_text_that_is_not_yaml_is_an_error_with_its_line(text: str, line: int) -> None:
    with pytest.raises(YamlError) as raised:
        load_yaml(text)
    assert raised.value.line == line
    assert raised.value.problem


def test_code_in_a_tag_is_never_run() -> None:
    assert load_yaml("a: !!str 1") == {"a": "1"}
    with pytest.raises(YamlError):
        load_yaml("a: !!python/object/apply:os.getcwd []")


@pytest.mark.parametrize(
    ("text", "time"),
    [
        ("2024-02-30", "2024-03-01T00:00:00"),
        ("24-1-5", "2024-01-05T00:00:00"),
        ("69-1-1", "1969-01-01T00:00:00"),
        ("124-01-05", "0124-01-05T00:00:00"),
        ("01/05/2024", "2024-05-01T00:00:00"),
        ("May 1, 2024", "2024-05-01T00:00:00"),
        ("2024-05-01 12:00 AM", "2024-05-01T00:00:00"),
        ("2024-05-01 11pm", "2024-05-01T23:00:00"),
        ("2024-05-01T10:00:00+0200", "2024-05-01T08:00:00"),
        ("2024-05-01 10:00:00 -5", "2024-05-01T10:00:00"),
        ("Wed, 01 May 2024 12:00:00 +0000", "2024-05-01T12:00:00"),
        ("20240501", "2024-05-01T00:00:00"),
        ("2024-05-01 24:00:00", "2024-05-02T00:00:00"),
        ("2024-05-01 10:00 EST", "2024-05-01T15:00:00"),
        ("2024-5-1 9:5", "2024-05-01T09:05:00"),
    ],
)
def test_a_text_is_the_time_that_ruby_reads(text: str, time: str) -> None:
    assert parse_time(text, UTC) == datetime.fromisoformat(time).replace(tzinfo=UTC)


@pytest.mark.parametrize("text", ["", "05/13/2024", "2024-13-01", "2024-05-32", "12:00"])
def test_what_is_no_date_is_an_error(text: str) -> None:
    with pytest.raises(ValueError, match=r"\w"):
        parse_time(text, UTC)


def test_a_time_without_a_zone_is_utc_as_a_value_and_local_as_a_text() -> None:
    zone = ZoneInfo("America/New_York")
    assert parse_time(datetime(2024, 1, 1, 3), zone).isoformat() == "2023-12-31T22:00:00-05:00"
    assert parse_time("2024-01-01 03:00", zone).isoformat() == "2024-01-01T03:00:00-05:00"
    assert parse_time(date(2024, 1, 1), zone).isoformat() == "2024-01-01T00:00:00-05:00"


@given(st.datetimes(min_value=datetime(1000, 1, 1), max_value=datetime(9000, 1, 1)))
def test_a_time_in_iso_form_is_read_back(time: datetime) -> None:
    assert parse_time(f"{time:%Y-%m-%d %H:%M:%S} UTC", UTC) == time.replace(microsecond=0, tzinfo=UTC)


@pytest.mark.parametrize(
    "value",
    [
        "jan" * 100_000,
        "1 - " * 100_000 + "2020-01-01 1:1" + " " * 100_000,
        "9999-12-31 99:00",
        datetime(1, 1, 1, tzinfo=timezone(timedelta(hours=10))),
        datetime(9999, 12, 31, 23, tzinfo=timezone(timedelta(hours=-10))),
    ],
)
def test_a_date_out_of_all_bounds_is_none(value: object) -> None:
    with pytest.raises(ValueError, match=r"not a date|not in the years 1 to 9999"):
        parse_time(value, UTC)
