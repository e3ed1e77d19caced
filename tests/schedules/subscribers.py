"""A subscriber in a simulation: its requests fail as others do, and it remembers which changes it got."""

from __future__ import annotations

from typing import TYPE_CHECKING

from schedules.processes import Processes, Request, current_process
from waypost.announce import Sent
from waypost.core.errors import ConflictError, StoreError, TryLaterError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from waypost.announce.base import PublishResult

_RETRY_AFTER = 60


class SimulatedSubscriber:
    """Calls `on_result` with each result that it gets; a request without an answer is tried later."""

    name = "subscriber"
    wants_files = wants_urls = True

    def __init__(self, processes: Processes, on_result: Callable[[PublishResult], None]) -> None:
        self._processes, self._on_result = processes, on_result

    def would_send(self, results: Iterable[PublishResult]) -> Sent:
        return Sent(file_count=sum(len(each.written) for each in results))

    def notify(self, results: Iterable[PublishResult]) -> Sent:
        found = list(results)

        def take() -> None:
            for result in found:
                self._on_result(result)

        process = current_process()
        assert process
        try:
            process.request(Request("NOTIFY", self.name, is_write=True), take)
        except (StoreError, ConflictError) as error:
            raise TryLaterError(str(error), _RETRY_AFTER) from error
        return self.would_send(found)
