"""Which of the files with one URL is listed, and between which sitemaps URLs move for that."""

from __future__ import annotations

from typing import Any

from unit.ledger_in_memory import NOW, RENDERER, LedgerInMemory, snapshot

from waypost.ledger.manifest_update import ManifestUpdater
from waypost.rules.page_facts import ObjectSnapshot


def test_a_page_is_a_duplicate_while_a_file_of_higher_rank_has_the_same_url() -> None:
    ledger = LedgerInMemory(drop_html=True, trailing_slash="never").update({"a.html": snapshot("one")})
    ledger.update({"a/index.html": snapshot("two")})
    ledger.update({"a/index.html": None})
    (entry,) = ledger.manifest.entries
    assert [(record.key, record.duplicate_of) for record in ledger.load(entry)] == [("a.html", "")]
    ledger.update({"a/index.html": snapshot("two"), "b.html": snapshot()})
    (entry,) = ledger.manifest.entries
    assert [(r.key, r.duplicate_of) for r in ledger.load(entry)][:2] == [
        ("a.html", "a/index.html"),
        ("a/index.html", ""),
    ]


MOVING: dict[str, Any] = {"drop_html": True, "trailing_slash": "never", "groups": {"blog": ["/blog/"]}}


def test_a_url_that_another_key_lists_from_now_on_moves_between_the_files_that_an_update_names() -> None:
    ledger = LedgerInMemory(**MOVING).update({"a.html": snapshot(), "blog.html": snapshot(), "blog/x.html": snapshot()})
    both = {"sitemap-blog.xml", "sitemap-pages.xml"}
    assert files_of_moved_urls(ledger, "blog/index.html", snapshot()) == both
    ledger.update({"blog/index.html": snapshot()})
    assert files_of_moved_urls(ledger, "blog/index.html", None) == both


def test_a_url_that_is_new_or_gone_moves_nowhere() -> None:
    ledger = LedgerInMemory(**MOVING).update({"a.html": snapshot(), "blog/x.html": snapshot()})
    assert files_of_moved_urls(ledger, "blog/y.html", snapshot()) == set()
    assert files_of_moved_urls(ledger, "blog/x.html", None) == set()
    assert files_of_moved_urls(ledger, "a.html", snapshot("other")) == set()


def files_of_moved_urls(ledger: LedgerInMemory, key: str, seen: ObjectSnapshot | None) -> frozenset[str]:
    """The files between which an update of one key would move URLs."""
    found = ManifestUpdater(ledger.site, RENDERER, NOW).update(ledger.manifest, {key: seen}, ledger.load)
    return found.files_of_moved_urls
