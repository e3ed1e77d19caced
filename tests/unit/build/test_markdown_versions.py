"""The versions of pages in Markdown that lie in a folder."""

from __future__ import annotations

from typing import Any

import pytest
from unit.build.test_lister import NO_DATES, MemorySource
from unit.sample_sites import site

from waypost.build.lister import Lister
from waypost.build.page_choice import with_markdown_versions
from waypost.core.model import Page

BASE = "https://www.waypost.dev/"


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
