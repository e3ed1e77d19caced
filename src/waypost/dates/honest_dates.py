"""Decides which dates of another tool's sitemap are right, wrong, or not known to be either.

Tools often write the time of the build or of the deployment as the date of every page. Search engines stop believing
the dates of a site that does so (Google, "Build and submit a sitemap").
"""

import re
from collections import Counter
from collections.abc import Sequence
from enum import StrEnum
from typing import NamedTuple

from msgspec import Struct

from waypost.core import dates
from waypost.core.dates import DateRange

_MIN_URLS, _MIN_PERCENT = 20, 90
"""From how many URLs on one day that so many percent of them have says nothing of each.

The first: 10 `test_few_urls_other_days_or_no_page_that_contradicts_leave_the_day`, 40
`test_a_day_that_nearly_all_urls_have_goes_if_a_page_contradicts_it`; the second: 45 the former, 99 the latter.
"""
_DAY_CHARACTERS = len("2026-03-01")
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


def decide(listed: Sequence[Listed], now: int) -> list[DateDecision]:
    """The date of each URL at the time `now`, in Unix seconds.

    A page that was found has the date of its change, or keeps what is written if that is not known. Another URL loses
    a date in the future, and one that nearly all URLs have if the change of any page that was found contradicts it.
    """
    shared = _shared_day(listed)
    return [_decision(each, shared, now) for each in listed]


def _decision(each: Listed, shared: str, now: int) -> DateDecision:
    written = dates.parse_strict_w3c_date(each.lastmod)
    if each.changed:
        is_right = _agree(each.lastmod, written, each.changed)
        return DateDecision(each.lastmod) if is_right else DateDecision(each.changed, Why.CHANGED_THEN)
    if isinstance(written, DateRange) and dates.is_range_future(written, now):
        return DateDecision("", Why.FUTURE)
    if shared and not each.is_found and each.lastmod[:_DAY_CHARACTERS] == shared:
        return DateDecision("", Why.SAME_FOR_ALL)
    return DateDecision(each.lastmod)


def _agree(text: str, written: DateRange | str, changed: str) -> bool:
    """Whether a written date, of a day or less, has the time of a change in it.

    Midnight is the whole day: some tools write a time for dates of which they know the day only.
    """
    known = dates.parse_strict_w3c_date(changed)
    if isinstance(written, str) or isinstance(known, str) or written.end - written.start > _DAY_SECONDS:
        return False
    end = written.start + _DAY_SECONDS if _MIDNIGHT.search(text) else written.end
    return written.start < known.end and known.start < end


def _shared_day(listed: Sequence[Listed]) -> str:
    """The day that nearly all URLs have, and at which one of them did not change; `""` if there is none."""
    days = Counter(each.lastmod[:_DAY_CHARACTERS] for each in listed if len(each.lastmod) >= _DAY_CHARACTERS)
    if len(listed) < _MIN_URLS or not days:
        return ""
    day, count = days.most_common(1)[0]
    if count * 100 < _MIN_PERCENT * len(listed):
        return ""
    return day if any(_contradicts(each, day) for each in listed) else ""


def _contradicts(each: Listed, day: str) -> bool:
    """Whether a page did not change on the day that is written of it, in any time zone."""
    if not each.changed or each.changed.startswith(day) or not each.lastmod.startswith(day):
        return False
    return not _agree(each.lastmod, dates.parse_strict_w3c_date(each.lastmod), each.changed)
