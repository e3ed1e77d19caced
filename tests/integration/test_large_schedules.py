"""Random schedules in which more than 500 files are pending when a process dies; all invariants are checked."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING, Any

import pytest
from schedules.actions import Action
from schedules.end_state import check_end
from schedules.processes import Fault
from schedules.simulation import Conditions, Simulation
from unit.sample_sites import small_site

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

MANY = 500
NO_PAGE = "<meta name=robots content=noindex>"
CRASHES = [fault for fault in Fault if fault.is_crash]
DATED = {"urls": 2, "sitemaps": 5_000, "lastmod": "content", "state": "x"}
SITES: list[Mapping[str, Any]] = [
    DATED,
    DATED | {"gzip": True},
    DATED | {"robots_sitemaps": True},
    DATED | {"groups": {"ends-in-7": ["*7.html"]}},
]
UPDATE, REBUILD, SHORT_REBUILD = (
    Action("update", (0, 9, 0, False)),
    Action("rebuild", (0, None)),
    Action("rebuild", (0, 3)),
)
CHANGES: list[Mapping[str, Any]] = [
    {"name": "map"},
    {"formats": ["xml", "html"]},
    {"groups": {"ends-in-3": ["*3.html"]}},
    {"precision": "date"},
]


class LargeSchedule:
    """A site of more than 500 sitemaps, and what one seed does to it; `most_pending` counts the files of one crash."""

    def __init__(self, seed: int) -> None:
        self._chance = random.Random(seed)
        chance, values = self._chance, self._chance.choice(SITES)
        versions = (values, dict(values) | dict(chance.choice(CHANGES)))
        sites = tuple(small_site(**each) for each in versions)
        has_content_etags = chance.random() < 0.5
        self.simulation = Simulation(Conditions((versions,), (sites,), (0.0,), has_content_etags, page_size=1_000))
        self._ledger = self.simulation.ledgers[0]
        self.keys = [f"{n:04}.html" for n in range(chance.randrange(MANY + 20, MANY + 40))]
        self.most_pending = 0

    def run(self) -> None:
        """Let processes die among more than 500 files, and others go on; raises Violation."""
        random.seed(0)
        self._upload_all("one", times=0)
        is_built = self._chance.random() < 0.7
        if is_built:
            self._ledger.start_rebuild(0.0)
            self.simulation.finish(self._ledger, self._ledger.jobs[-1])
        begin = self._chance.choice([self._change_pages, self._change_settings, self._leave_pages_out])
        self._die_at_a_file(begin if is_built else self._rebuild)
        for _ in range(self._chance.randrange(4)):
            self._go_on()
        self._act("step", 0, 10_000)
        check_end(self.simulation)

    def _act(self, verb: str, *values: Any) -> None:
        Action(verb, values).apply(self.simulation)
        self.simulation.require_no_violation()

    def _upload_all(self, content: str, times: int, every: int = 1) -> None:
        for key in self.keys[::every]:
            self._act("upload", key, content, times)

    def _rebuild(self) -> None:
        self._act("rebuild", 0, None)

    def _change_pages(self) -> None:
        self._upload_all("two", times=1)
        self._act("update", 0, len(self.keys), 0, False)

    def _change_settings(self) -> None:
        self._act("use-settings", 0, 1)
        self._rebuild()

    def _leave_pages_out(self) -> None:
        self._upload_all("two", times=1)
        self._upload_all(NO_PAGE, times=1, every=self._chance.randrange(40, 200))
        self._act("update", 0, len(self.keys), 0, False)

    def _die_at_a_file(self, begin: Callable[[], None]) -> None:
        """Start a process, and let it die at one of the files that it publishes; perhaps another one waits for it."""
        begin()
        job = self._ledger.jobs[-1]
        if self._chance.random() < 0.4:
            self._act("upload", self._chance.choice(self.keys), NO_PAGE, 1)
            self._act("update", 0, 9, 0, False)
        left = self._chance.randrange(MANY)
        while not job.process.is_done and left >= 0:
            self._note_pending()
            left -= job.process.at.is_write and job.process.at.name.startswith("site/")
            if left >= 0:
                self.simulation.step(self._ledger, job)
        if not job.process.is_done:
            self.simulation.step(self._ledger, job, self._chance.choice(CRASHES), self._chance.uniform(0, 20))

    def _note_pending(self) -> None:
        self.most_pending = max(self.most_pending, len(self.simulation.checks[0].manifest.pending))

    def _go_on(self) -> None:
        chance = self._chance
        content = chance.choice([NO_PAGE, "three", None])
        self._act("upload", chance.choice(self.keys), content, chance.choice([0, 1]))
        self._act("pass-time", chance.choice([5.0, 100.0, 400.0, 90_000.0]))
        begun = chance.choice([UPDATE, REBUILD, SHORT_REBUILD])
        self._act(begun.verb, *begun.values)
        self._act("step", chance.randrange(3), chance.choice([5, 50, 800]))
        if chance.random() < 0.4:
            self._act("fail", chance.randrange(3), chance.choice(CRASHES), chance.uniform(0, 20))


def assert_right(seed: int) -> None:
    schedule = LargeSchedule(seed)
    schedule.run()
    assert schedule.most_pending > MANY, f"seed {seed}"


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(1))
def test_every_invariant_holds_after_a_crash_among_more_than_500_pending_files(seed: int) -> None:
    assert_right(seed)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(1, 3))
def test_every_invariant_holds_after_more_random_crashes_among_more_than_500_pending_files(seed: int) -> None:
    assert_right(seed)
