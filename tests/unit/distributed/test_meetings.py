"""Builds that meet: with events, with late workers, with other settings, and with what an earlier one left undone."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

import pytest
from concurrency_harness import undated
from fake_stores import Crash, SimulatedSite, Writer
from run_harness import Execution, at
from unit.distributed.test_commit import KEYS, execution, manifest, world
from unit.distributed.test_publish import concluding, missing, published

from waypost.distributed.plan import RunLimits
from waypost.distributed.steps import Steps
from waypost.sync import rebuild

if TYPE_CHECKING:
    from unit.doubles import SmallSite

    from waypost.stores.base import ConditionalStore


def differs(given: SimulatedSite) -> set[str]:
    """The files that are not as one quiet build of the same bucket makes them."""
    twin = given.twin()
    rebuild.rebuild(twin.updater())
    here, there = undated(given.outputs.bodies()), undated(twin.outputs.bodies())
    return {name for name in here.keys() | there.keys() if here.get(name) != there.get(name)}


def settled(**values: str) -> SmallSite:
    """The settings of `world`, but for some."""
    return SimulatedSite(**{"urls": 6, "lastmod": "content", "state": "x", **values}).site


OTHER = SimulatedSite(urls=6, lastmod="content", state="x", exclude=["/000.html"]).site


def test_keys_that_the_settings_leave_out_are_not_listed_though_they_were_left_to_a_build() -> None:
    given = world(exclude=["/private/"])
    given.put("private/x.html", "x")
    given.put("robots.txt", "User-agent: *\nDisallow:\n")
    many = execution(given)
    many.run(until="scan")
    assert given.updater().defer(["private/x.html", "robots.txt", "001.html"])
    many.run()
    assert manifest(given).page_count == len(KEYS)


def test_keys_that_are_touched_again_while_a_build_commits_are_looked_at_again() -> None:
    given = world()
    rebuild.rebuild(given.updater())
    many = execution(given)
    many.run(until="commit")
    given.put("020.html", '<meta name="robots" content="noindex">')
    rebuild.update(given.updater(), ["020.html"])
    commit = Writer(
        given.gate, partial(Steps(given.updater(), many.limits).take_step, {"step": "commit", "run": "run"})
    )
    commit.until("PUT state/manifest.json")
    given.put("020.html", "back again")
    rebuild.update(given.updater(), ["020.html"])
    commit.finish()
    many.run()
    assert not differs(given)


def died(given: SimulatedSite) -> None:
    """One worker builds, and ends between its commit and its files."""
    build = Writer(given.gate, partial(rebuild.rebuild, given.updater()))
    build.until("HEAD outputs/")
    build.step(Crash())


def test_an_event_after_two_builds_that_died_leaves_no_index_over_missing_sitemaps() -> None:
    given = world()
    died(given)
    given.site = settled(precision="date")
    died(given)
    given.put("001.html", "other")
    rebuild.update(given.updater(), ["001.html"])
    assert "sitemap.xml" in given.outputs.files
    assert not missing(given)


def test_a_build_that_is_handed_on_and_dies_leaves_no_index_over_missing_sitemaps() -> None:
    given = world([f"{n:06}.html" for n in range(26_000)], urls=4_000)
    given.source.some = 1_000
    build = Writer(given.gate, partial(rebuild.rebuild, given.updater()))
    build.until("PUT state/manifest.json done")
    build.until("HEAD outputs/")
    build.step(Crash())
    given.put("000001.html", "other")
    rebuild.update(given.updater(), ["000001.html"])
    assert len(manifest(given).files) > 5
    assert not missing(given)


class Eventful:
    """Outputs beside which something happens whenever they are listed."""

    def __init__(self, given: SimulatedSite, store: ConditionalStore) -> None:
        self.__dict__.update(store.__dict__)
        self._given, self._store, self.events = given, store, 0

    def __getattr__(self, name: str) -> object:
        return getattr(self._store, name)

    def names(self, stem: str = "") -> list[str]:
        found = list(self._store.names(stem))
        self.events += 1
        self._given.put("020.html", f"content {self.events}")
        self._given.outputs = self._store  # type: ignore[assignment]
        rebuild.update(self._given.updater(), ["020.html"])
        self._given.outputs = self  # type: ignore[assignment]
        return found


def test_a_steady_stream_of_events_does_not_keep_a_run_from_its_end() -> None:
    given = world()
    many = execution(given)
    published(many)
    given.outputs = eventful = Eventful(given, given.outputs)  # type: ignore[assignment]
    assert concluding(many)().next_step == "done"
    assert eventful.events
    assert manifest(given).run is None


def test_planning_again_without_what_was_set_aside_mixes_no_shards() -> None:
    given = world()
    rebuild.rebuild(given.updater())
    for key in ("020.html", "030.html"):
        given.put(key, "new")
    many = execution(given)
    items = many.items(many.run(until="build"))
    mine = given.site
    for n, item in enumerate(items):
        given.site = mine if n else OTHER
        Steps(given.updater(), many.limits).take_step(item)
    given.site = mine
    for name in [name for name in given.state.files if name.startswith("manifests/")]:
        del given.state.files[name]
    given.put("001.html", "event")
    rebuild.update(given.updater(), ["001.html"])
    many.run()
    assert not differs(given)


def test_a_worker_that_is_late_with_what_others_were_given_since_counts_once() -> None:
    given = world()
    many = Execution("run", given.updater, given.state, RunLimits(4, 40, 5, 2), at("010.html"))
    first, second = many.items(many.run(until="scan"))
    late = Writer(given.gate, partial(Steps(given.updater(), many.limits, many.parted).take_step, second))
    late.until("PUT state/")
    Steps(given.updater(), many.limits, many.parted).take_step(first)
    many.parted = at("020.html")
    for item in many.items(many.run(until="scan")):
        Steps(given.updater(), many.limits, many.parted).take_step(item)
    late.finish()
    assert many.run().next_step == "done"
    assert manifest(given).page_count == len(KEYS)
    assert not differs(given)


def test_a_commit_that_is_late_for_a_run_that_began_again_commits_nothing() -> None:
    given = world()
    many = execution(given)
    for item in many.items(many.run(until="build")):
        Steps(given.updater(), many.limits).take_step(item)
    late = Writer(given.gate, partial(Steps(given.updater(), many.limits).take_step, {"step": "commit", "run": "run"}))
    late.until("PUT state/manifest.json")
    mine, given.site = given.site, OTHER
    Steps(given.updater(), many.limits).take_step({"step": "plan", "run": "run"})
    given.site = mine
    given.put("new.html", "x")
    for item in many.items(many.run(until="build")):
        Steps(given.updater(), many.limits).take_step(item)
    late.finish()
    assert late.result.next_step == "plan"
    many.run()
    assert not differs(given)


@pytest.mark.parametrize("by_many", [True, False])
def test_files_of_an_earlier_name_go_though_the_run_that_renamed_them_was_stopped(*, by_many: bool) -> None:
    given = world()
    rebuild.rebuild(given.updater())
    old = set(given.outputs.files)
    given.site = settled(name="pages")
    first = execution(given, "first")
    published(first)
    Steps(given.updater(), first.limits).take_step({"step": "handle-failure", "run": "first"})
    if by_many:
        execution(given, "second").run()
    else:
        rebuild.rebuild(given.updater())
    assert not old & set(given.outputs.files)
    assert not differs(given)


def test_files_of_an_earlier_name_go_though_they_were_renamed_twice() -> None:
    given = world()
    rebuild.rebuild(given.updater())
    given.site = settled(name="pages")
    build = Writer(given.gate, partial(rebuild.rebuild, given.updater()))
    build.until("DELETE outputs/")
    build.step(Crash())
    given.site = settled(name="other")
    rebuild.rebuild(given.updater())
    assert not differs(given)


def test_an_index_of_an_earlier_name_goes_before_the_sitemaps_that_it_names() -> None:
    given = world()
    rebuild.rebuild(given.updater())
    given.site = settled(name="pages")
    build = Writer(given.gate, partial(rebuild.rebuild, given.updater()))
    while not build.is_done:
        build.step()
        assert not missing(given)


def test_robots_txt_names_no_sitemap_of_an_earlier_name() -> None:
    given = world(robots_sitemaps=True)
    rebuild.rebuild(given.updater())
    given.site = SimulatedSite(urls=6, lastmod="content", state="x", robots_sitemaps=True, name="pages").site
    rebuild.rebuild(given.updater())
    assert given.outputs.bodies()["robots.txt"] == b"Sitemap: https://example.org/pages.xml\n"


def test_a_build_under_way_that_lost_a_file_goes_on() -> None:
    given = world([f"{n:06}.html" for n in range(26_000)], urls=4_000)
    given.source.some = 1_000
    asked = iter([False, True])
    assert rebuild.rebuild(given.updater(), lambda: next(asked, True)).resume_after is not None
    del given.state.files[manifest(given).entries[-1].records_file]
    for _ in range(2):  # what was in it is found by the next
        rebuild.rebuild(given.updater())
    assert manifest(given).page_count == 26_000


def test_what_a_run_removes_itself_costs_no_manifest() -> None:
    given = world(urls=2)
    rebuild.rebuild(given.updater())
    for key in KEYS[4:]:
        given.delete(key)
    many = execution(given)
    published(many)
    leaving = sorted(set(given.outputs.files) - manifest(given).files.keys())
    assert len(leaving) > 5
    assert not [
        request
        for request in given.counted(partial(rebuild.update, given.updater(), leaving))
        if request.startswith("PUT state/")
    ]
