from __future__ import annotations

import gzip
from pathlib import Path

from unit.build.test_lister import MemorySource, listing
from unit.sample_sites import site

from waypost.build.url_forms import sitemap_form
from waypost.core.model import LinkedShapes, Page, UrlFormCount
from waypost.files.folder_source import FolderSource
from waypost.sitemaps.documents import documents
from waypost.sitemaps.render import Renderer

FILES = {
    "index.html": "1",
    "a.html": '<link rel="canonical" href="/a">2',
    "b.html": "3",
    "d/index.html": "4",
    "e.pdf": "5",
}


def test_pages_are_counted_by_kind_and_by_what_decided_their_form() -> None:
    assert listing(MemorySource(FILES)).url_forms == [
        UrlFormCount("folder", "default", 1, "/folder/"),
        UrlFormCount("home", "default", 1, "/"),
        UrlFormCount("page", "canonical", 1),
        UrlFormCount("page", "default", 1, "/page.html"),
    ]


def test_each_page_with_several_forms_has_a_decision() -> None:
    found = listing(MemorySource(FILES), site(lastmod="none", drop_html=False))
    assert found.url_decisions == {
        "a.html": "setting",
        "b.html": "setting",
        "d/index.html": "default",
        "index.html": "default",
    }


KEYS = ["index.html", "a.html", "b.html"]
BASE = "https://example.org/"
OPEN = LinkedShapes()


def urlset(*paths: str, mark: str = "") -> str:
    return f"{mark}<urlset>" + "".join(f"<url><loc>{BASE}{path}</loc></url>" for path in paths) + "</urlset>"


def test_the_generator_s_sitemap_decides_also_one_below_an_index() -> None:
    files = {"sitemap.xml": urlset("a", "b")}
    assert sitemap_form(MemorySource(files), KEYS, site(), LinkedShapes(page="file")) == LinkedShapes(page="bare")
    index = f"<sitemapindex><sitemap><loc>{BASE}maps/1.xml</loc></sitemap></sitemapindex>"
    files = {"sitemap-index.xml": index, "maps/1.xml": urlset("a/", "b/")}
    assert sitemap_form(MemorySource(files), KEYS, site(), OPEN) == LinkedShapes(page="slash")


def test_a_compressed_sitemap_decides_too(tmp_path: Path) -> None:
    (tmp_path / "sitemap.xml.gz").write_bytes(gzip.compress(urlset("a", "b").encode()))
    assert sitemap_form(FolderSource(tmp_path), KEYS, site(), OPEN) == LinkedShapes(page="bare")


def test_waypost_s_own_sitemap_of_an_earlier_run_decides_only_what_the_links_leave_open(tmp_path: Path) -> None:
    own = documents([Page("a.html", f"{BASE}a"), Page("b.html", f"{BASE}b")], site(), Renderer(), lambda *_: None)
    (tmp_path / "sitemap.xml").write_bytes(own[0].body)
    source = FolderSource(tmp_path)
    assert sitemap_form(source, KEYS, site(), OPEN) == LinkedShapes(page="bare")
    assert sitemap_form(source, KEYS, site(), LinkedShapes(page="file")) == OPEN


def test_without_a_sitemap_nothing_is_decided() -> None:
    assert sitemap_form(MemorySource({}), KEYS, site(), OPEN) == OPEN
    assert sitemap_form(MemorySource({"sitemap.xml": OSError(5, "broken")}), KEYS, site(), OPEN) == OPEN
