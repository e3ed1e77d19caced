"""Reads dates as Ruby's `Time.parse` does, in the forms that front matter and file names have.

A day that a month lacks is one of the next month (2024-02-30 is 2024-03-01). Of the names of time zones, Ruby knows
UTC and North America's; after another, the time is local.
"""

import re
from datetime import UTC, date, datetime, timedelta, timezone, tzinfo

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
_MOST_CHARACTERS = 128
"""The limit of Ruby's `Date._parse`."""
_NEXT_CENTURY = 69
"""A year of two digits from here on is one of the 20th century."""


def parse_time(value: object, zone: tzinfo) -> datetime:
    """A value of YAML as a time in a zone; raises ValueError for what is no date."""
    try:
        return _parse(value, zone)
    except OverflowError:
        raise ValueError(f"{str(value)!r} is not in the years 1 to 9999") from None


def _parse(value: object, zone: tzinfo) -> datetime:
    if isinstance(value, datetime):
        return (value if value.tzinfo else value.replace(tzinfo=UTC)).astimezone(zone)
    if isinstance(value, date):
        return datetime(value.year, value.month, value.day, tzinfo=zone)
    text = str(value).strip()
    if len(text) > _MOST_CHARACTERS:
        raise ValueError(f"a text of more than {_MOST_CHARACTERS} characters is not a date")
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
