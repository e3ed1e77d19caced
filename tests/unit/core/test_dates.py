import re
from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from waypost.core import dates

W3C_UTC = re.compile(r"\d{4}-\d{2}-\d{2}(T\d{2}:\d{2}:\d{2}Z)?", re.ASCII)


@pytest.mark.parametrize(
    ("text", "date"),
    [
        ("2026-03-01", "2026-03-01"),
        ("2026-03-01T12:30Z", "2026-03-01T12:30:00Z"),
        ("2026-03-01T12:30:45Z", "2026-03-01T12:30:45Z"),
        ("2026-03-01T12:30:45.999Z", "2026-03-01T12:30:45Z"),
        ("2026-03-01T12:30:45,5Z", "2026-03-01T12:30:45Z"),
        ("2026-03-01T12:30:45+02:00", "2026-03-01T10:30:45Z"),
        ("2026-03-01T12:30:45+0200", "2026-03-01T10:30:45Z"),
        ("2026-03-01T00:30:00+01:00", "2026-02-28T23:30:00Z"),
        ("2025-12-31T23:30:00-03:30", "2026-01-01T03:00:00Z"),
        ("2026-03-01 12:30:45", "2026-03-01T12:30:45Z"),
        ("2026-03-01 12:30:45 +0000", "2026-03-01T12:30:45Z"),
        ("2026-03-01T12:30:45", "2026-03-01T12:30:45Z"),
        ("2026-03-01t12:30:45z", "2026-03-01T12:30:45Z"),
        ("  2026-03-01\n", "2026-03-01"),
        ("2024-02-29", "2024-02-29"),
        ("0999-05-10", "0999-05-10"),
        ("0999-05-10T12:00:00Z", "0999-05-10T12:00:00Z"),
        ("\u0662\u0660\u0662\u0664-\u0660\u0661-\u0660\u0661", None),
        ("2026-02-30", None),
        ("2025-02-29T12:00:00Z", None),
        ("2026-13-01", None),
        ("2026-00-01", None),
        ("2026-03-01T25:00:00Z", None),
        ("2026-03-01T12:61:00Z", None),
        ("2026-03-01T12:30:45+99:00", None),
        ("0001-01-01T00:00:00+14:00", None),
        ("9999-12-31T23:59:59-14:00", None),
        ("0000-01-01", None),
        ("2026", None),
        ("2026-03", None),
        ("20260301", None),
        ("01.03.2026", None),
        ("March 1, 2026", None),
        ("2026-03-01T12", None),
        ("2026-03-01 and more", None),
        ("2026-3-1", None),
        ("", None),
        ("now", None),
    ],
)
def test_a_page_s_word_for_a_date_is_read_as_utc(text: str, date: str | None) -> None:
    assert dates.parse_page_date(text) == date


near_dates = st.from_regex(
    r"\A\s?\d{4}-\d{2}-\d{2}([T ]\d{2}:\d{2}(:\d{2}([.,]\d+)?)?\s?(Z|z|[+-]\d{2}:?\d{2})?)?\s?\Z"
)
real_dates = st.builds(
    "{}{}{}".format,
    st.dates().map(str),
    st.sampled_from(["T00:00", "T23:59:59", " 12:00:30.5"]),
    st.sampled_from(["", "Z", "+14:00", "-14:00", "+0530"]),
)


@given(st.one_of(st.text(), near_dates, real_dates))
def test_whatever_is_read_is_a_w3c_date_in_utc_or_nothing(text: str) -> None:
    date = dates.parse_page_date(text)
    if date is not None:
        assert W3C_UTC.fullmatch(date)
        assert dates.parse_page_date(date) == date


@given(st.datetimes(datetime(1970, 1, 1), datetime(2999, 1, 1)))
def test_an_instant_is_written_in_whole_seconds_of_utc(moment: datetime) -> None:
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
        ("2026-03-01", "date", "2026-03-01"),
        (None, "date", None),
        (None, "second", None),
    ],
)
def test_a_date_is_as_precise_as_the_site_asks(date: str | None, precision: str, expected: str | None) -> None:
    assert dates.at_precision(date, precision) == expected


@pytest.mark.parametrize(
    ("date", "is_future"),
    [
        ("2026-03-01", False),
        ("2026-03-02", True),
        ("2026-03-01T12:00:00Z", False),
        ("2026-03-01T12:00:01Z", True),
        ("2025-12-31T23:59:59Z", False),
    ],
)
def test_a_date_is_future_if_it_lies_after_now(date: str, is_future: bool) -> None:
    assert dates.is_future(date, "2026-03-01T12:00:00Z") is is_future
