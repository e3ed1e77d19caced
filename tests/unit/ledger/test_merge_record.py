from sites import MakeSite

from waypost.ledger.merge_record import merge_record
from waypost.ledger.records import Record
from waypost.rules.facts import PageFacts
from waypost.rules.page_facts import ObjectSnapshot

NOW = "2026-03-01T12:00:00Z"
THEN = "2025-01-01T00:00:00Z"


def test_an_upload_keeps_its_date_though_other_rules_make_another_digest_of_it(make_site: MakeSite) -> None:
    site = make_site(lastmod="content", state="x")
    before = Record("a.html", "etag", PageFacts(text_digest="by rules of old"), THEN)
    snapshot = ObjectSnapshot("etag", PageFacts(text_digest="by these rules"), NOW)
    merged = merge_record("a.html", before, snapshot, site, NOW, is_known=True)
    assert (merged.lastmod, merged.facts) == (THEN, snapshot.facts)


def test_another_upload_of_another_content_has_its_own_date(make_site: MakeSite) -> None:
    site = make_site(lastmod="content", state="x")
    before = Record("a.html", "etag", PageFacts(text_digest="one"), THEN)
    snapshot = ObjectSnapshot("other", PageFacts(text_digest="two"), NOW)
    assert merge_record("a.html", before, snapshot, site, NOW, is_known=True).lastmod == NOW
