"""How a command ends: each exception becomes a message and the exit code that the help promises."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path

import click
import pytest
from unit.cli.invoke import BASE, Invoke, urlset

from waypost.build.answers import severity_counts
from waypost.cli import output
from waypost.cli.output import print_csv
from waypost.core.errors import RenderError, SourceError, StateError, StoreError, WaypostError
from waypost.core.finding_types import FindingType, Severity
from waypost.validate.findings import FindingReport


def fail_with(error: Exception) -> int:
    """The exit code of a command that raises this."""
    with pytest.raises(SystemExit) as caught, output.errors():
        raise error
    assert isinstance(caught.value.code, int)
    return caught.value.code


@pytest.mark.parametrize(
    ("error", "code"),
    [
        (SourceError("why"), 3),
        (RenderError("why"), 4),
        (StoreError("why"), 5),
        (StateError("why"), 6),
        (WaypostError("why"), 70),
    ],
)
def test_an_expected_error_is_one_line_and_its_exit_code(
    capsys: pytest.CaptureFixture[str], error: WaypostError, code: int
) -> None:
    assert fail_with(error) == code
    assert capsys.readouterr() == ("", "error: why\n")


def test_an_answer_that_cannot_be_written_has_the_exit_code_of_an_output(capsys: pytest.CaptureFixture[str]) -> None:
    assert fail_with(OSError(28, "No space left on device")) == 5
    assert capsys.readouterr().err == "error: cannot write the answer: No space left on device\n"


def test_a_defect_is_reported_with_its_traceback(capsys: pytest.CaptureFixture[str]) -> None:
    assert fail_with(ZeroDivisionError("by zero")) == 70
    printed = capsys.readouterr().err
    assert "ZeroDivisionError: by zero" in printed
    assert printed.endswith("please report it with the lines above\n")


def test_an_error_of_the_command_line_is_left_to_click() -> None:
    with pytest.raises(click.BadParameter), output.errors():
        raise click.BadParameter("no URL")


def test_answers_are_printed_as_one_json_document(capsys: pytest.CaptureFixture[str]) -> None:
    output.print_json([{"loc": "https://example.org/é"}])
    assert json.loads(capsys.readouterr().out) == [{"loc": "https://example.org/é"}]


def test_an_interrupted_command_exits_with_130_and_no_traceback(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as caught, output.errors():
        raise KeyboardInterrupt
    assert caught.value.code == 130
    assert capsys.readouterr().err == "error: interrupted\n"


def rows(text: str) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(text)))


def test_cells_with_commas_quotes_and_lines_are_one_cell(capsys: pytest.CaptureFixture[str]) -> None:
    print_csv(("a", "b"), [('x, "y"', 1), ("one\ntwo", "ü")])
    assert rows(capsys.readouterr().out) == [{"a": 'x, "y"', "b": "1"}, {"a": "one\\ntwo", "b": "ü"}]


@pytest.mark.parametrize("text", ["=1+1", "+1", "-1", "@SUM(A1)"])
def test_no_spreadsheet_calculates_a_cell(capsys: pytest.CaptureFixture[str], text: str) -> None:
    print_csv(("a",), [(text,)])
    assert rows(capsys.readouterr().out) == [{"a": f"'{text}"}]


def test_a_runner_finds_no_command_in_a_cell(capsys: pytest.CaptureFixture[str]) -> None:
    print_csv(("a",), [("::error::x",), ("##[error]x",)])
    assert capsys.readouterr().out == '"a"\n"::error::x"\n"##\\[error]x"\n'


def test_validate_prints_all_findings_as_csv(tmp_path: Path, invoke: Invoke) -> None:
    (tmp_path / "a.xml").write_text(urlset(*map(str, range(101))).replace(BASE, "http://localhost/"))
    found = rows(invoke("validate", str(tmp_path), "--csv").stdout)
    assert len(found) == 101
    assert {(each["code"], each["severity"], each["line"]) for each in found} == {("loc-private", "error", "1")}


def test_audit_and_report_print_each_page_of_each_case_as_csv(tmp_path: Path, invoke: Invoke) -> None:
    site = tmp_path / "site"
    site.mkdir()
    for name in ("index", "a"):
        (site / f"{name}.html").write_text(f"<title>{name}</title><a href=gone.html></a><a href=a.html></a>")
    arguments = (str(site), "--base-url", "https://www.example.org/", "--csv")
    audited = rows(invoke("audit", *arguments).stdout)
    reported = rows(invoke("report", *arguments, "--to", str(tmp_path / "report.html")).stdout)
    broken = [(each["page"], each["target"]) for each in audited if each["code"] == "broken-link"]
    assert broken == [(page, "https://www.example.org/gone.html") for page in ("a.html", "index.html")]
    assert [each["page"] for each in reported if each["code"] == "broken-link"] == ["a.html", "index.html"]


def test_the_last_error_ends_the_command_and_a_workflow_gets_an_annotation_for_each(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    output.end_with([])
    errors = [SourceError("first"), SourceError("last")]
    with pytest.raises(SourceError, match="last"):
        output.end_with(errors)
    assert capsys.readouterr() == ("", "error: first\n")
    monkeypatch.setenv("GITHUB_ACTIONS", "true")
    with pytest.raises(SourceError, match="last"):
        output.end_with(errors)
    assert capsys.readouterr().out == "::error title=Waypost::first\n::error title=Waypost::last\n"


def test_the_findings_of_an_answer_are_counted_by_severity_whether_they_are_kept_or_not() -> None:
    rules = {severity.value: FindingType(severity.value, severity) for severity in Severity}
    report = FindingReport(1, rules)
    for count, severity in enumerate(Severity, 1):
        for _ in range(count):
            report.add(severity.value, "a.xml")
    fields = output.report_fields(report, [SourceError("why")])
    assert (fields["error_count"], fields["warning_count"], fields["note_count"]) == (1, 2, 3)
    assert (fields["count_by_code"], len(fields["findings"])) == ({"error": 1, "warning": 2, "note": 3}, 3)
    assert (fields["failed"], severity_counts(report.count)) == (["why"], "1 error, 2 warnings, 3 notes")
