"""The interface of subscribers, which are notified after each publication.

A subscriber is one module of this package and one row of `app.subscribers`.
"""

from collections.abc import Iterable
from typing import Protocol

from msgspec import Struct

from waypost.core.errors import AnnounceError, PostponedError, TryLaterError
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


class Subscriber(Protocol):
    """Something that is notified after each publication; `name` is used in settings, warnings and the ledger.

    `wants_files` and `wants_urls` say what it must not miss.
    """

    name: str
    wants_files: bool
    wants_urls: bool

    def notify(self, results: Iterable[PublishResult]) -> None:
        """Announce the parts of a publication, which can be iterated several times.

        Raises TryLaterError if the same call may succeed later, else AnnounceError with what to do about it.
        """


class Notification(Struct, frozen=True):
    """How a subscriber was notified: `retry_after` seconds it may be tried again (None: never), with the warning."""

    subscriber: str
    warning: SiteWarning | None = None
    retry_after: float | None = None


def notify(subscriber: Subscriber, results: Iterable[PublishResult]) -> Notification:
    """Notify one subscriber; its failure is no failure of the publication."""
    try:
        subscriber.notify(results)
    except PostponedError as error:
        return Notification(subscriber.name, retry_after=error.seconds)
    except TryLaterError as error:
        return Notification(subscriber.name, _warning(subscriber, error), error.seconds)
    except AnnounceError as error:
        return Notification(subscriber.name, _warning(subscriber, error))
    return Notification(subscriber.name)


def _warning(subscriber: Subscriber, error: AnnounceError) -> SiteWarning:
    return SiteWarning("not-announced", f"the sitemaps are published, but {subscriber.name} failed: {error}")
