"""Which pages in the folders of languages are left out, because they are not translated."""

from __future__ import annotations

from typing import Any

import pytest
from unit.build.test_lister import MemorySource, left_out, listing
from unit.rules.test_untranslated import GERMAN, page
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


def test_the_folder_to_which_the_home_page_leads_is_the_default() -> None:
    home = '<!doctype html><meta http-equiv="refresh" content="0; url=/fr/">'
    french = {f"fr/{key}": value for key, value in ENGLISH.items()}
    assert untranslated({"index.html": home} | french | FOLDER) == {"de/b.html": "it has the text of fr/b.html"}


def test_no_page_is_left_out_where_the_default_language_is_not_known() -> None:
    french = {f"fr/{key}": value for key, value in ENGLISH.items()}
    assert untranslated(french | FOLDER) == {}
    assert untranslated({"index.html": text("home")} | french | FOLDER) == {}
