"""Which pages in the folders of languages are left out, because they are not translated."""

from __future__ import annotations

from typing import Any

import pytest
from unit.build.test_lister import MemorySource, left_out, listing, warned
from unit.pages.test_untranslated import GERMAN, page
from unit.sample_sites import site

from waypost.core import reasons


def text(name: str, *args: Any, **options: Any) -> str:
    """A page with a heading of its own, so that pages are no copies of one another."""
    return page(*args, heading=name, **options).decode()


ENGLISH = {f"{name}.html": text(name) for name in "abc"}
FOLDER = {"de/a.html": text("a", GERMAN, lang="de"), "de/b.html": text("b", menu="Weiter", lang="de")}


def untranslated(files: dict[str, str], **settings: Any) -> dict[str, str]:
    found = listing(MemorySource(files), site(lastmod="none", **settings))
    assert set(left_out(found).values()) <= {reasons.UNTRANSLATED, reasons.REFRESH}
    return {each.key: each.detail for each in found.skipped if each.reason == reasons.UNTRANSLATED}


def test_a_page_with_the_text_of_the_default_language_is_left_out() -> None:
    assert untranslated(ENGLISH | FOLDER) == {"de/b.html": "it has the text of b.html"}


def test_a_pattern_of_exclude_takes_it_back() -> None:
    assert untranslated(ENGLISH | FOLDER, exclude=["!de/b.html"]) == {}


@pytest.mark.parametrize("folder", ["en-gb", "en"])
def test_a_region_of_the_same_language_may_have_the_same_text(folder: str) -> None:
    assert untranslated(ENGLISH | {f"{folder}/a.html": text("a", menu="Colour"), f"{folder}/b.html": text("b")}) == {}


FRENCH = {f"fr/{key}": value for key, value in ENGLISH.items()}


@pytest.mark.parametrize(
    "home",
    [
        '<!doctype html><meta http-equiv="refresh" content="0; url=/fr/">',
        "<!doctype html><html lang=fr><title>Choisissez</title>",
    ],
)
def test_the_folder_to_which_the_home_page_leads_or_whose_language_it_says_is_the_default(home: str) -> None:
    found = untranslated({"index.html": home} | FRENCH | FOLDER)
    assert found == {"de/b.html": "it has the text of fr/b.html"}


def test_the_home_page_of_a_language_stays() -> None:
    homes = {"index.html": text("home"), "de/index.html": text("home", menu="Weiter", lang="de")}
    assert untranslated(ENGLISH | FOLDER | homes) == {"de/b.html": "it has the text of b.html"}


def test_a_page_in_the_letters_of_its_folder_s_language_is_translated_and_the_original_is_not() -> None:
    chinese = "<p>" + "\u6559\u7a0b\u8bf4\u660e\u6587\u6863" * 20
    pages = {f"{name}.html": text(name, chinese) for name in "abc"}
    assert untranslated(pages | {f"zh/{key}": value.replace("Next", "\u4e0b") for key, value in pages.items()}) == {}


def test_links_to_pages_that_are_not_translated_are_not_warned_of() -> None:
    link = '<link rel="alternate" hreflang="de" href="/de/b.html"><link rel="alternate" hreflang="en" href="/b.html">'
    files = ENGLISH | FOLDER | {"b.html": ENGLISH["b.html"].replace("<title>", f"{link}<title>")}
    found = listing(MemorySource(files), site(lastmod="none", alternates=True))
    assert [each.key for each in found.skipped] == ["de/b.html"]
    assert warned(found) == {}


def test_no_page_is_left_out_where_the_default_language_is_not_known() -> None:
    assert untranslated(FRENCH | FOLDER) == {}
    assert untranslated({"index.html": text("home")} | FRENCH | FOLDER) == {}
