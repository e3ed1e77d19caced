"""W3C datetimes: written from times, read leniently from pages and strictly from sitemaps.

Sources: sitemaps.org 0.9, "lastmod"; W3C, "Date and Time Formats".
"""

import re
from collections.abc import Mapping
from datetime import UTC, datetime, timedelta, timezone
from functools import lru_cache
from typing import NamedTuple

from waypost.core.model import DateCount, DatedBy

_DATED_BY: Mapping[DatedBy, str] = {
    "commit": "by commits of the page",
    "mapping": "by files that `sources` names",
    "own-date": "by a date in the page or its source",
    "content": "by the time at which the content was first seen",
    "generator": "by the files that the generator names",
    "copy": "by a tracked file with the same bytes",
    "generator-date": "by the generator's date, which is that of a commit",
    "text": "by a tracked file with the same text",
    "edit-link": "by a link to a tracked file",
    "path": "by its path",
    "url-list": "by the list or the sitemap that names the URL",
    "entry": "by the newest entry that they list",
}
_UNDATED = {
    "": "without a date",
    "list-page": "without a date: lists of other pages",
    "ambiguous": "without a date: several files could be the source",
    "weak-evidence": "without a date: what was found of the sources explains too little of the page",
    "not-listed": "without a date: what names the URL has none",
    "no-evidence": "without a date: no tracked file was found to be the source",
}
_LENIENT = re.compile(
    r"(?P<day>\d{4}-\d{2}-\d{2})"
    r"(?:[T ]+(?P<time>\d{2}:\d{2})(?::(?P<second>\d{2})(?:[.,]\d+)?)?\s*(?P<zone>Z|[+-]\d{2}:?\d{2})?)?",
    re.IGNORECASE,
)
_STRICT = re.compile(
    r"(\d{4})(?:-(\d{2})(?:-(\d{2})(?:T(\d{2}):(\d{2})(?::(\d{2})(?:\.\d+)?)?(Z|[+-]\d{2}:\d{2}))?)?)?", re.ASCII
)
MOST_TRIED = 1_000
"""How many texts of a page are tried as its date."""
_MAX_CHARACTERS, _MAX_HTTP_CHARACTERS = 64, 256
"""The most characters of a W3C datetime, and of an HTTP date, which may end with the name of a time zone."""
_DAY_SECONDS = 86_400
EASTERNMOST_OFFSET = 14 * 3_600
"""In the easternmost time zone a day begins so many seconds earlier; no zone is further (XML Schema 1.0, 3.2.7.3)."""
_CLOCK_TOLERANCE = 300
"""Seconds by which clocks may differ."""
_WEB_BEGIN = "1991-08-06T00:00:00Z"
"""The day of the first page of the web: no page changed before it."""


def date_text(each: DateCount) -> str:
    """What dated these pages, or why they have no date."""
    why = _DATED_BY[each.dated_by] if each.dated_by else _UNDATED.get(each.no_date_reason)
    return why or f"without a date: {each.no_date_reason}"


def count_text(each: DateCount) -> str:
    """How many pages one thing dated, or why so many have no date."""
    return f"{each.count:,} {'page' if each.count == 1 else 'pages'} {date_text(each)}"


class DateRange(NamedTuple):
    """The time that a date covers (a year, a month, a day, a minute, a second), in Unix seconds."""

    start: float
    end: float


@lru_cache(maxsize=65_536)
def format_unix_time(seconds: int) -> str:
    """A time in Unix seconds as a W3C datetime in UTC."""
    return _format(datetime.fromtimestamp(seconds, UTC))


def parse_page_date(text: str) -> str | None:
    """Read a date leniently, as pages write them; returns a W3C date in UTC, or None if the text is no date.

    A time without a zone is read as UTC. A date without a time stays one. HTTP dates (RFC 9110, 5.6.7) are read too.
    """
    text = text.strip()
    match = _LENIENT.fullmatch(text) if len(text) <= _MAX_CHARACTERS else None
    if match is None:
        return _parse_http_date(text) if len(text) <= _MAX_HTTP_CHARACTERS else None
    try:
        if match["time"] is None:
            return datetime.strptime(match["day"], "%Y-%m-%d").date().isoformat()
        zone = (match["zone"] or "Z").upper().replace("Z", "+00:00")
        time = datetime.fromisoformat(f"{match['day']}T{match['time']}:{match['second'] or '00'}{zone}")
        return _format(time.astimezone(UTC))
    except (ValueError, OverflowError):
        return None


