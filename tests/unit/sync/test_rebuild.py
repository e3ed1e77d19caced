"""Rebuilding a ledger and its sitemaps by a listing of the bucket."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest
from fake_stores import MemoryBucket, SimulatedSite, Writer
from msgspec.structs import replace
from run_harness import Execution

from waypost.core.errors import OtherRunError, RemovalError
from waypost.core.model import Item
from waypost.distributed.plan import RUN_LEASE
from waypost.ledger.ledger_state import BuilderRole, LedgerState, PublisherRole
from waypost.ledger.manifest import Manifest, PendingFile
from waypost.sources.parallel_listing import LAST_KEY
from waypost.sync import rebuild
from waypost.sync.drift import DriftCheck
from waypost.sync.rebuild import without_run
from waypost.sync.result import RunResult

DATED: dict[str, Any] = {"lastmod": "content", "state": "x"}
BUILDING = BuilderRole(position="m.html", previous="manifests/x.json")


def simulated_site(count: int = 10, **values: Any) -> SimulatedSite:
    site = SimulatedSite(**{"urls": 4, "lastmod": "none", **values})
    for n in range(count):
        site.put(f"{n:03}.html", "x")
    site.clock.sleep(60)
    return site


def after(checks: int) -> Callable[[], bool]:
    """A deadline that is reached after so many checks of it."""
    answers: Iterator[bool] = iter([False] * checks)
    return lambda: next(answers, True)


def reads(site: SimulatedSite) -> list[str]:
    """The objects that a rebuild reads."""
    return reads_of(site, lambda: rebuild.rebuild(site.updater()))


def test_a_first_rebuild_reads_all_objects_and_publishes_a_complete_ledger() -> None:
    site = simulated_site()
    site.put("style.css", "x")
    result = rebuild.rebuild(site.updater())
    assert (result.objects_listed, result.objects_read, result.records_changed) == (11, 10, 10)
    assert (result.ignored, result.resume_after) == ({"not-a-page": 1}, None)
    assert set(result.written) == site.outputs.files.keys() == site.manifest().files.keys()
    assert site.manifest().state == LedgerState.COMPLETE
    assert result.manifest == site.manifest()


def test_a_rebuild_of_a_complete_ledger_reads_and_removes_what_no_event_reported() -> None:
    site = simulated_site()
    rebuild.rebuild(site.updater())
    site.put("003.html", "other")
    site.put("100.html", "new")
    site.delete("004.html")
    assert reads(site) == ["003.html", "004.html", "100.html"]
    assert site.is_in_sync()
    assert reads(site) == []


def test_a_rebuild_records_when_it_confirmed_the_ledger() -> None:
    site = simulated_site()
    rebuild.rebuild(site.updater())
    first = site.manifest().built_at
    rebuild.rebuild(site.updater())
    assert site.manifest().built_at > first


def test_at_the_deadline_a_build_reports_where_it_continues_and_publishes_nothing() -> None:
    site = simulated_site()
    result = rebuild.rebuild(site.updater(), lambda: True)
    assert result.resume_after == ""
    assert site.manifest().state == LedgerState.BUILDING
    assert not site.outputs.files
    assert rebuild.rebuild(site.updater()).resume_after is None
    assert site.is_in_sync()


def test_at_the_deadline_a_comparison_with_a_complete_ledger_reports_where_it_continues() -> None:
    site = simulated_site()
    rebuild.rebuild(site.updater())
    site.put("100.html", "new")
    assert rebuild.rebuild(site.updater(), lambda: True).resume_after == " "
    assert rebuild.rebuild(site.updater(), start_after="050.html").objects_listed == 1
    assert site.is_in_sync()


def test_when_only_publishing_is_left_a_rebuild_continues_after_the_last_key() -> None:
    site = simulated_site()
    result = rebuild.rebuild(site.updater(), after(2))
    assert result.resume_after == LAST_KEY
    assert "sitemap.xml" not in site.outputs.files
    requests = site.counted(lambda: rebuild.rebuild(site.updater(), start_after=LAST_KEY))
    assert not any(request.startswith("GET site/0") for request in requests)
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


@pytest.mark.parametrize("settings", [{}, {"groups": {"some": ["/00*"]}}], ids=["same settings", "other settings"])
def test_a_rebuild_reads_a_page_of_which_only_the_metadata_changed_and_no_other(settings: dict[str, Any]) -> None:
    site = simulated_site(**DATED)
    rebuild.rebuild(site.updater())
    site.source.robots["003.html"] = "noindex"
    site.put("003.html", "x")
    site.clock.sleep(600)
    site.settings = simulated_site(**settings, **DATED).settings
    assert reads(site) == ["003.html"]
    assert not any(b"/003.html" in site.outputs.bodies()[name] for name in site.manifest().files)
    assert reads(site) == []


def test_a_rebuild_does_not_read_again_what_an_update_has_just_read_and_dated() -> None:
    site = simulated_site(**DATED)
    rebuild.rebuild(site.updater())
    site.put("003.html", "other")
    rebuild.update(site.updater(), ["003.html"])
    assert reads(site) == []


def test_a_rebuild_in_several_calls_reads_what_was_uploaded_since_the_rebuild_before_it_began() -> None:
    site = simulated_site(**DATED)
    rebuild.rebuild(site.updater())
    site.put("003.html", "x")
    site.clock.sleep(600)
    rebuild.rebuild(site.updater(), start_after="005.html")
    site.clock.sleep(600)
    assert reads(site) == ["003.html"]
    assert reads(site) == []


def test_a_build_under_settings_that_need_other_facts_reads_all_objects_again() -> None:
    site = simulated_site(count=3, **DATED)
    rebuild.rebuild(site.updater())
    site.settings = simulated_site(images=True, **DATED).settings
    assert reads(site) == ["000.html", "001.html", "002.html"]


def test_an_update_of_a_ledger_of_other_settings_becomes_a_rebuild() -> None:
    site = simulated_site()
    rebuild.rebuild(site.updater())
    site.settings = simulated_site(exclude=["/000.html"]).settings
    site.put("050.html", "x")
    rebuild.update(site.updater(), ["001.html"])
    assert site.manifest().page_count == 10
    assert site.is_in_sync()


def test_an_update_that_becomes_a_rebuild_has_the_same_deadline() -> None:
    assert rebuild.update(simulated_site().updater(), ["001.html"], after(1)).resume_after == ""


def test_a_rebuild_does_not_disturb_a_run_of_many_workers_and_fails_until_that_has_ended() -> None:
    site = simulated_site()
    Execution("run", site.updater, site.state).run(until="build")
    before, started = site.manifest(), site.clock.time()
    with pytest.raises(OtherRunError, match="another rebuild is under way") as raised:
        rebuild.rebuild(site.updater())
    assert site.manifest() == before
    assert before.builder is not None
    assert raised.value.retry_after == pytest.approx(before.builder.expires - site.clock.time(), abs=2)
    assert 120 <= site.clock.time() - started < 150


def test_a_rebuild_replaces_a_run_of_many_workers_that_takes_no_step_any_more() -> None:
    site = simulated_site()
    Execution("run", site.updater, site.state).run(until="build")
    site.clock.sleep(RUN_LEASE)
    rebuild.rebuild(site.updater())
    assert (site.manifest().state, site.manifest().builder) == (LedgerState.COMPLETE, None)
    assert site.is_in_sync()


def test_a_rebuild_ends_a_run_that_reads_a_complete_bucket_again_and_takes_no_step_any_more() -> None:
    site = simulated_site()
    rebuild.rebuild(site.updater())
    Execution("run", site.updater, site.state).run(until="scan")
    assert site.manifest().state == LedgerState.RESCANNING
    site.clock.sleep(RUN_LEASE)
    rebuild.rebuild(site.updater())
    assert site.manifest().builder is None
    assert site.is_in_sync()


def test_without_its_run_a_manifest_keeps_a_build_that_others_can_continue() -> None:
    run = BuilderRole("run", 9_000, True, 3, "m.html", "manifests/x.json", ("runs/run-3-deferred-0",))
    complete = Manifest("ledger", "s3://site/", "settings", generation=5, pending=(PendingFile("sitemap.xml", 4),))
    assert without_run(replace(complete, builder=replace(run, position=None))) == complete
    assert without_run(replace(complete, builder=run)) == replace(complete, builder=BUILDING)
    assert without_run(replace(complete, publisher=PublisherRole("run", 9_000, is_run=True))) == complete


def started_build(site: SimulatedSite, **values: Any) -> Writer:
    """A rebuild under other settings that has begun a build, and takes no step more until it is told to."""
    site.settings = simulated_site(exclude=["/never/"], **values).settings
    writer = Writer(site.gate, lambda: rebuild.rebuild(site.updater()))
    writer.until("PUT state/manifest.json done")
    return writer


def test_an_update_during_a_build_replaces_the_manifest_also_if_nothing_changes_and_publishes_nothing() -> None:
    site = simulated_site()
    rebuild.rebuild(site.updater())
    started_build(site)
    generation, published = site.manifest().generation, site.outputs.bodies()
    result = site.updater().update(["none.html"])
    assert (result.records_changed, result.written) == (0, ())
    assert site.manifest().generation == generation + 1
    assert site.outputs.bodies() == published


def test_a_second_rebuild_waits_for_a_build_and_then_fails_with_the_time_that_is_left() -> None:
    site = simulated_site()
    started_build(site)
    with pytest.raises(OtherRunError, match=r"another rebuild is under way; it has at least \d+ seconds") as raised:
        rebuild.rebuild(site.updater())
    assert raised.value.retry_after is not None
    assert 150 < raised.value.retry_after <= 180


def test_a_build_whose_process_died_is_continued_when_its_lease_ends_and_lists_the_bucket_from_its_position() -> None:
    site = simulated_site()
    started_build(site)
    builder = site.manifest().builder
    assert builder is not None
    site.clock.seconds = builder.expires
    rebuild.rebuild(site.updater())
    assert site.manifest().builder is None
    assert site.is_in_sync()


def lose(site: SimulatedSite, number: int) -> set[str]:
    """Lose the records of an entry; returns its keys."""
    entry = site.manifest().entries[number]
    keys = {record.key for record in site.ledger().records(entry)}
    site.state.remove(entry.records_file)
    return keys


def dates(site: SimulatedSite) -> dict[str, str | None]:
    """The recorded date of each key."""
    ledger = site.ledger()
    return {record.key: record.lastmod for entry in site.manifest().entries for record in ledger.records(entry)}


def dated_site() -> SimulatedSite:
    """A site all of whose pages have a date, because they changed after its first build."""
    site = simulated_site(30, **DATED)
    rebuild.rebuild(site.updater())
    for n in range(30):
        site.put(f"{n:03}.html", "two")
    site.updater().update([f"{n:03}.html" for n in range(30)])
    assert None not in dates(site).values()
    return site


def lost_warnings(result: RunResult) -> list[int]:
    return [warning.count for warning in result.warnings if warning.code == "records-lost"]


def test_a_rebuild_makes_lost_records_anew_in_their_range_only_and_their_pages_have_no_date() -> None:
    site = dated_site()
    before, lost = dates(site), lose(site, 2)
    read = set(reads_of(site, lambda: rebuild.rebuild(site.updater())))
    assert read == lost
    assert dates(site) == before | dict.fromkeys(lost)
    assert site.is_in_sync()


def test_an_update_makes_lost_records_anew_in_their_range_only_with_a_warning() -> None:
    site = dated_site()
    before, lost = dates(site), lose(site, 2)
    key = min(lost)
    site.put(key, "three")
    results = []
    read = set(reads_of(site, lambda: results.append(site.updater().update([key]))))
    assert read == lost
    assert lost_warnings(results[0]) == [1]
    assert dates(site) == before | dict.fromkeys(lost)
    assert site.is_in_sync()


def test_an_update_that_needs_no_lost_records_leaves_them_lost() -> None:
    site = dated_site()
    lost = lose(site, 2)
    key = next(key for key in ("029.html", "000.html") if key not in lost)
    site.put(key, "three")
    assert lost_warnings(site.updater().update([key])) == []


def test_publishing_makes_the_records_anew_that_it_needs_and_that_are_lost() -> None:
    site = dated_site()
    before = site.outputs.bodies()
    name = site.manifest().entries[2].files[0].name
    lost = lose(site, 2)
    site.outputs.remove(name)
    result = site.updater().update([name])
    assert lost_warnings(result) == [1]
    assert site.outputs.bodies().keys() == before.keys()
    assert {key for key, date in dates(site).items() if date is None} == lost
    assert site.is_in_sync()


def test_a_build_under_other_settings_gives_no_dates_to_pages_whose_records_are_lost() -> None:
    site = dated_site()
    before, lost = dates(site), lose(site, 2)
    site.settings = simulated_site(exclude=["/never/"], **DATED).settings
    rebuild.rebuild(site.updater())
    assert dates(site) == before | dict.fromkeys(lost)


def reads_of(site: SimulatedSite, run: Callable[[], object]) -> list[str]:
    names = [each.removeprefix("GET site/") for each in site.counted(run) if each.startswith("GET site/")]
    return [name for name in names if name != "robots.txt"]


class LargeObjects(MemoryBucket):
    """A bucket of objects that count as so large that every page of a listing is a chunk."""

    def _item(self, key: str) -> Item:
        return replace(super()._item(key), size=1_000_000_000)


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


def published(site: SimulatedSite) -> tuple[Manifest, dict[str, bytes]]:
    return site.manifest(), site.outputs.bodies()


def test_a_rebuild_that_would_remove_too_much_changes_neither_manifest_nor_files() -> None:
    site = simulated_site(30)
    rebuild.rebuild(site.updater())
    before = published(site)
    for n in range(20):
        site.delete(f"{n:03}.html")
    with pytest.raises(RemovalError, match="20 of the 30 listed pages"):
        rebuild.rebuild(site.updater())
    assert published(site) == before
    rebuild.rebuild(site.updater(), max_removed=100)
    assert site.manifest().page_count == 10
    assert site.is_in_sync()


def test_a_rebuild_under_other_settings_that_would_remove_too_much_does_not_begin() -> None:
    site = simulated_site(30)
    rebuild.rebuild(site.updater())
    before = published(site)
    site.settings = SimulatedSite(urls=4, lastmod="none", exclude=["00*.html", "01*.html"]).settings
    with pytest.raises(RemovalError, match="20 of the 30 listed pages"):
        rebuild.update(site.updater(), ["020.html"])
    assert published(site) == before


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


def test_a_rebuild_without_time_to_count_removals_continues_without_the_count() -> None:
    site = simulated_site(30)
    rebuild.rebuild(site.updater())
    for n in range(20):
        site.delete(f"{n:03}.html")
    result = rebuild.rebuild(site.updater(), lambda: True)
    assert result.resume_after == " "
    rebuild.rebuild(site.updater(), start_after=result.resume_after)
    assert (site.manifest().page_count, site.is_in_sync()) == (10, True)


def test_a_rebuild_counts_the_objects_whose_events_were_lost_but_none_that_cannot_be_read() -> None:
    site = simulated_site(**DATED)
    rebuild.rebuild(site.updater())
    site.put("new.html", "x")
    site.put("003.html", "other")
    site.delete("004.html")
    asked: list[str] = []
    check = DriftCheck(site.now(), lambda keys: asked.extend(keys) is None)
    result = rebuild.rebuild(site.updater(), drift_check=check)
    assert (result.drift, asked) == (2, ["004.html"])
    assert "004.html" in listed_keys(site)
    assert rebuild.rebuild(site.updater(), drift_check=DriftCheck(site.now(), lambda keys: False)).drift == 1
    assert "004.html" not in listed_keys(site)


def listed_keys(site: SimulatedSite) -> set[str]:
    ledger = site.ledger()
    return {record.key for entry in site.manifest().entries for record in ledger.records(entry)}
