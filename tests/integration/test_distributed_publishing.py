"""A distributed rebuild publishes the same bytes and dates as a rebuild by one process, whatever comes in between."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

import pytest
import quick
from distributed_sites import execution, missing_sitemaps, simulated_site
from fake_stores import Crash, SimulatedSite, Writer
from msgspec.structs import replace
from unit.published_sites import listed_urls

from waypost.core.errors import OtherRunError
from waypost.sitemaps.sharding import begins_segment
from waypost.sync import rebuild

if TYPE_CHECKING:
    from collections.abc import Callable

    from run_harness import Execution

FIRST = next(key for n in range(1_000) if begins_segment(key := f"+{n:03}.html", 6))
"""A key before all others, at which a segment begins."""
DAY = 86_400


def built_site(**values: Any) -> SimulatedSite:
    """A site of several sitemaps with a date on each, all of an earlier day."""
    site = simulated_site(precision="date", **values)
    rebuild.rebuild(site.updater())
    for key in list(site.source.objects):
        site.put(key, f"{key} again")
    site.clock.sleep(DAY)
    rebuild.rebuild(site.updater())
    site.clock.sleep(3 * DAY)
    return site


def assert_same_as_single(change: Callable[[SimulatedSite], None], **values: Any) -> None:
    """The files are equal, with all dates, after a change and a rebuild by one process or by many."""
    single, distributed = built_site(**values), built_site(**values)
    before = single.outputs.bodies()
    for site in (single, distributed):
        change(site)
    rebuild.rebuild(single.updater())
    assert execution(distributed).run().next_step == "done"
    assert distributed.outputs.bodies() == single.outputs.bodies() != before
    assert b"<lastmod>" in distributed.outputs.bodies()["sitemap.xml"]


def test_a_new_first_segment_before_reused_ones_gives_the_bytes_and_dates_of_a_single_rebuild() -> None:
    def change(site: SimulatedSite) -> None:
        site.put(FIRST, "x")
        site.put(FIRST + "x.html", "x")

    assert_same_as_single(change)


def test_a_new_first_page_that_begins_no_segment_gives_the_bytes_and_dates_of_a_single_rebuild() -> None:
    key = next(key for n in range(1_000) if not begins_segment(key := f"+{n:03}.html", 6))
    assert_same_as_single(lambda site: site.put(key, "x"))


def test_a_new_first_page_and_one_of_another_segment_that_name_each_other_as_alternates_are_listed_so() -> None:
    links = f"<link rel=alternate hreflang=de href=/{FIRST}><link rel=alternate hreflang=en href=/035.html>"

    def change(site: SimulatedSite) -> None:
        site.put(FIRST, f"<html lang=de>{links}")
        site.put("035.html", f"<html lang=en>{links}")

    assert_same_as_single(change, alternates=True)


def test_a_first_page_that_is_deleted_gives_the_bytes_and_dates_of_a_single_rebuild() -> None:
    assert_same_as_single(lambda site: site.delete("000.html"))


def add_many(site: SimulatedSite) -> None:
    keys = [f"010-{n:03}.html" for n in range(40)]
    for key in keys:
        site.put(key, "x")
    rebuild.update(site.updater(), keys)


@pytest.mark.parametrize("step", ["publish", "finalize"])
def test_a_sitemap_that_becomes_several_while_a_run_publishes_is_listed_whole(step: str) -> None:
    site = built_site()
    site.put("new.html", "x")
    workers = execution(site)
    answer = workers.run(until="publish")
    if step == "publish":
        add_many(site)
    for task in workers.tasks(answer):
        workers.take(task)
    if step == "finalize":
        add_many(site)
    conclude(workers)
    assert len(listed_urls(site)) == 81
    single = built_site()
    single.put("new.html", "x")
    rebuild.rebuild(single.updater())
    add_many(single)
    assert site.outputs.bodies() == single.outputs.bodies()


def conclude(workers: Execution) -> None:
    """Take the last step until the run has ended, with the workers that it asks for."""
    while (answer := workers.take_step("finalize")).next_step not in ("done", "superseded"):
        for task in workers.tasks(answer):
            workers.take(task)


@pytest.mark.parametrize("first", quick.every(12, range(12)))
def test_a_last_step_that_ends_at_any_request_and_is_taken_again_undoes_nothing(first: int) -> None:
    count, is_complete = first, False
    while not is_complete:
        site = simulated_site()
        workers = execution(site)
        workers.run_workers("publish")
        add_many(site)
        last = Writer(site.gate, partial(conclude, workers))
        for _ in range(count):
            if not last.is_done:
                last.step()
        is_complete = last.is_done
        if not is_complete:
            last.step(Crash())
        listed, bodies = listed_urls(site), site.outputs.bodies()
        again = Writer(site.gate, partial(conclude, workers))
        while not again.is_done:
            again.step()
            if bodies != (bodies := site.outputs.bodies()):
                assert not missing_sitemaps(site)
                assert listed <= listed_urls(site), f"after the end of the first call at request {count}"
        assert again.error is None
        assert len(listed_urls(site)) == 80
        assert (site.wrong_files(), site.manifest().pending, site.manifest().publisher) == ({}, (), None)
        count += 12
    assert site.is_in_sync()


def with_groups(site: SimulatedSite) -> SimulatedSite:
    """The site's settings from now on list some pages in a group of their own."""
    site.settings = simulated_site(groups={"some": ["/00*"]}).settings
    site.clock.sleep(60)
    return site


