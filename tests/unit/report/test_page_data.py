import json

from unit.sample_sites import site

from waypost.core.finding_types import Severity
from waypost.core.model import Page
from waypost.report.html import PageNumbers, page_data
from waypost.report.overview import Overview, ReportRow, make_overview
from waypost.report.verdict import AffectedPage, ReportProblem

NOW = "2026-11-21T12:00:00Z"
BASE = "https://example.org/"


def overview(*pages: AffectedPage) -> Overview:
    listed = [Page("index.html", BASE, "", "2026-01-01"), Page("a/b.html", f"{BASE}a/b.html")]
    rows = [
        ReportRow("old.html", "noindex", "none"),
        ReportRow("index.html", "", "2026-01-01", ""),
        ReportRow("a/b.html", "", "", "a/b.html", ("en", "de")),
        ReportRow("a/c.html", "", "", "a/c"),
    ]
    problem = ReportProblem("code", Severity.WARNING, "title", "advice", pages)
    return make_overview(site(), NOW, listed, rows, [], {"noindex": 1}, [problem])


def test_rows_have_what_differs_from_the_usual_and_no_more() -> None:
    of = overview()
    data = json.loads(page_data(of, PageNumbers(of)))
    assert data["states"] == ["", "noindex"]
    assert data["rows"] == [
        ["old.html", 1, "none"],
        ["index.html", 0, "2026-01-01", 0, "/"],
        ["a/b.html", 0, "", 1, "", 1],
        ["a/c.html", 0, "", 1, "a/c"],
    ]
    assert data["languages"] == [[], ["en", "de"]]


def test_a_page_of_a_problem_is_the_number_of_its_row_by_its_key_or_its_url() -> None:
    pages = [
        AffectedPage("old.html"),
        AffectedPage(f"{BASE}a/c", "found"),
        AffectedPage(BASE),
        AffectedPage("robots.txt"),
    ]
    of = overview(*pages)
    numbers = PageNumbers(of)
    assert json.loads(page_data(of, numbers))["problems"] == [[0, [3, "found"], 1, "robots.txt"]]
    assert numbers.count(of.verdict.problems) == 4


def test_a_page_that_is_named_by_its_key_and_by_its_url_is_one_page() -> None:
    of = overview(AffectedPage("a/b.html"), AffectedPage(f"{BASE}a/b.html"))
    assert PageNumbers(of).count(of.verdict.problems) == 1
