"""A law: after any changes, a distributed rebuild with any ranges and events leaves the bytes of one by one process."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING, Any, NamedTuple

import pytest
from distributed_sites import KEYS, simulated_site
from hypothesis import given
from hypothesis import strategies as st
from run_harness import NEXT_STEP, Execution, split_at_keys

from waypost.distributed.plan import RunLimits
from waypost.sync import rebuild

if TYPE_CHECKING:
    from collections.abc import Sequence

    from fake_stores import SimulatedSite

DAY = 86_400
NO_PAGE = '<meta name="robots" content="noindex">'
LINKS = "<link rel=alternate hreflang=de href=/+1.html><link rel=alternate hreflang=en href=/020.html>"
CONTENTS = ["x", "two", NO_PAGE, "<link rel=canonical href=/003.html>", f"<html lang=de>{LINKS}", None]
NAMES = [*KEYS[::3], "+0.html", "+1.html", "010/index.html", "blog/1.html", "blog/2.html", "~.html"]
SITES: list[dict[str, Any]] = [
    {},
    {"alternates": True},
    {"groups": {"blog": ["/blog/", "*5.html"]}},
    {"drop_html": True, "trailing_slash": "never"},
    {"sitemaps": 3, "gzip": True},
]


class PageChange(NamedTuple):
    """What the owner does to one object: None deletes it."""

    key: str
    content: str | None


PAGE_CHANGES = st.builds(PageChange, st.sampled_from(NAMES), st.sampled_from(CONTENTS))


def dated_site(values: dict[str, Any]) -> SimulatedSite:
    """A site whose pages and sitemaps have dates of different days, all earlier ones."""
    site = simulated_site(precision="date", **values)
    rebuild.rebuild(site.updater())
    for key in KEYS[::4]:
        site.clock.sleep(DAY)
        site.put(key, f"{key} again")
    rebuild.rebuild(site.updater())
    site.clock.sleep(3 * DAY)
    return site


def apply(site: SimulatedSite, changes: Sequence[PageChange]) -> list[str]:
    for key, content in changes:
        if content is None:
            site.delete(key)
        else:
            site.put(key, content)
    return [key for key, _ in changes]


def published(site: SimulatedSite) -> dict[str, bytes]:
    """The files that the site's index names, and itself: what it no longer names is deleted a day later."""
    bodies = site.outputs.bodies()
    return {name: bodies[name] for name in site.manifest().files}


def rebuild_by_many(site: SimulatedSite, events: Sequence[PageChange], events_before: int, seed: int) -> None:
    """A distributed rebuild with ranges and an order of workers by chance, and events before one of its steps."""
    chance = random.Random(seed)
    limits = RunLimits(
        workers=chance.randrange(1, 9),
        max_objects=chance.randrange(1, 20),
        min_objects=chance.randrange(1, 9),
        files_per_batch=chance.randrange(1, 4),
    )
    points = chance.sample(sorted(site.source.objects), chance.randrange(5))
    split = split_at_keys(*points) if chance.random() < 0.7 else None
    workers = Execution("run", site.updater, site.state, limits, split, chance)
    step, taken = "plan", 0
    while step != "done":
        answer = workers.take_step(step)
        assert answer.next_step != "superseded"
        taken += 1
        if taken == events_before:
            rebuild.update(site.updater(), apply(site, events))
        workers.take_all(workers.tasks(answer))
        step = NEXT_STEP[answer.next_step] if answer.tasks else answer.next_step
    if taken < events_before:
        rebuild.update(site.updater(), apply(site, events))


@pytest.mark.slow
@given(
    st.sampled_from(SITES),
    st.lists(PAGE_CHANGES, max_size=8),
    st.lists(PAGE_CHANGES, max_size=3, unique_by=lambda each: each.key),
    st.integers(1, 8),
    st.integers(0, 1_000_000),
)
def test_a_distributed_rebuild_leaves_the_bytes_and_dates_of_one_by_one_process(
    values: dict[str, Any], changes: list[PageChange], events: list[PageChange], events_before: int, seed: int
) -> None:
    """Events are of other pages: of one that changes twice, a rebuild that reads it in between sees one change more."""
    changed = {key for key, _ in changes}
    events = [event for event in events if event.key not in changed]
    single, distributed = dated_site(values), dated_site(values)
    for site in (single, distributed):
        apply(site, changes)
    rebuild.rebuild(single.updater())
    rebuild.update(single.updater(), apply(single, events))
    rebuild_by_many(distributed, events, events_before, seed)
    assert published(distributed) == published(single)
    assert distributed.is_in_sync()
