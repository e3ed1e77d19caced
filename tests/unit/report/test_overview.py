from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from unit.sample_sites import pages, site

from waypost.core import reasons
from waypost.core.dates import add_seconds
from waypost.core.finding_types import Severity
from waypost.core.model import Changes, DateCount, Document, Example, Page, Plan, SiteWarning, Skipped
from waypost.report import overview
from waypost.report.overview import OLDER, UNDATED, ReportedSitemap, ReportRow, age_of, make_overview, overview_of_plan
from waypost.report.verdict import AffectedPage, ReportProblem

NOW = "2026-11-21T12:00:00Z"
BASE = "https://example.org/"


def plan(listed: list[Page], skipped: tuple[Skipped, ...] = (), **values: Any) -> Plan:
    given: dict[str, Any] = {"warnings": (), "documents": (), "written": (), "unchanged": (), "removed": ()}
    return Plan(pages=listed, skipped=skipped, **{**given, "changes": Changes(), **values})


@pytest.mark.parametrize(
    ("date", "bar"),
    [
        (NOW, "under a week"),
        ("2026-11-14T12:00:01Z", "under a week"),
        ("2026-11-14T12:00:00Z", "a week to a month"),
        ("2026-11-21", "under a week"),
        ("2026-11-14", "a week to a month"),
        ("2026-10-22", "a week to a month"),
        ("2026-10-21", "1 to 3 months"),
        ("2026-06-01", "3 to 6 months"),
        ("2025-12-01", "6 to 12 months"),
        ("2025-01-01", "1 to 2 years"),
        ("2022-01-01", "2 to 5 years"),
        ("2021-01-01", OLDER),
        ("0001-01-01", OLDER),
        ("2027-01-01", "under a week"),
        (None, UNDATED),
    ],
)
def test_a_date_belongs_to_the_first_bar_that_it_is_younger_than(date: str | None, bar: str) -> None:
    assert age_of(date, NOW) == bar


@given(st.integers(0, 4_000_000_000), st.integers(0, 1_000_000))
def test_what_is_older_never_belongs_to_a_younger_bar(seconds: int, more: int) -> None:
    names = [name for name, _ in overview.AGES] + [OLDER]
    younger, older = (
        age_of(add_seconds(NOW, -each), NOW) for each in (seconds % 60_000_000, seconds % 60_000_000 + more)
    )
    assert names.index(younger) <= names.index(older)


def test_listed_pages_are_counted_by_section_and_age() -> None:
    listed = pages(["index.html", "a.html", "blog/a.html", "blog/b/c.html", "ü x/a.html"], lastmod="2026-11-20")
    found = overview_of_plan(plan([*listed, Page("blog/z.html", f"{BASE}blog/z.html")]), site(), NOW)
    assert (found.base_url, found.now, found.pages) == (BASE, NOW, 6)
    assert found.folders.pages == 6
    assert [(folder.name, folder.pages) for folder in found.folders.folders] == [("blog", 3), ("ü x", 1)]
    assert {name: count for name, count in found.ages.items() if count} == {"under a week": 5, UNDATED: 1}
    assert list(found.ages)[-2:] == [OLDER, UNDATED]


def test_the_sections_of_a_site_below_a_folder_begin_there() -> None:
    base = "https://example.org/docs/"
    listed = [Page(path, base + path) for path in ("a/b.html", "c.html")]
    found = make_overview(site(base), NOW, listed, [], [], {})
    assert [(folder.name, folder.pages) for folder in found.folders.folders] == [("a", 1)]


def test_what_might_have_been_listed_is_shown_first_and_what_never_might_last() -> None:
    skipped = (
        Skipped("style.css", reasons.NOT_A_PAGE),
        Skipped("old.html", reasons.NOINDEX, "noindex"),
        Skipped("draft.html", reasons.EXCLUDED),
        Skipped("also.css", reasons.NOT_A_PAGE),
    )
    found = overview_of_plan(plan(pages(["a.html"], lastmod="2026-03-01"), skipped), site(), NOW)
    assert found.rows == [
        ReportRow("old.html", "noindex", "noindex"),
        ReportRow("draft.html", "excluded"),
        ReportRow("a.html", "", "2026-03-01", "a.html"),
        ReportRow("style.css", "not-a-page"),
        ReportRow("also.css", "not-a-page"),
    ]
    assert list(found.excluded_by_reason.items()) == [("excluded", 1), ("noindex", 1), ("not-a-page", 2)]
    assert not found.is_cut


