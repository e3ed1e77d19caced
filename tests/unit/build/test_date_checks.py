import pytest
from unit.sample_sites import numbered, pages

from waypost.build.date_checks import same_dates
from waypost.build.lister import Listing
from waypost.core.model import DatedBy, PageDating

DATE, OTHER = "2020-02-03T04:05:06Z", "2021-02-03T04:05:06Z"


def listing(same: int, others: int = 0, undated: int = 0, by: DatedBy = "text") -> Listing:
    """A listing of so many pages with one date, with dates of their own, and without a date."""
    keys = list(numbered(same + others + undated))
    found = [
        *pages(keys[:same], lastmod=DATE),
        *(
            page
            for n, key in enumerate(keys[same : same + others])
            for page in pages([key], lastmod=f"{OTHER[:-3]}{n:02}Z")
        ),
        *pages(keys[same + others :]),
    ]
    return Listing(found, [], [], {}, {}, {}, datings={key: PageDating(by) for key in keys})


def test_a_warning_says_that_nearly_all_dates_are_one() -> None:
    [warning] = same_dates(listing(39, others=1, undated=3))
    assert (warning.code, warning.count) == ("same-dates", 39)
    assert warning.message.startswith(f"39 of 40 dates are {DATE}: ")


@pytest.mark.parametrize(
    ("by", "why"),
    [
        ("commit", "run Waypost where the site is built"),
        ("content", "nearly all pages changed at once"),
        ("text", "one commit changed nearly all source files"),
        ("mapping", "one commit changed nearly all source files"),
    ],
)
def test_the_warning_says_why(by: DatedBy, why: str) -> None:
    assert why in same_dates(listing(30, by=by))[0].message


@pytest.mark.parametrize(
    "found",
    [listing(40, others=10), listing(0, others=40), listing(19), listing(0, undated=40), listing(5, undated=40)],
)
def test_dates_that_differ_or_are_few_are_no_warning(found: Listing) -> None:
    assert same_dates(found) == []


def test_no_page_is_no_warning() -> None:
    assert same_dates(listing(0)) == []
