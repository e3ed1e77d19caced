from waypost.audit.cases import Found, findings
from waypost.audit.result import AuditCase, AuditResult, PlacedCase
from waypost.core.finding_types import Severity

RESULT = AuditResult(
    findings([Found("broken-link", "/x", ["a.html", "b.html"], "y"), Found("deep", "/b.html", ["b.html"])], {})
)


def test_each_case_is_placed_on_each_of_its_pages() -> None:
    assert list(RESULT.placed()) == [
        PlacedCase("broken-link", Severity.ERROR, "a.html", "/x", "y"),
        PlacedCase("broken-link", Severity.ERROR, "b.html", "/x", "y"),
        PlacedCase("deep", Severity.NOTE, "b.html", "/b.html", ""),
    ]


def test_cases_are_counted_and_not_pages() -> None:
    assert [RESULT.count(severity) for severity in Severity] == [1, 0, 1]
    assert RESULT.findings[0].pages == {"a.html", "b.html"}


def test_the_case_with_the_most_pages_ranks_first() -> None:
    many, few = AuditCase("/b", "", ("a.html", "b.html")), AuditCase("/a", "", ("a.html",))
    assert sorted([few, many], key=AuditCase.rank) == [many, few]
