import json
from typing import Any

from waypost.audit import sarif
from waypost.audit.result import AuditCase, AuditIssue, AuditResult, gather

FOUND = [
    AuditIssue("deep", "https://example.org/b.html", ["b.html"], "11 clicks"),
    AuditIssue("broken-link", "https://example.org/x", ["b c.html", "a.html"]),
    AuditIssue("alternates-without-self", "", ["a.html"], "de"),
]


def run(found: list[AuditIssue]) -> dict[str, Any]:
    log = json.loads(sarif.dump(AuditResult(gather(found, {})), lambda key: f"public/{key}"))
    assert (log["version"], log["$schema"]) == ("2.1.0", "https://json.schemastore.org/sarif-2.1.0.json")
    (only,) = log["runs"]
    return dict(only)


def test_each_finding_is_a_rule_with_help_and_a_level() -> None:
    rules = run(FOUND)["tool"]["driver"]["rules"]
    assert [rule["id"] for rule in rules] == ["broken-link", "alternates-without-self", "deep"]
    assert [rule["defaultConfiguration"]["level"] for rule in rules] == ["error", "warning", "note"]
    for rule in rules:
        assert all(rule[part]["text"] for part in ("shortDescription", "fullDescription", "help"))


def test_each_case_is_a_result_at_its_first_page() -> None:
    first, second, third = run(FOUND)["results"]
    assert (first["ruleId"], first["ruleIndex"], first["level"]) == ("broken-link", 0, "error")
    assert "https://example.org/x" in first["message"]["text"]
    assert "It concerns 2 pages." in first["message"]["text"]
    (location,) = first["locations"]
    assert location["physicalLocation"]["artifactLocation"] == {"uri": "public/a.html", "uriBaseId": "%SRCROOT%"}
    assert location["physicalLocation"]["region"] == {"startLine": 1}
    related = [each["physicalLocation"]["artifactLocation"]["uri"] for each in first["relatedLocations"]]
    assert related == ["public/b%20c.html"]
    assert [each["ruleIndex"] for each in (second, third)] == [1, 2]


def test_a_fingerprint_stays_when_other_pages_get_the_case() -> None:
    (finding,) = gather([FOUND[1]], {})
    more = AuditCase(finding.cases[0].target, "", ("0.html", *finding.cases[0].pages))
    assert sarif.fingerprint(finding, more) == sarif.fingerprint(finding, finding.cases[0])
    other = AuditCase("https://example.org/y", "", finding.cases[0].pages)
    assert sarif.fingerprint(finding, other) != sarif.fingerprint(finding, finding.cases[0])


def test_each_fingerprint_is_that_of_one_result() -> None:
    found = [*FOUND, AuditIssue("alternates-without-self", "", ["b.html"], "en")]
    results = run(found)["results"]
    assert len({result["partialFingerprints"]["waypostCase/v1"] for result in results}) == len(results) == 4


def test_no_more_results_are_written_than_are_shown_and_errors_come_first() -> None:
    notes = [AuditIssue("deep", f"https://example.org/{n}", ["a.html"]) for n in range(sarif.MAX_RESULTS)]
    results = run([*notes, FOUND[1]])["results"]
    assert (len(results), results[0]["level"]) == (sarif.MAX_RESULTS, "error")


def test_a_result_without_findings_is_a_log_without_results() -> None:
    empty = run([])
    assert (empty["results"], empty["tool"]["driver"]["rules"]) == ([], [])
