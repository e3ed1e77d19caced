from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import pytest
from unit.build.test_lister import NO_DATES, MemorySource, left_out, listing, warned
from unit.sample_sites import site

from waypost.build.lister import Lister
from waypost.build.page_choice import ListingNotes, with_markdown_versions
from waypost.core import reasons
from waypost.core.model import Body, Example, Item, Page, Skipped

HOME = '<link rel="canonical" href="/">'
NOINDEX = '<meta name="robots" content="noindex">'
BASE = "https://www.waypost.dev/"


def test_a_file_that_servers_never_answer_is_a_duplicate_whatever_it_says() -> None:
    files = {"a.html": f"{NOINDEX}1", "a/index.html": "2"}
    found = listing(MemorySource(files), site(lastmod="none", drop_html=True, trailing_slash="never"))
    assert left_out(found) == {"a.html": reasons.DUPLICATE}


def test_a_page_whose_own_url_is_disallowed_is_left_out() -> None:
    robots = "User-agent: *\nDisallow: /a$\n"
    files = {"robots.txt": robots, "a.html": '<link rel="canonical" href="/a">', "b.html": "b"}
    found = listing(MemorySource(files))
    assert left_out(found)["a.html"] == reasons.ROBOTS_TXT
    assert [page.key for page in found.pages] == ["b.html"]


def test_canonical_links_that_all_name_the_home_page_are_warned_of() -> None:
    files = {"index.html": HOME, **{f"{n}.html": f"{HOME}{n}" for n in range(3)}}
    assert warned(listing(MemorySource(files))) == {"canonical-home": 3}
    assert warned(listing(MemorySource({**files, "own.html": '<link rel="canonical" href="own.html">'}))) == {}
    assert warned(listing(MemorySource({"index.html": HOME, "a.html": HOME}))) == {}


def test_warnings_about_a_duplicate_are_dropped() -> None:
    foreign = '<link rel="canonical" href="https://other.example/">'
    found = listing(MemorySource({"a/index.html": "1", "a/index.htm": foreign}))
    assert warned(found) == {}
    assert left_out(found) == {"a/index.htm": reasons.DUPLICATE}


@pytest.mark.parametrize("home", ["/", "/index.html", "http://www.example.org/"])
def test_nearly_all_is_enough_for_that_warning_and_any_form_of_the_home_page(home: str) -> None:
    link = f'<link rel="canonical" href="{home}">'
    files = {"index.html": link, **{f"{n}.html": f"{link}{n}" for n in range(9)}}
    own = '<link rel="canonical" href="own.html">'
    assert warned(listing(MemorySource({**files, "own.html": own}))).get("canonical-home") == 9


def test_a_canonical_url_that_no_page_has_is_warned_of() -> None:
    files = {
        "a.html": '<link rel="canonical" href="/docs//a.html">',
        "b.html": '<link rel="canonical" href="/c">',
        "c.html": "c",
    }
    found = listing(MemorySource(files))
    assert left_out(found) == {"a.html": reasons.CANONICAL, "b.html": reasons.CANONICAL}
    assert warned(found) == {"canonical-missing": 1}
    assert found.warnings[0].examples == (Example("a.html", "https://example.org/docs//a.html"),)


@dataclass
class Changing(MemorySource):
    """Files of which no whole one can be read, once their beginnings were."""

    def read(self, item: Item, size: int | None = None) -> Body:
        if size is None:
            raise OSError(5, "broken")
        return super().read(item, size)


def copies(source: MemorySource, **settings: Any) -> dict[str, str]:
    """The copies that are left out, each with the page that comes first."""
    found = listing(source, site(**{"lastmod": "none", "duplicates": "first", **settings}))
    return {each.key: each.detail for each in found.skipped if each.reason == reasons.COPY}


def test_the_page_nearest_to_the_root_comes_first_and_an_index_file_before_others() -> None:
    keys = ["a/index.html", "copy.html", "index.html", "1/b.html"]
    assert set(copies(MemorySource(dict.fromkeys(keys, "x"))).values()) == {"index.html"}
    assert copies(MemorySource({"b/a.html": "x", "a/z.html": "x", "c.html": "y"})) == {"b/a.html": "a/z.html"}


def test_only_pages_that_begin_alike_are_read_again_and_one_that_cannot_be_is_no_copy() -> None:
    form = {"drop_html": False, "trailing_slash": "auto"}
    source = MemorySource({"a.html": "x", "b.html": "longer", "c.html": "x"})
    assert copies(source, **form) == {"c.html": "a.html"}
    assert {key: source.asked.count(key) for key in source.files} == {"a.html": 2, "b.html": 1, "c.html": 2}
    assert copies(Changing({"a.html": "x", "b.html": "x"}), **form) == {}


def test_copies_are_listed_with_a_warning_unless_the_settings_ask_for_the_first() -> None:
    files = {"1.0/a.html": "same", "latest/a.html": "same", "b.html": "other"}
    found = listing(MemorySource(files))
    assert len(found.pages) == 3
    assert warned(found) == {"copies": 1}
    assert [each.detail for each in found.warnings[0].examples] == ["has the same bytes as latest/a.html"]
    first = listing(MemorySource(files), site(lastmod="none", duplicates="first"))
    assert left_out(first) == {"1.0/a.html": reasons.COPY}
    kept = listing(MemorySource(files), site(lastmod="none", duplicates="first", exclude=["!/1.0/*"]))
    assert left_out(kept) == {}


