"""A rebuild by many workers beside one build, over a large bucket whose keys are as awkward as keys can be."""

from __future__ import annotations

import random
from bisect import bisect_right
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import pytest
from fake_stores import MemoryBucket, SimulatedSite
from run_harness import Execution, at

from waypost.sync import rebuild

if TYPE_CHECKING:
    from collections.abc import Sequence

FOLDERS = [
    "",
    "a/",
    "a/b/",
    "a/b.c/",
    "blog/",
    "é/",
    "日本/",
    "🦀/",
    "a b/",
    "100%/",
    "x" * 200 + "/",
    "a-/",
    "a./",
    "A/",
]
ENDINGS = [".html", "/index.html", "/index.htm", ".HTML", ".htm", ".pdf", ".css", "+1.html", " 1.html", "%20.html"]
PAGES = [
    *[b"<title>page</title>"] * 8,
    b'<meta name=robots content="noindex">',
    b"<link rel=canonical href=/elsewhere.html>",
    b"<html lang=en><link rel=alternate hreflang=de href=/a/7.html><link rel=alternate hreflang=en href=/blog/7.html>",
]


@dataclass
class Frozen(MemoryBucket):
    """Objects that do not change, so that their keys are sorted once."""

    keys: Sequence[str] = field(default_factory=list)

    def _listed(self, after: str, upto: str | None) -> Sequence[str]:
        start = bisect_right(self.keys, after)
        stop = len(self.keys) if upto is None else bisect_right(self.keys, upto)
        return self.keys[start : min(stop, start + self.some)]


def large_world(size: int) -> SimulatedSite:
    """A bucket of so many objects, whose limits are small enough for several indexes."""
    world = SimulatedSite(
        urls=size // 100,
        sitemaps=40,
        drop_html=True,
        trailing_slash="never",
        alternates=True,
        groups={"blog": ["/blog/", "*7.html"], "papers": ["*.pdf"]},
        lastmod="none",
    )
    chance = random.Random(7)
    keys: set[str] = set()
    while len(keys) < size:
        keys.add(f"{chance.choice(FOLDERS)}{chance.randrange(size // 40)}{chance.choice(ENDINGS)}")
    objects = {key: (chance.choice(PAGES), "2026-01-01T00:00:00Z") for key in sorted(keys)}
    world.source = Frozen(world.gate, objects, some=1_000, keys=sorted(keys))
    return world


def emptied(world: SimulatedSite) -> SimulatedSite:
    """The same bucket, of which nothing is remembered or published."""
    other = world.twin()
    other.source = world.source
    return other


@pytest.mark.parametrize(
    ("size", "counts"),
    [(5_000, (1, 2, 7, 64)), pytest.param(100_000, (64,), marks=pytest.mark.slow)],
)
def test_any_number_of_ranges_leads_to_the_bytes_of_one_build(size: int, counts: tuple[int, ...]) -> None:
    world = large_world(size)
    rebuild.rebuild(world.updater())
    assert len([name for name in world.outputs.files if "index" in name]) > 2
    known = world.updater().ledger.read().manifest
    chance = random.Random(11)
    for count in counts:
        many = emptied(world)
        cuts = chance.sample(sorted(many.source.objects), count - 1)
        execution = Execution("run", many.updater, many.state, parted=at(*cuts))
        assert execution.run().next_step == "done"
        assert execution.trail[0] == ("scan", count)
        assert many.outputs.bodies() == world.outputs.bodies()
        assert [e.records_file for e in many.updater().ledger.read().manifest.entries] == [
            e.records_file for e in known.entries
        ]
