"""Prints what `waypost validate` found: lines for people, or annotations in a GitHub workflow."""

import os
from collections.abc import Sequence
from pathlib import Path

import click

from waypost.build import workflow_commands
from waypost.build.answers import count_noun
from waypost.cli.terminal import echo, say
from waypost.core.errors import WaypostError
from waypost.core.finding_types import Severity
from waypost.core.model import printable
from waypost.validate import FileResult, Finding, FindingReport

COLOURS = {Severity.ERROR: "red", Severity.WARNING: "yellow", Severity.NOTE: "cyan"}
LEVELS = {Severity.ERROR: "error", Severity.WARNING: "warning", Severity.NOTE: "notice"}


def print_findings(report: FindingReport, files: Sequence[FileResult], unfollowed: int) -> None:
    """Print each finding, how many more there are, and a summary; `unfollowed` counts sitemaps that were not opened."""
    findings = list(report)
    for finding in findings:
        _annotate(finding) if is_workflow() else echo(_line(finding))
    for code, count in report.counts.items():
        more = count - sum(finding.code == code for finding in findings)
        if more:
            say(f"  and {more:,} more of {code} (--most 0 prints all)")
    say(_summary(report, files))
    if unfollowed:
        say(f"  not checked: {count_noun(unfollowed, 'sitemap')} that an index lists")


def print_errors(errors: Sequence[WaypostError]) -> None:
    """Print the errors about targets, except the last, which ends the command and is printed then."""
    for error in errors if is_workflow() else ():
        workflow_commands.annotate("error", printable(str(error)), title="Waypost")
    for error in errors[:-1]:
        say(f"error: {error}", "red")


def _summary(report: FindingReport, files: Sequence[FileResult]) -> str:
    index_count = sum(file.kind == "sitemapindex" for file in files)
    url_count = sum(file.entries for file in files if file.kind != "sitemapindex")
    indexes = "an index" if index_count == 1 else f"{index_count} indexes"
    of_which = "" if not index_count else f", {indexes}" if len(files) == 1 else f", {indexes} among them"
    counts = ", ".join(count_noun(report.count(severity), severity.value) for severity in Severity)
    return f"{count_noun(len(files), 'file')}{of_which}; {count_noun(url_count, 'URL')}: {counts}"


def is_workflow() -> bool:
    """Whether this runs in a workflow of GitHub, which shows annotations."""
    return os.environ.get("GITHUB_ACTIONS") == "true"


def _text(finding: Finding) -> str:
    return printable(f"{finding.message}; {finding.advice}" + (f" ({finding.loc})" if finding.loc else ""))


def _line(finding: Finding) -> str:
    position = f"{finding.file}:{finding.line}" if finding.line else finding.file
    label = click.style(finding.severity.value, fg=COLOURS[finding.severity], bold=True)
    return f"{printable(position)}: {label} {finding.code}: {_text(finding)}"


def _annotate(finding: Finding) -> None:
    path, workspace = Path(finding.file).resolve(), Path(os.environ.get("GITHUB_WORKSPACE") or Path.cwd()).resolve()
    is_in_workspace = path.is_file() and path.is_relative_to(workspace)
    workflow_commands.annotate(
        LEVELS[finding.severity],
        _text(finding) if is_in_workspace else f"{printable(finding.file)}: {_text(finding)}",
        title=f"Waypost: {finding.code}",
        file=str(path.relative_to(workspace)) if is_in_workspace else "",
        line=finding.line or None,
    )
