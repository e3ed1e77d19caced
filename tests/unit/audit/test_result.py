from waypost.audit import AuditCase, AuditResult, KnownCase
from waypost.audit.result import AuditIssue, gather
from waypost.core.finding_types import AUDIT_RULES, Severity

ISSUES = [
    AuditIssue("deep", "/c", ["c.html"]),
    AuditIssue("broken-link", "/x", ["b.html"]),
    AuditIssue("broken-link", "/y", ["c.html", "b.html", "c.html"]),
    AuditIssue("broken-link", "/x", ["a.html"]),
    AuditIssue("broken-link", "/z", ["c.html"], "y"),
]


def test_what_is_about_one_target_is_one_case_and_the_largest_comes_first() -> None:
    (finding, _) = gather(ISSUES, {})
    assert finding.cases == (
        AuditCase("/x", "", ("a.html", "b.html")),
        AuditCase("/y", "", ("b.html", "c.html")),
        AuditCase("/z", "y", ("c.html",)),
    )
    assert finding.pages == {"a.html", "b.html", "c.html"}


def test_errors_come_first_and_what_is_off_is_not_reported() -> None:
    assert [(each.code, each.severity) for each in gather(ISSUES, {"deep": "error", "broken-link": "note"})] == [
        ("deep", Severity.ERROR),
        ("broken-link", Severity.NOTE),
    ]
    assert [finding.code for finding in gather(ISSUES, {"broken-link": "off"})] == ["deep"]


def test_the_order_of_the_issues_does_not_matter() -> None:
    assert gather(reversed(ISSUES), {}) == gather(ISSUES, {})


def test_a_finding_says_what_its_rule_says() -> None:
    rule = AUDIT_RULES["deep"]
    (finding,) = gather(ISSUES[:1], {})
    texts = (finding.title, finding.meaning, finding.advice, finding.source, finding.severity)
    assert texts == (rule.title, rule.meaning, rule.advice, rule.source, rule.severity)


def test_cases_are_counted_and_each_is_placed_on_each_of_its_pages() -> None:
    result = AuditResult(gather([AuditIssue("broken-link", "/x", "ba", "y"), AuditIssue("deep", "/b", "b")], {}))
    assert [result.count(severity) for severity in Severity] == [1, 0, 1]
    assert list(result.placed()) == [
        KnownCase("broken-link", "a", "/x"),
        KnownCase("broken-link", "b", "/x"),
        KnownCase("deep", "b", "/b"),
    ]
