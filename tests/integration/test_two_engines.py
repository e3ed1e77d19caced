"""A bucket with a ledger and one with a state publish the same after the same events, byte by byte.

Only the dates of sitemaps in their index may differ: a ledger dates them a few seconds later.
"""

from __future__ import annotations

import random
import re
from typing import TYPE_CHECKING, Any

import pytest
from bucket_races import undated
from fake_buckets import StatefulBucket
from fake_stores import SimulatedSite

from waypost.core.errors import SettingsChangedError
from waypost.core.gzip import decompress_if_gzip
from waypost.sync import rebuild as ledger

if TYPE_CHECKING:
    from collections.abc import Collection

SETTINGS: list[dict[str, Any]] = [
    {},
    {"urls": 4},
    {"alternates": True},
    {"alternates": True, "images": True, "urls": 4},
    {"groups": {"blog": ["/blog/"]}, "urls": 5},
    {"formats": ["xml", "html"], "urls": 4},
    {"formats": ["xml", "text"], "gzip": True},
    {"page_dates": True},
    {"robots_sitemaps": True, "sitemaps": 3, "urls": 3},
    {"drop_html": None, "trailing_slash": None},
]
FOLDERS = ("", "blog/", "de/", "a b/")
KEYS = ["index.html", *[f"{folder}{n}.html" for folder in FOLDERS for n in range(4)], "blog/index.html", "guide.pdf"]
HEADS = [
    *[""] * 6,
    "<meta name=robots content=noindex>",
    "<link rel=canonical href='/blog/1.html'>",
    "<meta http-equiv=refresh content='0; url=/de/1.html'>",
    "<link rel=alternate hreflang=de href=/de/1.html><link rel=alternate hreflang=en href=/1.html>",
    "<meta property='article:modified_time' content='2026-02-01'>",
    "<meta name=robots content='unavailable_after: 2026-11-21'>",
]
ROBOTS = ["User-agent: *\nDisallow: /blog/\n", "User-agent: *\n", "User-agent: *\nDisallow: /1.html\n"]
INDEX_DATE = re.compile(rb"(<sitemap><loc>[^<]*</loc>)<lastmod>[^<]*</lastmod>")
HTML_DATE = re.compile(rb"<time[^>]*>[^<]*</time>")


class Both:
    """One bucket that both engines look at after each of some random events."""

    def __init__(self, seed: int) -> None:
        self.chance = random.Random(seed)
        settings = SETTINGS[seed % len(SETTINGS)]
        self.state = StatefulBucket(**settings)
        self.ledger = SimulatedSite(**{"lastmod": "content", "state": "state", **settings})
        self.ledger.source, self.ledger.clock = self.state.source, self.state.clock

    def put(self, key: str) -> None:
        head, text, image = self.chance.choice(HEADS), self.chance.randrange(3), self.chance.randrange(2)
        links = f"<a href='/{self.chance.choice(KEYS)}'>x</a><img src='/{image}.png'>"
        page = f"<html lang=en><head><title>{key}</title>{head}</head><body><p>text {text} {links}"
        content = self.chance.choice(ROBOTS) if key == "robots.txt" else page
        self.state.put(key, f"%PDF {text}" if key.endswith(".pdf") else content)

    def change(self) -> None:
        keys = [self.chance.choice([*KEYS, "robots.txt"]) for _ in range(self.chance.choice((1, 1, 3)))]
        for key in keys:
            if self.chance.random() < 0.25:
                self.state.delete(key)
            else:
                self.put(key)
        self.update(keys)

    def update(self, keys: Collection[str]) -> None:
        self.state.update(*keys)
        try:
            self.ledger.updater().update(keys)
        except SettingsChangedError:
            ledger.update(self.ledger.updater(), keys)

    def rebuild(self) -> None:
        self.state.rebuild()
        ledger.rebuild(self.ledger.updater())

    def of_ledger(self) -> dict[str, bytes]:
        left = {each.name for each in self.ledger.manifest().unreferenced}
        bodies = self.ledger.outputs.bodies()
        return {name: decompress_if_gzip(name, body) for name, body in bodies.items() if name not in left}


def without_index_dates(files: dict[str, bytes]) -> dict[str, bytes]:
    return {name: INDEX_DATE.sub(rb"\1", body) for name, body in files.items()}


def comparable(files: dict[str, bytes]) -> dict[str, bytes]:
    """Without what the past decides: dates, and the order of the lines in robots.txt, which keep their places."""
    found = {name: HTML_DATE.sub(b"", body) for name, body in undated(files).items()}
    return found | {name: b"\n".join(sorted(body.splitlines())) for name, body in found.items() if name == "robots.txt"}


@pytest.mark.parametrize("seed", range(len(SETTINGS) * 2))
def test_both_engines_publish_the_same_after_the_same_events(seed: int) -> None:
    both = Both(seed)
    for key in ["index.html", *both.chance.sample(KEYS, 8)]:
        both.put(key)
    both.rebuild()
    for _ in range(8):
        both.change()
        if both.chance.random() < 0.15:
            both.rebuild()
    both.rebuild()
    assert without_index_dates(both.state.files()) == without_index_dates(both.of_ledger())
    if nothing := both.state.from_nothing():
        assert comparable(both.state.files()) == comparable(nothing)
