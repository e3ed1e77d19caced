from collections.abc import Mapping

from unit.sample_sites import pages

from waypost.build.date_counts import date_counts
from waypost.build.lister import Listing
from waypost.core.model import DateCount, DatedBy, PageDating

DATE = "2020-02-03"


def listing(dated: Mapping[str, DatedBy | None], undated: Mapping[str, str]) -> Listing:
    """A listing of pages that something dated, and of others that have no date for a reason."""
    found = [*pages(dated, lastmod=DATE), *pages(undated)]
    datings = {key: PageDating(by) for key, by in dated.items()}
    reasons = {key: why for key, why in undated.items() if why}
    return Listing(found, [], [], {}, {}, reasons, datings=datings)


def test_dates_are_counted_by_what_gave_them_and_then_pages_without_a_date_by_the_reason() -> None:
    found = listing(
        {"a": "path", "b": "text", "c": "text", "d": "text"},
        {"e": "list-page", "f": "no-evidence", "g": "no-evidence"},
    )
    assert date_counts(found) == [
        DateCount(3, dated_by="text"),
        DateCount(1, dated_by="path"),
        DateCount(2, no_date_reason="no-evidence"),
        DateCount(1, no_date_reason="list-page"),
    ]


def test_equal_counts_come_in_the_order_of_their_codes_whatever_that_of_the_pages() -> None:
    one = listing({"a": "text", "b": "copy"}, {"c": "shallow", "d": "ambiguous"})
    other = listing({"a": "copy", "b": "text"}, {"c": "ambiguous", "d": "shallow"})
    assert date_counts(one) == date_counts(other)
    assert [each.dated_by or each.no_date_reason for each in date_counts(one)] == [
        "copy",
        "text",
        "ambiguous",
        "shallow",
    ]


def test_a_page_without_a_date_is_not_counted_by_its_evidence() -> None:
    found = Listing(pages(["a"]), [], [], {}, {}, {"a": "uncommitted"}, datings={"a": PageDating("text", ("a.md",))})
    assert date_counts(found) == [DateCount(1, no_date_reason="uncommitted")]


def test_pages_without_dates_for_no_known_reason_are_counted_too() -> None:
    assert date_counts(listing({}, {"a": "", "b": ""})) == [DateCount(2)]


def test_the_counts_are_of_all_pages() -> None:
    found = listing({"a": "text", "b": None}, {"c": "", "d": "list-page"})
    assert sum(each.count for each in date_counts(found)) == 4


def test_no_pages_have_no_counts() -> None:
    assert date_counts(listing({}, {})) == []
