"""The base URL that the files of a built site name."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from waypost.files.folder_source import FolderSource
from waypost.project.base_url import BuiltFiles

if TYPE_CHECKING:
    from sites import Files, Write


def page(*, canonical: str = "", og_url: str = "", more: str = "") -> str:
    """A page that names its own URL."""
    link = f"<link rel=canonical href='{canonical}'>" if canonical else ""
    meta = f"<meta property='og:url' content='{og_url}'>" if og_url else ""
    return f"<!doctype html><title>A</title>{link}{meta}{more}"


def built(write: Write, files: Files) -> BuiltFiles:
    """The files of a site."""
    return BuiltFiles(FolderSource(write(files)))


@pytest.mark.parametrize(
    ("files", "base"),
    [
        ({"index.html": page(canonical="https://a.dev/")}, "https://a.dev/"),
        ({"index.html": page(canonical="https://a.dev/repo/index.html")}, "https://a.dev/repo/"),
        ({"b/c.html": page(canonical="https://a.dev/b/c")}, "https://a.dev/"),
        ({"b/index.html": page(canonical="https://a.dev/repo/b")}, "https://a.dev/repo/"),
        ({"b.html": page(canonical="https://a.dev//b/")}, "https://a.dev/"),
        ({"ä b.html": page(canonical="https://a.dev/x%20y/%C3%A4%20b.html")}, "https://a.dev/x%20y/"),
        ({"b.html": page(og_url="https://a.dev/repo/b.html")}, "https://a.dev/repo/"),
        ({"b.html": page(canonical="https://a.dev/b.html", og_url="https://c.dev/b.html")}, "https://a.dev/"),
    ],
)
def test_pages_name_the_base_url_by_their_own_urls(write: Write, files: Files, base: str) -> None:
    found = built(write, files).of_pages()
    assert found is not None
    assert found[0] == base


@pytest.mark.parametrize(
    "files",
    [
        {"b.html": page(canonical="https://a.dev/other")},
        {"b.html": page(canonical="/b.html")},
        {"b.html": page(canonical="https://a.dev/b.html?x=1")},
        {"b.html": page(canonical="https://a.dev/b.html", more="<meta name=robots content=noindex>")},
        {"a.html": page(canonical="https://a.dev/a"), "b.html": page(canonical="https://b.dev/b")},
        {},
    ],
    ids=["another page", "relative", "a query", "noindex", "two sites", "no page"],
)
def test_pages_that_name_no_url_of_their_own_or_several_sites_name_no_base_url(write: Write, files: Files) -> None:
    assert built(write, files).of_pages() is None


def test_one_page_of_another_site_among_many_does_not_count(write: Write) -> None:
    files = {f"{n}.html": page(canonical=f"https://a.dev/{n}") for n in range(9)}
    found = built(write, files | {"x.html": page(canonical="https://b.dev/x")}).of_pages()
    assert found is not None
    assert found[0] == "https://a.dev/"


@pytest.mark.parametrize(
    ("locs", "base"),
    [
        (["https://a.dev/", "https://a.dev/b"], "https://a.dev/"),
        (["https://a.dev/repo/b/", "https://a.dev/repo/c/d.html"], "https://a.dev/repo/"),
        (["https://a.dev/repo/"], "https://a.dev/repo/"),
    ],
)
def test_a_sitemap_names_the_base_url_by_the_pages_that_exist(write: Write, locs: list[str], base: str) -> None:
    sitemap = "<urlset>" + "".join(f"<url><loc>{loc}</loc></url>" for loc in locs) + "</urlset>"
    found = built(write, {"index.html": "", "b.html": "", "c/d.html": "", "sitemap.xml": sitemap}).of_sitemaps()
    assert found == (base, "sitemap.xml")


def test_an_index_names_the_base_url_by_the_sitemaps_that_exist(write: Write) -> None:
    index = "<sitemapindex><sitemap><loc>https://a.dev/repo/de/sitemap.xml</loc></sitemap></sitemapindex>"
    found = built(write, {"sitemap.xml": index, "de/sitemap.xml": "<urlset></urlset>"}).of_sitemaps()
    assert found == ("https://a.dev/repo/", "sitemap.xml")


@pytest.mark.parametrize(
    ("files", "base"),
    [
        ({"robots.txt": "Sitemap: https://a.dev/sitemap.xml\n"}, "https://a.dev/"),
        ({"robots.txt": "sitemap: https://a.dev/repo/sitemap.xml\n"}, "https://a.dev/repo/"),
        ({"robots.txt": "Sitemap: https://a.dev/maps/s.xml\n", "maps/s.xml": ""}, "https://a.dev/"),
        ({"robots.txt": "Sitemap: /sitemap.xml\n"}, None),
        ({"robots.txt": "User-agent: *\n"}, None),
        ({"robots.txt": "Sitemap: https://[x/sitemap.xml\n"}, None),
        ({}, None),
    ],
)
def test_robots_txt_names_the_base_url_by_its_sitemap(write: Write, files: Files, base: str | None) -> None:
    assert built(write, files).of_robots_txt() == base


def test_a_few_pages_that_name_another_place_are_no_agreement(write: Write) -> None:
    files = {f"{n}.html": page() for n in range(5)}
    assert built(write, files | {"x.html": page(canonical="https://medium.dev/@me/x")}).of_pages() is None