def test_sitemaps_are_told_with_how_full_they_are_and_what_is_none_is_not() -> None:
    documents = [
        Document("sitemap.xml", "sitemap", b"12345", f"{BASE}sitemap.xml", 3, "2026-03-01"),
        Document("sitemap.html", "html", b"123", f"{BASE}sitemap.html", 3),
        Document("sitemap.css", "stylesheet", b"1", f"{BASE}sitemap.css"),
        Document("robots.txt", "robots", b"1", f"{BASE}robots.txt", 1),
    ]
    found = overview_of_plan(plan([], documents=documents), site(), NOW)
    assert found.sitemaps == [
        ReportedSitemap("sitemap.xml", "sitemap", 3, 5, "2026-03-01"),
        ReportedSitemap("sitemap.html", "html", 3, 3),
    ]
    assert (found.most_urls, found.most_bytes, found.most_sitemaps) == (50_000, 10_485_760, 1_000)


def test_the_verdict_is_about_warnings_exclusions_and_what_others_found() -> None:
    skipped = (Skipped("odd", reasons.UNREADABLE, "denied"), Skipped("old.html", reasons.NOINDEX))
    other = ReportProblem("found", Severity.ERROR, "Something", "Do it.", (AffectedPage("a"), AffectedPage("b")))
    warned = [SiteWarning("shallow", "no date")]
    found = overview_of_plan(plan([], skipped, warnings=warned), site(), NOW, [other])
    assert [each.code for each in found.verdict.problems] == ["found", "unreadable", "shallow"]


def test_a_warning_has_all_its_pages_where_the_plan_has_them() -> None:
    cases = {"copies": [Example(f"{n}.html") for n in range(50)]}
    warned = [SiteWarning("copies", "…", 50, tuple(cases["copies"][:3]))]
    (problem,) = overview_of_plan(plan([], warnings=warned, cases=cases), site(), NOW).verdict.problems
    assert len(problem.pages) == problem.page_count == 50


def test_changes_are_counted_by_the_same_folders_as_pages() -> None:
    changes = Changes(added=(f"{BASE}a/b",), removed=(f"{BASE}gone/b", f"{BASE}a/c/d"))
    found = overview_of_plan(plan(pages(["a/b"]), changes=changes), site(), NOW)
    assert [(each.name, each.pages, each.changes) for each in found.folders.folders] == [
        ("a", 1, [1, 1, 0, 0]),
        ("gone", 0, [0, 1, 0, 0]),
    ]


def test_the_changes_of_the_run_are_shown() -> None:
    found = overview_of_plan(plan([], changes=Changes(added=(f"{BASE}a/b",))), site(), NOW)
    assert found.changes is not None
    assert found.changes.counts == {"added": 1, "removed": 0, "lastmod_changed": 0, "metadata_changed": 0}


def test_what_dated_pages_and_why_others_have_no_date_is_counted() -> None:
    counts = [DateCount(1_200, "text"), DateCount(2, no_date_reason="list-page")]
    found = overview_of_plan(plan([], date_counts=counts), site(), NOW)
    assert found.coverage[0].parts == [
        ("by a tracked file with the same text", 1_200),
        ("without a date: lists of other pages", 2),
    ]


def test_rows_are_cut_at_a_number_and_all_is_counted() -> None:
    count = overview.ROWS + 5
    asked = iter(range(count))
    rows = (ReportRow(f"{n}.html") for n in asked)
    found = make_overview(site(), NOW, (Page(f"{n}", f"{BASE}{n}.html") for n in range(count)), rows, [], {})
    assert (len(found.rows), found.pages, found.is_cut) == (overview.ROWS, count, True)
    assert found.rows[-1] == ReportRow(f"{overview.ROWS - 1}.html")
    assert next(asked) <= overview.ROWS + 1


def test_rows_are_asked_for_when_the_pages_are_counted() -> None:
    order: list[str] = []

    def listed() -> Any:
        order.append("listed")
        yield Page("a.html", f"{BASE}a.html")
        order.append("counted")

    def rows() -> Any:
        order.append("rows")
        yield ReportRow("a.html")

    make_overview(site(), NOW, listed(), rows(), [], {})
    assert order == ["listed", "counted", "rows"]


def test_an_empty_site_has_an_overview() -> None:
    found = overview_of_plan(plan([]), site(), NOW)
    assert (found.pages, found.folders.pages, found.rows, found.excluded_by_reason) == (0, 0, [], {})
    assert (found.is_cut, found.verdict.is_healthy, found.languages) == (False, True, None)
    assert set(found.ages.values()) == {0}
