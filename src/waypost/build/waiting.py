"""What subscribers have not been told yet of what a bucket's runs published; each is told at least once."""

from collections.abc import Iterable, Mapping, Sequence

from msgspec import Struct
from msgspec.structs import replace

from waypost.core.model import Changes
from waypost.notify import Notification, PublishResult, Subscriber, notify

_MOST_URLS = 10_000
"""Beyond so many URLs only the names of files wait: the head of the state is read at each event."""
_LONGEST_WAIT = 604_800.0
"""After a week, search engines have found the changes by themselves."""


class WaitingResult(Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """What was published at a time (Unix seconds), and the names of the subscribers that have not been told of it."""

    result: PublishResult
    since: float
    subscribers: tuple[str, ...]


Waiting = tuple[WaitingResult, ...]


def with_result(waiting: Waiting, result: PublishResult, subscribers: Iterable[Subscriber], now: float) -> Waiting:
    """What waits after one more result: changes of URLs, or files; only who wants these is told."""
    is_about_urls = result.changes != Changes()
    if not (is_about_urls or result.written or result.removed):
        return waiting
    names = tuple(each.name for each in subscribers if (each.wants_urls if is_about_urls else each.wants_files))
    if not names or _url_count(result) + sum(map(_url_count, (each.result for each in waiting))) > _MOST_URLS:
        return waiting
    return (*waiting, WaitingResult(result, now, names))


def notify_all(waiting: Waiting, subscribers: Sequence[Subscriber]) -> Mapping[str, Notification]:
    """Tell each subscriber what it waits for."""
    found = dict[str, Notification]()
    for subscriber in subscribers:
        results = [each.result for each in waiting if subscriber.name in each.subscribers]
        if results:
            found[subscriber.name] = notify(subscriber, results)
    return found


def without_told(waiting: Waiting, told: Waiting, notifications: Mapping[str, Notification], now: float) -> Waiting:
    """What still waits: of the results that subscribers were `told`, only those that may be told later.

    Who fails for good is not told again. What waits for a week is dropped, and what nobody wants any more.
    """
    ids, later = {each.result.id for each in told}, {name for name, each in notifications.items() if each.retry_after}
    left = list[WaitingResult]()
    for each in waiting:
        is_told = each.result.id in ids
        names = tuple(name for name in each.subscribers if not is_told or name in later)
        if names and now - each.since <= _LONGEST_WAIT:
            left.append(replace(each, subscribers=names))
    return tuple(left)


def _url_count(result: PublishResult) -> int:
    return sum(1 for _ in result.changes.urls)
