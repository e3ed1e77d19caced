import re
from datetime import UTC, datetime, timedelta, timezone
from typing import get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st
from unit.validate.given import shown

from waypost.core import dates
from waypost.core.dates import DateRange, count_text
from waypost.core.model import DateCount, DatedBy

DAY = 86_400
NOW = datetime(2026, 3, 2, 12, tzinfo=UTC).timestamp()
W3C_UTC = re.compile(r"\d{4}-\d{2}-\d{2}(T\d{2}:\d{2}:\d{2}Z)?", re.ASCII)
near_dates = st.from_regex(
    r"\A\s?\d{4}-\d{2}-\d{2}([T ]\d{2}:\d{2}(:\d{2}([.,]\d+)?)?\s?(Z|z|[+-]\d{2}:?\d{2})?)?\s?\Z"
)
real_dates = st.builds(
    "{}{}{}".format,
    st.dates().map(str),
    st.sampled_from(["T00:00", "T23:59:59", " 12:00:30.5"]),
    st.sampled_from(["", "Z", "+14:00", "-14:00", "+0530"]),
)
OFFSETS = st.integers(-14 * 60, 14 * 60).map(lambda minutes: timezone(timedelta(minutes=minutes)))


@pytest.mark.parametrize(
    ("text", "date"),
    [
        ("2026-03-01", "2026-03-01"),
        ("2026-03-01T12:30Z", "2026-03-01T12:30:00Z"),
        ("2026-03-01T12:30:45.999Z", "2026-03-01T12:30:45Z"),
        ("2026-03-01T12:30:45,5Z", "2026-03-01T12:30:45Z"),
        ("2026-03-01T12:30:45+02:00", "2026-03-01T10:30:45Z"),
        ("2026-03-01T00:30:00+01:00", "2026-02-28T23:30:00Z"),
        ("2025-12-31T23:30:00-03:30", "2026-01-01T03:00:00Z"),
        ("2026-03-01 12:30:45 +0000", "2026-03-01T12:30:45Z"),
        ("2026-03-01t12:30:45z", "2026-03-01T12:30:45Z"),
        ("  2026-03-01\n", "2026-03-01"),
        ("0999-05-10T12:00:00Z", "0999-05-10T12:00:00Z"),
        ("\u0662\u0660\u0662\u0664-\u0660\u0661-\u0660\u0661", None),
        ("2026-02-30", None),
        ("2026-03-01T25:00:00Z", None),
        ("2026-03-01T12:30:45+99:00", None),
        ("0001-01-01T00:00:00+14:00", None),
        ("9999-12-31T23:59:59-14:00", None),
        ("2026", None),
        ("March 1, 2026", None),
        ("2026-03-01 and more", None),
        ("2026-3-1", None),
    ],
)
def test_a_page_s_date_is_read_as_utc(text: str, date: str | None) -> None:
    assert dates.parse_page_date(text) == date


@given(st.one_of(st.text(), near_dates, real_dates))
def test_any_text_gives_a_w3c_date_in_utc_or_none(text: str) -> None:
    date = dates.parse_page_date(text)
    if date is not None:
        assert W3C_UTC.fullmatch(date)
        assert dates.parse_page_date(date) == date


@given(st.datetimes(datetime(1970, 1, 1), datetime(2999, 1, 1)))
def test_a_time_is_written_in_whole_seconds_of_utc(moment: datetime) -> None:
    moment = moment.replace(microsecond=0, tzinfo=UTC)
    written = dates.format_unix_time(int(moment.timestamp()))
    assert written == moment.isoformat().replace("+00:00", "Z")
    assert dates.parse_page_date(written) == written


@given(st.integers(0, 4_000_000_000), st.integers(0, 4_000_000_000))
def test_comparing_dates_as_text_compares_the_times(one: int, other: int) -> None:
    assert (dates.format_unix_time(one) < dates.format_unix_time(other)) == (one < other)


@pytest.mark.parametrize(
    ("date", "precision", "expected"),
    [
        ("2026-03-01T12:00:00Z", "second", "2026-03-01T12:00:00Z"),
        ("2026-03-01T12:00:00Z", "date", "2026-03-01"),
        ("2026-03-01", "second", "2026-03-01"),
        (None, "date", None),
    ],
)
def test_a_date_is_as_precise_as_the_site_asks(date: str | None, precision: str, expected: str | None) -> None:
    assert dates.at_precision(date, precision) == expected


@pytest.mark.parametrize(
    ("date", "is_future"),
    [("2026-03-01", False), ("2026-03-02", True), ("2026-03-01T12:00:00Z", False), ("2026-03-01T12:00:01Z", True)],
)
def test_a_date_is_in_the_future_if_it_is_later_than_now(date: str, is_future: bool) -> None:
    assert dates.is_future(date, "2026-03-01T12:00:00Z") is is_future


