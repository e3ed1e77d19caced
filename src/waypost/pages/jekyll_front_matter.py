"""Finds and reads the YAML front matter at the beginning of a file, and the dates in it, by Jekyll's rules.

Dates are read as Ruby's `Time.parse` does, in the forms that front matter and file names have. A day that a month lacks
is one of the next month (2024-02-30 is 2024-03-01). Of the names of time zones, Ruby knows UTC and North America's;
after another, the time is local.
"""

import re
from codecs import BOM_UTF8
from collections.abc import Mapping
from datetime import UTC, date, datetime, timedelta, timezone, tzinfo
from functools import cache
from typing import Any

from msgspec import Struct

from waypost.core import data_files
from waypost.core.data_files import YamlError

Values = Mapping[str, object]
_HEADER = re.compile(rb"---[ \t\r\f\v]*\n")
_END = re.compile(r"^(?:---|\.\.\.)[ \t\r\f\v]*+(?:\n|\Z)", re.MULTILINE)
_WHITE_SPACE = " \t\n\r\f\v"
HEADER_SIZE = 256
"""How many bytes of a file are read to see whether its first line begins front matter."""
_MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
_MONTH = rf"(?P<name>{'|'.join(_MONTHS)})[a-z]*\.?"
_DAYS = tuple(
    re.compile(pattern, re.IGNORECASE)
    for pattern in (
        r"(?<!\d)(?P<year>\d{4})[-/.](?P<month>\d{1,2})[-/.](?P<day>\d{1,2})(?!\d)",
        r"(?<!\d)(?P<day>\d{1,2})[-/.](?P<month>\d{1,2})[-/.](?P<year>\d{4})(?!\d)",
        r"^(?P<year>\d{2,3})-(?P<month>\d{1,2})-(?P<day>\d{1,2})(?!\d)",
        r"^(?P<year>\d{4})(?P<month>\d{2})(?P<day>\d{2})(?!\d)",
        rf"(?<!\d)(?P<day>\d{{1,2}})(?:st|nd|rd|th)?[\s-]+{_MONTH},?[\s-]+(?P<year>\d{{4}})",
        rf"{_MONTH}\s+(?P<day>\d{{1,2}})(?:st|nd|rd|th)?,?\s+(?P<year>\d{{4}})",
    )
)
_TIME = re.compile(
    r"(?<!\d)(?P<hour>\d{1,2})(?:(?::(?P<minute>\d{1,2})(?::(?P<second>\d{1,2})(?:\.\d+)?)?\s*(?P<half>[ap]m\b)?)"
    r"|\s*(?P<half2>[ap]m\b))\s*(?P<zone>[+-]\d{2}:?\d{2}|[a-z]+\b)?",
    re.IGNORECASE,
)
_ZONES = {"Z": 0, "UTC": 0, "GMT": 0, "UT": 0, "EST": -5, "EDT": -4, "CST": -6, "CDT": -5, "MST": -7, "MDT": -6}
_ZONES |= {"PST": -8, "PDT": -7}
_MOST_DATE_CHARACTERS = 128
"""The limit of Ruby's `Date._parse`."""
_NEXT_CENTURY = 69
"""A year of two digits from here on is one of the 20th century."""


def load_yaml(text: str) -> object:
    """The value of a YAML document; raises YamlError."""
    return data_files.load_yaml(text, _loader())


@cache
def _loader() -> Any:
    """PyYAML's safe loader with those of its rules replaced that differ from Jekyll's parser."""
    import yaml  # imported late: only runs over Jekyll sources need it

    base: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
    loader = data_files.limited_loader(base)

    def timestamp(self: Any, node: Any) -> object:
        try:
            return base.construct_yaml_timestamp(self, node)
        except ValueError:
            return node.value

    def plain(self: Any, suffix: str, node: Any) -> object:
        del suffix
        if isinstance(node, yaml.ScalarNode):
            return node.value
        if isinstance(node, yaml.SequenceNode):
            return self.construct_sequence(node, deep=True)
        return self.construct_mapping(node, deep=True)

    loader.add_constructor("tag:yaml.org,2002:timestamp", timestamp)
    loader.add_constructor("tag:yaml.org,2002:value", lambda _, node: node.value)
    loader.add_multi_constructor("!", plain)
    return loader


class JekyllFrontMatter(Struct, frozen=True):
    """The values at the beginning of a file, and the text after them.

    `problem` says why the values could not be read. Jekyll then renders the file without them.
    """

    values: Values
    content: str = ""
    problem: str = ""


