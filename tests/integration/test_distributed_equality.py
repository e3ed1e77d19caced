"""A distributed rebuild compared with one by a single worker, over a large bucket with unusual keys."""

from __future__ import annotations

import random
from bisect import bisect_right
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import pytest
from fake_stores import MemoryBucket, SimulatedSite
from run_harness import Execution, split_at_keys

from waypost.sync import rebuild

if TYPE_CHECKING:
    from collections.abc import Sequence

    from waypost.ledger.manifest import Manifest

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
class SortedBucket(MemoryBucket):
    """A bucket that does not change, so that its keys are sorted only once."""

    keys: Sequence[str] = field(default_factory=list)

    def _keys_of_page(self, after: str, through: str | None) -> Sequence[str]:
        start = bisect_right(self.keys, after)
        stop = len(self.keys) if through is None else bisect_right(self.keys, through)
        return self.keys[start : min(stop, start + self.page_size)]


def large_site(size: int) -> SimulatedSite:
    site = SimulatedSite(
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
    site.source = SortedBucket(site.gate, objects, page_size=1_000, keys=sorted(keys))
    return site


def without_ledger(site: SimulatedSite) -> SimulatedSite:
    """A site with the same settings and bucket, without a ledger or published files."""
    other = site.twin()
    other.source = site.source
    return other


@pytest.mark.slow
@pytest.mark.parametrize(
    ("size", "counts"), [(5_000, (1, 2, 7, 64)), pytest.param(40_000, (64,), marks=pytest.mark.release)]
)
def test_any_number_of_ranges_leads_to_the_same_bytes_as_one_worker(size: int, counts: tuple[int, ...]) -> None:
    site = large_site(size)
    rebuild.rebuild(site.updater())
    assert len([name for name in site.outputs.files if "index" in name]) > 2
    known = site.updater().ledger.read().manifest
    chance = random.Random(11)
    for count in counts:
        workers = without_ledger(site)
        split_points = chance.sample(sorted(workers.source.objects), count - 1)
        execution = Execution("run", workers.updater, workers.state, split=split_at_keys(*split_points))
        assert execution.run().next_step == "done"
        assert execution.history[0] == ("scan", count)
        assert workers.outputs.bodies() == site.outputs.bodies()
        assert _contents(workers.updater().ledger.read().manifest) == _contents(known)


def _contents(manifest: Manifest) -> list[str]:
    """What the files of records hold, by their names without the random ends."""
    return [entry.records_file.rpartition("-")[0] for entry in manifest.entries]
