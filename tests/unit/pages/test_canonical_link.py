import pytest
from unit.sample_sites import site

from waypost.pages.canonical_link import NamedUrl, canonical_link
from waypost.pages.html_head import HtmlHead
from waypost.pages.url_shapes import served_paths

BASE = "https://example.org/"
NFC, NFD = "caf\u00e9.html", "cafe\u0301.html"
UNICODE = ("canonical-unicode",)


@pytest.mark.parametrize("canonicals", [(), ("",), ("mailto:a@example.org",), ("/b.html", "/c.html")])
def test_no_link_and_several_links_name_nothing(canonicals: tuple[str, ...]) -> None:
    assert canonical_link(served_paths("a.html", site()), HtmlHead(canonicals=canonicals), site()) is None


@pytest.mark.parametrize(
    ("key", "href", "named"),
    [
        ("d/a.html", "a", NamedUrl(f"{BASE}d/a", "this-page", "d/a", "d/a")),
        ("d/index.html", "../d", NamedUrl(f"{BASE}d", "this-page", "d", "d")),
        ("index.html", "https://example.org", NamedUrl(BASE, "this-page", "", "")),
        ("a.html", "/b.html", NamedUrl(f"{BASE}b.html", "other-page")),
        ("a.html", "https://other.example/a.html", NamedUrl("https://other.example/a.html", "other-site")),
        (
            "a.html",
            "http://example.org/a",
            NamedUrl("http://example.org/a", "this-page", "a", "a", ("canonical-origin",)),
        ),
        ("a.html", "/a?x=1", NamedUrl(f"{BASE}a?x=1", "this-page", "a", "a", ("canonical-query",))),
        ("c++.html", "/c%2b+.html", NamedUrl(f"{BASE}c%2B+.html", "this-page", "c++.html", "c%2B+.html")),
        ("ä.html", "/Ä.html", NamedUrl(f"{BASE}%C3%84.html", "this-page", None, "", ("canonical-case",))),
        (NFD, f"/{NFC}", NamedUrl(f"{BASE}caf%C3%A9.html", "this-page", None, "", ("canonical-unicode",))),
        (f"{NFD[:-5]}/index.html", "/caf%c3%a9", NamedUrl(f"{BASE}caf%C3%A9", "this-page", None, "", UNICODE)),
        (NFD, "/cafe.html", NamedUrl(f"{BASE}cafe.html", "other-page")),
    ],
)
def test_a_canonical_link_names_the_page_another_page_or_another_site(key: str, href: str, named: NamedUrl) -> None:
    assert canonical_link(served_paths(key, site()), HtmlHead(canonicals=(href,)), site()) == named


def test_a_canonical_link_beside_the_site_s_folder_names_another_site() -> None:
    the_site = site("https://example.org/docs/")
    named = canonical_link(
        served_paths("a.html", the_site), HtmlHead(canonicals=("https://example.org/a.html",)), the_site
    )
    assert named == NamedUrl("https://example.org/a.html", "other-site")
    home = canonical_link(
        served_paths("index.html", the_site), HtmlHead(canonicals=("https://example.org/docs",)), the_site
    )
    assert home == NamedUrl("https://example.org/docs", "this-page", "", "")


def test_the_base_element_counts() -> None:
    found = canonical_link(served_paths("d/a.html", site()), HtmlHead(canonicals=("d/a",), base="/"), site())
    assert found == NamedUrl(f"{BASE}d/a", "this-page", "d/a", "d/a")


def test_an_encoded_slash_separates_no_folders() -> None:
    found = canonical_link(served_paths("d/a.html", site()), HtmlHead(canonicals=("/d%2Fa.html",)), site())
    assert found == NamedUrl(f"{BASE}d%2Fa.html", "other-page")
