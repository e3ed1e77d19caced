"""The record of an object that was read: what it keeps of the record before, and which date it has."""

from __future__ import annotations

from unit.sample_sites import site

from waypost.ledger.merge_record import merge_record
from waypost.ledger.records import Record
from waypost.rules.facts import PageFacts
from waypost.rules.html_head import Head
from waypost.rules.page_facts import ObjectSnapshot

SITE = site(lastmod="content", state="x", page_dates=True, alternates=True)
NOW, EARLIER, UPLOADED, OWN_DATE = (f"2026-{month:02}-01T00:00:00Z" for month in (11, 1, 5, 3))
BEFORE = Record("a.html", "etag 1", PageFacts(text_digest="text"), EARLIER, "a/index.html", (("en", "x"),))


def snapshot(etag: str = "etag 2", text: str | None = "text", own_date: str | None = None) -> ObjectSnapshot:
    return ObjectSnapshot(etag, PageFacts(own_date=own_date, text_digest=text), UPLOADED)


def merged(before: Record | None, found: ObjectSnapshot, *, is_known: bool = True, now: str = NOW) -> Record:
    return merge_record("a.html", before, found, SITE, now, is_known=is_known)


def test_an_upload_of_the_same_text_keeps_the_date_and_takes_the_new_etag() -> None:
    assert merged(BEFORE, snapshot()) == Record("a.html", "etag 2", snapshot().facts, EARLIER, *kept())


def kept() -> tuple[str, tuple[tuple[str, str], ...]]:
    return BEFORE.duplicate_of, BEFORE.alternates


def test_an_upload_of_other_text_has_its_time_and_keeps_what_was_resolved() -> None:
    found = snapshot(text="other")
    assert merged(BEFORE, found) == Record("a.html", "etag 2", found.facts, UPLOADED, *kept())


def test_the_same_upload_read_under_new_rules_keeps_its_date_despite_another_text() -> None:
    assert merged(BEFORE, snapshot("etag 1", "the text by new rules")).lastmod == EARLIER


def test_without_digests_of_the_text_the_etags_decide() -> None:
    before = Record("a.pdf", "etag 1", PageFacts(), EARLIER)
    assert merged(before, snapshot("etag 1", None)).lastmod == EARLIER
    assert merged(before, snapshot("etag 2", None)).lastmod == UPLOADED


def test_new_content_has_the_date_that_the_page_gives_itself() -> None:
    assert merged(BEFORE, snapshot(text="other", own_date=OWN_DATE)).lastmod == OWN_DATE
    assert merged(None, snapshot(own_date=OWN_DATE), is_known=False).lastmod == OWN_DATE


def test_a_date_of_the_page_in_the_future_is_not_believed() -> None:
    assert merged(BEFORE, snapshot(text="other", own_date=OWN_DATE), now=EARLIER).lastmod == UPLOADED


def test_a_new_page_has_the_time_of_its_upload_unless_the_ledger_is_built_for_the_first_time() -> None:
    assert merged(None, snapshot(), is_known=True).lastmod == UPLOADED
    assert merged(None, snapshot(), is_known=False).lastmod is None


def test_alternates_are_dropped_when_the_settings_no_longer_ask_for_them() -> None:
    plain = site(lastmod="content", state="x")
    assert merge_record("a.html", BEFORE, snapshot(), plain, NOW, is_known=True).alternates == ()


CUT = ObjectSnapshot("etag 2", PageFacts(is_cut=True), UPLOADED)
HIDDEN = PageFacts(Head("noindex"), text_digest="text")


def test_a_page_that_exceeds_a_bound_stays_as_it_was_listed() -> None:
    facts = PageFacts(text_digest="text", is_cut=True)
    assert merged(BEFORE, CUT) == Record("a.html", "etag 2", facts, EARLIER, *kept())


def test_a_page_that_exceeds_a_bound_is_not_left_out_for_what_a_former_version_said() -> None:
    assert merged(Record("a.html", "etag 1", HIDDEN, EARLIER), CUT) == Record("a.html", "etag 2", CUT.facts)


def test_a_page_in_an_unknown_coding_stays_left_out_as_it_was() -> None:
    facts = PageFacts(is_cut=True, unknown_coding="exi")
    found = merged(Record("a.html", "etag 1", HIDDEN, EARLIER), ObjectSnapshot("etag 2", facts, UPLOADED))
    assert found.facts.head.noindex == "noindex"


def test_a_page_that_exceeds_a_bound_is_left_out_for_what_its_beginning_says() -> None:
    facts = PageFacts(Head("noindex"), is_cut=True)
    found = merged(BEFORE, ObjectSnapshot("etag 2", facts, UPLOADED))
    assert (found.facts, found.lastmod, found.duplicate_of) == (facts, None, BEFORE.duplicate_of)
