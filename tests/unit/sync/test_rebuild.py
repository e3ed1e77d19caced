"""Rebuilding a ledger and its sitemaps by a listing of the bucket."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from fake_stores import MemoryBucket, SimulatedSite, Writer
from run_harness import Execution
from unit.sync.rebuilt_sites import (
    DATED,
    after,
    dated_site,
    dates,
    lose,
    lost_warnings,
    published,
    reads_of,
    rewrite_by_newer_release,
    simulated_site,
    started_build,
)

from waypost.core.errors import OtherRunError, RemovalError, SourceError
from waypost.core.model import Body, Item
from waypost.distributed.plan import RUN_LEASE
from waypost.ledger.ledger_state import LedgerState
from waypost.sync import rebuild
from waypost.sync.result import RunResult


def test_a_first_rebuild_reads_all_objects_and_publishes_a_complete_ledger() -> None:
    site = simulated_site()
    site.put("style.css", "x")
    result = rebuild.rebuild(site.updater())
    assert (result.objects_listed, result.objects_read, result.records_changed) == (11, 10, 10)
    assert (result.ignored, result.resume_after) == ({"not-a-page": 1}, None)
    assert set(result.written) == site.outputs.files.keys() == site.manifest().files.keys()
    assert site.manifest().state == LedgerState.COMPLETE
    assert result.manifest == site.manifest()


def test_an_update_of_a_ledger_of_other_settings_becomes_a_rebuild() -> None:
    site = simulated_site()
    rebuild.rebuild(site.updater())
    site.settings = simulated_site(exclude=["/000.html"]).settings
    site.put("050.html", "x")
    rebuild.update(site.updater(), ["001.html"])
    assert site.manifest().page_count == 10
    assert site.is_in_sync()


def test_the_older_of_two_releases_warns_that_it_builds_again_what_the_newer_one_has_built() -> None:
    site = simulated_site()
    rebuild.rebuild(site.updater())
    rewrite_by_newer_release(site)
    site.put("001.html", "changed")
    result = rebuild.update(site.updater(), ["001.html"])
    assert "newer-release" in [warning.code for warning in result.warnings]
    assert site.is_in_sync()
    assert rebuild.rebuild(site.updater()).warnings == ()


def test_a_distributed_rebuild_by_the_older_of_two_releases_warns_as_well() -> None:
    site = simulated_site()
    rebuild.rebuild(site.updater())
    rewrite_by_newer_release(site)
    answer = Execution("run", site.updater, site.state).run()
    assert answer.result
    assert "newer-release" in [warning.code for warning in answer.result.warnings]


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


def test_a_second_rebuild_waits_for_a_build_and_then_fails_with_the_time_that_is_left() -> None:
    site = simulated_site()
    started_build(site)
    with pytest.raises(OtherRunError, match=r"another rebuild is under way; it has at least \d+ seconds") as raised:
        rebuild.rebuild(site.updater())
    assert raised.value.retry_after is not None
    assert 150 < raised.value.retry_after <= 180


def test_an_update_makes_lost_records_again_in_their_range_only_with_a_warning() -> None:
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


class DeniedBucket(MemoryBucket):
    """A bucket that refuses to read the `denied` objects."""

    denied: frozenset[str] = frozenset()

    def read(self, item: Item, size: int | None = None) -> Body:
        if item.key in self.denied:
            raise PermissionError(13, "AccessDenied")
        return super().read(item, size)


@pytest.mark.parametrize(
    "run",
    [lambda site: site.updater().update(["000.html"]), lambda site: rebuild.rebuild(site.updater())],
    ids=["an update", "a rebuild"],
)
def test_pages_whose_records_are_lost_stay_listed_while_most_of_them_cannot_be_read(
    run: Callable[[SimulatedSite], RunResult],
) -> None:
    site = simulated_site(30, urls=100)
    rebuild.rebuild(site.updater())
    site.put("000.html", "two")
    source = site.source = DeniedBucket(site.gate, site.source.objects)
    before = published(site)
    source.denied = frozenset(lose(site, 0) - {"000.html"})
    with pytest.raises(SourceError, match="29 objects whose records are lost cannot be read"):
        run(site)
    assert published(site) == before
    source.denied = frozenset(["007.html"])
    assert [each.code for each in run(site).warnings] == ["records-lost", "unreadable"]
    assert site.manifest().page_count == 29


def test_publishing_makes_the_records_again_that_it_needs_and_that_are_lost() -> None:
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


def test_a_rebuild_without_time_to_count_removals_continues_without_the_count() -> None:
    site = simulated_site(30)
    rebuild.rebuild(site.updater())
    for n in range(20):
        site.delete(f"{n:03}.html")
    result = rebuild.rebuild(site.updater(), lambda: True)
    assert result.resume_after == " "
    rebuild.rebuild(site.updater(), start_after=result.resume_after)
    assert (site.manifest().page_count, site.is_in_sync()) == (10, True)


def news_site() -> SimulatedSite:
    site = simulated_site(0, news={"name": "Times", "language": "en"}, **DATED)
    for n in range(8):
        article = '<title>{n}</title><meta property="article:published_time" content="2026-11-20T10:00:00Z">'
        site.put(f"{n:03}.html", article.format(n=n))
    rebuild.rebuild(site.updater())
    assert articles(site) == 8
    return site


def articles(site: SimulatedSite) -> int:
    return site.outputs.bodies()["sitemap-news.xml"].count(b"<news:title>")


def test_the_news_of_lost_records_stay_in_the_news_sitemap_when_another_page_changes() -> None:
    site = news_site()
    assert "007.html" in lose(site, -1)
    site.put("000.html", site.source.objects["000.html"][0].decode() + "<p>changed")
    assert lost_warnings(site.updater().update(["000.html"])) == [1]
    assert articles(site) == 8
    assert site.is_in_sync()


@pytest.mark.parametrize("moment", range(1, 20))
def test_records_that_are_lost_at_any_moment_of_a_rebuild_cost_no_article(moment: int) -> None:
    site = news_site()
    writer = Writer(site.gate, lambda: rebuild.rebuild(site.updater()))
    for _ in range(moment):
        if not writer.is_done:
            writer.step()
    lose(site, -1)
    writer.finish()
    assert (writer.error, articles(site)) == (None, 8)
    rebuild.rebuild(site.updater())
    assert articles(site) == 8
    assert site.is_in_sync()
