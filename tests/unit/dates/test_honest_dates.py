"""Which dates of another tool's sitemap are right, wrong, or not known to be either."""

import pytest

from waypost.core.dates import unix_time
from waypost.dates.honest_dates import DateDecision, Listed, Why, decide

NOW = int(unix_time("2026-03-01T12:00:00Z"))
CHANGED = "2026-02-03T04:05:06Z"


def decided(*listed: Listed) -> list[DateDecision]:
    return decide(listed, NOW)


@pytest.mark.parametrize("written", [CHANGED, "2026-02-03", "2026-02-03T04:05Z", "2026-02-03T00:00:00.000+01:00"])
def test_a_date_that_has_the_time_of_the_change_in_it_stays_as_it_is_written(written: str) -> None:
    assert decided(Listed("u", written, True, CHANGED)) == [DateDecision(written)]


@pytest.mark.parametrize(
    "written", ["", "2026-02-04", "2026-02-03T04:05:07Z", "2026-02-03T00:00:01Z", "2026", "yesterday"]
)
def test_a_page_that_was_found_has_the_date_of_its_change(written: str) -> None:
    assert decided(Listed("u", written, True, CHANGED)) == [DateDecision(CHANGED, Why.CHANGED_THEN)]


def test_the_time_of_a_change_of_which_only_the_day_is_known_may_be_written() -> None:
    assert decided(Listed("u", CHANGED, True, "2026-02-03")) == [DateDecision(CHANGED)]


@pytest.mark.parametrize("written", ["", "2026-02-04", "yesterday", "2026-03-02"])
@pytest.mark.parametrize("is_found", [True, False])
def test_what_nothing_is_known_of_keeps_what_it_has(written: str, is_found: bool) -> None:
    assert decided(Listed("u", written, is_found)) == [DateDecision(written)]


@pytest.mark.parametrize("written", ["2026-03-03", "2026-03-01T12:10:00Z", "2031"])
@pytest.mark.parametrize("is_found", [True, False])
def test_a_date_in_the_future_goes(written: str, is_found: bool) -> None:
    assert decided(Listed("u", written, is_found)) == [DateDecision("", Why.FUTURE)]


def same(count: int, others: int = 0) -> list[Listed]:
    """URLs of one day that were not found, and others of another day."""
    return [Listed("u", "2026-02-20T01:00:00Z")] * count + [Listed("u", "2026-02-21")] * others


def test_a_day_that_nearly_all_urls_have_goes_if_a_page_contradicts_it() -> None:
    page = Listed("p", "2026-02-20T02:00:00Z", True, CHANGED)
    found = decided(page, *same(18, others=1))
    assert found[1:] == [DateDecision("", Why.SAME_FOR_ALL)] * 18 + [DateDecision("2026-02-21")]


@pytest.mark.parametrize(
    "listed",
    [
        [Listed("p", "2026-02-20", True, CHANGED), *same(18)],
        [Listed("p", "2026-02-20", True, CHANGED), *same(17, others=3)],
        [Listed("p", "2026-02-20", True, "2026-02-20T22:00:00Z"), *same(19)],
        [Listed("p", "2026-02-19", True, CHANGED), *same(19)],
        same(20),
    ],
)
def test_few_urls_other_days_or_no_page_that_contradicts_leave_the_day(listed: list[Listed]) -> None:
    assert all(each.why is not Why.SAME_FOR_ALL for each in decided(*listed))


def test_a_page_that_was_found_without_a_known_date_keeps_the_day_of_all() -> None:
    listed = [Listed("p", "2026-02-20", True, CHANGED), Listed("q", "2026-02-20", True), *same(18)]
    assert decided(*listed)[1] == DateDecision("2026-02-20")


def test_another_time_zone_is_no_contradiction() -> None:
    page = Listed("p", "2026-02-20T23:30:00-05:00", True, "2026-02-21T04:30:00Z")
    assert all(each.why is None for each in decided(page, *same(20)))
