"""A bucket under uploads and deletions, with writers that run at once and may end anywhere."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from fake_stores import Crash, SimulatedSite, Writer, lost
from run_harness import Execution, at

from waypost.core.errors import StoreError
from waypost.distributed.plan import RunLimits
from waypost.distributed.steps import StepResult
from waypost.sync import rebuild
from waypost.validate.sitemap_content import listed_sitemaps

if TYPE_CHECKING:
    import random
    from collections.abc import Callable, Sequence

BASE = "https://example.org/"
_AT_ONCE = 3


class Storm:
    """A world, the events that nobody has handled, and the writers that run.

    `is_lost` says that an event was lost, or a rebuild not finished, so that only a rebuild leads to the truth.
    """

    def __init__(self, values: dict[str, Any], keys: Sequence[str]) -> None:
        self.world = SimulatedSite(**values)
        self.events: list[str] = []
        self.is_lost = True
        self.writers: list[tuple[Writer, list[str] | None]] = []
        self.most_at_once = self.executions = 0
        for key in keys:
            self.world.put(key, "one")

    def rebuild_now(self) -> None:
        rebuild.rebuild(self.world.updater())
        self.is_lost = False

    def change(self, key: str, content: str | None, times: int = 1) -> None:
        """Upload or delete an object, with so many events of it."""
        if content is None:
            self.world.delete(key)
        else:
            self.world.put(key, content)
        self.events += [key] * times
        self.is_lost |= times == 0

    def start_update(self, chance: random.Random) -> None:
        if self.events and len(self.writers) < _AT_ONCE:
            known = sorted(set(self.events))
            batch = chance.sample(known, chance.randrange(1, len(known) + 1))
            for key in batch:
                self.events.remove(key)
            self._start(batch)

    def start_rebuild(self) -> None:
        if len(self.writers) < _AT_ONCE:
            self.is_lost = False
            self._start(None)

    def start_distributed(self, chance: random.Random) -> None:
        """Start a rebuild by many workers, over ranges that end anywhere."""
        if len(self.writers) < _AT_ONCE:
            self.is_lost = False
            self.executions += 1
            keys = sorted(self.world.source.objects)
            cuts = chance.sample(keys, min(len(keys), chance.randrange(6)))
            execution = Execution(
                f"run-{self.executions}",
                self.world.updater,
                self.world.state,
                RunLimits(
                    chance.randrange(1, 9), chance.randrange(1, 9), chance.randrange(1, 9), chance.randrange(1, 4)
                ),
                at(*cuts) if chance.random() < 0.7 else None,
                chance,
            )
            self._start(None, execution.run)

    def _start(self, batch: list[str] | None, run: Callable[[], Any] | None = None) -> None:
        updater = self.world.updater()
        alone = (lambda: rebuild.rebuild(updater)) if batch is None else (lambda: rebuild.update(updater, batch))
        run = run or alone
        self.writers.append((Writer(self.world.gate, run), batch))
        self.most_at_once = max(self.most_at_once, len(self.writers))

    def step_one(self, chance: random.Random, steps: int) -> None:
        """Let a writer take some requests, one after another."""
        if self.writers:
            writer, batch = chance.choice(self.writers)
            for _ in range(steps):
                if not writer.is_done:
                    writer.step()
                    self.check_index()
            self._collect(writer, batch)

    def end_one(self, chance: random.Random, *, is_crash: bool) -> None:
        """Let a writer die, or lose its connection, before or after the request that it is at."""
        if self.writers:
            writer, batch = chance.choice(self.writers)
            if not writer.is_done:
                writer.step(Crash() if is_crash else lost())
                self.check_index()
            self._collect(writer, batch)

    def _collect(self, writer: Writer, batch: list[str] | None) -> None:
        """What a writer did not finish is told again."""
        if not writer.is_done:
            return
        self.writers.remove((writer, batch))
        if writer.error is None and (
            isinstance(writer.result, StepResult) or not (writer.result.failed or writer.result.resume_after)
        ):
            return
        assert writer.error is None or isinstance(writer.error, Crash | StoreError), writer.error
        self.events += batch or []
        # An update that had to begin a build, and ended in it, leaves that to the next rebuild.
        self.is_lost |= batch is None or not self.world.updater().ledger.read().manifest.is_complete

    def check_index(self) -> None:
        """With one writer at a time, an index names only sitemaps that stand, whenever anybody looks."""
        bodies = self.world.outputs.bodies()
        named = {loc.removeprefix(BASE) for name, body in bodies.items() for loc in listed_sitemaps(name, body)}
        assert named <= bodies.keys() or self.most_at_once > 1

    def come_to_rest(self) -> None:
        """Finish what runs, tell again what was not finished, and compare with a full build."""
        for writer, batch in list(self.writers):
            writer.finish()
            self._collect(writer, batch)
        batch, self.events = self.events, []
        rebuild.update(self.world.updater(), batch)
        if self.is_lost:
            self.rebuild_now()
        if self.world.updater().ledger.read().manifest.page_count:
            self._compare()

    def _compare(self) -> None:
        bodies, twin = self.world.outputs.bodies(), self.world.twin()
        rebuild.rebuild(twin.updater())
        assert undated(bodies) == undated(twin.outputs.bodies())
        again = rebuild.rebuild(self.world.updater())
        assert (again.written, again.removed) == ((), ())
        assert self.world.outputs.bodies() == bodies


def undated(bodies: dict[str, bytes]) -> dict[str, bytes]:
    dates = re.compile(rb"<lastmod>[^<]*</lastmod>|<time[^>]*>[^<]*</time>")
    return {name: dates.sub(b"", body) for name, body in bodies.items()}
