"""Comparing a complete ledger with the bucket."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import pytest
from unit.sync.rebuilt_sites import (
    DATED,
    dated_site,
    dates,
    listed_keys,
    lose,
    reads,
    reads_of,
    simulated_site,
)

from waypost.sync import rebuild
from waypost.sync.drift import DriftCheck

if TYPE_CHECKING:
    from fake_stores import SimulatedSite


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


def test_at_the_deadline_a_comparison_with_a_complete_ledger_reports_where_it_continues() -> None:
    site = simulated_site()
    rebuild.rebuild(site.updater())
    site.put("100.html", "new")
    assert rebuild.rebuild(site.updater(), lambda: True).resume_after == " "
    assert rebuild.rebuild(site.updater(), start_after="050.html").objects_listed == 1
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


def test_a_rebuild_makes_lost_records_again_in_their_range_only_and_their_pages_have_no_date() -> None:
    site = dated_site()
    before, lost = dates(site), lose(site, 2)
    read = set(reads_of(site, lambda: rebuild.rebuild(site.updater())))
    assert read == lost
    assert dates(site) == before | dict.fromkeys(lost)
    assert site.is_in_sync()


def locs_and_alternates(site: SimulatedSite) -> set[bytes]:
    """All URLs of pages in the published sitemaps, in their elements."""
    bodies = site.outputs.bodies()
    return {
        found
        for name in site.manifest().sitemap_names
        for found in re.findall(rb"<loc>.*?</loc>|<xhtml.*?>", bodies[name])
    }


SAME_URL = {"drop_html": True, "trailing_slash": "never"}
LANGUAGES = "<link rel=alternate hreflang=en href=/003.html><link rel=alternate hreflang=de href=/z.html>"


@pytest.mark.parametrize(
    ("settings", "kept", "gone"),
    [
        (SAME_URL, {"009-z.htm": "x"}, "009-z/index.html"),
        ({"alternates": True}, {"003.html": LANGUAGES}, "z.html"),
    ],
    ids=["the same URL", "alternates"],
)
@pytest.mark.parametrize("has_event", [True, False])
def test_what_other_records_say_of_a_page_that_is_gone_and_whose_record_was_lost_is_right_after_a_rebuild(
    settings: dict[str, Any], kept: dict[str, str], gone: str, has_event: bool
) -> None:
    site = simulated_site(**{"urls": 1, **settings})
    for key, content in {**kept, gone: LANGUAGES}.items():
        site.put(key, content)
    rebuild.rebuild(site.updater())
    entries = [{record.key for record in site.ledger().records(entry)} for entry in site.manifest().entries]
    number = next(n for n, keys in enumerate(entries) if gone in keys)
    assert not entries[number].intersection(kept)
    lose(site, number)
    site.delete(gone)
    if has_event:
        rebuild.update(site.updater(), [gone])
        assert site.manifest().records_lost_at
    rebuild.rebuild(site.updater())
    twin = site.twin()
    rebuild.rebuild(twin.updater())
    assert locs_and_alternates(site) == locs_and_alternates(twin)
    assert site.is_in_sync()
    assert site.manifest().records_lost_at == 0


def test_a_rebuild_that_finds_lost_records_compares_once_more_and_a_later_one_does_not() -> None:
    site = simulated_site(alternates=True)
    rebuild.rebuild(site.updater())
    lose(site, 1)
    listings = [
        sum(each.startswith("LIST site") for each in site.counted(lambda: rebuild.rebuild(site.updater())))
        for _ in "12"
    ]
    assert listings[0] > listings[1]


def test_a_rebuild_counts_the_objects_whose_events_were_lost_but_none_that_cannot_be_read() -> None:
    site = simulated_site(**DATED)
    rebuild.rebuild(site.updater())
    site.put("new.html", "x")
    site.put("003.html", "other")
    site.delete("004.html")
    asked: list[Sequence[str]] = []

    def look_again(keys: Sequence[str]) -> bool:
        asked.append(keys)
        return True

    result = rebuild.rebuild(site.updater(), drift_check=DriftCheck(site.now(), look_again))
    assert (result.drift, asked) == (2, [["004.html"]])
    assert "004.html" in listed_keys(site)
    assert rebuild.rebuild(site.updater(), drift_check=DriftCheck(site.now(), lambda keys: False)).drift == 1
    assert "004.html" not in listed_keys(site)


def test_a_rebuild_takes_a_page_out_once_it_is_not_to_be_shown_any_more() -> None:
    site = simulated_site()
    after = site.now()[:10]
    site.put("expires.html", f"<meta name=robots content='unavailable_after: {after}'>")
    rebuild.rebuild(site.updater())
    count = site.manifest().page_count
    site.clock.sleep(2 * 86_400)
    assert reads(site) == ["expires.html"]
    assert site.manifest().page_count == count - 1
    site.clock.sleep(2 * 86_400)
    assert reads(site) == []