@pytest.mark.parametrize(
    ("text", "begins", "lasts"),
    [
        ("2005", datetime(2005, 1, 1, tzinfo=UTC), 366 * DAY),
        ("2005-05", datetime(2005, 5, 1, tzinfo=UTC), 31 * DAY),
        ("2005-05-10T17:33+08:00", datetime(2005, 5, 10, 9, 33, tzinfo=UTC), 60),
        ("2005-05-10T17:33:09Z", datetime(2005, 5, 10, 17, 33, 9, tzinfo=UTC), 1),
        ("2005-05-10T17:33:09.25-03:30", datetime(2005, 5, 10, 21, 3, 9, tzinfo=UTC), 1),
        ("0001-01-01T00:00:00Z", datetime(1, 1, 1, tzinfo=UTC), 1),
        ("9999-12-31T23:59:59Z", datetime(9999, 12, 31, 23, 59, 59, tzinfo=UTC), 1),
    ],
)
def test_each_form_of_a_w3c_datetime_is_read(text: str, begins: datetime, lasts: float) -> None:
    assert dates.parse_strict_w3c_date(text) == DateRange(begins.timestamp(), begins.timestamp() + lasts)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "20260301",
        "2026-3-1",
        "2026-03-01 12:00:00",
        "2026-03-01T12:00:00",
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
def test_any_other_form_is_rejected(text: str) -> None:
    assert dates.parse_strict_w3c_date(text) == "date-form"


@pytest.mark.parametrize(
    "text",
    [
        "0000",
        "2026-13",
        "2026-02-30",
        "2026-03-01T24:00Z",
        "2026-03-01T23:60Z",
        "2026-03-01T23:59:60Z",
        "2026-03-01T12:00+24:00",
        "2026-03-01T12:00+01:60",
        "2026-03-01T12:00+14:01",
        "2026-03-01T12:00-15:00",
    ],
)
def test_a_date_or_time_that_does_not_exist_is_rejected(text: str) -> None:
    assert dates.parse_strict_w3c_date(text) == "date-impossible"


@given(st.datetimes(datetime(1900, 1, 1), datetime(2100, 1, 1), timezones=OFFSETS))
def test_a_datetime_of_iso_8601_with_a_zone_is_read_to_its_second(time: datetime) -> None:
    read = dates.parse_strict_w3c_date(time.isoformat())
    assert isinstance(read, DateRange)
    assert read.start == time.replace(microsecond=0).timestamp()


@given(st.one_of(st.text(max_size=30), st.from_regex(r"\d{4}(-\d\d){0,2}(T\d\d:\d\d(:\d\d)?(Z|[+-]\d\d:\d\d))?")))
def test_any_text_is_a_range_or_the_code_of_a_rule(text: str) -> None:
    read = dates.parse_strict_w3c_date(text)
    assert read in ("date-form", "date-impossible") or (isinstance(read, DateRange) and read.start < read.end)


@pytest.mark.parametrize(
    ("text", "is_future"),
    [
        ("2026-03-02T12:05:00Z", False),
        ("2026-03-02T12:05:01Z", True),
        ("2026-03-02T20:00:00+08:00", False),
        ("2026-03-02T12:00:00-08:00", True),
        ("2026-03-03", False),
        ("2026-03-04", True),
        ("2026-04", True),
        ("2027", True),
    ],
)
def test_a_range_is_in_the_future_if_it_is_in_every_time_zone(text: str, is_future: bool) -> None:
    read = dates.parse_strict_w3c_date(text)
    assert isinstance(read, DateRange)
    assert dates.is_range_future(read, NOW) is is_future


@pytest.mark.parametrize(
    ("text", "date"),
    [
        ("2020-01-01T00:00" + " " * 1_000_000 + "x", None),
        (" " * 1_000_000 + "2020-01-01\n", "2020-01-01"),
        ("Mon Jan 06 2020 00:00:00 GMT+0000 (Central European Standard Summer Time)", "2020-01-06T00:00:00Z"),
    ],
)
def test_a_date_of_any_length_is_read_in_time_proportional_to_it(text: str, date: str | None) -> None:
    assert dates.parse_page_date(text) == date


@pytest.mark.parametrize(
    ("count", "text"),
    [
        (DateCount(1, "commit"), "1 page by commits of the page"),
        (DateCount(1_200, "text"), "1,200 pages by a tracked file with the same text"),
        (DateCount(2, no_date_reason="list-page"), "2 pages without a date: lists of other pages"),
        (DateCount(2), "2 pages without a date"),
        (DateCount(3, no_date_reason="shallow"), "3 pages without a date: shallow"),
    ],
)
def test_a_count_says_what_dated_the_pages_or_why_they_have_no_date(count: DateCount, text: str) -> None:
    assert count_text(count) == text


def test_everything_that_dates_pages_has_words() -> None:
    for dated_by in get_args(DatedBy):
        assert "without a date" not in count_text(DateCount(1, dated_by))
