from datetime import UTC, datetime, timedelta, timezone

import pytest
from hypothesis import given
from hypothesis import strategies as st
from unit.validate.given import shown

from waypost.validate import w3c_dates
from waypost.validate.w3c_dates import DateRange

DAY = 86_400
NOW = datetime(2026, 3, 2, 12, tzinfo=UTC).timestamp()


@pytest.mark.parametrize(
    ("text", "begins", "lasts"),
    [
        ("2005", datetime(2005, 1, 1, tzinfo=UTC), 366 * DAY),
        ("2005-05", datetime(2005, 5, 1, tzinfo=UTC), 31 * DAY),
        ("2005-05-10", datetime(2005, 5, 10, tzinfo=UTC), DAY),
        ("2005-05-10T17:33+08:00", datetime(2005, 5, 10, 9, 33, tzinfo=UTC), 60),
        ("2005-05-10T17:33Z", datetime(2005, 5, 10, 17, 33, tzinfo=UTC), 60),
        ("2005-05-10T17:33:09Z", datetime(2005, 5, 10, 17, 33, 9, tzinfo=UTC), 1),
        ("2005-05-10T17:33:09.25-03:30", datetime(2005, 5, 10, 21, 3, 9, tzinfo=UTC), 1),
        ("2004-02-29", datetime(2004, 2, 29, tzinfo=UTC), DAY),
        ("0001-01-01T00:00:00Z", datetime(1, 1, 1, tzinfo=UTC), 1),
        ("9999-12-31T23:59:59Z", datetime(9999, 12, 31, 23, 59, 59, tzinfo=UTC), 1),
    ],
)
def test_each_form_of_a_w3c_datetime_is_read(text: str, begins: datetime, lasts: float) -> None:
    assert w3c_dates.parse_w3c_date(text) == DateRange(begins.timestamp(), begins.timestamp() + lasts)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "1 March 2026",
        "01/03/2026",
        "20260301",
        "26-03-01",
        "2026-3-1",
        "2026-03-01 12:00:00",
        "2026-03-01T12:00:00",
        "2026-03-01T12Z",
        "2026-03-01T12:00:00+0000",
        "2026-03-01t12:00:00z",
        "2026-03-01T12:00:00.Z",
        " 2026-03-01",
        "2026-03-01\n",
        "٢٠٢٦-03-01",
        f"2026-03-01T12:00:00.{'0' * 100}Z",
        "2" * 1_000_000,
    ],
    ids=shown,
)
def test_any_other_form_is_told(text: str) -> None:
    assert w3c_dates.parse_w3c_date(text) == "date-form"


@pytest.mark.parametrize(
    "text",
    [
        "0000",
        "2026-00",
        "2026-13",
        "2026-02-30",
        "2026-02-29",
        "2026-04-31",
        "2026-03-01T24:00Z",
        "2026-03-01T23:60Z",
        "2026-03-01T23:59:60Z",
        "2026-03-01T12:00+24:00",
        "2026-03-01T12:00+01:60",
        "2026-03-01T12:00-99:99",
    ],
)
def test_a_time_that_no_calendar_has_is_impossible(text: str) -> None:
    assert w3c_dates.parse_w3c_date(text) == "date-impossible"


OFFSETS = st.integers(-14 * 60, 14 * 60).map(lambda minutes: timezone(timedelta(minutes=minutes)))


@given(st.datetimes(datetime(1900, 1, 1), datetime(2100, 1, 1), timezones=OFFSETS))
def test_a_datetime_of_iso_8601_with_a_zone_is_read_to_its_second(time: datetime) -> None:
    read = w3c_dates.parse_w3c_date(time.isoformat())
    assert isinstance(read, DateRange)
    assert read.start == time.replace(microsecond=0).timestamp()


@given(st.dates().map(str))
def test_every_day_is_read(text: str) -> None:
    assert isinstance(w3c_dates.parse_w3c_date(text), DateRange)


@given(st.one_of(st.text(max_size=30), st.from_regex(r"\d{4}(-\d\d){0,2}(T\d\d:\d\d(:\d\d)?(Z|[+-]\d\d:\d\d))?")))
def test_whatever_a_date_holds_it_is_judged(text: str) -> None:
    read = w3c_dates.parse_w3c_date(text)
    assert read in ("date-form", "date-impossible") or (isinstance(read, DateRange) and read.start < read.end)


@pytest.mark.parametrize(
    ("text", "is_future"),
    [
        ("2026-03-02T12:00:00Z", False),
        ("2026-03-02T12:05:00Z", False),
        ("2026-03-02T12:05:01Z", True),
        ("2026-03-02T20:00:00+08:00", False),
        ("2026-03-02T12:00:00-08:00", True),
        ("2026-03-02", False),
        ("2026-03-03", False),
        ("2026-03-04", True),
        ("2026-03", False),
        ("2026-04", True),
        ("2026", False),
        ("2027", True),
    ],
)
def test_a_date_in_the_future_is_distrusted_where_it_lies_ahead_in_every_zone(text: str, is_future: bool) -> None:
    read = w3c_dates.parse_w3c_date(text)
    assert isinstance(read, DateRange)
    assert w3c_dates.is_range_future(read, NOW) is is_future
