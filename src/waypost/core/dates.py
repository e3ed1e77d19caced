"""W3C dates: written from instants, read from what pages say (sitemaps.org 0.9, "lastmod")."""

import re
from datetime import UTC, datetime, timedelta
from functools import lru_cache

_W3C = re.compile(
    r"\s*(?P<day>\d{4}-\d{2}-\d{2})"
    r"(?:[T ]+(?P<time>\d{2}:\d{2})(?::(?P<second>\d{2})(?:[.,]\d+)?)?\s*(?P<zone>Z|[+-]\d{2}:?\d{2})?)?\s*",
    re.IGNORECASE,
)


@lru_cache(maxsize=65_536)
def format_unix_time(seconds: int) -> str:
    """An instant in Unix seconds as a W3C datetime in whole seconds of UTC."""
    return _format(datetime.fromtimestamp(seconds, UTC))


def parse_page_date(text: str) -> str | None:
    """A page's word for a date as a W3C date in UTC, or None where it is none.

    A time without a zone is taken for UTC; a date alone stays a date alone. HTTP's form of a date
    (RFC 9110, 5.6.7) is understood too.
    """
    match = _W3C.fullmatch(text)
    if match is None:
        return _parse_http_date(text)
    try:
        if match["time"] is None:
            return datetime.strptime(match["day"], "%Y-%m-%d").date().isoformat()
        zone = (match["zone"] or "Z").upper().replace("Z", "+00:00")
        moment = datetime.fromisoformat(f"{match['day']}T{match['time']}:{match['second'] or '00'}{zone}")
        return _format(moment.astimezone(UTC))
    except (ValueError, OverflowError):
        return None


def _parse_http_date(text: str) -> str | None:
    if not text[:3].isalpha():
        return None
    from email.utils import parsedate_to_datetime  # few pages need it, and every start would pay for it

    try:
        moment = parsedate_to_datetime(text)
        return _format((moment if moment.tzinfo else moment.replace(tzinfo=UTC)).astimezone(UTC))
    except (ValueError, TypeError, IndexError, OverflowError):
        return None


def _format(moment: datetime) -> str:
    return moment.isoformat().replace("+00:00", "Z")


def unix_time(date: str) -> float:
    """A W3C datetime in Unix seconds."""
    return datetime.fromisoformat(date).timestamp()


def add_seconds(date: str, seconds: int) -> str:
    """The instant some seconds behind a W3C datetime in UTC."""
    return _format(datetime.fromisoformat(date) + timedelta(seconds=seconds))


def seconds_between(earlier: str, date: str) -> float:
    """How many seconds lie between two W3C datetimes, or RFC 3339 ones with fractions."""
    return unix_time(date) - unix_time(earlier)


def at_precision(date: str | None, precision: str) -> str | None:
    """The date in the precision that the site asks for: `second` as it is, `date` the day alone."""
    return date[:10] if date and precision == "date" else date


def is_future(date: str, now: str) -> bool:
    """Whether a date lies after `now`; a page that claims so is not believed."""
    return date > now[: len(date)]
