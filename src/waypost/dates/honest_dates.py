"""Decides which dates of another tool's sitemap are right, wrong, or not known to be either.

Tools often write the time of the build or of the deployment as the date of every page. Search engines stop believing
the dates of a site that does so (Google, "Build and submit a sitemap").
"""

import re
from bisect import bisect_left
from collections.abc import Iterable, Iterator, Sequence
from enum import StrEnum
from itertools import chain
from typing import NamedTuple

from msgspec import Struct

from waypost.core import dates
from waypost.core.dates import EASTERNMOST_OFFSET, DateRange

_MIN_PERCENT = 90
"""A time that so many percent of a sitemap's dates are is shared by nearly all.

45: `test_a_time_of_fewer_urls_stays`, 99: `test_a_time_that_nearly_all_urls_share_goes_if_pages_contradict_it`.
"""
_LEAST_CONTRADICTING = 2
"""So many pages show that a shared time is false: one may have been found at another page's URL.

1 and 3: `test_two_pages_contradict_a_time_and_more_than_confirm_it`.
"""
_LONGEST_BUILD = 21_600
"""The seconds over which a build may write its times: a job of GitHub Actions ends after so many.

3,600 and 25,000: `test_the_times_of_a_build_are_one_time`.
"""
_DAY_SECONDS = 86_400
_MIDNIGHT = re.compile(r"T00:00(?::00(?:\.0+)?)?(?:Z|[+-]\d\d:\d\d)$")


class Why(StrEnum):
    """Why a date is changed."""

    CHANGED_THEN = "changed-then"
    FUTURE = "future"
    SAME_FOR_ALL = "same-for-all"


class Listed(NamedTuple):
    """What a sitemap says of a URL, and what is known of its page: found or not, and when it changed, or `""`."""

    loc: str
    lastmod: str
    is_found: bool = False
    changed: str = ""


class DateDecision(Struct, frozen=True, gc=False):
    """The date that a URL is to have, `""` for none; `why` is None if that is the written one."""

    lastmod: str
    why: Why | None = None


def decide(listed: Iterable[Listed], false_times: Sequence[DateRange], now: int) -> list[DateDecision]:
    """The date of each URL at the time `now`, in Unix seconds.

    A page whose change is known has the date of that. Another URL keeps what is written, unless that is in the future
    or one of the `false_times`.
    """
    return [_decision(each, false_times, now) for each in listed]


def _decision(each: Listed, false_times: Sequence[DateRange], now: int) -> DateDecision:
    written = dates.parse_strict_w3c_date(each.lastmod)
    if each.changed:
        is_right = _agree(each.lastmod, each.changed)
        return DateDecision(each.lastmod) if is_right else DateDecision(each.changed, Why.CHANGED_THEN)
    if isinstance(written, DateRange) and dates.is_range_future(written, now):
        return DateDecision("", Why.FUTURE)
    time = _time(each.lastmod) if false_times else None
    if time and any(_is_one_time(time, false) for false in false_times):
        return DateDecision("", Why.SAME_FOR_ALL)
    return DateDecision(each.lastmod)


def _agree(written: str, changed: str, slack: int = 0) -> bool:
    """Whether a written date, of a day or less, has the time of a change in it."""
    time, known = _time(written), dates.parse_strict_w3c_date(changed)
    if time is None or isinstance(known, str):
        return False
    return time.start - slack < known.end and known.start < time.end + slack


def _time(text: str) -> DateRange | None:
    """The day, or the part of it, that a date is; None if it is longer, or none.

    Midnight is the whole day: some tools write a time for dates of which they know the day only.
    """
    time = dates.parse_strict_w3c_date(text)
    if isinstance(time, str) or time.end - time.start > _DAY_SECONDS:
        return None
    return DateRange(time.start, time.start + _DAY_SECONDS) if _MIDNIGHT.search(text) else time


def _is_day(time: DateRange) -> bool:
    return time.end - time.start >= _DAY_SECONDS


def _is_one_time(time: DateRange, shared: DateRange) -> bool:
    """Whether a time is the shared one: on the same day, if only that is known, or of the same build."""
    slack = 0 if _is_day(time) or _is_day(shared) else _LONGEST_BUILD
    return time.start - slack < shared.end and shared.start < time.end + slack


def false_times(sitemaps: Sequence[Sequence[Listed]]) -> list[DateRange]:
    """The times that nearly all dates of one of the sitemaps are, or of all, and that pages contradict.

    At least two pages must contradict a time, and more than confirm it, in whichever of the sitemaps they are.
    """
    every = [*chain.from_iterable(sitemaps)]
    shared = {time for listed in (*sitemaps, every) if (time := _shared_time(listed))}
    votes = sorted(chain.from_iterable(map(_votes, {each.loc: each for each in every if each.changed}.values())))
    starts = [time.start for time, _ in votes]

    def is_false(shared: DateRange) -> bool:
        reach = _DAY_SECONDS + _LONGEST_BUILD
        near = votes[bisect_left(starts, shared.start - reach) : bisect_left(starts, shared.end + reach)]
        cast = [confirms for time, confirms in near if _is_one_time(time, shared)]
        return cast.count(False) >= _LEAST_CONTRADICTING and cast.count(False) > cast.count(True)

    return sorted(filter(is_false, shared))


def _shared_time(listed: Iterable[Listed]) -> DateRange | None:
    """The shortest time of a build that nearly all dates are; None if there is none."""
    times = sorted(time for each in listed if (time := _time(each.lastmod)))
    if not times:
        return None
    most = -(-len(times) * _MIN_PERCENT // 100)
    spans = zip(times, times[most - 1 :], strict=False)
    first, last = min(spans, key=lambda span: span[1].start - span[0].start)
    return DateRange(first.start, last.end) if last.start - first.start <= _LONGEST_BUILD else None


def _votes(each: Listed) -> Iterator[tuple[DateRange, bool]]:
    """The time that is written of a page, and whether the page changed then.

    A day is neither confirmed nor contradicted by a change on the day before or after that is on it in some time zone.
    """
    time = _time(each.lastmod)
    if time and _agree(each.lastmod, each.changed):
        yield time, True
    elif time and not (_is_day(time) and _agree(each.lastmod, each.changed, EASTERNMOST_OFFSET)):
        yield time, False