def _parse_http_date(text: str) -> str | None:
    return parse_mail_date(text) if text[:3].isalpha() else None


def parse_mail_date(text: str) -> str | None:
    """Read a date as mails and RFC 850 write it; returns a W3C datetime in UTC, or None."""
    from email.utils import parsedate_to_datetime  # imported late: it is slow to import, and few pages need it

    try:
        time = parsedate_to_datetime(text)
        return _format((time if time.tzinfo else time.replace(tzinfo=UTC)).astimezone(UTC))
    except (ValueError, TypeError, IndexError, OverflowError):
        return None


def parse_strict_w3c_date(text: str) -> DateRange | str:
    """Read a date strictly, as a sitemap must write it; returns the code of the rule that it breaks if it is invalid.

    All six forms are valid. The protocol's own schema rejects three of them (a time without seconds, a month, a year),
    but search engines accept them.
    """
    return _parse_strict(text) if len(text) <= _MAX_CHARACTERS else "date-form"


@lru_cache(maxsize=65_536)
def _parse_strict(text: str) -> DateRange | str:
    match = _STRICT.fullmatch(text)
    if match is None:
        return "date-form"
    year, month, day, hour, minute, second = (int(part or "0") for part in match.groups()[:6])
    try:
        zone = _zone(match[7])
        time = datetime(year, month if match[2] else 1, day if match[3] else 1, hour, minute, second, tzinfo=zone)
        start = time.timestamp()
    except (ValueError, OverflowError):
        return "date-impossible"
    if match[4]:
        return DateRange(start, start + (1 if match[6] else 60))
    return DateRange(start, start + _DAY_SECONDS * (1 if match[3] else 31 if match[2] else 366))


def _zone(text: str | None) -> timezone:
    if text in (None, "Z"):
        return UTC
    hours, minutes = int(str(text)[1:3]), int(str(text)[4:])
    offset = timedelta(hours=hours, minutes=minutes)
    if minutes > 59 or offset > timedelta(seconds=EASTERNMOST_OFFSET):
        raise ValueError(text)
    return timezone(-offset if str(text).startswith("-") else offset)


def unix_time(date: str) -> float:
    """A W3C datetime in Unix seconds."""
    return datetime.fromisoformat(date).timestamp()


def add_seconds(date: str, seconds: int) -> str:
    """The W3C datetime that is some seconds later than another, which is in UTC."""
    return _format(datetime.fromisoformat(date) + timedelta(seconds=seconds))


def seconds_between(earlier: str, later: str) -> float:
    """The seconds from one datetime to another; both are W3C's, or RFC 3339's with fractions of a second."""
    return unix_time(later) - unix_time(earlier)


def at_precision(date: str | None, precision: str) -> str | None:
    """The date with the precision that a site sets: `second` leaves it as it is, `date` keeps only the day."""
    return date[:10] if date and precision == "date" else date


def is_future(date: str, now: str) -> bool:
    """Whether a date is later than `now`; both are W3C dates in UTC."""
    return date > now[: len(date)]


def may_be_change(date: str, now: str) -> bool:
    """Whether a page may have changed at a date, which is neither later than `now` nor before the web began."""
    return not is_future(date, now) and date >= _WEB_BEGIN[: len(date)]


def may_be_commit(seconds: int, now: int) -> bool:
    """The same of a commit's time, in Unix seconds: tools that pin a time write 0."""
    return web_begin() <= seconds <= now


@lru_cache(maxsize=1)
def web_begin() -> int:
    """The time of the first page of the web, in Unix seconds."""
    return int(unix_time(_WEB_BEGIN))


def is_range_future(date: DateRange, now: float) -> bool:
    """Whether a date is later than `now` (Unix seconds) in every time zone, even if clocks differ by minutes."""
    is_whole_day = date.end - date.start >= _DAY_SECONDS
    return date.start > now + (EASTERNMOST_OFFSET if is_whole_day else _CLOCK_TOLERANCE)


def _format(time: datetime) -> str:
    return time.isoformat().replace("+00:00", "Z")
