"""A ledger continues with the dates of another one: of the same site elsewhere, or of a stack that is gone."""

from __future__ import annotations

import re

import pytest
from fake_stores import SimulatedSite
from run_harness import Execution

from waypost.core.errors import LedgerError, RemovalError, WrongSiteError
from waypost.ledger.adoption import adopt
from waypost.ledger.ledger_state import LedgerState
from waypost.sync import rebuild

PAGES = 30


def dated_site() -> SimulatedSite:
    """A site of several sitemaps, all of whose pages have a date."""
    site = SimulatedSite(urls=4, lastmod="content", state="x")
    for text in ("old", "new"):
        for n in range(PAGES):
            site.put(f"{n:03}.html", f"<title>{text}</title>")
        site.clock.sleep(60)
        rebuild.rebuild(site.updater())
    assert len(dates(site)) == PAGES
    return site


def moved(site: SimulatedSite) -> SimulatedSite:
    """The same objects, copied later to another bucket, for which there is no ledger yet."""
    other = site.twin()
    other.uri, other.clock = "s3://new/", site.clock
    other.state.clock = other.outputs.clock = site.clock
    site.clock.sleep(3_600)
    for key, (content, _) in list(site.source.objects.items()):
        other.put(key, content)
    return other


def dates(site: SimulatedSite) -> dict[str, str]:
    """The date of each URL in the sitemaps."""
    text = b"".join(body for name, body in site.outputs.bodies().items() if "index" not in name and name.count("-"))
    return dict(re.findall(r"<loc>(.*?)</loc><lastmod>(.*?)</lastmod>", re.sub(r"\s", "", text.decode())))


def test_a_site_that_was_moved_keeps_its_dates_and_has_the_same_sitemaps() -> None:
    old = dated_site()
    new = moved(old)
    adopted = adopt(new.ledger(), old.state)
    assert (adopted.site_uri, set(adopted.files)) == ("s3://site/", set(old.outputs.files))
    result = rebuild.rebuild(new.updater())
    assert set(result.written) == set(old.outputs.files)
    assert new.outputs.bodies() == old.outputs.bodies()
    assert dates(new) == dates(old)
    assert (new.manifest().site_uri, new.manifest().state) == ("s3://new/", LedgerState.COMPLETE)
    assert new.is_in_sync()


def test_the_adopted_ledger_and_its_site_stay_as_they_are() -> None:
    old = dated_site()
    files, outputs = dict(old.state.files), dict(old.outputs.files)
    new = moved(old)
    adopt(new.ledger(), old.state)
    rebuild.rebuild(new.updater())
    assert (old.state.files, old.outputs.files) == (files, outputs)
    assert old.is_in_sync()


def test_a_ledger_that_was_built_without_dates_already_gets_those_of_the_adopted_one() -> None:
    old = dated_site()
    new = moved(old)
    rebuild.rebuild(new.updater())
    ledger_id = new.manifest().ledger_id
    assert dates(new) == {}
    adopt(new.ledger(), old.state)
    rebuild.rebuild(new.updater())
    assert dates(new) == dates(old)
    assert new.manifest().ledger_id == ledger_id
    assert new.is_in_sync()


def test_a_page_that_changed_after_the_move_has_the_date_of_that_change() -> None:
    old = dated_site()
    new = moved(old)
    new.put("005.html", "<title>changed</title>")
    adopt(new.ledger(), old.state)
    rebuild.rebuild(new.updater())
    assert [loc for loc, date in dates(new).items() if dates(old)[loc] != date] == ["https://example.org/005.html"]


def test_a_distributed_rebuild_continues_with_the_adopted_ledger_as_well() -> None:
    old = dated_site()
    new = moved(old)
    adopt(new.ledger(), old.state)
    Execution("run", new.updater, new.state).run()
    assert new.outputs.bodies() == old.outputs.bodies()
    assert new.is_in_sync()


