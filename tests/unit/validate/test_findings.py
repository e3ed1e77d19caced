import pytest

from waypost.core.finding_types import SITEMAP_RULES, Severity
from waypost.validate import FindingReport


def test_a_finding_has_the_message_the_advice_and_the_source_of_its_rule() -> None:
    report = FindingReport()
    report.add("priority", "a.xml", 7, "https://example.org/", value="5")
    (finding,) = report
    rule = SITEMAP_RULES["priority"]
    assert (finding.file, finding.line, finding.loc) == ("a.xml", 7, "https://example.org/")
    assert finding.message == "'5' is not a valid priority"
    assert (finding.severity, finding.advice, finding.source) == (rule.severity, rule.advice, rule.source)


def test_findings_come_file_by_file_and_line_by_line() -> None:
    report = FindingReport()
    for file, line in (("b.xml", 9), ("a.xml", 2), ("b.xml", 1), ("a.xml", 0)):
        report.add("missing-loc", file, line)
    assert [(each.file, each.line) for each in report] == [("b.xml", 1), ("b.xml", 9), ("a.xml", 0), ("a.xml", 2)]


@pytest.mark.parametrize(("most", "kept"), [(3, 3), (0, 500), (None, 100)])
def test_some_findings_of_a_code_and_file_are_kept_and_all_are_counted(most: int | None, kept: int) -> None:
    report = FindingReport() if most is None else FindingReport(most)
    for line in range(500):
        report.add("missing-loc", "a.xml", line)
    report.add("missing-loc", "b.xml", 1)
    report.add("loc-fragment", "a.xml", 1)
    assert len(list(report)) == kept + 2
    assert report.counts == {"missing-loc": 501, "loc-fragment": 1}
    assert [report.count(severity) for severity in Severity] == [501, 1, 0]


def test_the_findings_of_endlessly_many_files_fit_in_memory() -> None:
    report = FindingReport(2)
    for number in range(1_000):
        report.add("empty", f"{number}.xml")
    assert len(list(report)) == 200
    assert report.counts == {"empty": 1_000}


def test_a_long_value_is_cut() -> None:
    report = FindingReport()
    report.add("text-line", "a.txt", 1, "x" * 10_000, text="y" * 10_000)
    report.add("loc-relative", "b.xml", 1, "x" * 100_000)
    of_text, relative = report
    assert (len(of_text.loc), len(of_text.message)) == (2_100, 2_100 + len("'' is not a URL"))
    assert len(relative.message) == 2_100 + len("'' is not an absolute URL")
