from waypost.audit.cases import Found, findings
from waypost.audit.result import AuditCase
from waypost.core.finding_types import AUDIT_RULES, Severity

FOUND = [
    Found("deep", "/c", ["c.html"]),
    Found("broken-link", "/x", ["b.html"]),
    Found("broken-link", "/y", ["c.html", "b.html", "c.html"]),
    Found("broken-link", "/x", ["a.html"]),
]


def test_what_is_about_one_target_is_one_case_and_the_largest_comes_first() -> None:
    (finding, _) = findings(FOUND, {})
    assert finding.cases == (AuditCase("/x", "", ("a.html", "b.html")), AuditCase("/y", "", ("b.html", "c.html")))


def test_errors_come_first() -> None:
    assert [finding.code for finding in findings(FOUND, {})] == ["broken-link", "deep"]
    changed = findings(FOUND, {"deep": "error", "broken-link": "note"})
    assert [(each.code, each.severity) for each in changed] == [
        ("deep", Severity.ERROR),
        ("broken-link", Severity.NOTE),
    ]


def test_a_code_that_is_off_is_not_reported() -> None:
    assert [finding.code for finding in findings(FOUND, {"broken-link": "off"})] == ["deep"]


def test_the_order_of_what_is_found_does_not_matter() -> None:
    assert findings(reversed(FOUND), {}) == findings(FOUND, {})


def test_a_finding_says_what_its_rule_says() -> None:
    rule = AUDIT_RULES["deep"]
    (finding,) = findings(FOUND[:1], {})
    assert (finding.title, finding.meaning, finding.advice, finding.source, finding.severity) == (
        rule.title,
        rule.meaning,
        rule.advice,
        rule.source,
        rule.severity,
    )
