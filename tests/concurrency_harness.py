"""Runs several writers over one bucket while its objects change: one request at a time, in a random order."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from fake_stores import Crash, SimulatedSite, Writer, connection_lost
from run_harness import Execution, split_at_keys

from waypost.core.errors import StoreError
from waypost.distributed.plan import RunLimits
from waypost.distributed.steps import StepResult
from waypost.sync import rebuild
from waypost.validate.sitemap_content import listed_sitemaps

if TYPE_CHECKING:
    import random
    from collections.abc import Callable, Sequence

BASE = "https://example.org/"
_MAX_WRITERS = 3


class ConcurrencyHarness:
    """A simulated site, the events that no writer has handled yet, and the writers that run.

    `needs_rebuild` means that an event was lost or a rebuild did not finish: then only a rebuild makes the sitemaps
    right again.
    """

    def __init__(self, values: dict[str, Any], keys: Sequence[str]) -> None:
        self.site = SimulatedSite(**values)
        self.events: list[str] = []
        self.needs_rebuild = True
        self.writers: list[tuple[Writer, list[str] | None]] = []
        self.max_running = self.executions = 0
        for key in keys:
            self.site.put(key, "one")

    def rebuild_now(self) -> None:
        rebuild.rebuild(self.site.updater())
        self.needs_rebuild = False

    def change(self, key: str, content: str | None, times: int = 1) -> None:
        """Upload or delete (None) an object; `times` events report it."""
        if content is None:
            self.site.delete(key)
        else:
            self.site.put(key, content)
        self.events += [key] * times
        self.needs_rebuild |= times == 0

    def start_update(self, chance: random.Random) -> None:
        if self.events and len(self.writers) < _MAX_WRITERS:
            known = sorted(set(self.events))
            batch = chance.sample(known, chance.randrange(1, len(known) + 1))
            for key in batch:
                self.events.remove(key)
            self._start(batch)

    def start_rebuild(self) -> None:
        if len(self.writers) < _MAX_WRITERS:
            self.needs_rebuild = False
            self._start(None)

    def start_distributed(self, chance: random.Random) -> None:
        """Start a distributed rebuild, whose ranges end at keys chosen at random."""
        if len(self.writers) < _MAX_WRITERS:
            self.needs_rebuild = False
            self.executions += 1
            keys = sorted(self.site.source.objects)
            split_points = chance.sample(keys, min(len(keys), chance.randrange(6)))
            execution = Execution(
                f"run-{self.executions}",
                self.site.updater,
                self.site.state,
                RunLimits(
                    chance.randrange(1, 9), chance.randrange(1, 9), chance.randrange(1, 9), chance.randrange(1, 4)
                ),
                split_at_keys(*split_points) if chance.random() < 0.7 else None,
                chance,
            )
            self._start(None, execution.run)

    def _start(self, batch: list[str] | None, run: Callable[[], Any] | None = None) -> None:
        updater = self.site.updater()
        default = (lambda: rebuild.rebuild(updater)) if batch is None else (lambda: rebuild.update(updater, batch))
        run = run or default
        self.writers.append((Writer(self.site.gate, run), batch))
        self.max_running = max(self.max_running, len(self.writers))

    def step_one(self, chance: random.Random, steps: int) -> None:
        """Let one of the writers make as many requests."""
        if self.writers:
            writer, batch = chance.choice(self.writers)
            for _ in range(steps):
                if not writer.is_done:
                    writer.step()
                    self.check_index()
            self._collect(writer, batch)

    def end_one(self, chance: random.Random, *, is_crash: bool) -> None:
        """Let one of the writers crash, or lose its connection, at its next request."""
        if self.writers:
            writer, batch = chance.choice(self.writers)
            if not writer.is_done:
                writer.step(Crash() if is_crash else connection_lost())
                self.check_index()
            self._collect(writer, batch)

    def _collect(self, writer: Writer, batch: list[str] | None) -> None:
        """If a writer has ended, add the events again that it did not handle."""
        if not writer.is_done:
            return
        self.writers.remove((writer, batch))
        if writer.error is None and (
            isinstance(writer.result, StepResult) or not (writer.result.failed or writer.result.resume_after)
        ):
            return
        assert writer.error is None or isinstance(writer.error, Crash | StoreError), writer.error
        self.events += batch or []
        # An update that had to start a build and ended before it was complete needs a rebuild, too.
        self.needs_rebuild |= batch is None or not self.site.updater().ledger.read().manifest.is_complete

    def check_index(self) -> None:
        """While there is only one writer, an index names only sitemaps that exist, after every request."""
        bodies = self.site.outputs.bodies()
        named = {loc.removeprefix(BASE) for name, body in bodies.items() for loc in listed_sitemaps(name, body)}
        assert named <= bodies.keys() or self.max_running > 1

    def finish_and_compare(self) -> None:
        """Let all writers finish, handle the remaining events, and compare the published files with a full build's."""
        for writer, batch in list(self.writers):
            writer.finish()
            self._collect(writer, batch)
        batch, self.events = self.events, []
        rebuild.update(self.site.updater(), batch)
        if self.needs_rebuild:
            self.rebuild_now()
        if self.site.updater().ledger.read().manifest.page_count:
            self._compare()

    def _compare(self) -> None:
        bodies, twin = self.site.outputs.bodies(), self.site.twin()
        rebuild.rebuild(twin.updater())
        assert undated(bodies) == undated(twin.outputs.bodies())
        again = rebuild.rebuild(self.site.updater())
        assert (again.written, again.removed) == ((), ())
        assert self.site.outputs.bodies() == bodies


def undated(bodies: dict[str, bytes]) -> dict[str, bytes]:
    """The files without the dates in them."""
    dates = re.compile(rb"<lastmod>[^<]*</lastmod>|<time[^>]*>[^<]*</time>")
    return {name: dates.sub(b"", body) for name, body in bodies.items()}
