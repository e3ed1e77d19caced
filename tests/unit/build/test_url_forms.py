from __future__ import annotations

import gzip
from pathlib import Path

from unit.build.test_lister import MemorySource, listing
from unit.sample_sites import site

from waypost.build.url_forms import sitemap_form
from waypost.core.model import LinkedShapes, Page, UrlFormCount
from waypost.files.folder_source import FolderSource
from waypost.files.source import Source
from waypost.pages.link_votes import LinkVote
from waypost.pages.site_links import SiteLinks
from waypost.pages.url_shapes import KINDS, linked_shape
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


def form(source: Source, of_links: LinkedShapes) -> LinkedShapes:
    """The form that the sitemaps of a source give URLs, of a site whose links have these shapes."""
    shapes = {kind: linked_shape(kind, of_links) for kind in KINDS}
    votes = [LinkVote(kind, shape, 10, 10) for kind, shape in shapes.items() if shape]
    return sitemap_form(source, KEYS, site(), SiteLinks(votes))[0]


def test_the_generator_s_sitemap_decides_also_one_below_an_index() -> None:
    files = {"sitemap.xml": urlset("a", "b")}
    assert form(MemorySource(files), LinkedShapes(page="file")) == LinkedShapes(page="bare")
    index = f"<sitemapindex><sitemap><loc>{BASE}maps/1.xml</loc></sitemap></sitemapindex>"
    files = {"sitemap-index.xml": index, "maps/1.xml": urlset("a/", "b/")}
    assert form(MemorySource(files), OPEN) == LinkedShapes(page="slash")


def test_a_compressed_sitemap_decides_too(tmp_path: Path) -> None:
    (tmp_path / "sitemap.xml.gz").write_bytes(gzip.compress(urlset("a", "b").encode()))
    assert form(FolderSource(tmp_path), OPEN) == LinkedShapes(page="bare")


def test_waypost_s_own_sitemap_of_an_earlier_run_decides_only_what_the_links_leave_open(tmp_path: Path) -> None:
    own = documents([Page("a.html", f"{BASE}a"), Page("b.html", f"{BASE}b")], site(), Renderer(), lambda *_: None)
    (tmp_path / "sitemap.xml").write_bytes(own[0].body)
    source = FolderSource(tmp_path)
    assert form(source, OPEN) == LinkedShapes(page="bare")
    assert form(source, LinkedShapes(page="file")) == OPEN


def test_without_a_sitemap_nothing_is_decided() -> None:
    assert form(MemorySource({}), OPEN) == OPEN
    assert form(MemorySource({"sitemap.xml": OSError(5, "broken")}), OPEN) == OPEN


API: dict[str, str] = {
    **{
        f"docs/p{n}.html": '<a href="/docs/p1">1</a><a href="/docs/p2">2</a><a href="/docs/p3">3</a>'
        for n in range(1, 5)
    },
    **{f"api/c{n}.html": '<a href="c1.html">1</a><a href="c2.html">2</a><a href="c3.html">3</a>' for n in range(1, 7)},
}


def test_a_folder_that_another_generator_made_has_the_form_of_its_own_links() -> None:
    listed = [f"docs/p{n}" for n in range(1, 5)]
    found = listing(MemorySource({**API, "sitemap.xml": urlset(*listed)}))
    forms = {page.key: page.loc.removeprefix(BASE) for page in found.pages}
    assert forms["api/c1.html"] == "api/c1.html"
    assert forms["docs/p1.html"] == "docs/p1"
    assert {(each.decided_by, each.example, each.count) for each in found.url_forms} == {
        ("links", "/page.html", 6),
        ("sitemap", "/page", 4),
    }


def test_a_folder_that_the_generator_s_sitemap_lists_has_the_form_of_that_sitemap() -> None:
    listed = [*(f"docs/p{n}" for n in range(1, 5)), *(f"api/c{n}" for n in range(1, 7))]
    found = listing(MemorySource({**API, "sitemap.xml": urlset(*listed)}))
    assert {page.loc.removeprefix(BASE) for page in found.pages} == set(listed)


def test_a_folder_whose_links_do_not_all_agree_has_the_form_of_the_site() -> None:
    mixed = {**API, "api/c1.html": '<a href="c2">2</a><a href="c3.html">3</a>'}
    listed = [f"docs/p{n}" for n in range(1, 5)]
    found = listing(MemorySource({**mixed, "sitemap.xml": urlset(*listed)}))
    assert {page.loc.removeprefix(BASE) for page in found.pages if page.key.startswith("api/")} == {
        f"api/c{n}" for n in range(1, 7)
    }