@pytest.mark.parametrize("is_built", [True, False])
def test_a_run_that_a_build_of_other_settings_replaced_while_it_published_ends(*, is_built: bool) -> None:
    site = simulated_site()
    workers = execution(site)
    workers.run_workers("publish")
    with_groups(site)
    before = site.manifest()
    rebuilt = Writer(site.gate, partial(rebuild.rebuild, site.updater()))
    while before.config_digest != site.updater().config_digest or before.is_complete != is_built:
        rebuilt.step()
        before = site.manifest()
    assert workers.run().next_step == "superseded"
    after = site.manifest()
    assert after == replace(before, generation=after.generation, revision=after.revision, publisher=None)
    rebuilt.finish()
    assert rebuilt.error is None
    assert site.is_in_sync()


def test_a_new_run_waits_for_a_build_of_other_settings_that_replaced_a_run() -> None:
    site = simulated_site()
    execution(site, "first").run(until="publish")
    with_groups(site)
    rebuilt = Writer(site.gate, partial(rebuild.rebuild, site.updater()))
    rebuilt.until("PUT state/shards")
    with pytest.raises(OtherRunError):
        execution(site, "second").take_step("plan")


def test_a_failed_run_leaves_the_role_of_publisher_to_another_run_that_has_it() -> None:
    site = simulated_site()
    execution(site, "first").run(until="publish")
    role = site.manifest().publisher
    second = execution(site, "second")
    second.run(until="scan")
    second.take_step("handle-failure")
    assert site.manifest().publisher == role


@pytest.mark.parametrize("first", quick.every(12, range(12)))
def test_an_event_at_any_request_of_the_last_step_is_published_by_the_run_or_by_the_update(first: int) -> None:
    count, is_complete = first, False
    while not is_complete:
        site = simulated_site()
        workers = execution(site)
        workers.run_workers("publish")
        last = Writer(site.gate, partial(conclude, workers))
        for _ in range(count):
            if not last.is_done:
                last.step()
        is_complete = last.is_done
        site.put("020.html", '<meta name="robots" content="noindex">')
        update = Writer(site.gate, partial(rebuild.update, site.updater(), ["020.html"]))
        while not (last.is_done and update.is_done):
            for writer in (update, last):
                if not writer.is_done:
                    writer.step()
                    assert not missing_sitemaps(site)
        assert (last.error, update.error) == (None, None)
        assert len(listed_urls(site)) == 39, f"after an event at request {count}"
        assert (site.wrong_files(), site.manifest().pending) == ({}, ())
        count += 12