def test_copies_that_name_a_canonical_url_are_no_copies() -> None:
    same = '<link rel="canonical" href="https://other.example/a">same'
    assert warned(listing(MemorySource({"1.0/a.html": same, "latest/a.html": same}))) == {"foreign-canonical": 2}


def test_a_page_whose_canonical_link_names_a_redirect_back_to_it_is_listed_with_a_warning() -> None:
    refresh = '<meta http-equiv="refresh" content="0; url={}">'
    files = {
        "2.6/a.html": '<link rel="canonical" href="/latest/a.html">',
        "latest/a.html": refresh.format("../2.6/a.html"),
        "2.5/a.html": '<link rel="canonical" href="/latest/a.html">',
    }
    found = listing(MemorySource(files))
    assert [page.key for page in found.pages] == ["2.6/a.html"]
    assert warned(found) == {"canonical-back": 1}
    assert left_out(found) == {"latest/a.html": reasons.REFRESH, "2.5/a.html": reasons.CANONICAL}


def versions(files: dict[str, str | bytes | OSError], **settings: Any) -> dict[str, str]:
    """The version of each listed page of a folder that has one, by key."""
    the_site = site(base_url=BASE, **{"formats": ["xml", "llms"], **settings})
    found = Lister(MemorySource(files), the_site, NO_DATES, lambda stage, done, total: None).listing()
    return {page.key: page.markdown.removeprefix(BASE) for page in found.pages if page.markdown}


@pytest.mark.parametrize(
    ("key", "file", "url"),
    [
        ("a.html", "a.html.md", "a.html.md"),
        ("a.html", "a.md", "a.md"),
        ("guide/index.html", "guide/index.html.md", "guide/index.html.md"),
        ("guide/index.html", "guide/index.md", "guide/index.md"),
        ("a b(1).html", "a b(1).md", "a%20b(1).md"),
        ("v1.2/page.htm", "v1.2/page.md", "v1.2/page.md"),
        ("a.html", "b.md", ""),
        ("a.html", "other/a.md", ""),
        ("a.html", "a.MD", ""),
    ],
)
def test_a_file_in_markdown_beside_a_page_is_its_version(key: str, file: str, url: str) -> None:
    found = versions({key: "<title>A</title>", file: "# A"})
    assert found == ({key: url} if url else {})


def test_the_file_with_the_whole_name_goes_first_and_a_file_before_what_the_page_names() -> None:
    page = '<link rel=alternate type="text/markdown" href="/named.md">'
    assert versions({"a.html": page}) == {"a.html": "named.md"}
    assert versions({"a.html": page, "a.md": ""}) == {"a.html": "a.md"}
    assert versions({"a.html": page, "a.md": "", "a.html.md": ""}) == {"a.html": "a.html.md"}


@pytest.mark.parametrize(
    "settings", [{"formats": ["xml"]}, {"pages": ["html", "markdown"]}, {"exclude": ["*.md"]}], ids=str
)
def test_where_nothing_shows_versions_or_the_files_are_no_versions_there_are_none(settings: dict[str, Any]) -> None:
    assert versions({"a.html": "<title>A</title>", "a.md": "# A"}, **settings) == {}


def test_a_version_that_robots_txt_disallows_is_none() -> None:
    files: dict[str, str | bytes | OSError] = {"a.html": "<title>A</title>", "a.md": "# A"}
    assert versions({**files, "robots.txt": "User-agent: *\nDisallow: /*.md$\n"}) == {}


def test_a_page_without_an_ending_has_a_version_of_its_whole_name() -> None:
    pages = [Page("v1.2/page", f"{BASE}v1.2/page"), Page("page", f"{BASE}page")]
    keys = {"v1.md", "v1.2/page.md"}
    found = with_markdown_versions(pages, keys, site(base_url=BASE), None)
    assert [page.markdown for page in found] == [f"{BASE}v1.2/page.md", ""]


def test_what_is_left_out_comes_in_the_order_of_keys_and_in_visible_characters() -> None:
    notes = ListingNotes()
    notes.leave_out("b\n.html", reasons.EXCLUDED, "a\tb")
    notes.skip(Skipped("a.html", reasons.NOINDEX))
    assert notes.skipped() == [
        Skipped("a.html", reasons.NOINDEX),
        Skipped("b\\n.html", reasons.EXCLUDED, "a\\tb"),
    ]


def test_a_warning_counts_its_cases_and_shows_the_first() -> None:
    notes = ListingNotes()
    for n in range(5):
        notes.warn("unreadable", Example(f"{n}.html"))
    notes.warn("foreign-canonical", Example("a.html"))
    first, second = notes.warnings()
    assert (first.code, first.count) == ("foreign-canonical", 1)
    assert (second.code, second.count, [each.key for each in second.examples]) == (
        "unreadable",
        5,
        ["0.html", "1.html", "2.html"],
    )
