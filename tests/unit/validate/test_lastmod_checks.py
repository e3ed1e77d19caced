"""The dates of a file: which are invalid, which is the newest, and which say nothing."""

from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st
from unit.validate.given import BASE, NOW, Given, cut, examine, feed, index, loc, shown, survey, url, urlset

DAY = 86_400
GENERATED = NOW - DAY
TIMES = [f"2026-03-01T12:00:0{n}Z" for n in range(9)]


def dated(*written: str) -> bytes:
    return urlset("".join(url(f"<lastmod>{date}</lastmod>", f"{n}") for n, date in enumerate(written)))


def in_two_batches(*written: str) -> list[bytes]:
    """The same in two pieces, which are checked one after the other if there are 10,000 dates."""
    body = dated(*written)
    middle = body.index(b"<url>", len(body) // 2)
    return cut(body, [middle])


@pytest.mark.parametrize(
    ("date", "code"),
    [
        ("today", "date-form"),
        ("Sun, 01 Mar 2026 12:00:00 GMT", "date-form"),
        ("", "date-form"),
        ("2026-02-30", "date-impossible"),
        ("2999-01-01", "date-future"),
        ("1970-01-01", "date-before-web"),
        ("1970-01-01T00:00:00Z", "date-before-web"),
        ("0001-01-01", "date-before-web"),
        ("1990", "date-before-web"),
        ("1991-08-05", "date-before-web"),
    ],
)
def test_an_invalid_date_is_reported_by_the_rule_that_it_breaks_and_is_never_the_newest(date: str, code: str) -> None:
    result = examine(dated("1991-08-06", date))
    (finding,) = result.findings
    assert (finding.code, finding.loc, result.examined.newest[1]) == (code, f"{BASE}1", "1991-08-06")
    assert finding.message.strip("'").startswith(date)


def test_no_more_of_an_invalid_date_is_shown_than_a_person_reads() -> None:
    (finding,) = examine(dated("x" * 100)).findings
    assert finding.message == f"{'x' * 60!r} is not a W3C datetime"


def test_the_newest_date_of_all_batches_is_kept_as_it_is_written() -> None:
    day = "2026-03-01"
    written = ["2026-02-01", f"{day}T00:00:00Z", f"{day}T01:00:00+01:00", *["2026-01-01"] * 10_000]
    assert examine(in_two_batches(*written)).examined.newest == (GENERATED - DAY / 2, f"{day}T01:00:00+01:00")


@pytest.mark.parametrize(
    ("written", "codes"),
    [
        (["2026-02-01"] * 4, []),
        (["2026-02-01"] * 5, ["dates-all-equal"]),
        (["2026-02-01"] * 10_000, ["dates-all-equal"]),
        (["2026-02-01"] * 5_000 + ["2026-02-02"] * 5_000, []),
        (["2026-02-01"] * 99 + ["2026-02-02"], []),
        (["2026-02-01"] * 99 + ["x"], ["date-form"]),
        (["x"] * 5, ["date-form"] * 5),
        (["2999-01-01"] * 5, ["date-future"] * 5),
    ],
    ids=shown,
)
def test_many_dates_that_are_all_the_same_are_distrusted(written: list[str], codes: list[str]) -> None:
    assert examine(dated(*written)).codes == examine(in_two_batches(*written)).codes == codes


@pytest.mark.parametrize(
    ("written", "modified", "codes"),
    [
        ([*TIMES, "2026-01-01"], GENERATED, ["dates-of-generation"]),
        ([*TIMES, "2026-01-01"], GENERATED + 9, ["dates-of-generation"]),
        ([*TIMES, "2026-01-01"], GENERATED - 2, ["dates-of-generation"]),
        ([*TIMES[:8], "2026-01-01", "2026-01-02"], GENERATED, []),
        ([*TIMES, "2026-01-01"], GENERATED + 19, []),
        ([*TIMES, "2026-01-01"], None, []),
        (["2026-03-01"] * 4 + ["2026-02-01"], GENERATED - DAY / 2, []),
        (["2026-03-01"] * 5, GENERATED - DAY / 2, ["dates-all-equal"]),
        (["2026-03-01T12:00:00Z"] * 5, GENERATED, ["dates-of-generation"]),
        (["2026-03-01T12:00:00Z"] * 4, GENERATED, []),
    ],
    ids=shown,
)
def test_dates_at_which_the_file_was_generated_are_distrusted(
    written: Sequence[str], modified: float | None, codes: list[str]
) -> None:
    result = examine(Given((dated(*written),), modified=modified))
    assert result.codes == codes
    if codes == ["dates-of-generation"]:
        count = sum(":" in date for date in written)
        assert result.findings[0].message.startswith(f"{count} of {len(written)} dates")


def test_an_index_also_tells_when_a_sitemap_was_generated() -> None:
    top = Given((index(f"{loc('a.xml')}<lastmod>2026-03-01T12:00:00Z</lastmod>"),), "index.xml", f"{BASE}index.xml")
    sitemap = Given((dated(*TIMES[:5]),), "a.xml", f"{BASE}a.xml")
    assert "dates-of-generation" in survey([top, sitemap]).counts


@pytest.mark.parametrize(
    ("date", "codes"),
    [
        ("Sun, 01 Mar 2026 12:00:00 +0000", []),
        ("01 Mar 2026 12:00 EST", []),
        ("Sun, 01 Mar 2026 12:00:00 -0000", []),
        ("2026-03-01", []),
        ("Sun, 01 Mar 2999 12:00:00 GMT", ["date-future"]),
        ("Sun, 31 Feb 2026 12:00:00 GMT", ["date-impossible"]),
        ("Sun, 01 Mar 2026 25:00:00 GMT", ["date-impossible"]),
        ("2026-02-30", ["date-impossible"]),
        ("yesterday", ["date-form-rss"]),
        ("", ["date-form-rss"]),
        ("01 Mar 2026 12:00:00 +99999999999999999999", ["date-form-rss"]),
        (f"01 Mar 2026 12:00:00 +{'9' * 5_000}", ["date-form-rss"]),
        (f"{'9' * 5_000} Mar 2026 12:00:00 +0000", ["date-form-rss"]),
    ],
    ids=shown,
)
def test_the_dates_of_rss_have_a_form_of_their_own(date: str, codes: list[str]) -> None:
    assert examine(feed(f"<link>{BASE}a</link><pubDate>{date}</pubDate>")).codes == codes


@pytest.mark.parametrize(
    "date", ["Sun, 01 Mar 2026 12:00:00 GMT", "Sun, 01 Mar 2026 13:00:00 +0100", "Sun, 01 Mar 2026 12:00:00 -0000"]
)
def test_a_date_of_rss_is_the_time_in_its_zone(date: str) -> None:
    assert examine(feed(f"<link>{BASE}a</link><pubDate>{date}</pubDate>")).examined.newest == (GENERATED, date)


@given(st.text(st.sampled_from('0123456789 +-:,.MarSunGMTESZ()"\\[]@'), max_size=40))
def test_whatever_a_date_of_rss_holds_it_is_judged(text: str) -> None:
    codes = examine(feed(f"<link>{BASE}a</link><pubDate>{text}</pubDate>")).codes
    assert set(codes) <= {"date-form-rss", "date-future", "date-impossible"}
