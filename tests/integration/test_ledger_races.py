"""Several writers over a small bucket whose pages change between a few contents, in schedules made from seeds."""

from __future__ import annotations

import random
from typing import Any

import pytest
from concurrency_harness import ConcurrencyHarness
from fake_stores import Crash, Writer
from hypothesis import given, settings
from hypothesis import strategies as st

from waypost.sitemaps.sharding import begins_segment
from waypost.sync import rebuild


def random_schedule(seed: int) -> ConcurrencyHarness:
    """At most three writers, mostly over the same keys; some of them end early."""
    chance = random.Random(seed)
    keys = chance.sample(["a.html", "b.html", "c.html", "d.html", "e.html", "index.html", "index.htm"], 4)
    dates: dict[str, Any] = chance.choice([{"lastmod": "none"}, {"lastmod": "content", "state": "x"}])
    harness = ConcurrencyHarness(
        {"urls": 2, **dates, "robots_sitemaps": chance.random() < 0.3}, keys[: chance.randrange(5)]
    )
    if chance.random() < 0.8:
        harness.rebuild_now()
    for _ in range(chance.randrange(5, 60)):
        action = chance.random()
        if action < 0.25:
            harness.change(chance.choice(keys), chance.choice([None, "one", "two"]), times=chance.choice([1, 1, 1, 2]))
            harness.start_update(chance)
        elif action < 0.3:
            harness.start_rebuild()
        elif action < 0.33:
            harness.end_one(chance, is_crash=chance.random() < 0.5)
        else:
            harness.step_one(chance, chance.randrange(1, 10))
    return harness


@settings(max_examples=100)
@given(seed=st.integers(0, 2**32))
def test_concurrent_writers_publish_the_same_files_as_a_full_build(seed: int) -> None:
    random_schedule(seed).finish_and_compare()


@pytest.mark.slow
@settings(max_examples=1_000)
@given(seed=st.integers(0, 2**32))
def test_many_more_schedules_of_concurrent_writers_publish_the_same_files(seed: int) -> None:
    random_schedule(seed).finish_and_compare()


def started_update(harness: ConcurrencyHarness, *keys: str) -> Writer:
    return Writer(harness.site.gate, lambda: rebuild.update(harness.site.updater(), keys))


def published(harness: ConcurrencyHarness) -> bytes:
    return harness.site.outputs.bodies()["sitemap.xml"]


def two_pages() -> ConcurrencyHarness:
    harness = ConcurrencyHarness({"lastmod": "none"}, ["a.html", "b.html"])
    harness.rebuild_now()
    return harness


def test_a_writer_delayed_before_it_compares_files_does_not_replace_a_newer_sitemap() -> None:
    harness = two_pages()
    harness.change("c.html", "one")
    slow = started_update(harness, "c.html")
    slow.until("HEAD outputs")
    harness.change("d.html", "one")
    started_update(harness, "d.html").finish()
    newer = published(harness)
    while not slow.is_done:
        slow.step()
        assert published(harness) == newer


def test_a_writer_delayed_before_it_writes_does_not_replace_a_newer_sitemap() -> None:
    harness = two_pages()
    harness.change("c.html", "one")
    slow = started_update(harness, "c.html")
    slow.until("PUT outputs")
    harness.change("d.html", "one")
    started_update(harness, "d.html").finish()
    newer = published(harness)
    slow.finish()
    assert published(harness) == newer


def test_a_writer_that_replaced_a_sitemap_that_was_right_again_restores_it() -> None:
    harness = two_pages()
    first = published(harness)
    harness.change("c.html", "one")
    slow = started_update(harness, "c.html")
    slow.until("PUT outputs")
    harness.change("c.html", None)
    started_update(harness, "c.html").finish()
    assert published(harness) == first
    slow.finish()
    assert published(harness) == first


def test_a_page_deleted_before_a_slow_writer_commits_is_not_listed() -> None:
    harness = two_pages()
    harness.change("c.html", "one")
    slow = started_update(harness, "c.html")
    slow.until("PUT state/manifest.json")
    harness.change("c.html", None)
    started_update(harness, "c.html").finish()
    slow.finish()
    assert b"c.html" not in published(harness)


def test_after_a_build_crashed_before_publishing_no_index_names_a_missing_sitemap() -> None:
    harness = ConcurrencyHarness({"urls": 2, "lastmod": "none"}, ["a.html", "b.html", "c.html", "d.html"])
    building = Writer(harness.site.gate, harness.rebuild_now)
    building.until("PUT outputs")
    building.step(Crash())
    harness.change("a.html", '<meta name="robots" content="noindex">')
    writer = started_update(harness, "a.html")
    while not writer.is_done:
        writer.step()
        harness.check_index()


def test_a_build_reads_objects_again_that_changed_after_its_listing() -> None:
    harness = ConcurrencyHarness({"lastmod": "none"}, ["a.html", "b.html"])
    building = Writer(harness.site.gate, harness.rebuild_now)
    building.until("PUT state/shards")
    harness.change("a.html", None)
    started_update(harness, "a.html").finish()
    building.finish()
    assert building.error is None
    assert b"a.html" not in published(harness)


def test_sitemaps_that_a_crashed_writer_did_not_write_are_written_by_the_next() -> None:
    keys = [f"p{n:02}.html" for n in range(14)]
    boundary = next(key for key in keys[4:] if begins_segment(key, 4))
    harness = ConcurrencyHarness({"urls": 4, "lastmod": "none"}, [key for key in keys if key != boundary])
    harness.rebuild_now()
    harness.change(boundary, "one")
    writer = started_update(harness, boundary)
    writer.until("PUT outputs")
    writer.step(Crash())
    started_update(harness, boundary).finish()
    twin = harness.site.twin()
    rebuild.rebuild(twin.updater())
    assert harness.site.outputs.bodies() == twin.outputs.bodies()


def test_a_changed_sitemap_is_pending_until_a_later_writer_has_found_it_right() -> None:
    harness = two_pages()
    for key in ("a.html", "b.html"):
        harness.change(key, '<meta name="robots" content="noindex">')
        started_update(harness, key).finish()
        harness.change(key, "one")
        started_update(harness, key).finish()
    pending = harness.site.manifest().pending
    assert [each.name for each in pending if not each.until] == ["sitemap.xml"]
