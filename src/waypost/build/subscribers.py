"""The subscribers of a site, and how a folder's build notifies them: one row for each kind of subscriber.

To add one, write a module in `notify/`, declare its setting in `settings.schema.Site`, and add a row to SUBSCRIBERS: a
function that makes the subscriber from the settings, or returns None if they do not ask for it. It also gets the store
of the published files of a bucket, and None for a folder, whose files are not published yet.
"""

import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import partial

from msgspec import Struct
from msgspec.structs import replace

from waypost.core.errors import ConfigIssue, ConfigurationError
from waypost.core.hashing import content_digest
from waypost.core.model import Changes, Plan
from waypost.files import ConditionalStore
from waypost.notify import Notification, PublishResult, Subscriber, notify
from waypost.settings.schema import Site

SEARCH_ENGINES = "indexnow"
"""The subscriber that gets all URLs on demand."""
_ATTEMPTS, _LONGEST_PAUSE = 4, 60.0
MakeSubscriber = Callable[[Site, ConditionalStore | None], Subscriber | None]
_MOST_URLS = 10_000
"""Beyond so many URLs only the names of files wait: the head of the state is read at each event."""
_LONGEST_WAIT = 604_800.0
"""After a week, search engines have found the changes by themselves."""


def _indexnow(site: Site, outputs: ConditionalStore | None, *, has_other_hosts: bool = False) -> Subscriber | None:
    settings = site.indexnow
    if not settings:
        return None
    from waypost.notify.indexnow import IndexNow  # it loads the HTTP client, which few runs need

    def write_key(name: str, content: bytes) -> object:
        return outputs.put_if_match(name, content, None) if outputs else None

    write = write_key if settings.writes_file and outputs is not None else None
    private = site.private_hosts
    return IndexNow(
        settings.key, site.base_url, settings.engine, write, private=private, has_other_hosts=has_other_hosts
    )


def _cloudfront(site: Site, outputs: ConditionalStore | None) -> Subscriber | None:
    if not site.cloudfront:
        return None
    with _aws("cloudfront"):
        from waypost.notify.cloudfront import CloudFront
    return CloudFront(site.cloudfront, site.name, waits=outputs is not None)  # only a state remembers what waits


def _event_bus(site: Site, outputs: ConditionalStore | None) -> Subscriber | None:
    del outputs
    if not site.event_bus:
        return None
    with _aws("event_bus"):
        from waypost.notify.event_bus import EventBus
    return EventBus(site.event_bus)


@contextmanager
def _aws(setting: str) -> Iterator[None]:
    """Turn the lack of boto3, which is not installed everywhere, into a ConfigurationError about a setting."""
    try:
        yield
    except ModuleNotFoundError as error:
        problem = f"it needs {error.name}, which is not installed"
        raise ConfigurationError((ConfigIssue("settings", setting, problem, "pip install boto3"),)) from error


SUBSCRIBERS: list[MakeSubscriber] = [_indexnow, _cloudfront, _event_bus]


def subscribers_of(site: Site, outputs: ConditionalStore | None = None) -> list[Subscriber]:
    """The subscribers that the settings ask for; `outputs` are the published files of a bucket."""
    return [subscriber for make in SUBSCRIBERS if (subscriber := make(site, outputs))]


def required_subscribers(site: Site, *, is_all: bool = False, has_other_hosts: bool = False) -> list[Subscriber]:
    """The subscribers to notify now, if `is_all` only those that get all URLs on demand.

    With `has_other_hosts`, search engines also get URLs of other hosts than the site's.
    Raises ConfigurationError if the settings ask for none of them.
    """
    made = [partial(_indexnow, has_other_hosts=has_other_hosts) if make == _indexnow else make for make in SUBSCRIBERS]
    found = [each for make in made if (each := make(site, None)) and (not is_all or each.name == SEARCH_ENGINES)]
    if not found:
        problem = "it is not set" if is_all else "it is not set, and so is no other subscriber"
        raise ConfigurationError((ConfigIssue("settings", SEARCH_ENGINES, problem, "the key of IndexNow"),))
    return found


def key_file_of(site: Site) -> tuple[str, bytes] | None:
    """The name and the content of IndexNow's key file, if the settings ask that it is written with the sitemaps."""
    if not (site.indexnow and site.indexnow.writes_file):
        return None
    from waypost.notify.indexnow import key_file

    return key_file(site.indexnow.key), site.indexnow.key.encode()


def plan_result(site: Site, plan: Plan) -> PublishResult:
    """What a plan changes; without URLs at a first build, and where all URLs change with `base_url`."""
    elsewhere = sum(not url.startswith(site.base_url) for url in plan.changes.removed)
    changes = plan.changes if plan.listed_before > elsewhere else Changes()
    written = [f"{each.name} {content_digest(each.body)}" for each in plan.documents if each.name in plan.written]
    id = content_digest("\n".join([site.base_url, *written, *plan.removed]).encode())
    return PublishResult(id, site.base_url, tuple(plan.written), tuple(plan.removed), changes)


def notify_of_plan(site: Site, plan: Plan, sleep: Callable[[float], None] = time.sleep) -> Plan:
    """Notify subscribers of a plan that was applied; returns it with the warnings of subscribers that failed."""
    if not plan.is_stale:
        return plan
    found = notify_now(subscribers_of(site), [plan_result(site, plan)], sleep)
    return replace(plan, warnings=[*plan.warnings, *(each.warning for each in found if each.warning)])


def notify_now(
    subscribers: Sequence[Subscriber], results: Iterable[PublishResult], sleep: Callable[[float], None] = time.sleep
) -> list[Notification]:
    """Notify subscribers; those that may succeed later up to four times, with pauses of at most a minute."""
    done: dict[str, Notification] = {}
    left = list(subscribers)
    for attempt in range(_ATTEMPTS):
        found = [notify(each, results) for each in left]
        done |= {each.subscriber: each for each in found}
        waits = [each.retry_after for each in found if each.retry_after is not None]
        left = [each for each in left if done[each.name].retry_after is not None]
        if not left or attempt == _ATTEMPTS - 1:
            break
        sleep(min(max(waits), _LONGEST_PAUSE))
    return list(done.values())


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
