"""Dates as Ruby reads them; the expected times are those that Ruby 3.1 gave."""

from datetime import UTC, date, datetime, timedelta, timezone
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from waypost.pages.jekyll_ruby_dates import parse_time


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
