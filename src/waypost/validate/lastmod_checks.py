"""The dates of one file taken together: which are wrong, which is the newest, and whether they tell anything at all."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from datetime import UTC
from typing import Any

from waypost.core import dates
from waypost.core.dates import DateRange

_EQUAL, _ALIKE = 5, 0.9
"""From so many dates on, and from such a part of them on, that they agree is no chance."""
_GENERATION = 10
"""Seconds within which a date and the time of the file are one."""
_KEPT = 65_536


class LastmodChecks:
    """The dates of a file, of which each text is judged once; `now` and `made` are in Unix seconds.

    `made` gives the times at which the file may have been made, and `newest` is the latest date, as it was read and
    as it is written.
    """

    def __init__(self, now: float, made: Callable[[], Iterable[float]]) -> None:
        self._now, self._made = now, made
        self._read: dict[str, DateRange | str] = {}
        self._wrong: set[str] = set()
        self._generated: set[str] = set()
        self._count, self._generated_count = 0, 0
        self._distinct: set[str] = set()
        self.newest = (float("-inf"), "")

    def invalid(self, written: Sequence[str], *, is_rss: bool) -> dict[str, str]:
        """Take dates in; the wrong among them, each with the code of the rule that it breaks."""
        distinct = set(written)
        self._count += len(written)
        if len(self._distinct) < 2:
            self._distinct |= distinct if len(distinct) < 3 else set(sorted(distinct)[:2])
        if len(self._read) > _KEPT:
            self._read.clear()
        for text in distinct - self._read.keys():
            self._classifier(text, _read_rss(text) if is_rss else dates.parse_strict_w3c_date(text))
        if self._generated:
            self._generated_count += sum(text in self._generated for text in written)
        return {text: self._code(text) for text in distinct & self._wrong}

    def _classifier(self, text: str, date: DateRange | str) -> None:
        self._read[text] = date
        if isinstance(date, str) or dates.is_range_future(date, self._now):
            self._wrong.add(text)
            return
        if date.start > self.newest[0] or (date.start == self.newest[0] and text > self.newest[1]):
            self.newest = (date.start, text)
        if ":" in text and any(abs(date.start - made) <= _GENERATION for made in self._made()):
            self._generated.add(text)

    def _code(self, text: str) -> str:
        date = self._read[text]
        return date if isinstance(date, str) else "date-future"

    def problems(self) -> Iterator[tuple[str, dict[str, Any]]]:
        """What all of them together say of how they were made: codes of rules with what was seen."""
        value = self.newest[1]
        if self._count < _EQUAL or not value:
            return
        if self._generated_count >= self._count * _ALIKE:
            yield "dates-of-generation", {"count": self._generated_count, "all": self._count, "value": value}
        elif len(self._distinct) == 1:
            yield "dates-all-equal", {"count": self._count, "value": value}


def _read_rss(text: str) -> DateRange | str:
    """RSS has dates of its own (RFC 822)."""
    from email.utils import parsedate_to_datetime  # few files need it, and every start would pay for it

    try:
        date = parsedate_to_datetime(text[:60])
        begins = (date if date.tzinfo else date.replace(tzinfo=UTC)).timestamp()
    except (ValueError, TypeError, OverflowError):
        return dates.parse_strict_w3c_date(text)
    return DateRange(begins, begins + 1)
