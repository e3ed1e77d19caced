"""The hreflang alternates in a ledger's records, while pages and what they name change."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace
from unit.ledger_in_memory import NOW, LedgerInMemory, localized, snapshot
from unit.sample_sites import numbered

from waypost.ledger.classify import PageClassifier
from waypost.ledger.hreflang_update import HreflangUpdater
from waypost.ledger.record_cache import RecordCache
from waypost.ledger.record_changes import PreviousLedger
from waypost.ledger.records import Record
from waypost.rules.hreflang import HreflangLinks, page_links
from waypost.rules.page_facts import ObjectSnapshot
from waypost.rules.selection import Selection
from waypost.rules.site_urls import SiteUrls

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


def test_pages_that_name_one_another_are_listed_with_their_alternates() -> None:
    ledger = pair()
    assert alternates(ledger) == {"en.html": EN_DE, "de.html": EN_DE}
    assert ledger.published["sitemap.xml"].count(b'hreflang="de" href="https://example.org/de.html"') == 2


def test_a_link_counts_only_once_it_is_returned() -> None:
    ledger = LedgerInMemory(alternates=True).update({"en.html": EN, "de.html": localized()})
    assert alternates(ledger) == {}
    ledger.update({"de.html": localized(en="/en.html")})
    assert alternates(ledger) == {"en.html": EN_DE, "de.html": EN_DE}


@pytest.mark.parametrize(
    "changed",
    [
        None,
        localized(),
        localized(noindex=True, en="/en.html", de="/de.html"),
        localized(de="/de.html"),
        localized(("en", "/fr.html"), ("en", "/en.html"), ("de", "/de.html")),
    ],
)
def test_a_page_that_is_removed_or_no_longer_names_the_other_is_no_alternate(changed: ObjectSnapshot | None) -> None:
    ledger = pair().update({"de.html": changed})
    assert alternates(ledger) == {}
    assert b"hreflang" not in ledger.published["sitemap.xml"]
    assert alternates(ledger.update({"de.html": EN})) == {"en.html": EN_DE, "de.html": EN_DE}


def test_links_that_another_base_resolves_otherwise_are_other_links() -> None:
    relative = {base: localized(en="en.html", de="de.html", base=base) for base in ("", "/other/")}
    ledger = pair().update({"de.html": relative[""]})
    assert alternates(ledger) == {"en.html": EN_DE, "de.html": EN_DE}
    assert alternates(ledger.update({"de.html": relative["/other/"]})) == {}


def test_a_new_page_is_an_alternate_of_the_pages_that_name_it_and_of_no_others() -> None:
    ledger = pair().update({"en.html": localized(en="/en.html", de="/de.html", fr="/fr.html")})
    assert alternates(ledger) == {"en.html": EN_DE, "de.html": EN_DE}
    ledger.update({"fr.html": localized(en="/en.html", fr="/fr.html")})
    fr = {"fr": "fr.html"}
    assert alternates(ledger) == {"en.html": EN_DE | fr, "de.html": EN_DE, "fr.html": {"en": "en.html"} | fr}


def test_an_x_default_is_recorded_whether_its_page_exists_or_not() -> None:
    named = localized(en="/en.html", x_default="/")
    expected = {"en.html": {"en": "en.html", "x-default": ""}}
    ledger = LedgerInMemory(alternates=True).update({"en.html": named})
    assert alternates(ledger) == expected
    for home in (localized(), localized(noindex=True), None):
        assert alternates(ledger.update({"index.html": home})) == expected


def test_a_file_that_takes_over_a_url_takes_over_its_alternates() -> None:
    values: dict[str, Any] = {"drop_html": True, "trailing_slash": "never"}
    both = localized(en="/en", de="/de")
    ledger = LedgerInMemory(alternates=True, **values).update({"en.html": both, "de.html": both})
    ledger.update({"de/index.html": both})
    assert alternates(ledger) == {key: {"en": "en", "de": "de"} for key in ("en.html", "de/index.html")}
    ledger.update({"de/index.html": None})
    assert alternates(ledger) == {key: {"en": "en", "de": "de"} for key in ("en.html", "de.html")}


def test_a_file_that_takes_over_a_url_ends_the_alternates_of_the_page_that_was_named_by_it() -> None:
    seen: Batch = {"a.html": localized(en="/en.html"), "en.html": localized(fr="/a/")}
    ledger, both = LedgerInMemory(alternates=True).update(seen), {"en": "en.html", "fr": "a.html"}
    assert alternates(ledger) == {"a.html": both, "en.html": both}
    assert alternates(ledger.update({"a/index.html": localized()})) == {}
    assert alternates(ledger.update({"a.html": localized(content="y", en="/en.html", de="https://example.de/")})) == {
        "a.html": {"de": "https://example.de/"}
    }


def test_records_of_one_shard_are_recomputed_by_what_others_hold() -> None:
    seen: Batch = {"a.html": localized(en="/en.html"), "en.html": localized(fr="/a/"), "a/index.html": localized()}
    ledger = LedgerInMemory(alternates=True).update(seen)
    classifier, selection = PageClassifier(ledger.site, NOW), Selection(ledger.site)
    updater = HreflangUpdater(ledger.site, classifier.page)
    record = ledger.records_by_key()["a.html"]
    outdated = replace(record, alternates=(("en", f"{BASE}en.html"),))
    changed, found = updater.recompute({"a.html": outdated}, RecordCache(ledger.manifest, selection, ledger.load))
    assert changed == {"a.html": record}
    assert [each.code for each in found] == ["alternate-unreturned"]


def test_the_links_of_changed_pages_and_of_pages_that_name_them_are_reported() -> None:
    ledger = LedgerInMemory(alternates=True)
    seen: Batch = {"en.html": EN, "de.html": localized(), "fr.html": localized(de="/de.html")}
    ledger.update(seen)
    assert issues(ledger) == [("en.html", "alternate-unreturned"), ("fr.html", "alternate-unreturned")]
    ledger.update({"de.html": localized(fr="/fr.html")})
    assert issues(ledger) == [("de.html", "alternates-without-self"), ("fr.html", "alternates-without-self")]


def issues(ledger: LedgerInMemory) -> list[tuple[str, str]]:
    return sorted((each.loc.removeprefix(BASE), each.code) for each in ledger.hreflang_issues)


def test_a_record_that_was_kept_of_an_earlier_ledger_loses_its_alternates_if_its_page_is_not_listed() -> None:
    hidden = localized(noindex=True, en="/en.html", de="/de.html")
    earlier = {"en.html": Record("en.html", hidden.etag, hidden.facts, alternates=(("de", f"{BASE}de.html"),))}
    ledger = LedgerInMemory(alternates=True).update({"en.html": hidden}, previous=PreviousLedger(record=earlier.get))
    assert ledger.records_by_key()["en.html"].alternates == ()


@pytest.mark.parametrize("values", [{"alternates": False}, {}])
def test_no_alternates_are_recorded_unless_the_settings_ask_for_them(values: dict[str, Any]) -> None:
    assert alternates(LedgerInMemory(**values).update({"en.html": EN, "de.html": EN})) == {}


COUNT = 3_000


def name(number: int) -> str:
    return f"page-{number:05}.html"


def large_ledger(**pages: ObjectSnapshot) -> LedgerInMemory:
    """A ledger of many shards; `p7` is the seventh page, and pages that are not given name no alternates."""
    seen: Batch = dict.fromkeys(numbered(COUNT), snapshot())
    given = {name(int(each.removeprefix("p"))): found for each, found in pages.items()}
    ledger = LedgerInMemory(urls=100, alternates=True).update(seen | given)
    assert len(ledger.manifest.entries) > 30
    return ledger


def shard_of(ledger: LedgerInMemory, number: int) -> str:
    """The file of records that holds a page."""
    return next(
        entry.records_file
        for entry in ledger.manifest.entries
        if any(record.key == name(number) for record in ledger.load(entry))
    )


def both(first: int, last: int, **values: Any) -> ObjectSnapshot:
    return localized(en=f"/{name(first)}", de=f"/{name(last)}", **values)


def test_a_changed_link_loads_only_the_shards_of_the_page_and_of_those_that_it_names() -> None:
    ledger = large_ledger(p10=both(10, 2990), p2990=both(10, 2990))
    assert len(alternates(ledger)) == 2
    ledger.update({name(10): localized()})
    assert len(ledger.loaded_files) <= 2
    assert len(ledger.changed_files) <= 3
    assert alternates(ledger) == {}
    ledger.update({name(10): both(10, 2990)})
    assert len(ledger.loaded_files) <= 2
    assert len(alternates(ledger)) == 2


def test_a_change_of_content_alone_loads_no_shard_of_the_alternates() -> None:
    ledger = large_ledger(p10=both(10, 2990), p2990=both(10, 2990))
    other = shard_of(ledger, 2990)
    ledger.update({name(10): both(10, 2990, content="other")})
    assert other not in ledger.loaded_files
    assert len(ledger.loaded_files) == 1
    assert len(alternates(ledger)) == 2


def test_what_a_named_page_names_is_not_loaded_unless_that_page_names_the_changed_one() -> None:
    many = localized(*((code, f"/{name(100 * n)}") for n, code in enumerate(("fr", "es", "it", "nl", "pt"), 1)))
    ledger = large_ledger(p1500=many)
    ledger.update({name(10): localized(en=f"/{name(10)}", x_default=f"/{name(1500)}")})
    assert len(set(ledger.loaded_files)) == 2
    assert alternates(ledger) == {name(10): {"en": name(10), "x-default": name(1500)}}


def test_an_update_changes_no_other_shards_than_those_of_pages_whose_alternates_change() -> None:
    home = localized(en=f"/{name(1500)}", de=f"/{name(2000)}", x_default=f"/{name(1500)}")
    ledger = large_ledger(p1500=home, p2000=home)
    shards = {each.records_file for each in ledger.manifest.entries}
    ledger.update({name(10): localized(en=f"/{name(10)}", de=f"/{name(2000)}", x_default=f"/{name(1500)}")})
    assert len({each.records_file for each in ledger.manifest.entries} - shards) == 1


LANGUAGES = ("en", "de", "fr")
KEYS = [f"{language}/{name}.html" for language in LANGUAGES for name in "ab"] + ["a/index.html", "a.html", "a.htm"]
HREFLANGS = st.sampled_from(["en", "de", "fr", "x-default", "EN", "xx"])
HREFS = st.sampled_from(["/a", "/a/", "/a/index", "/en/a", "/de/a", "../de/b", "/en/gone", "https://example.de/"])
ODD = st.lists(st.tuples(HREFLANGS, HREFS), max_size=2)
DECLARED = st.sampled_from([LANGUAGES, LANGUAGES, LANGUAGES, ("en", "de"), ()])
"""The languages of the pages of the same name that a page names."""
DECLARATIONS = st.tuples(st.sampled_from("xy"), st.integers(0, 7), DECLARED, st.just([]) | ODD)
Declaration = tuple[str, int, tuple[str, ...], list[tuple[str, str]]]
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
    content, chance, declared, odd = declaration
    regular = [(code, f"/{code}/{key.rpartition('/')[2].removesuffix('.html')}") for code in declared]
    links = [*odd, *regular] if chance % 2 else [*regular, *odd]
    hrefs = ((code, href if href.endswith("/") else href + ending) for code, href in links)
    return localized(*hrefs, content=content, noindex=chance == 0)


@pytest.mark.parametrize("values", SETTINGS)
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
    assert alternates(step_by_step) == alternates(at_once) == by_rule(at_once)
    assert step_by_step.published == at_once.published


def by_rule(ledger: LedgerInMemory) -> dict[str, dict[str, str]]:
    """The alternates that the rule gives if it knows all pages."""
    classifier = PageClassifier(ledger.site, NOW)
    found = {record.key: (record, classifier.page(record)) for record in ledger.records_by_key().values()}
    listed = {key: (record.facts.head, page.loc) for key, (record, page) in found.items() if page}
    site_urls = SiteUrls({key: loc for key, (_, loc) in listed.items()}, ledger.site)
    links = HreflangLinks({loc: page_links(head, loc) for head, loc in listed.values()}, site_urls)
    made = {key: dict(links.alternates(loc)[0]) for key, (_, loc) in listed.items()}
    return {key: {code: href.removeprefix(BASE) for code, href in each.items()} for key, each in made.items() if each}
