"""Prints findings as CSV, one row for each place, for spreadsheets."""

import csv
import io
from collections.abc import Iterable, Sequence

from waypost.cli.terminal import echo
from waypost.core.model import printable
from waypost.validate.findings import Finding

_FORMULA = ("=", "+", "-", "@", "\uff1d", "\uff0b", "\uff0d", "\uff20")
"""Spreadsheets calculate what begins with one of these (OWASP, CSV Injection)."""


def print_csv(columns: Sequence[str], rows: Iterable[Sequence[object]]) -> None:
    """Print a table (RFC 4180); a text that a spreadsheet would calculate has an apostrophe before it."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n", quoting=csv.QUOTE_ALL)
    writer.writerows([columns, *(map(_cell, row) for row in rows)])
    echo(text.getvalue().rstrip("\n"))


def print_findings_csv(findings: Iterable[Finding]) -> None:
    """Print the findings of sitemaps, one row for each."""
    names = ("code", "severity", "file", "line", "loc", "message", "advice", "source")
    print_csv(names, ([getattr(each, name) for name in names] for each in findings))


def _cell(value: object) -> str:
    text = printable(str(value))
    return f"'{text}" if text.startswith(_FORMULA) else text
