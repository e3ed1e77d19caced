"""Which differences between a bucket and its ledger events should have reported."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from fake_stores import SimulatedSite

from waypost.sync import rebuild
from waypost.sync.drift import MAX_MISSING, Differences, DriftCheck, Judgement, differences
from waypost.sync.listing_chunks import ListingChunk, iter_chunks

if TYPE_CHECKING:
    from collections.abc import Sequence

NOON, LATER = "2026-11-21T12:00:00Z", "2026-11-21T12:30:00Z"


def built(count: int = 10) -> SimulatedSite:
    site = SimulatedSite(urls=4, lastmod="none")
    for n in range(count):
        site.put(f"{n:03}.html", "x")
    site.clock.sleep(60)
    rebuild.rebuild(site.updater())
    return site


def differences_in(site: SimulatedSite, chunk: ListingChunk | None = None) -> Differences:
    everything = next(iter_chunks(site.source, site.manifest(), "", site.updater().exclusion_reason))
    return differences(site.ledger(), site.manifest(), chunk or everything, site.now())


def test_the_differences_of_a_range_are_in_order_and_have_the_times_of_uploads() -> None:
    site = built()
    site.delete("002.html")
    site.put("005.html", "other")
    site.put("0045.html", "new")
    found = differences_in(site)
    uploads = {key: site.source.objects[key][1] for key in ("005.html", "0045.html")}
    assert found == Differences(["0045.html", "005.html"], ["002.html"], uploads, [], [])
    assert found.keys == ["002.html", "0045.html", "005.html"]
    assert differences_in(site, ListingChunk("006.html", None, (), 0, {})).keys == ["007.html", "008.html", "009.html"]


def test_an_upload_of_the_same_bytes_is_read_but_was_reported_as_far_as_anybody_knows() -> None:
    site = built()
    site.clock.sleep(60)
    site.put("005.html", "x")
    assert differences_in(site) == (["005.html"], [], {}, [], [])


def test_the_entries_whose_records_are_lost_are_found() -> None:
    site = built(30)
    lost = site.manifest().entries[2]
    site.state.remove(lost.records_file)
    found = differences_in(site)
    assert found.lost == [lost]
    keys = {record.key for entry in site.manifest().entries if entry != lost for record in site.ledger().records(entry)}
    assert keys.isdisjoint(found.unread)


def test_an_upload_whose_record_is_lost_is_read_and_is_no_drift() -> None:
    site = built(30)
    lost = {record.key for record in site.ledger().records(site.manifest().entries[2])}
    site.state.remove(site.manifest().entries[2].records_file)
    found = differences_in(site)
    assert set(found.unread) == lost
    assert DriftCheck("9999", lambda keys: True).judge(found).drift == []


@pytest.mark.parametrize(
    ("missing", "can_look", "expected", "asked"),
    [
        ([], True, Judgement(["new", "old"], ["old"]), []),
        (["gone"], True, Judgement(["new", "old"], ["old"]), ["gone"]),
        (["gone"], False, Judgement(["gone", "new", "old"], ["old", "gone"]), ["gone"]),
    ],
    ids=["uploads", "a deletion that is looked at later", "a deletion that cannot be"],
)
def test_an_old_upload_is_drift_and_a_deletion_is_looked_at_again(
    missing: list[str], can_look: bool, expected: Judgement, asked: list[str]
) -> None:
    found: list[str] = []

    def look_again(keys: Sequence[str]) -> bool:
        found.extend(keys)
        return can_look

    differing = Differences(["new", "old"], missing, {"new": LATER, "old": NOON}, [], [])
    assert (DriftCheck(LATER, look_again).judge(differing), found) == (expected, asked)


def test_at_most_a_thousand_missing_objects_of_a_rebuild_are_looked_at_again() -> None:
    check = DriftCheck(LATER, lambda keys: True)
    some = [f"{n:04}" for n in range(MAX_MISSING - 1)]
    assert check.judge(Differences([], some, {}, [], [])) == ([], [])
    assert check.judge(Differences([], ["a", "b"], {}, [], [])) == (["a", "b"], ["a", "b"])
    assert check.judge(Differences([], ["a"], {}, [], [])) == ([], [])


def test_an_upload_of_which_the_event_came_and_that_says_the_same_is_no_drift() -> None:
    site = SimulatedSite(lastmod="content", state="x")
    for key in ("a.html", "b.html"):
        site.put(key, "one")
    rebuild.rebuild(site.updater())
    site.put("a.html", "<html lang=en>one")
    site.updater().update(["a.html"])
    site.put("b.html", "two")
    late = DriftCheck("2099-01-01T00:00:00Z", lambda keys: False)
    assert rebuild.rebuild(site.updater(), drift_check=late).drift == 1
