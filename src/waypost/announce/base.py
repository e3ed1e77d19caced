"""The interface of subscribers, which are notified after each publication.

A subscriber is one module of this package and one row of `app.subscribers`.
"""

from collections.abc import Iterable
from typing import Protocol

from msgspec import Struct

from waypost.core.diff import ChangeCounts
from waypost.core.errors import AnnounceError
from waypost.core.model import SiteWarning


class PublishResult(Struct, frozen=True):
    """What one publication changed.

    `written` and `removed` are names of files in the output folder. `changes` counts the URLs that were added and
    removed, or whose date or metadata changed, and holds the first 500 of each kind. It is empty for a ledger's first
    build.
    """

    base_url: str
    written: tuple[str, ...] = ()
    removed: tuple[str, ...] = ()
    changes: ChangeCounts = ChangeCounts()


class Subscriber(Protocol):
    """Something that is notified after each publication; `name` is used in warnings."""

    name: str

    def notify(self, result: PublishResult) -> None:
        """Announce a publication; raises AnnounceError."""


def notify_all(subscribers: Iterable[Subscriber], result: PublishResult) -> tuple[SiteWarning, ...]:
    """Notify subscribers if any file changed; one that fails gives a warning, and the others are still notified."""
    if not (result.written or result.removed):
        return ()
    return tuple(warning for each in subscribers if (warning := _notify(each, result)))


def _notify(subscriber: Subscriber, result: PublishResult) -> SiteWarning | None:
    try:
        subscriber.notify(result)
    except AnnounceError as error:
        return SiteWarning("not-announced", f"the sitemaps are published, but {subscriber.name} failed: {error}")
    return None
