"""What `waypost validate` prints: lines for people, annotations in a workflow, and a summary."""

from __future__ import annotations

from pathlib import Path

import pytest

from waypost.cli import finding_output
from waypost.core.errors import SourceError
from waypost.validate import FileResult, FindingReport


def report(count: int = 1, file: str = "sitemap.xml", most: int = 100) -> FindingReport:
    """A report with one kind of finding, in the first lines of a file."""
    made = FindingReport(most)
    for line in range(1, count + 1):
        made.add("unlisted", file, line, f"https://example.org/{line}\x1b[31m")
    return made


def test_a_finding_is_a_line_with_its_place_and_without_control_characters(
    capsys: pytest.CaptureFixture[str],
) -> None:
    finding_output.print_findings(report(), [], 0)
    (line,) = capsys.readouterr().out.splitlines()
    assert line.startswith("sitemap.xml:1: ")
    assert " unlisted: " in line
    assert "\x1b" not in line


def test_what_is_not_printed_is_counted(capsys: pytest.CaptureFixture[str]) -> None:
    finding_output.print_findings(report(5, most=2), [], unfollowed=3)
    printed = capsys.readouterr()
    assert len(printed.out.splitlines()) == 2
    assert "  and 3 more of unlisted (--most 0 prints all)" in printed.err
    assert "  not checked: 3 sitemaps that an index lists" in printed.err


def test_the_summary_does_not_count_the_entries_of_an_index_as_urls(capsys: pytest.CaptureFixture[str]) -> None:
    files = [FileResult("i.xml", "", "sitemapindex", 1), FileResult("a.xml", "", "urlset", 7)]
    finding_output.print_findings(FindingReport(), files, 0)
    assert capsys.readouterr().err == "2 files, an index among them; 7 URLs: 0 errors, 0 warnings, 0 notes\n"


def test_in_a_workflow_a_finding_is_an_annotation_at_a_file_of_the_workspace(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GITHUB_ACTIONS", "true")
    Path("maps").mkdir()
    Path("maps/sitemap.xml").write_text("")
    finding_output.print_findings(report(file="maps/sitemap.xml"), [], 0)
    finding_output.print_findings(report(file="https://example.org/sitemap.xml"), [], 0)
    inside, outside = capsys.readouterr().out.splitlines()
    assert "file=maps/sitemap.xml,line=1,title=Waypost%3A unlisted::" in inside
    assert "file=" not in outside.split("::")[1]
    assert outside.split("::")[2].startswith("https://example.org/sitemap.xml: ")


def test_the_last_error_is_printed_only_when_it_ends_the_command(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    errors = [SourceError("first"), SourceError("last")]
    finding_output.print_errors(errors)
    assert capsys.readouterr() == ("", "error: first\n")
    monkeypatch.setenv("GITHUB_ACTIONS", "true")
    finding_output.print_errors(errors)
    assert capsys.readouterr().out == "::error title=Waypost::first\n::error title=Waypost::last\n"
