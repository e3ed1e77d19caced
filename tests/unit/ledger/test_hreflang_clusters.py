"""The hreflang alternates of a ledger's pages, while pages and what they declare change."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from unit.ledger_in_memory import LedgerInMemory, localized, snapshot
from unit.sample_sites import numbered

from waypost.rules.page_facts import ObjectSnapshot

BASE = "https://example.org/"
Batch = dict[str, ObjectSnapshot | None]


def alternates(ledger: LedgerInMemory) -> dict[str, dict[str, str]]:
    """The accepted alternates of each page that has any."""
    return {
        key: {code: href.removeprefix(BASE) for code, href in record.alternates}
        for key, record in ledger.records_by_key().items()
        if record.alternates
    }


def present(batches: list[Batch]) -> dict[str, ObjectSnapshot]:
    """The objects that exist after all batches."""
    found: Batch = {}
    for batch in batches:
        found |= batch
    return {key: each for key, each in found.items() if each}


EN = localized(en="/en.html", de="/de.html")
EN_DE = {"en": "en.html", "de": "de.html"}


def pair(**values: Any) -> LedgerInMemory:
    return LedgerInMemory(alternates=True, **values).update({"en.html": EN, "de.html": EN})


def test_pages_that_declare_one_another_are_listed_with_their_alternates() -> None:
    ledger = pair()
    assert alternates(ledger) == {"en.html": EN_DE, "de.html": EN_DE}
    assert ledger.published["sitemap.xml"].count(b'hreflang="de" href="https://example.org/de.html"') == 2


def test_a_declaration_counts_only_once_it_is_returned() -> None:
    ledger = LedgerInMemory(alternates=True).update({"en.html": EN, "de.html": localized()})
    assert alternates(ledger) == {}
    ledger.update({"de.html": localized(en="/en.html")})
    assert alternates(ledger) == {"en.html": EN_DE, "de.html": EN_DE}


@pytest.mark.parametrize(
    "changed", [None, localized(), localized(noindex=True, en="/en.html", de="/de.html"), localized(de="/de.html")]
)
def test_a_page_that_is_removed_or_no_longer_declares_the_others_leaves_the_set(changed: ObjectSnapshot | None) -> None:
    ledger = pair().update({"de.html": changed})
    assert alternates(ledger) == {}
    assert b"hreflang" not in ledger.published["sitemap.xml"]
    assert alternates(ledger.update({"de.html": EN})) == {"en.html": EN_DE, "de.html": EN_DE}


def test_a_page_that_joins_the_set_becomes_an_alternate_of_all_pages_that_reach_it() -> None:
    ledger = pair().update({"en.html": localized(en="/en.html", de="/de.html", fr="/fr.html")})
    assert alternates(ledger) == {"en.html": EN_DE, "de.html": EN_DE}
    ledger.update({"fr.html": localized(en="/en.html", fr="/fr.html")})
    assert alternates(ledger) == {name: EN_DE | {"fr": "fr.html"} for name in ("en.html", "de.html", "fr.html")}


def test_a_file_that_takes_over_a_url_takes_over_its_alternates() -> None:
    values: dict[str, Any] = {"drop_html": True, "trailing_slash": "never"}
    both = localized(en="/en", de="/de")
    ledger = LedgerInMemory(alternates=True, **values).update({"en.html": both, "de.html": both})
    ledger.update({"de/index.html": both})
    assert alternates(ledger) == {key: {"en": "en", "de": "de"} for key in ("en.html", "de/index.html")}
    ledger.update({"de/index.html": None})
    assert alternates(ledger) == {key: {"en": "en", "de": "de"} for key in ("en.html", "de.html")}


@pytest.mark.parametrize("values", [{"alternates": False}, {}])
def test_no_alternates_are_recorded_unless_the_settings_ask_for_them(values: dict[str, Any]) -> None:
    assert alternates(LedgerInMemory(**values).update({"en.html": EN, "de.html": EN})) == {}


def large_ledger() -> tuple[LedgerInMemory, str, str]:
    """A ledger of many shards, and two pages in different shards that declare one another."""
    first, last = "page-00010.html", "page-02990.html"
    both = localized(en=f"/{first}", de=f"/{last}")
    seen: Batch = dict.fromkeys(numbered(3_000), snapshot())
    ledger = LedgerInMemory(urls=100, alternates=True).update(seen | {first: both, last: both})
    assert len(ledger.manifest.entries) > 30
    assert len(alternates(ledger)) == 2
    return ledger, first, last


def test_a_changed_declaration_loads_only_the_shards_of_its_set() -> None:
    ledger, first, last = large_ledger()
    ledger.update({first: localized()})
    assert len(ledger.loaded_files) <= 4
    assert len(ledger.changed_files) <= 3
    assert alternates(ledger) == {}
    ledger.update({first: localized(en=f"/{first}", de=f"/{last}")})
    assert len(ledger.loaded_files) <= 4
    assert len(alternates(ledger)) == 2


def test_a_change_of_content_alone_loads_no_shard_of_the_alternates() -> None:
    ledger, first, last = large_ledger()
    files = {
        key: entry.records_file
        for entry in ledger.manifest.entries
        for key in (first, last)
        if holds(ledger, entry, key)
    }
    ledger.update({first: localized(content="other", en=f"/{first}", de=f"/{last}")})
    assert files[first] in ledger.loaded_files
    assert files[last] not in ledger.loaded_files
    assert len(alternates(ledger)) == 2


def holds(ledger: LedgerInMemory, entry: Any, key: str) -> bool:
    return any(record.key == key for record in ledger.load(entry))


LANGUAGES = ("en", "de", "fr")
KEYS = [f"{language}/{name}.html" for language in LANGUAGES for name in "ab"] + ["a/index.html", "a.html", "a.htm"]
HREFLANGS = st.sampled_from(["en", "de", "fr", "x_default", "EN", "xx"])
ODD = st.dictionaries(
    HREFLANGS,
    st.sampled_from(["/a", "/a/", "/a/index", "/en/a", "/de/a", "../de/b", "/en/gone", "https://example.de/"]),
    max_size=2,
)
DECLARED = st.sampled_from([LANGUAGES, LANGUAGES, LANGUAGES, ("en", "de"), ()])
"""The languages of the pages of the same name that a page declares."""
DECLARATIONS = st.tuples(
    st.sampled_from(["", "en"]), st.sampled_from("xy"), st.integers(0, 7), DECLARED, st.just({}) | ODD
)
Declaration = tuple[str, str, int, tuple[str, ...], dict[str, str]]
BATCH = st.lists(
    st.tuples(st.sampled_from(KEYS), DECLARATIONS | DECLARATIONS | DECLARATIONS | st.none()), min_size=1, max_size=8
).map(dict)
BATCHES = st.lists(BATCH, min_size=1, max_size=6)
SETTINGS: list[dict[str, Any]] = [
    {"urls": 4},
    {"urls": 50, "formats": ["xml", "html"]},
    {"urls": 4, "groups": {language: [f"/{language}/"] for language in LANGUAGES}},
    {"urls": 6, "drop_html": True, "trailing_slash": "never"},
]


def snapshot_of(key: str, declaration: Declaration | None, ending: str) -> ObjectSnapshot | None:
    """The snapshot of a page with these declarations; hrefs of pages get the ending."""
    if declaration is None:
        return None
    language, content, chance, declared, odd = declaration
    hrefs_by_code = {code: f"/{code}/{key.rpartition('/')[2].removesuffix('.html')}" for code in declared}
    hrefs = {code: href if href.endswith("/") else href + ending for code, href in (hrefs_by_code | odd).items()}
    return localized(language, content, noindex=chance == 0, **hrefs)


@pytest.mark.parametrize("values", SETTINGS)
@settings(max_examples=150)
@given(facts=BATCHES)
def test_any_order_of_changes_leads_to_the_alternates_of_a_full_build(
    values: dict[str, Any], facts: list[dict[str, Declaration | None]]
) -> None:
    ending = "" if "drop_html" in values else ".html"
    batches = [{key: snapshot_of(key, each, ending) for key, each in batch.items()} for batch in facts]
    step_by_step = LedgerInMemory(**values, alternates=True, lastmod="none")
    for batch in batches:
        step_by_step.update(batch)
    at_once = LedgerInMemory(**values, alternates=True, lastmod="none").update(present(batches))
    assert alternates(step_by_step) == alternates(at_once)
    assert step_by_step.published == at_once.published
