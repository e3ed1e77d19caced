"""Subscribers that remember what they are notified of."""

from __future__ import annotations

from typing import TYPE_CHECKING

from waypost.notify import Sent

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from waypost.core.errors import AnnounceError
    from waypost.notify.base import PublishResult


class Recorder:
    """Remembers the results that it is notified of; `failures` are raised first, one by each call.

    `on_call` is called before that.
    """

    def __init__(
        self,
        name: str = "recorder",
        on_call: Callable[[], None] = lambda: None,
        *,
        urls: bool = True,
        files: bool = True,
    ) -> None:
        self.name, self.wants_urls, self.wants_files = name, urls, files
        self.failures: list[AnnounceError] = []
        self.results: list[PublishResult] = []
        self.calls = 0
        self._on_call = on_call

    def would_send(self, results: Iterable[PublishResult]) -> Sent:
        return Sent(sum(1 for each in results for _ in each.changes.urls))

    def notify(self, results: Iterable[PublishResult]) -> Sent:
        self.calls += 1
        self._on_call()
        found = list(results)
        if self.failures:
            raise self.failures.pop(0)
        self.results += found
        return Sent(sum(1 for each in found for _ in each.changes.urls))

    @property
    def urls(self) -> list[str]:
        """The URLs that it was notified of, in order."""
        return [url for result in self.results for url in result.changes.urls]

    @property
    def files(self) -> list[str]:
        """The files that it was notified of, in order."""
        return [name for result in self.results for name in (*result.written, *result.removed)]
