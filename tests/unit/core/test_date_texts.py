"""What dated pages, in words."""

from typing import get_args

import pytest

from waypost.core.dates import count_text
from waypost.core.model import DateCount, DatedBy


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
