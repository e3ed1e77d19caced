"""Which pages are of older versions of a site, and what is said of them."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

import pytest
from unit.build.test_lister import MemorySource, left_out, listing, warned
from unit.sample_sites import site

from waypost.build.version_choice import Told, are_alike, find_versions, frame, is_written_in, language, sample, texts
from waypost.core import reasons

PAGES = ("index.html", "a.html", "b.html")
SITE = {f"{folder}/{page}": f"<title>{folder}{page}" for folder in ("1.0", "2.0", "latest") for page in PAGES}
TEXT = (
    "<p>Install the program, and then run it in the folder of your site, as the next page says in detail.</p>"
    "<p>It writes one file, which search engines read."
)
GERMAN = (
    "<p>Installiere das Programm, und starte es dann im Ordner der Website, wie die nächste Seite sagt.</p>"
    "<p>Es schreibt eine Datei, die Suchmaschinen lesen."
)
CODE = f"<pre><span>{'make install # and then wait for it' * 50}</span></pre>"


def versions(
    *folders: str, pages: tuple[str, ...] = PAGES, told: Told | None = None, leads: dict[str, str] | None = None
) -> list[str]:
    """The folders of the versions that are found among pages, the newest first."""
    keys = [f"{folder}{page}" for folder in folders for page in pages]
    found = list(find_versions(keys, told or {}, leads or {}))
    return list(found[0]) if found else []


@pytest.mark.parametrize(
    ("folders", "expected"),
    [
        (["1.0/", "2.0/", "10.0/"], ["10.0/", "2.0/", "1.0/"]),
        (["2.0/", "latest/", "stable/"], ["stable/", "latest/", "2.0/"]),
        (["dev/", "2.0.0-rc1/", "1.0/"], ["1.0/", "2.0.0-rc1/", "dev/"]),
        (["en/latest/", "en/v1.0/"], ["en/latest/", "en/v1.0/"]),
        (["16/", "17/", "current/"], ["current/", "17/", "16/"]),
        (["release-1.9/", "release-1.10/", "1.2.x/"], ["release-1.10/", "release-1.9/", "1.2.x/"]),
        (["3.1-SNAPSHOT/", "3.0.0.RELEASE/"], ["3.0.0.RELEASE/", "3.1-SNAPSHOT/"]),
        (["v1-30/", "v1-31/"], ["v1-31/", "v1-30/"]),
    ],
)
def test_versions_are_folders_that_are_named_so_and_hold_the_same_pages(
    folders: list[str], expected: list[str]
) -> None:
    assert versions(*folders) == expected


def test_what_lies_above_the_folders_is_the_newest_version_as_docusaurus_builds_it() -> None:
    assert versions("docs/", "docs/1.0/", "docs/next/") == ["docs/", "docs/1.0/", "docs/next/"]


def test_what_lies_above_them_is_old_where_the_site_names_its_versions_or_leads_to_one() -> None:
    assert versions("", "1.0/", "latest/", leads={"": "latest/"}) == ["latest/", "1.0/", ""]
    assert versions("", "1.0/", "2.0/", leads={"": "1.0/start/"}) == ["1.0/", "2.0/", ""]
    assert versions("", "v0/", told={"v0": ("stable",)}) == ["v0/", ""]
    assert versions("d/", "d/1.0/", "d/2.0/", leads={"d/": "d/2.0/"}) == ["d/2.0/", "d/1.0/", "d/"]


def test_pages_above_the_folders_that_are_no_version_of_theirs_are_none() -> None:
    assert versions("1.0/", "2.0/") == ["2.0/", "1.0/"]
    assert versions("main/", pages=("a.html", "b.html")) == []
    keys = [*(f"api/{name}.html" for name in "abcdefgh"), "api/main/a.html", "api/main/b.html"]
    assert list(find_versions(keys, {}, {})) == []


@pytest.mark.parametrize(
    "folders",
    [["2023/", "2024/"], ["user/1/", "user/2/"], ["blog/2024/01/", "blog/2024/02/"], ["1.0/"], ["x/", "y/"]],
)
def test_years_and_numbers_alone_and_single_folders_are_no_versions(folders: list[str]) -> None:
    assert versions(*folders) == []


def test_folders_that_share_only_their_index_are_no_versions() -> None:
    assert versions("page/v1/", "page/v2/", pages=("index.html",)) == []
    assert versions("releases/v1.0.0/", "releases/v1.1.0/", "releases/v2.0.0/", pages=("index.html",)) == []


def test_versions_json_names_versions_with_other_names_in_their_order() -> None:
    told: Told = {"pike": (), "queens": (), "2024": ()}
    assert versions("queens/", "pike/", "2024/", told=told) == ["2024/", "pike/", "queens/"]
    assert versions("queens/", "pike/", told=told) == ["pike/", "queens/"]
    assert versions("2.0/", "3.0/", told={"3.0": ("dev",), "2.0": ("latest",)}) == ["2.0/", "3.0/"]
    assert versions("1.0/", "2.0/", told={"2.0": (), "1.0": ("stable",)}) == ["1.0/", "2.0/"]
    assert versions("d/queens/", "d/pike/", told=told) == []
    keys = ["0.1/old.html", "latest/a.html", "latest/b.html"]
    assert list(find_versions(keys, {"0.1": (), "latest": ()}, {})) == [
        {"latest/": ["latest/a.html", "latest/b.html"], "0.1/": ["0.1/old.html"]}
    ]


SITE |= {"index.html": "<title>home"}


def choice(
    files: Mapping[str, str | bytes] = SITE, **settings: Any
) -> tuple[list[str], dict[str, str], dict[str, int]]:
    found = listing(MemorySource(files), site(lastmod="none", **settings))
    return sorted({page.key.partition("/")[0] for page in found.pages}), dict(left_out(found)), warned(found)


def test_a_site_of_three_versions_is_told_of_the_setting_until_it_says_all() -> None:
    assert choice() == (["1.0", "2.0", "index.html", "latest"], {}, {"several-versions": 2})
    assert choice(versions="all")[2] == {}
    assert choice({key: text for key, text in SITE.items() if not key.startswith("1.0")})[2] == {}


def test_the_setting_lists_the_newest_version_and_all_that_is_no_version() -> None:
    folders, skipped, warnings = choice(versions="newest")
    assert (folders, warnings) == (["index.html", "latest"], {})
    assert skipped == {key: reasons.OLD_VERSION for key in SITE if key.startswith(("1.0", "2.0"))}


def test_a_version_whose_pages_are_left_out_is_the_newest_nevertheless() -> None:
    files = {
        key: f'<link rel="canonical" href="/gone-{key.replace("/", "-")}">{text}' if key.startswith("latest") else text
        for key, text in SITE.items()
    }
    folders, skipped, warnings = choice(files, versions="newest")
    assert folders == ["1.0", "2.0", "index.html"]
    assert set(skipped.values()) == {reasons.CANONICAL}
    assert warnings["no-versions"] == 1


def test_a_folder_whose_pages_name_another_version_as_canonical_is_none() -> None:
    files = {
        key: f'<link rel="canonical" href="/2.0/{key.partition("/")[2]}">{text}' if key.startswith("latest") else text
        for key, text in SITE.items()
    }
    assert choice(files, versions="newest")[0] == ["2.0", "index.html"]


def test_a_folder_of_redirects_is_no_version() -> None:
    redirect = '<!doctype html><meta http-equiv="refresh" content="0; url=../2.0/">'
    files = {key: redirect if key.startswith("latest") else text for key, text in SITE.items()}
    assert choice(files, versions="newest")[0] == ["2.0", "index.html"]


def test_a_home_page_that_leads_to_a_version_makes_it_the_newest_and_the_pages_beside_it_old() -> None:
    home = '<!doctype html><meta http-equiv="refresh" content="0; url=2.0/">'
    files = SITE | {"index.html": home, "a.html": "old a", "b.html": "old b", "other.html": "other"}
    folders, skipped, _ = choice(files, versions="newest")
    assert folders == ["2.0", "other.html"]
    assert skipped["a.html"] == reasons.OLD_VERSION


def test_a_pattern_of_exclude_takes_an_older_page_back() -> None:
    folders, skipped, _ = choice(versions="newest", exclude=["!2.0/a.html"])
    assert folders == ["2.0", "index.html", "latest"]
    assert "2.0/a.html" not in skipped


def test_the_setting_says_if_it_has_no_effect() -> None:
    assert choice({"index.html": "1", "1.0/a.html": "2"}, versions="newest")[2] == {"no-versions": 1}
    assert choice({"index.html": "1"}, versions="newest")[2] == {"no-versions": 1}


@pytest.mark.parametrize(
    "text",
    [
        *("", "{", '["2.0", "1.0"]', '{"a": 1}', '[{"version": 1}]', b'[{"version": "\xff"}]'),
        '[{"version": "1.0", "x": ' + "[" * 100_000,
        '[{"version": "1.0"}' + ',{"version": "9"}' * 100_000 + "]",
    ],
    ids=["empty", "cut", "names", "table", "number", "other encoding", "deep", "large"],
)
def test_a_versions_json_of_another_form_names_nothing(text: str | bytes) -> None:
    assert choice({**SITE, "versions.json": text}, versions="newest")[0] == ["index.html", "latest"]


def test_versions_json_is_read_from_the_site_s_root() -> None:
    told = json.dumps([{"version": "queens", "title": "Queens", "aliases": []}, {"version": "pike", "aliases": []}])
    files = {f"{folder}/{page}": f"{folder}{page}" for folder in ("pike", "queens") for page in PAGES}
    assert choice({**files, "versions.json": told}, versions="newest")[0] == ["queens"]


def page(main: str = TEXT, *, heading: str = "Start", menu: str = "Next page", lang: str = "en") -> bytes:
    text = f"<nav>{menu}</nav><main><h1>{heading}</h1>{main}</main><footer>{menu}</footer>"
    return f"<!doctype html><html lang={lang}><title>{heading}</title><body>{text}".encode()


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


def is_untranslated(translated: bytes, original: bytes = page()) -> bool:
    return are_alike(texts(translated), texts(original))


def test_a_page_with_the_same_text_is_not_translated_whatever_its_menus_and_its_heading_say() -> None:
    assert is_untranslated(page(menu="Nächste Seite", heading="Anfang", lang="de"))


def test_a_short_notice_that_the_page_is_not_translated_changes_nothing() -> None:
    assert is_untranslated(page(f"<p>Noch englisch{TEXT}"))


@pytest.mark.parametrize(
    ("translated", "original"),
    [
        (page(GERMAN), page()),
        (page(GERMAN + CODE), page(TEXT + CODE)),
        (page(TEXT + GERMAN), page()),
        (page(f"<script>{TEXT}</script>{GERMAN}"), page(f"<script>{TEXT}</script>{TEXT}")),
        (b"", b""),
    ],
)
def test_a_page_with_another_text_or_hardly_any_is_not_untranslated(translated: bytes, original: bytes) -> None:
    assert not is_untranslated(translated, original)


def test_what_most_pages_share_is_the_frame() -> None:
    pages = [texts(page(f"<p>A text of its own, of the page {n}, and nothing else.")) | texts(page()) for n in range(6)]
    assert frame(pages) == texts(page())
    assert frame(pages[:4]) == frozenset()


@pytest.mark.parametrize(
    ("text", "code", "expected"),
    [
        ("\u6559\u7a0b\u8bf4\u660e\u6587\u6863\u8bf4\u660e Waypost", "zh-Hans", True),
        ("\u041d\u0430\u0447\u0430\u043b\u043e \u0440\u0430\u0431\u043e\u0442\u044b", "ru", True),
        ("Waypost writes sitemaps", "zh", False),
        ("", "ja", False),
    ],
)
def test_a_page_is_written_in_a_language_that_has_letters_of_its_own(text: str, code: str, expected: bool) -> None:
    assert is_written_in(frozenset({text.encode()}), code) is expected


@pytest.mark.parametrize(("text", "expected"), [(b"<html lang=' pt-BR '>", "pt-BR"), (b"", "")])
def test_the_language_of_a_page_is_its_attribute(text: bytes, expected: str) -> None:
    assert language(text) == expected


def test_a_sample_is_spread_over_all_keys() -> None:
    assert sample(list("abcdefgh"), 4) == ["a", "c", "e", "g"]
    assert sample(["a"], 4) == ["a"]
