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
def w3c(seconds: int) -> str:
    """An instant in Unix seconds as a W3C datetime in whole seconds of UTC."""
    return _written(datetime.fromtimestamp(seconds, UTC))


def read(text: str) -> str | None:
    """A page's word for a date as a W3C date in UTC, or None where it is none.

    A time without a zone is taken for UTC; a date alone stays a date alone. HTTP's form of a date
    (RFC 9110, 5.6.7) is understood too.
    """
    match = _W3C.fullmatch(text)
    if match is None:
        return _read_http(text)
    try:
        if match["time"] is None:
            return datetime.strptime(match["day"], "%Y-%m-%d").date().isoformat()
        zone = (match["zone"] or "Z").upper().replace("Z", "+00:00")
        moment = datetime.fromisoformat(f"{match['day']}T{match['time']}:{match['second'] or '00'}{zone}")
        return _written(moment.astimezone(UTC))
    except (ValueError, OverflowError):
        return None


def _read_http(text: str) -> str | None:
    if not text[:3].isalpha():
        return None
    from email.utils import parsedate_to_datetime  # few pages need it, and every start would pay for it

    try:
        moment = parsedate_to_datetime(text)
        return _written((moment if moment.tzinfo else moment.replace(tzinfo=UTC)).astimezone(UTC))
    except (ValueError, TypeError, IndexError, OverflowError):
        return None


def _written(moment: datetime) -> str:
    return moment.isoformat().replace("+00:00", "Z")


def instant(date: str) -> float:
    """A W3C datetime in Unix seconds."""
    return datetime.fromisoformat(date).timestamp()


def later(date: str, seconds: int) -> str:
    """The instant some seconds behind a W3C datetime in UTC."""
    return _written(datetime.fromisoformat(date) + timedelta(seconds=seconds))


def seconds_between(earlier: str, date: str) -> float:
    """How many seconds lie between two W3C datetimes, or RFC 3339 ones with fractions."""
    return instant(date) - instant(earlier)


def at_precision(date: str | None, precision: str) -> str | None:
    """The date in the precision that the site asks for: `second` as it is, `date` the day alone."""
    return date[:10] if date and precision == "date" else date


def is_future(date: str, now: str) -> bool:
    """Whether a date lies after `now`; a page that claims so is not believed."""
    return date > now[: len(date)]
