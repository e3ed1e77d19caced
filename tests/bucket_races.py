"""Random schedules of runs over one bucket: they interleave at each request, crash, and lose answers.

After each request, every file that a published index names exists, and a page that should stay listed is listed. After
the events of a round have been delivered, what is published is what a build from nothing gives, but for dates.
"""

from __future__ import annotations

import random
import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from fake_buckets import BASE, StatefulBucket
from fake_stores import Crash, Writer

from waypost.core.errors import UncertainError, WaypostError

if TYPE_CHECKING:
    from collections.abc import Iterable

KEYS = [f"{folder}{n}.html" for folder in ("", "b/") for n in range(5)]
_LASTMOD = re.compile(rb"<lastmod>[^<]*</lastmod>")
_LOC = re.compile(rb"<loc>([^<]*)</loc>")
_CHANGES = ("PUT outputs/", "DELETE outputs/")
_DELIVERIES = 6


@dataclass
class Run:
    """A run at work: for the events of some keys, or a rebuild without any."""

    writer: Writer
    keys: list[str] = field(default_factory=list)


class Race:
    """One random schedule; `check` raises AssertionError where a promise is broken."""

    def __init__(self, seed: int) -> None:
        self._random = random.Random(seed)
        self._bucket = StatefulBucket(urls=self._random.choice((3, 4, 6, 50)), robots_sitemaps=seed % 3 == 0)
        self._bucket.outputs.has_content_etags = self._random.random() < 0.7
        self._stable: set[str] = set()
        self._undelivered: set[str] = set()

    def check(self) -> None:
        for key in self._random.sample(KEYS, self._random.randrange(3, 9)):
            self._put(key)
        self._bucket.rebuild()
        for _ in range(self._random.randrange(1, 5)):
            self._round()
            self._deliver()
            self._check_published()

    def _put(self, key: str) -> None:
        self._bucket.put(key, f"<title>x</title><p>text {self._random.randrange(3)}")

    def _change(self, keys: Iterable[str]) -> None:
        for key in keys:
            self._stable.discard(BASE + key)
            if self._random.random() < 0.35:
                self._bucket.delete(key)
            else:
                self._put(key)

    def _round(self) -> None:
        """Two or three runs at a time, until all have ended."""
        self._stable = {url for url in listed(self._bucket) if url.removeprefix(BASE) in self._bucket.source.objects}
        runs = [self._begun() for _ in range(self._random.choice((1, 2, 2, 3)))]
        while live := [run for run in runs if not run.writer.is_done]:
            self._step(self._random.choice(live).writer)
            if self._random.random() < 0.03:
                key = self._random.choice(KEYS)
                self._undelivered.add(key)
                self._change([key])
            self._bucket.clock.sleep(self._random.choice((0, 0, 1)))
        for run in runs:
            if run.writer.error is not None:
                assert isinstance(run.writer.error, Crash | WaypostError), run.writer.error
                self._undelivered.update(run.keys)

    def _begun(self) -> Run:
        if self._random.random() < 0.2:
            return Run(Writer(self._bucket.gate, self._bucket.rebuild))
        keys = self._random.choices(KEYS, k=self._random.choice((1, 1, 2)))
        self._change(keys)
        return Run(Writer(self._bucket.gate, lambda: self._bucket.update(*keys)), keys)

    def _step(self, writer: Writer) -> None:
        """Let a run make some requests; it may crash before one, or before its answer, or get no answer."""
        for _ in range(self._random.choice((1, 1, 3, 8))):
            is_change, chance = writer.at.startswith(_CHANGES), self._random.random()
            may_be_unanswered = is_change or writer.at.startswith("PUT state/state")
            unanswered = UncertainError("no answer") if chance < 0.02 and may_be_unanswered else None
            failure = Crash() if chance > 0.99 else unanswered
            if is_change:
                self._undelivered.add(writer.at.partition("/")[2].removesuffix(" done"))
            writer.step(failure)
            missing = self._stable - listed(self._bucket)
            assert not missing, f"{missing} should be listed"
            if writer.is_done or failure:
                return

    def _deliver(self) -> None:
        """Deliver the events that nobody has handled, and those of the files that this publishes."""
        for _ in range(_DELIVERIES):
            self._bucket.gate.requests.clear()
            try:
                self._bucket.update(*self._random.sample(sorted(self._undelivered), len(self._undelivered)))
            except WaypostError:  # a rebuild that was killed may have announced a deletion
                self._bucket.clock.sleep(301)
                continue
            requests = [each for each in self._bucket.gate.requests if each.startswith(_CHANGES)]
            self._undelivered = {each.partition("/")[2] for each in requests if not each.endswith(" done")}
            if not self._undelivered:
                return
        raise AssertionError(f"{self._undelivered} cause events again and again")

    def _check_published(self) -> None:
        if expected := undated(self._bucket.from_nothing()):
            assert undated(self._bucket.files()) == expected


def listed(bucket: StatefulBucket) -> set[str]:
    """The URLs that crawlers find from sitemap.xml; raises AssertionError if an index names a file that is missing."""
    files = bucket.outputs.bodies()
    top = files.get("sitemap.xml", b"")
    locs = [loc.decode() for loc in _LOC.findall(top)]
    if b"<sitemapindex" not in top:
        return set(locs)
    names = [loc.removeprefix(BASE) for loc in locs]
    missing = [name for name in names if name not in files]
    assert not missing, f"the index names {missing}"
    return {loc.decode() for name in names for loc in _LOC.findall(files[name])}


def undated(files: dict[str, bytes]) -> dict[str, bytes]:
    return {name: _LASTMOD.sub(b"", body) for name, body in files.items()}
