"""How a command answers, as text, JSON, CSV or commands of a workflow, and how it ends: with an exit code."""

import csv
import io
import os
import sys
import traceback
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any, NoReturn

import click

from waypost.build import workflow_commands
from waypost.build.answers import SCHEMA_VERSION, to_json
from waypost.cli.terminal import echo, say
from waypost.core.errors import StoreError, WaypostError
from waypost.core.finding_types import Severity
from waypost.core.inert_text import inert_json
from waypost.core.model import printable
from waypost.validate import Finding, FindingReport

_EXIT_DEFECT, _EXIT_INTERRUPTED = 70, 130
EXIT_STALE = 1
"""The exit code of a check that finds a difference."""
EXIT_FOUND = 1
"""The exit code of a command that finds what it looks for: errors, or changes."""
_COLOURS = {Severity.ERROR: "red", Severity.WARNING: "yellow", Severity.NOTE: "cyan"}
_LEVELS = {Severity.ERROR: "error", Severity.WARNING: "warning", Severity.NOTE: "notice"}
_FORMULA = ("=", "+", "-", "@", "\uff1d", "\uff0b", "\uff0d", "\uff20")
"""Spreadsheets calculate what begins with one of these (OWASP, CSV Injection)."""
_FINDING_COLUMNS = ("code", "severity", "file", "line", "loc", "message", "advice", "source")


@contextmanager
def errors() -> Iterator[None]:
    """Turns an exception into a message and an exit code."""
    try:
        yield
    except WaypostError as error:
        _fail(str(error), error.exit_code)
    except BrokenPipeError:  # the reader has closed the pipe, as `head` does
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(StoreError.exit_code)
    except OSError as error:
        _fail(f"cannot write the answer: {error.strerror}", StoreError.exit_code)
    except click.ClickException:
        raise
    except KeyboardInterrupt:
        _fail("interrupted", _EXIT_INTERRUPTED)
    except Exception:
        traceback.print_exc()
        _fail("this is a defect in Waypost; please report it with the lines above", _EXIT_DEFECT)


def _fail(message: str, code: int) -> NoReturn:
    say(f"error: {message}", "red")
    sys.exit(code)


def end_with(errors: Sequence[WaypostError]) -> None:
    """Print the errors about targets, and raise the last, which is printed when it ends the command."""
    for error in errors if _is_workflow() else ():
        workflow_commands.annotate("error", printable(str(error)), title="Waypost")
    for error in errors[:-1]:
        say(f"error: {error}", "red")
    if errors:
        raise errors[-1]


def print_answer(answer: object, lines: Iterable[str], *, as_json: bool) -> None:
    """Print an answer, or a list of them, on standard output: as JSON, or as lines for people."""
    if as_json:
        print_json(answer)
    else:
        for line in lines:
            echo(line)


def print_json(answer: object) -> None:
    """Print an answer, or a list of them, as JSON on standard output."""
    click.echo(inert_json(to_json(answer)))  # noqa: TID251


def print_csv(columns: Sequence[str], rows: Iterable[Sequence[object]]) -> None:
    """Print a table (RFC 4180); a text that a spreadsheet would calculate has an apostrophe before it."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n", quoting=csv.QUOTE_ALL)
    writer.writerows([columns, *(map(_cell, row) for row in rows)])
    echo(text.getvalue().rstrip("\n"))


def _cell(value: object) -> str:
    text = printable(str(value))
    return f"'{text}" if text.startswith(_FORMULA) else text


def print_findings_csv(findings: Iterable[Finding]) -> None:
    """Print the findings of sitemaps, one row for each."""
    print_csv(_FINDING_COLUMNS, ([getattr(finding, name) for name in _FINDING_COLUMNS] for finding in findings))


def print_finding(
    severity: Severity,
    code: str,
    text: str,
    details: Iterable[str] = (),
    *,
    place: str = "",
    annotation: str = "",
    file: str = "",
    line: int | None = None,
) -> None:
    """Print what was found: a line that begins with its place, if it has one, and the details below it.

    In a workflow of GitHub it is an annotation instead, with a text of its own, at a line of a file if that is given.
    """
    if _is_workflow():
        level = _LEVELS[severity]
        workflow_commands.annotate(level, annotation, title=f"Waypost: {code}", file=file, line=line)
        return
    label = click.style(severity.value, fg=_COLOURS[severity], bold=True)
    for shown in (f"{place}{label} {code}: {text}", *details):
        echo(shown)


def _is_workflow() -> bool:
    return os.environ.get("GITHUB_ACTIONS") == "true"


def report_fields(report: FindingReport, errors: Sequence[WaypostError]) -> dict[str, Any]:
    """What the JSON answers of `validate` and `check-live` have in common."""
    return {
        "schema_version": SCHEMA_VERSION,
        "error_count": report.count(Severity.ERROR),
        "warning_count": report.count(Severity.WARNING),
        "note_count": report.count(Severity.NOTE),
        "count_by_code": report.counts,
        "findings": list(report),
        "failed": [str(error) for error in errors],
    }
