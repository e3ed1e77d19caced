"""How many pages a bucket listed in each hour of the last day, so that a mass removal is seen as long as it lasts."""

from collections.abc import Iterable

from waypost.core.removals import MIN_LISTED

_HOUR, _HOURS = 3_600, 24

PageCounts = tuple[tuple[int, int], ...]
"""The hour (since 1970) and the highest number of listed pages in it, for the hours in which that changed."""


def with_counts(counts: PageCounts, pages: Iterable[int], now: float) -> PageCounts:
    """The counts of the last day, with numbers of listed pages at a time (Unix seconds)."""
    hour = int(now // _HOUR)
    recent = {at: count for at, count in counts if at > hour - _HOURS}
    recent[hour] = max(recent.get(hour, 0), *pages)
    return tuple(sorted(recent.items()))


def without(counts: PageCounts, removed: int) -> PageCounts:
    """The counts without pages whose removal was accepted: a rebuild counts these itself."""
    return tuple((at, max(0, count - removed)) for at, count in counts)


def most_listed(counts: PageCounts, now: float) -> int:
    """The highest number of listed pages in the last day."""
    hour = int(now // _HOUR)
    return max((count for at, count in counts if at > hour - _HOURS), default=0)


def removed_percent(counts: PageCounts, listed: int, now: float) -> float:
    """The share of the pages listed in the last day that are listed no longer; of a small site, none."""
    most = most_listed(counts, now)
    return 100 * max(0, most - listed) / most if most >= MIN_LISTED else 0.0
