"""Findings as CSV."""

from __future__ import annotations

import csv
import io
from pathlib import Path

import pytest
from unit.cli.invoke import Invoke

from waypost.cli.terminal import print_csv

SITEMAP = (
    '<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"><url><loc>http://localhost/{}</loc></url></urlset>'
)


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
    for n in range(150):
        (tmp_path / f"{n}.xml").write_text(SITEMAP.format(n))
    found = rows(invoke("validate", str(tmp_path), "--csv").stdout)
    assert len(found) == 150
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


@pytest.mark.parametrize("command", ["validate", "audit", "report", "check-live"])
def test_an_answer_has_one_format(invoke: Invoke, command: str) -> None:
    result = invoke(command, "x", "--csv", "--json")
    assert (result.exit_code, "--csv and --json cannot be used together" in result.stderr) == (2, True)
