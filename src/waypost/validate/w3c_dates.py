"""W3C datetimes as sitemaps hold them (sitemaps.org 0.9, "lastmod"; W3C, "Date and Time Formats")."""

import re
from datetime import UTC, datetime, timedelta, timezone
from functools import lru_cache
from typing import NamedTuple

_W3C = re.compile(
    r"(\d{4})(?:-(\d{2})(?:-(\d{2})(?:T(\d{2}):(\d{2})(?::(\d{2})(?:\.\d+)?)?(Z|[+-]\d{2}:\d{2}))?)?)?", re.ASCII
)
_LONGEST = 64
_DAY = 86_400
_EAST = 14 * 3_600
"""The day begins so many seconds earlier in the easternmost zone than in UTC."""
_TOLERANCE = 300
"""Clocks differ."""


class DateRange(NamedTuple):
    """A date that was read: its beginning and its end in Unix seconds; a year lasts longer than a second."""

    start: float
    end: float


def parse_w3c_date(text: str) -> DateRange | str:
    """A W3C datetime in any of its six forms, or the code of the rule that it breaks.

    The schema that is published with the protocol rejects three of the forms (a time without seconds, a
    month, a year), which readers take.
    """
    return _parse_w3c_date(text) if len(text) <= _LONGEST else "date-form"


@lru_cache(maxsize=65_536)
def _parse_w3c_date(text: str) -> DateRange | str:
    match = _W3C.fullmatch(text)
    if match is None:
        return "date-form"
    year, month, day, hour, minute, second = (int(part or "0") for part in match.groups()[:6])
    try:
        zone = _zone(match[7])
        begins = datetime(year, month if match[2] else 1, day if match[3] else 1, hour, minute, second, tzinfo=zone)
        seconds = begins.timestamp()
    except (ValueError, OverflowError):
        return "date-impossible"
    if match[4]:
        return DateRange(seconds, seconds + (1 if match[6] else 60))
    return DateRange(seconds, seconds + _DAY * (1 if match[3] else 31 if match[2] else 366))


def _zone(text: str | None) -> timezone:
    if text in (None, "Z"):
        return UTC
    hours, minutes = int(str(text)[1:3]), int(str(text)[4:])
    if minutes > 59:
        raise ValueError(text)
    offset = timedelta(hours=hours, minutes=minutes)
    return timezone(-offset if str(text).startswith("-") else offset)


def is_range_future(date: DateRange, now: float) -> bool:
    """Whether a date lies behind `now` (Unix seconds) by every clock and in every zone."""
    is_whole_day = date.end - date.start >= _DAY
    return date.start > now + (_EAST if is_whole_day else _TOLERANCE)
