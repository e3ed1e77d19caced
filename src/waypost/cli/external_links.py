"""Asks the servers of other sites for the URLs to which a site's pages link."""

import math
from collections.abc import Callable, Sequence
from contextlib import closing
from pathlib import Path
from typing import NamedTuple

from waypost.audit import ExternalAnswers, ExternalCounts
from waypost.core.clock import Clock, SystemClock
from waypost.core.private_hosts import NO_PRIVATE_HOST, PrivateHosts
from waypost.live import Asker, HttpSender, LinkCheck, LinkMemory, Send

_RATE, _WIDTH = 5.0, 16
"""The most requests a second on each host, and at the same time."""


class ExternalOptions(NamedTuple):
    """Where answers are remembered (None: nowhere), how many days they hold, and when to stop (None: never)."""

    memory: Path | None = None
    max_age: int = 7
    max_minutes: int | None = None
    private: PrivateHosts = NO_PRIVATE_HOST


class ExternalLinks:
    """Asks by these options; `send` and `clock` are only given in tests."""

    def __init__(
        self,
        options: ExternalOptions,
        progress: Callable[[str, int, int | None], None],
        send: Send | None = None,
        clock: Clock | None = None,
    ) -> None:
        self._options, self._progress = options, progress
        self._send = send or HttpSender(options.private)
        self._clock = clock or SystemClock()

    def __call__(self, urls: Sequence[str]) -> ExternalAnswers:
        """What became of the URLs; raises StoreError if the file with the answers cannot be used."""
        options, minutes = self._options, self._options.max_minutes
        deadline = math.inf if minutes is None else self._clock.time() + 60 * minutes
        asker = Asker(self._send, self._clock, _RATE, reads_pages=False, deadline=deadline, finds_soft_404=False)
        with closing(LinkMemory(options.memory)) as memory:
            check = LinkCheck(memory, asker.ask, self._clock, _WIDTH, options.max_age, deadline)
            answers = check.run(urls, self._progress)
        counts = ExternalCounts(answers.asked, answers.known, answers.unasked_by_reason, options.memory is not None)
        return ExternalAnswers(answers.problems, counts)
