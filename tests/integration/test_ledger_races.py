"""Writers at once over a small bucket whose pages flip between few contents: many schedules, each from a seed."""

from __future__ import annotations

import random
from typing import Any

import pytest
from concurrency_harness import Storm
from fake_stores import Crash, Writer
from hypothesis import given, settings
from hypothesis import strategies as st

from waypost.sitemaps.sharding import begins_segment
from waypost.sync import rebuild


def flurry(seed: int) -> Storm:
    """Three writers at most, mostly over keys that others are at too; now and then one ends in the middle."""
    chance = random.Random(seed)
    keys = chance.sample(["a.html", "b.html", "c.html", "d.html", "e.html", "index.html", "index.htm"], 4)
    dated: dict[str, Any] = chance.choice([{"lastmod": "none"}, {"lastmod": "content", "state": "x"}])
    storm = Storm({"urls": 2, **dated, "robots_sitemaps": chance.random() < 0.3}, keys[: chance.randrange(5)])
    if chance.random() < 0.8:
        storm.rebuild_now()
    for _ in range(chance.randrange(5, 60)):
        act = chance.random()
        if act < 0.25:
            storm.change(chance.choice(keys), chance.choice([None, "one", "two"]), times=chance.choice([1, 1, 1, 2]))
            storm.start_update(chance)
        elif act < 0.3:
            storm.start_rebuild()
        elif act < 0.33:
            storm.end_one(chance, is_crash=chance.random() < 0.5)
        else:
            storm.step_one(chance, chance.randrange(1, 10))
    return storm


@settings(max_examples=100)
@given(seed=st.integers(0, 2**32))
def test_writers_at_once_publish_what_a_full_build_would(seed: int) -> None:
    flurry(seed).come_to_rest()


@pytest.mark.slow
@settings(max_examples=1_000)
@given(seed=st.integers(0, 2**32))
def test_they_do_so_on_many_more_schedules(seed: int) -> None:
    flurry(seed).come_to_rest()


def started(storm: Storm, *keys: str) -> Writer:
    return Writer(storm.world.gate, lambda: rebuild.update(storm.world.updater(), keys))


def published(storm: Storm) -> bytes:
    return storm.world.outputs.bodies()["sitemap.xml"]


def two_pages() -> Storm:
    storm = Storm({"lastmod": "none"}, ["a.html", "b.html"])
    storm.rebuild_now()
    return storm


def test_a_writer_that_was_held_up_before_it_looked_does_not_cover_a_newer_sitemap() -> None:
    storm = two_pages()
    storm.change("c.html", "one")
    slow = started(storm, "c.html")
    slow.until("HEAD outputs")
    storm.change("d.html", "one")
    started(storm, "d.html").finish()
    newer = published(storm)
    while not slow.is_done:
        slow.step()
        assert published(storm) == newer


def test_a_writer_that_was_held_up_before_it_wrote_finds_its_place_taken() -> None:
    storm = two_pages()
    storm.change("c.html", "one")
    slow = started(storm, "c.html")
    slow.until("PUT outputs")
    storm.change("d.html", "one")
    started(storm, "d.html").finish()
    newer = published(storm)
    slow.finish()
    assert published(storm) == newer


def test_a_writer_that_covered_what_was_right_again_before_it_wrote_puts_it_right() -> None:
    storm = two_pages()
    first = published(storm)
    storm.change("c.html", "one")
    slow = started(storm, "c.html")
    slow.until("PUT outputs")
    storm.change("c.html", None)
    started(storm, "c.html").finish()
    assert published(storm) == first
    slow.finish()
    assert published(storm) == first


def test_a_page_that_flips_back_before_a_slow_writer_commits_is_as_it_is_in_the_bucket() -> None:
    storm = two_pages()
    storm.change("c.html", "one")
    slow = started(storm, "c.html")
    slow.until("PUT state/manifest.json")
    storm.change("c.html", None)
    started(storm, "c.html").finish()
    slow.finish()
    assert b"c.html" not in published(storm)


def test_a_build_that_ends_between_its_commit_and_its_files_leaves_no_index_over_nothing() -> None:
    storm = Storm({"urls": 2, "lastmod": "none"}, ["a.html", "b.html", "c.html", "d.html"])
    building = Writer(storm.world.gate, storm.rebuild_now)
    building.until("PUT outputs")
    building.step(Crash())
    storm.change("a.html", '<meta name="robots" content="noindex">')
    writer = started(storm, "a.html")
    while not writer.is_done:
        writer.step()
        storm.check_index()


def test_a_build_that_another_upload_overtakes_looks_again_at_what_it_had_listed() -> None:
    storm = Storm({"lastmod": "none"}, ["a.html", "b.html"])
    building = Writer(storm.world.gate, storm.rebuild_now)
    building.until("PUT state/shards")
    storm.change("a.html", None)
    started(storm, "a.html").finish()
    building.finish()
    assert building.error is None
    assert b"a.html" not in published(storm)


def test_a_sitemap_whose_pages_another_took_over_is_made_right_though_the_writer_ended_before() -> None:
    keys = [f"p{n:02}.html" for n in range(14)]
    boundary = next(key for key in keys[4:] if begins_segment(key, 4))
    storm = Storm({"urls": 4, "lastmod": "none"}, [key for key in keys if key != boundary])
    storm.rebuild_now()
    storm.change(boundary, "one")
    writer = started(storm, boundary)
    writer.until("PUT outputs")
    writer.step(Crash())
    started(storm, boundary).finish()
    twin = storm.world.twin()
    rebuild.rebuild(twin.updater())
    assert storm.world.outputs.bodies() == twin.outputs.bodies()


def test_a_changed_sitemap_is_looked_at_until_a_later_writer_has_seen_that_it_is_right() -> None:
    storm = two_pages()
    for key in ("a.html", "b.html"):
        storm.change(key, '<meta name="robots" content="noindex">')
        started(storm, key).finish()
        storm.change(key, "one")
        started(storm, key).finish()
    left = storm.world.updater().ledger.read().manifest.pending
    assert [each.name for each in left if not each.until] == ["sitemap.xml"]