def has_header(data: bytes) -> bool:
    """Whether Jekyll renders a file with this beginning: its first line is `---`, with no byte order mark."""
    return _HEADER.match(data) is not None


def may_have_front_matter(data: bytes) -> bool:
    """Whether a file with this beginning has front matter in Jekyll's eyes, once something makes Jekyll render it."""
    return has_header(data.removeprefix(BOM_UTF8))


def read_front_matter(data: bytes) -> JekyllFrontMatter:
    """The front matter of a whole file; a file without any, or whose block does not end, has no values."""
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        return JekyllFrontMatter({}, data.decode("utf-8", "replace"), f"it is not UTF-8 (byte {error.start + 1})")
    block, content = _divided(text)
    if not block:
        return JekyllFrontMatter({}, text)
    try:
        values = load_yaml(block)
    except YamlError as error:
        return JekyllFrontMatter({}, content, f"{error}")
    if not values:
        return JekyllFrontMatter({}, content)
    if not isinstance(values, dict):
        return JekyllFrontMatter({}, content, "it has no names with values")
    return JekyllFrontMatter({str(name): value for name, value in values.items()}, content)


def _divided(text: str) -> tuple[str, str]:
    """The front matter from `---` to before the line that ends it, and the text after it; empty without any."""
    start = _after_lines(text, 3) if text.startswith("---") else None
    end = _END.search(text, start) if start else None
    if end is None:
        return "", text
    content = text[_after_lines(text, end.start() + 3) or len(text) :]
    return text[: end.start()], content if content.strip(_WHITE_SPACE) else ""


def _after_lines(text: str, start: int) -> int | None:
    """The beginning of the first line after white space at this place; None if no line ends in it."""
    rest = len(text) - start - len(text[start:].lstrip(_WHITE_SPACE))
    end = text.rfind("\n", start, start + rest)
    return None if end < 0 else end + 1


def parse_time(value: object, zone: tzinfo) -> datetime:
    """A value of YAML as a time in a zone; raises ValueError for what is no date."""
    try:
        return _parsed_time(value, zone)
    except OverflowError:
        raise ValueError(f"{str(value)!r} is not in the years 1 to 9999") from None


def _parsed_time(value: object, zone: tzinfo) -> datetime:
    if isinstance(value, datetime):
        return (value if value.tzinfo else value.replace(tzinfo=UTC)).astimezone(zone)
    if isinstance(value, date):
        return datetime(value.year, value.month, value.day, tzinfo=zone)
    text = str(value).strip()
    if len(text) > _MOST_DATE_CHARACTERS:
        raise ValueError(f"a text of more than {_MOST_DATE_CHARACTERS} characters is not a date")
    day = next(filter(None, (pattern.search(text) for pattern in _DAYS)), None)
    if day is None:
        raise ValueError(f"{text!r} is not a date")
    rest = text[: day.start()] + " " + re.sub(r"^T", " ", text[day.end() :])
    local = _midnight(day) + _time_of_day(_TIME.search(rest))
    return local.replace(tzinfo=_offset(_TIME.search(rest)) or zone).astimezone(zone)


def _midnight(match: re.Match[str]) -> datetime:
    parts = match.groupdict()
    name = parts.get("name")
    month = _MONTHS.index(name.lower()) + 1 if name else int(parts["month"] or 0)
    year, day = int(match["year"]), int(match["day"])
    if len(match["year"]) == 2:
        year += 1900 if year >= _NEXT_CENTURY else 2000
    if not 1 <= day <= 31:
        raise ValueError(f"{match[0]!r} has no such day")
    return datetime(year, month, 1) + timedelta(days=day - 1)


def _time_of_day(match: re.Match[str] | None) -> timedelta:
    if match is None:
        return timedelta()
    hour = int(match["hour"])
    if half := match["half"] or match["half2"]:
        hour = hour % 12 + (12 if half.lower() == "pm" else 0)
    return timedelta(hours=hour, minutes=int(match["minute"] or 0), seconds=int(match["second"] or 0))


def _offset(match: re.Match[str] | None) -> tzinfo | None:
    name = match["zone"] if match else None
    if not name:
        return None
    if name[0] in "+-":
        minutes = int(name[1:3]) * 60 + int(name[-2:])
        return timezone(timedelta(minutes=-minutes if name[0] == "-" else minutes))
    hours = _ZONES.get(name.upper())
    return None if hours is None else timezone(timedelta(hours=hours))
