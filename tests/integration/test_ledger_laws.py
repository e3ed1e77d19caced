"""Properties of the ledger, with stores that fail, delay and interleave at every request."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from concurrency_harness import ConcurrencyHarness
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, rule

if TYPE_CHECKING:
    import random

KEYS = [
    *(f"p{n:02}.html" for n in range(14)),
    *(f"blog/{n}.html" for n in range(5)),
    *("index.html", "index.htm", "blog/index.html", "style.css", "guide.pdf", "robots.txt", "sitemap.xml"),
    *("blog.html", "blog.htm", "p00/index.html"),
]
LOCALIZED = [
    "<link rel=alternate hreflang=de href=/p01.html><link rel=alternate hreflang=fr href=/blog/>",
    "<link rel=alternate hreflang=en href=/p00.html><link rel=alternate hreflang=de href=/p01.html>",
    "<link rel=alternate hreflang=de href=/p01.html><link rel=alternate hreflang=x-default href=/index.html>",
    "<link rel=alternate hreflang=en href=/blog.html><link rel=alternate hreflang=en href=/p00.html>",
]
"""Pages that name some of the keys as their alternates, and do not always name each other."""
CANONICAL = [f"<link rel=canonical href=/{path}>" for path in ("p00", "p00/", "p00/index.html", "blog", "blog/")]
"""Pages that name URLs at which servers may answer several of the keys."""
PAGES: list[str | None] = [
    None,
    "one",
    "two",
    '<meta name=robots content="noindex">',
    "User-agent: *\nDisallow: /blog/",
]
PAGES += [*LOCALIZED, *CANONICAL]
SITES: list[dict[str, Any]] = [
    {"urls": 4, "lastmod": "none"},
    {"urls": 4, "lastmod": "content", "state": "x"},
    {"urls": 6, "groups": {"blog": ["/blog/"]}, "lastmod": "content", "state": "x"},
    {"urls": 4, "alternates": True, "formats": ["xml", "html"], "stylesheet": True, "lastmod": "content", "state": "x"},
    {"urls": 5, "sitemaps": 2, "formats": ["xml", "text"], "lastmod": "none", "gzip": True},
    {"urls": 4, "lastmod": "none", "drop_html": None, "trailing_slash": None},
    {"urls": 4, "alternates": True, "lastmod": "content", "state": "x", "drop_html": None, "trailing_slash": None},
]
CHANCE = st.randoms(use_true_random=False)


class ConcurrentWriters(RuleBasedStateMachine):
    """Uploads and deletions, events in any order and number, and writers that may crash at any request."""

    @initialize(
        values=st.sampled_from(SITES), keys=st.lists(st.sampled_from(KEYS), max_size=12), is_built=st.booleans()
    )
    def create_site(self, values: dict[str, Any], keys: list[str], *, is_built: bool) -> None:
        self.harness = ConcurrencyHarness(values, keys)
        if is_built:
            self.harness.rebuild_now()

    @rule(key=st.sampled_from(KEYS), content=st.sampled_from(PAGES), times=st.integers(0, 2))
    def change(self, key: str, content: str | None, times: int) -> None:
        self.harness.change(key, content, times)

    @rule(chance=CHANCE)
    def start_update(self, chance: random.Random) -> None:
        self.harness.start_update(chance)

    @rule()
    def start_rebuild(self) -> None:
        self.harness.start_rebuild()

    @rule(chance=CHANCE, steps=st.integers(1, 12))
    def step(self, chance: random.Random, steps: int) -> None:
        self.harness.step_one(chance, steps)

    @rule(chance=CHANCE, is_crash=st.booleans())
    def end_writer(self, chance: random.Random, *, is_crash: bool) -> None:
        self.harness.end_one(chance, is_crash=is_crash)

    def teardown(self) -> None:
        if hasattr(self, "harness"):
            self.harness.finish_and_compare()


ConcurrentWriters.TestCase.settings = settings(max_examples=40, stateful_step_count=30)
TestAnyOrderOfEventsAndFailuresLeadsToTheFilesOfAFullBuild = ConcurrentWriters.TestCase


class ManyConcurrentWriters(ConcurrentWriters):
    """The same rules, with more examples."""


ManyConcurrentWriters.TestCase.settings = settings(max_examples=200, stateful_step_count=30)
TestManyMoreOrdersOfEventsAndFailuresLeadToTheSame = pytest.mark.slow(ManyConcurrentWriters.TestCase)
