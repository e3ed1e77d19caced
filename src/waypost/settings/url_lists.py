"""Reads files that list URLs which have no file of their own: as text, CSV or JSON lines."""

import csv
import io
import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

import msgspec

from waypost.core.errors import ConfigIssue
from waypost.core.model import UrlEntry
from waypost.settings.checks import InvalidValue
from waypost.settings.table_checks import url_entry

_MOST_ISSUES = 100
_HEADER = "loc"
"""The first line of CSV has a column with this name."""
_NO_URL = re.compile(r"""[\s"<>{}|\\^`]|^\[""")
_BEYOND_HEADER = "\0"
_SEVERAL = ("alternates", "images")
"""The columns of CSV whose cells have several values, with spaces between them."""


def parse(data: bytes, name: str) -> tuple[list[UrlEntry], list[ConfigIssue]]:
    """The URLs that a file lists, each with its line, and the mistakes of lines that list none, a hundred at most.

    A file whose first line has a column `loc` is CSV, and one that begins with `{` has a JSON object in each line. In
    any other, each line is a URL; empty lines, and those that begin with `#`, count for nothing.
    """
    found: list[UrlEntry] = []
    issues: list[ConfigIssue] = []
    for line, value in _rows(data):
        try:
            if isinstance(value, InvalidValue):
                raise value
            entry = url_entry(value)
            found.append(msgspec.structs.replace(entry, where=name, line=line))
        except InvalidValue as invalid:
            issues += [ConfigIssue(name, key.lstrip(".") or "line", why, line=line) for key, why in invalid.problems]
        if len(issues) >= _MOST_ISSUES:
            break
    return found, issues


def _rows(data: bytes) -> Iterator[tuple[int, object]]:
    """The number of each line, and what it says of a URL, or why that cannot be read."""
    try:
        content = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        return iter([(data.count(b"\n", 0, error.start) + 1, _unreadable("it is not UTF-8"))])
    first = content.lstrip().partition("\n")[0].strip()
    if first.startswith("{"):
        return _json_rows(content.split("\n"))
    if _has_column_of_urls(first):
        return _csv_rows(content)
    lines = ((n, line.strip()) for n, line in enumerate(content.split("\n"), 1))
    return ((n, _url_line(line)) for n, line in lines if line and not line.startswith("#"))


def _has_column_of_urls(first: str) -> bool:
    try:
        return _HEADER in next(csv.reader([first], skipinitialspace=True), [])
    except (
        csv.Error
    ):  # A line of text may have what no cell has: a carriage return in its midst, or 131,072 characters.
        return False


def _url_line(line: str) -> object:
    """A line of text, unless it has what no URL has, or is the header of another file."""
    if _NO_URL.search(line) or not re.search(r"[/.?:]", line):
        return _unreadable(
            f"{line[:80]!r} is no URL; CSV has a column `loc` and commas, and JSON an object in each line"
        )
    return line


def _json_rows(lines: Iterable[str]) -> Iterator[tuple[int, object]]:
    for n, line in enumerate(lines, 1):
        if line.strip():
            try:
                yield n, msgspec.json.decode(line)
            except (msgspec.DecodeError, RecursionError) as error:
                yield n, _unreadable(f"it is no JSON: {error}")


def _csv_rows(content: str) -> Iterator[tuple[int, object]]:
    reader = csv.DictReader(io.StringIO(content.lstrip(), newline=""), restkey=_BEYOND_HEADER, skipinitialspace=True)
    try:
        for row in reader:
            yield reader.line_num, _cells(row)
    except csv.Error as error:
        yield reader.line_num + 1, _unreadable(f"it is no CSV: {error}")


def _unreadable(problem: str) -> InvalidValue:
    """Why nothing can be read in a line."""
    return InvalidValue(("", problem))


def _cells(row: Mapping[str, Any]) -> object:
    """The cells of a row that are not empty, by column."""
    if _BEYOND_HEADER in row:
        return _unreadable("it has more cells than the first line has columns")
    found: dict[str, object] = {name.strip(): value.strip() for name, value in row.items() if value and value.strip()}
    for name in found.keys() & _SEVERAL:
        found[name] = str(found[name]).split()
    if "alternates" in found:
        pairs = (pair.partition("=") for pair in list(found["alternates"]))  # type: ignore[call-overload]
        found["alternates"] = {language: url for language, _, url in pairs}
    if "priority" in found:
        found["priority"] = _number(str(found["priority"]))
    return found


def _number(cell: str) -> float | str:
    try:
        return float(cell)
    except ValueError:
        return cell
