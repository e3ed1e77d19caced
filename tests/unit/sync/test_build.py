"""Building the entries of a ledger again."""

from __future__ import annotations

import pytest
from fake_stores import SimulatedSite
from msgspec.structs import replace
from unit.sync.rebuilt_sites import (
    BUILDING,
    DATED,
    LargeObjects,
    after,
    dated_site,
    dates,
    lose,
    lost_warnings,
    reads,
    simulated_site,
    started_build,
)

from waypost.core.errors import RemovalError
from waypost.ledger.ledger_state import BuilderLease, LedgerState, PublisherLease
from waypost.ledger.manifest import Manifest, PendingFile
from waypost.sync import rebuild
from waypost.sync.rebuild import without_run


def test_at_the_deadline_a_build_reports_where_it_continues_and_publishes_nothing() -> None:
    site = simulated_site()
    result = rebuild.rebuild(site.updater(), lambda: True)
    assert result.resume_after == ""
    assert site.manifest().state == LedgerState.BUILDING
    assert not site.outputs.files
    assert rebuild.rebuild(site.updater()).resume_after is None
    assert site.is_in_sync()


def test_a_build_under_other_settings_keeps_dates_and_reads_no_object_again() -> None:
    site = simulated_site(**DATED)
    rebuild.rebuild(site.updater())
    site.put("003.html", "other")
    rebuild.update(site.updater(), ["003.html"])
    dated = site.source.objects["003.html"][1].encode()
    assert sum(body.count(dated) for body in site.outputs.bodies().values()) == 1
    site.settings = simulated_site(groups={"some": ["/00*"]}, **DATED).settings
    assert reads(site) == []
    bodies = site.outputs.bodies()
    listed = b"003.html</loc><lastmod>" + dated
    assert sum(bodies[name].count(listed) for name in site.manifest().files) == 1
    assert site.is_in_sync()


def test_a_build_under_settings_that_need_other_facts_reads_all_objects_again() -> None:
    site = simulated_site(count=3, **DATED)
    rebuild.rebuild(site.updater())
    site.settings = simulated_site(images=True, **DATED).settings
    assert reads(site) == ["000.html", "001.html", "002.html"]


def test_without_its_run_a_manifest_keeps_a_build_that_others_can_continue() -> None:
    run = BuilderLease("run", 9_000, True, 3, "m.html", "manifests/x.json", ("runs/run-3-deferred-0",))
    complete = Manifest("ledger", "s3://site/", "settings", generation=5, pending=(PendingFile("sitemap.xml", 4),))
    assert without_run(replace(complete, builder=replace(run, position=None))) == complete
    assert without_run(replace(complete, builder=run)) == replace(complete, builder=BUILDING)
    publishes = replace(complete, publisher=PublisherLease("run", 9_000, is_run=True))
    assert without_run(publishes) == complete
    assert without_run(replace(publishes, builder=replace(run, position=None))) == complete
    assert without_run(replace(publishes, builder=replace(run, owner="other", position=None))) == publishes


def test_an_update_during_a_build_replaces_the_manifest_also_if_nothing_changes_and_publishes_nothing() -> None:
    site = simulated_site()
    rebuild.rebuild(site.updater())
    started_build(site)
    generation, published = site.manifest().generation, site.outputs.bodies()
    result = site.updater().update(["none.html"])
    assert (result.records_changed, result.written) == (0, ())
    assert site.manifest().generation == generation + 1
    assert site.outputs.bodies() == published


def test_a_build_whose_process_died_is_continued_when_its_lease_ends_and_lists_the_bucket_from_its_position() -> None:
    site = simulated_site()
    started_build(site)
    builder = site.manifest().builder
    assert builder is not None
    site.clock.seconds = builder.expires
    rebuild.rebuild(site.updater())
    assert site.manifest().builder is None
    assert site.is_in_sync()


def test_a_build_under_other_settings_gives_no_dates_to_pages_whose_records_are_lost() -> None:
    site = dated_site()
    before, lost = dates(site), lose(site, 2)
    site.settings = simulated_site(exclude=["/never/"], **DATED).settings
    assert lost_warnings(rebuild.rebuild(site.updater())) == [1]
    assert dates(site) == before | dict.fromkeys(lost)


def test_a_build_in_several_ranges_warns_once_of_each_file_of_lost_records() -> None:
    site = dated_site()
    site.source = LargeObjects(site.gate, site.source.objects, page_size=3)
    for number in (0, 2, -1):
        lose(site, number)
    site.settings = simulated_site(exclude=["/never/"], **DATED).settings
    assert lost_warnings(rebuild.rebuild(site.updater())) == [3]


@pytest.mark.parametrize("pause", [600, 3 * 86_400])
def test_a_build_that_is_continued_later_finds_changes_before_its_position_also_without_events(pause: float) -> None:
    site = simulated_site(30)
    site.source = LargeObjects(site.gate, site.source.objects, page_size=5)
    rebuild.rebuild(site.updater())
    site.settings = simulated_site(exclude=["/never/"]).settings
    stopped = rebuild.rebuild(site.updater(), after(9))
    assert stopped.resume_after not in (None, "", " ")
    assert site.manifest().state == LedgerState.BUILDING
    stopped_at = site.clock.time()
    site.clock.sleep(pause)
    site.put("000.html", "<meta name=robots content=noindex>")
    if pause < 3_600:
        site.updater().update(["000.html"])  # within an hour the event of a change arrives
    rebuild.rebuild(site.updater(), start_after=stopped.resume_after, stopped_at=stopped_at)
    assert site.manifest().page_count == 29
    assert site.is_in_sync()


def test_a_build_that_finds_too_few_pages_in_the_end_publishes_nothing_until_it_is_accepted() -> None:
    site = simulated_site(30)
    rebuild.rebuild(site.updater())
    before = site.outputs.bodies()
    site.settings = SimulatedSite(urls=4, lastmod="none", drop_html=True).settings
    for n in range(20):
        site.put(f"{n:03}.html", "<meta name=robots content=noindex>")
    for _ in range(2):
        with pytest.raises(RemovalError, match="20 of the 30 listed pages"):
            rebuild.rebuild(site.updater(), start_after=" ")  # there was no time to count removals at first
        assert (site.manifest().state, site.outputs.bodies()) == (LedgerState.BUILDING, before)
    rebuild.rebuild(site.updater(), max_removed=100)
    assert (site.manifest().page_count, site.is_in_sync()) == (10, True)
