"""Checks the dates of one file: which are invalid, which is the newest, and whether they are of any use together."""

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from datetime import UTC
from itertools import islice
from typing import Any

from waypost.core import dates
from waypost.core.dates import DateRange

_MIN_DATES, _MIN_SHARE = 5, 0.9
"""If at least so many dates, and such a share of them, agree, that is no coincidence."""
_GENERATION_TOLERANCE = 10
"""Seconds by which a date may differ from the time at which the file was generated."""
_RFC_822 = re.compile(
    r"(?:[A-Za-z]{3},\s*)?\d{1,2}\s+[A-Za-z]{3}\s+\d{4}\s+\d\d:\d\d(?::\d\d)?\s+(?:[A-Z]{1,3}|[+-]\d{4})", re.ASCII
)
"""The form of a date in RSS 2.0."""


class LastmodChecks:
    """The dates of a file.

    `now` is in Unix seconds, and `generation_times` gives the times at which the file may have been generated.
    `newest` is the latest date, in Unix seconds and as it is written.
    """

    def __init__(self, now: float, generation_times: Callable[[], Iterable[float]]) -> None:
        self._now, self._generation_times = now, generation_times
        self._count, self._generated_count = 0, 0
        self._two_texts: set[str] = set()
        self.newest = (float("-inf"), "")

    def add(self, texts: Sequence[str], *, is_rss: bool) -> dict[str, str]:
        """Add dates; returns the invalid ones among them, each with the code of the rule that it breaks."""
        counts = Counter(texts)
        self._count += len(texts)
        self._two_texts = set(islice(self._two_texts | counts.keys(), 2))
        invalid = {}
        for text, count in counts.items():
            date = _parse_rss_date(text) if is_rss else dates.parse_strict_w3c_date(text)
            if isinstance(date, str):
                invalid[text] = date
            elif date.end <= dates.web_begin():
                invalid[text] = "date-before-web"
            elif dates.is_range_future(date, self._now):
                invalid[text] = "date-future"
            else:
                self.newest = max(self.newest, (date.start, text))
                self._generated_count += count if ":" in text and self._is_of_generation(date) else 0
        return invalid

    def _is_of_generation(self, date: DateRange) -> bool:
        return any(abs(date.start - time) <= _GENERATION_TOLERANCE for time in self._generation_times())

    def problems(self) -> Iterator[tuple[str, dict[str, Any]]]:
        """What is wrong with all dates together: codes of rules, with the values for their messages."""
        value = self.newest[1]
        if self._count < _MIN_DATES or not value:
            return
        if self._generated_count >= self._count * _MIN_SHARE:
            yield "dates-of-generation", {"count": self._generated_count, "all": self._count, "value": value}
        elif len(self._two_texts) == 1:
            yield "dates-all-equal", {"count": self._count, "value": value}


def _parse_rss_date(text: str) -> DateRange | str:
    """Read a date of RSS, which has the form of RFC 822, or a W3C date."""
    from email.utils import parsedate_to_datetime  # imported late: it is slow to import, and few files need it

    try:
        date = parsedate_to_datetime(text[:60])
        start = (date if date.tzinfo else date.replace(tzinfo=UTC)).timestamp()
    except (ValueError, TypeError, OverflowError):
        w3c_date = dates.parse_strict_w3c_date(text)
        if w3c_date != "date-form":
            return w3c_date
        return "date-impossible" if _RFC_822.fullmatch(text.strip()) else "date-form-rss"
    return DateRange(start, start + 1)
