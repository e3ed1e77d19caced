"""Which records change, given what objects are now and what was recorded of them."""

from __future__ import annotations

from collections.abc import Mapping

from unit.ledger_in_memory import NOW, snapshot
from unit.sample_sites import site

from waypost.ledger.manifest import Manifest, ShardEntry
from waypost.ledger.record_cache import RecordCache
from waypost.ledger.record_changes import PreviousLedger, RecordChanges
from waypost.ledger.records import Record
from waypost.rules.facts import PageFacts
from waypost.rules.page_facts import ObjectSnapshot
from waypost.rules.selection import Selection

SITE = site(lastmod="content", state="x", alternates=True)
EARLIER, UPLOADED = "2026-01-15T00:00:00Z", "2026-05-01T00:00:00Z"
KNOWN = Record("a.html", "etag of x", PageFacts(text_digest="x"), EARLIER)


def changes(*known: Record, previous: PreviousLedger | None = None, built_at: str = NOW) -> RecordChanges:
    manifest = Manifest(entries=(ShardEntry("", None, "", len(known), "shards/x"),) if known else (), built_at=built_at)
    return RecordChanges(manifest, RecordCache(manifest, Selection(SITE), lambda entry: known), SITE, NOW, previous)


def edits(
    found: RecordChanges, seen: Mapping[str, ObjectSnapshot | None], *, refresh_etags: bool = False
) -> dict[str, Record | None]:
    return dict(found.of(seen, refresh_etags=refresh_etags))


def test_an_object_that_is_as_recorded_changes_nothing() -> None:
    assert edits(changes(KNOWN), {"a.html": snapshot()}, refresh_etags=True) == {}


def test_an_object_with_new_facts_changes_its_record() -> None:
    found = snapshot("other", modified=UPLOADED)
    assert edits(changes(KNOWN), {"a.html": found}) == {"a.html": Record("a.html", found.etag, found.facts, UPLOADED)}


def test_a_new_etag_alone_changes_a_record_only_if_etags_are_refreshed() -> None:
    same_facts = ObjectSnapshot("new etag", KNOWN.facts, UPLOADED)
    assert edits(changes(KNOWN), {"a.html": same_facts}) == {}
    refreshed = Record("a.html", "new etag", KNOWN.facts, EARLIER)
    assert edits(changes(KNOWN), {"a.html": same_facts}, refresh_etags=True) == {"a.html": refreshed}


def test_an_object_that_is_gone_removes_its_record_if_there_is_one() -> None:
    assert edits(changes(KNOWN), {"a.html": None, "b.html": None}) == {"a.html": None}


def test_a_new_object_of_a_built_ledger_has_the_date_of_its_upload() -> None:
    assert edits(changes(), {"a.html": snapshot(modified=UPLOADED)})["a.html"] == Record(
        "a.html", "etag of x", PageFacts(text_digest="x"), UPLOADED
    )


def test_a_new_object_of_a_first_build_has_no_date() -> None:
    assert edits(changes(built_at=""), {"a.html": snapshot()})["a.html"] == Record(
        "a.html", "etag of x", PageFacts(text_digest="x"), None
    )


def test_a_build_takes_dates_from_the_ledger_that_it_replaces() -> None:
    previous = PreviousLedger(record={"a.html": KNOWN}.get)
    found = edits(
        changes(previous=previous, built_at=""),
        {"a.html": snapshot(modified=UPLOADED), "b.html": snapshot(modified=UPLOADED)},
    )
    assert {key: record.lastmod for key, record in found.items() if record} == {"a.html": EARLIER, "b.html": UPLOADED}


def test_a_record_that_an_event_updated_during_the_build_dates_the_same_content() -> None:
    updated = Record("a.html", "etag of y", PageFacts(text_digest="y"), UPLOADED)
    later_upload = snapshot("y", modified="2026-06-01T00:00:00Z")
    found = dict(changes(KNOWN).since_events({"a.html": later_upload}, {"a.html": updated}.get))
    assert found == {"a.html": Record("a.html", "etag of y", PageFacts(text_digest="y"), UPLOADED)}


def test_a_record_of_an_event_keeps_the_duplicate_and_alternates_that_the_build_resolved() -> None:
    built = Record("a.html", "etag of x", KNOWN.facts, EARLIER, "a/index.html", (("en", "x"),))
    updated = Record("a.html", "etag of y", PageFacts(text_digest="y"), UPLOADED, "other.html", (("de", "y"),))
    found = dict(changes(built).since_events({"a.html": snapshot("y")}, {"a.html": updated}.get))
    assert found == {
        "a.html": Record("a.html", "etag of y", PageFacts(text_digest="y"), UPLOADED, "a/index.html", (("en", "x"),))
    }


def test_an_event_of_an_object_that_the_build_has_seen_unchanged_changes_nothing() -> None:
    assert dict(changes(KNOWN).since_events({"a.html": snapshot(), "b.html": None}, {"a.html": KNOWN}.get)) == {}


def test_an_object_that_is_gone_since_the_build_read_it_removes_its_record() -> None:
    assert dict(changes(KNOWN).since_events({"a.html": None}, {"a.html": KNOWN}.get)) == {"a.html": None}


def lost_changes(*, previous: PreviousLedger | None = None, built_at: str = NOW) -> RecordChanges:
    """The changes of a ledger whose only file of records is lost."""
    manifest = Manifest(entries=(ShardEntry("", None, "", 2, "shards/x"),), built_at=built_at)
    return RecordChanges(manifest, RecordCache(manifest, Selection(SITE), lambda entry: None), SITE, NOW, previous)


def test_a_page_whose_record_may_be_lost_has_no_date() -> None:
    found = edits(lost_changes(), {"a.html": snapshot(modified=UPLOADED)})
    assert {key: record.lastmod for key, record in found.items() if record} == {"a.html": None}


def test_a_build_gives_no_date_to_a_page_whose_record_in_the_ledger_before_is_lost() -> None:
    previous = PreviousLedger(is_lost=lambda key: key == "a.html")
    seen = {"a.html": snapshot(modified=UPLOADED), "b.html": snapshot(modified=UPLOADED)}
    found = edits(changes(previous=previous, built_at=""), seen)
    assert {key: record.lastmod for key, record in found.items() if record} == {"a.html": None, "b.html": UPLOADED}