def test_nothing_is_published_between_the_adoption_and_the_end_of_the_rebuild() -> None:
    old = dated_site()
    new = moved(old)
    adopt(new.ledger(), old.state)
    assert new.manifest().state == LedgerState.EMPTY
    calls = iter([False, False, True])
    result = rebuild.rebuild(new.updater(), lambda: next(calls, True))
    assert (result.resume_after is not None, new.outputs.files) == (True, {})
    rebuild.rebuild(new.updater(), start_after=result.resume_after or "")
    assert dates(new) == dates(old)


def test_the_ledger_of_another_site_is_refused_by_the_rebuild_if_it_lists_other_pages() -> None:
    old, new = dated_site(), SimulatedSite(urls=4, lastmod="content", state="x")
    new.uri = "s3://new/"
    new.put("other.html", "<title>Other</title>")
    adopt(new.ledger(), old.state)
    with pytest.raises(RemovalError, match="30 of the 30 listed pages"):
        rebuild.rebuild(new.updater())
    assert new.outputs.files == {}
    new.source.objects = dict(moved(old).source.objects)
    adopt(new.ledger(), old.state)
    rebuild.rebuild(new.updater())
    assert dates(new) == dates(old)


def test_copied_sitemaps_count_as_this_ledger_s_and_those_that_are_not_needed_are_deleted_a_day_later() -> None:
    old = dated_site()
    new = moved(old)
    new.outputs.files |= old.outputs.files
    for n in range(4, PAGES):
        new.delete(f"{n:03}.html")
    adopt(new.ledger(), old.state)
    result = rebuild.rebuild(new.updater(), max_removed=100)
    assert [warning.code for warning in result.warnings] == []
    assert len(new.outputs.files) > len(new.manifest().files)
    new.clock.sleep(86_401)
    rebuild.rebuild(new.updater())
    assert new.outputs.files.keys() == new.manifest().files.keys()


def test_a_site_that_was_renamed_adopts_the_ledger_in_its_own_place() -> None:
    site = dated_site()
    before = dates(site)
    site.uri = "s3://new/"
    with pytest.raises(WrongSiteError, match=r"this is the ledger of s3://site/; .* --adopt LEDGER"):
        site.manifest()
    adopt(site.ledger(), site.state)
    rebuild.rebuild(site.updater())
    assert (dates(site), site.manifest().site_uri) == (before, "s3://new/")
    assert site.is_in_sync()


def test_the_ledger_of_a_third_site_is_not_replaced() -> None:
    old, third, new = dated_site(), dated_site(), SimulatedSite()
    new.uri, new.state = "s3://new/", third.state
    manifest = third.state.files["manifest.json"]
    with pytest.raises(WrongSiteError, match=r"this is the ledger of s3://site/; s3://new/ needs one of its own"):
        adopt(new.ledger(), old.state)
    assert third.state.files["manifest.json"] == manifest


def test_an_adoption_that_is_repeated_has_the_same_result() -> None:
    old = dated_site()
    new = moved(old)
    adopt(new.ledger(), old.state)
    adopt(new.ledger(), old.state)
    rebuild.rebuild(new.updater())
    adopt(new.ledger(), old.state)
    rebuild.rebuild(new.updater())
    assert new.outputs.bodies() == old.outputs.bodies()


def test_a_ledger_whose_rebuild_was_never_completed_is_adopted_with_what_it_had_before() -> None:
    old = dated_site()
    between, new = moved(old), moved(old)
    between.uri = "s3://between/"
    adopt(between.ledger(), old.state)
    adopt(new.ledger(), between.state)
    rebuild.rebuild(new.updater())
    assert dates(new) == dates(old)


def test_lost_records_cost_only_the_dates_of_their_pages() -> None:
    old = dated_site()
    new = moved(old)
    lost = old.manifest().entries[0]
    del old.state.files[lost.records_file]
    adopt(new.ledger(), old.state)
    rebuild.rebuild(new.updater())
    assert (new.manifest().page_count, len(dates(new))) == (PAGES, PAGES - lost.page_count)


def test_a_location_without_a_ledger_is_refused_and_nothing_changes() -> None:
    new, empty = SimulatedSite(), SimulatedSite()
    with pytest.raises(LedgerError, match="there is no complete ledger at the location to adopt"):
        adopt(new.ledger(), empty.state)
    assert new.state.files == {}
