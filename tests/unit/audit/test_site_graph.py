from unit.sample_sites import site

from waypost.audit.pages import AuditedPage
from waypost.audit.site_files import SiteFiles
from waypost.audit.site_graph import SiteGraph
from waypost.pages.html_head import HtmlHead

BASE = "https://example.org/"


def graph(**hrefs: str) -> SiteGraph:
    """A site of pages by their names without `.html`, each with links to others by name; `>x` is a redirect to x."""
    pages = [
        AuditedPage(
            f"{name}.html",
            f"{BASE}{name}.html",
            redirect=f"{BASE}{to.split()[0][1:]}.html" if to.startswith(">") else "",
        )
        for name, to in hrefs.items()
    ]
    found = SiteGraph(pages, SiteFiles([page.key for page in pages], (), site(), lambda path: False), site())
    for page in pages:
        names = [name for name in hrefs[page.key.removesuffix(".html")].split() if not name.startswith(">")]
        found.add(page, "".join(f'<a href="{name}.html">' for name in names).encode())
    return found


def test_a_redirect_takes_no_click() -> None:
    found = graph(index="old", old=">new", new="last", last="")
    assert found.distances([found.home]) == {"index.html": 0, "old.html": 1, "new.html": 1, "last.html": 2}


def test_the_shortest_way_counts() -> None:
    found = graph(index="a b", a="c", b="", c="b d", d="index")
    assert found.distances([found.home]) == {"index.html": 0, "a.html": 1, "b.html": 1, "c.html": 2, "d.html": 3}


def test_nothing_beyond_known_files_is_reached() -> None:
    assert graph(index="", a="b", b="c", c="").distances(["a.html"], ["b.html"]) == {"a.html": 0}


def test_only_the_links_of_other_pages_count() -> None:
    found = graph(index="b", a="a", b="", c=">d d", d="")
    assert [found.is_linked(f"{name}.html") for name in "abcd"] == [False, True, False, False]


def test_each_reference_counts_once_for_a_page() -> None:
    found = graph(index="a a b", a="b", b="")
    assert found.link_count() == 3
    assert [(each.url, pages) for each, pages in found.pages_with([0, 1])] == [
        (f"{BASE}a.html", ["index.html"]),
        (f"{BASE}b.html", ["a.html", "index.html"]),
    ]


def test_references_that_are_not_checked_are_counted() -> None:
    found = graph(index="../../x https://other.example/y", a="https://other.example/y")
    assert found.not_checked() == {"above-site": 1, "other-site": 2}


def test_a_page_has_one_canonical_url_or_none() -> None:
    heads = {"a.html": ("b.html",), "b.html": ("/x", "/y"), "c.html": ("/missing",)}
    pages = [AuditedPage(key, BASE + key, HtmlHead(canonicals=named)) for key, named in heads.items()]
    found = SiteGraph(pages, SiteFiles(heads, (), site(), lambda path: False), site())
    assert found.canonical_urls == {"a.html": BASE + "b.html", "c.html": BASE + "missing"}
    assert found.canonicals == {"a.html": "b.html"}
