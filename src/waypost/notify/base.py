"""The interface of subscribers, which are notified after each publication.

A subscriber is one module of this package and one row of `build.subscribers`.
"""

from collections.abc import Iterable
from typing import Protocol

from msgspec import Struct

from waypost.core.errors import AnnounceError, PostponedError, TryLaterError
from waypost.core.finding_types import stated_warning
from waypost.core.model import Changes, SiteWarning


class PublishResult(Struct, frozen=True, omit_defaults=True):
    """What a publication changed, or a part of one.

    `id` names it: a repeated notification has the same. `written` and `removed` are names of files below `base_url`.
    `changes` has every URL that was added or removed, or whose date or metadata changed. `address` is where this list
    is stored, or `""`.
    """

    id: str
    base_url: str
    written: tuple[str, ...] = ()
    removed: tuple[str, ...] = ()
    changes: Changes = Changes()
    address: str = ""


class DroppedUrl(Struct, frozen=True):
    """A URL that a subscriber does not get, and why."""

    url: str
    reason: str


class Sent(Struct, frozen=True):
    """What a subscriber accepted, and the URLs that it does not get: how many, and the first of them."""

    url_count: int = 0
    file_count: int = 0
    dropped_count: int = 0
    dropped: tuple[DroppedUrl, ...] = ()


class Subscriber(Protocol):
    """Something that is notified after each publication; `name` is used in settings, warnings and the state.

    `wants_files` and `wants_urls` say what it must not miss.
    """

    name: str
    wants_files: bool
    wants_urls: bool

    def would_send(self, results: Iterable[PublishResult]) -> Sent:
        """What would be sent of the parts of a publication; nobody is asked."""

    def notify(self, results: Iterable[PublishResult]) -> Sent:
        """Announce the parts of a publication, which can be iterated several times; returns what was accepted.

        Raises TryLaterError if the same call may succeed later, else AnnounceError with what to do about it.
        """


class Notification(Struct, frozen=True):
    """How a subscriber was notified: `retry_after` seconds it may be tried again (None: never), with the warning.

    `problem` is the warning without what was published, and `sent` is what the subscriber accepted.
    """

    subscriber: str
    warning: SiteWarning | None = None
    retry_after: float | None = None
    problem: str = ""
    sent: Sent = Sent()


def notify(subscriber: Subscriber, results: Iterable[PublishResult]) -> Notification:
    """Notify one subscriber; its failure is no failure of the publication."""
    try:
        return Notification(subscriber.name, sent=subscriber.notify(results))
    except PostponedError as error:
        return Notification(subscriber.name, retry_after=error.seconds)
    except AnnounceError as error:
        problem = f"{subscriber.name} failed: {error}"
        seconds = error.seconds if isinstance(error, TryLaterError) else None
        warning = stated_warning("not-announced", problem=problem)
        return Notification(subscriber.name, warning, seconds, problem)
