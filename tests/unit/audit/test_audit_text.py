from typing import get_args

from waypost.audit.audit_text import NOT_CHECKED, case_text, finding_lines, summary_lines
from waypost.audit.result import AuditCase, AuditCounts, AuditIssue, AuditResult, KnownCase, gather
from waypost.audit.site_files import Uncertainty
from waypost.core.finding_types import AUDIT_RULES

COUNTS = AuditCounts(3, 2, 1_234, 0, {"other-site": 2}, {0: 1, 1: 1}, 0)


def test_a_case_names_its_first_pages() -> None:
    assert case_text("broken-link", AuditCase("/x", "", ("a", "b"))) == "/x on a, b"
    assert case_text("broken-link", AuditCase("/x", "y", ("a", "b", "c", "d"))) == "/x (y) on 4 pages: a, b, c, \u2026"
    assert case_text("broken-link", AuditCase("", "", ("a\n",))) == "a\\n"


def test_a_case_about_a_page_alone_names_it_once() -> None:
    assert case_text("unlinked", AuditCase("https://a.example/b.html", "", ("b.html",))) == "https://a.example/b.html"
    assert case_text("deep", AuditCase("https://a.example/", "11 clicks", ("i.html",))) == (
        "https://a.example/ (11 clicks)"
    )


def test_a_finding_is_cut_and_says_what_to_do() -> None:
    (finding,) = gather([AuditIssue("broken-link", name, ["a"]) for name in "xyz"], {})
    rule = AUDIT_RULES["broken-link"]
    assert list(finding_lines(finding, 2)) == [
        "    x on a",
        "    y on a",
        "    and 1 more (--most 0 prints all)",
        f"  {rule.meaning}; {rule.advice}",
    ]
    assert len(list(finding_lines(finding, 0))) == 4


def test_the_summary_counts_what_was_checked_and_what_was_not() -> None:
    assert list(summary_lines(AuditResult((), COUNTS))) == [
        "3 pages, 1,234 links: 0 errors, 0 warnings, 0 notes",
        f"  not checked: 2 links {NOT_CHECKED['other-site']}",
        "  pages by clicks from the home page: 0: 1, 1: 1",
    ]


def test_the_summary_says_what_a_baseline_knew() -> None:
    lines = list(summary_lines(AuditResult((), COUNTS, 1_000, [KnownCase("deep", "a")])))
    assert lines[-2:] == [
        "  known by the baseline, and not shown: 1,000",
        "  in the baseline, but no longer found: 1; --write-baseline removes them",
    ]


def test_the_summary_says_why_no_distance_is_known() -> None:
    lines = list(summary_lines(AuditResult((), AuditCounts(depths_not_known="the site has no home page"))))
    assert lines[-1] == "  not checked: which pages can be reached, because the site has no home page"


def test_each_reason_not_to_check_has_a_meaning() -> None:
    assert NOT_CHECKED.keys() == set(get_args(Uncertainty))
