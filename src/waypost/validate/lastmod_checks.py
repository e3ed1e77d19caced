"""Checks the dates of one file: which are invalid, which is the newest, and whether they are of any use together."""

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from datetime import UTC
from typing import Any

from waypost.core import dates
from waypost.core.dates import DateRange

_MIN_DATES, _MIN_SHARE = 5, 0.9
"""If at least so many dates, and such a share of them, agree, that is no coincidence."""
_GENERATION_TOLERANCE = 10
"""Seconds by which a date may differ from the time at which the file was generated."""
_MAX_PARSED = 65_536
_RFC_822 = re.compile(
    r"(?:[A-Za-z]{3},\s*)?\d{1,2}\s+[A-Za-z]{3}\s+\d{4}\s+\d\d:\d\d(?::\d\d)?\s+(?:[A-Z]{1,3}|[+-]\d{4})", re.ASCII
)
"""The form of a date in RSS 2.0."""


class LastmodChecks:
    """The dates of a file; each different text is parsed once.

    `now` is in Unix seconds, and `generation_times` gives the times at which the file may have been generated.
    `newest` is the latest date, in Unix seconds and as it is written.
    """

    def __init__(self, now: float, generation_times: Callable[[], Iterable[float]]) -> None:
        self._now, self._generation_times = now, generation_times
        self._parsed: dict[str, DateRange | str] = {}
        self._invalid: set[str] = set()
        self._generated: set[str] = set()
        self._count, self._generated_count = 0, 0
        self._distinct: set[str] = set()
        self.newest = (float("-inf"), "")

    def add(self, texts: Sequence[str], *, is_rss: bool) -> dict[str, str]:
        """Add dates; returns the invalid ones among them, each with the code of the rule that it breaks."""
        distinct = set(texts)
        self._count += len(texts)
        if len(self._distinct) < 2:
            self._distinct |= distinct if len(distinct) < 3 else set(sorted(distinct)[:2])
        if len(self._parsed) > _MAX_PARSED:
            self._parsed.clear()
        for text in distinct - self._parsed.keys():
            self._add_parsed(text, _parse_rss_date(text) if is_rss else dates.parse_strict_w3c_date(text))
        if self._generated:
            self._generated_count += sum(text in self._generated for text in texts)
        return {text: self._code(text) for text in distinct & self._invalid}

    def _add_parsed(self, text: str, date: DateRange | str) -> None:
        self._parsed[text] = date
        if isinstance(date, str) or date.end <= dates.web_begin() or dates.is_range_future(date, self._now):
            self._invalid.add(text)
            return
        if date.start > self.newest[0] or (date.start == self.newest[0] and text > self.newest[1]):
            self.newest = (date.start, text)
        if ":" in text and any(abs(date.start - time) <= _GENERATION_TOLERANCE for time in self._generation_times()):
            self._generated.add(text)

    def _code(self, text: str) -> str:
        date = self._parsed[text]
        if isinstance(date, str):
            return date
        return "date-before-web" if date.end <= dates.web_begin() else "date-future"

    def problems(self) -> Iterator[tuple[str, dict[str, Any]]]:
        """What is wrong with all dates together: codes of rules, with the values for their messages."""
        value = self.newest[1]
        if self._count < _MIN_DATES or not value:
            return
        if self._generated_count >= self._count * _MIN_SHARE:
            yield "dates-of-generation", {"count": self._generated_count, "all": self._count, "value": value}
        elif len(self._distinct) == 1:
            yield "dates-all-equal", {"count": self._count, "value": value}


def _parse_rss_date(text: str) -> DateRange | str:
    """Read a date of RSS, which has the form of RFC 822, or a W3C date."""
    from email.utils import parsedate_to_datetime  # imported late: it is slow to import, and few files need it

    try:
        date = parsedate_to_datetime(text[:60])
        start = (date if date.tzinfo else date.replace(tzinfo=UTC)).timestamp()
    except (ValueError, TypeError, OverflowError):
        found = dates.parse_strict_w3c_date(text)
        if found != "date-form":
            return found
        return "date-impossible" if _RFC_822.fullmatch(text.strip()) else "date-form-rss"
    return DateRange(start, start + 1)
