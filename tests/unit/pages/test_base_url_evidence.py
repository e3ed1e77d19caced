"""What pages say of the base URL."""

from __future__ import annotations

import pytest
from unit.sample_sites import site

from waypost.pages.base_url_evidence import agreed, base_at, base_of_file, linked_base, own_base, root_relative_paths
from waypost.pages.html_head import HtmlHead
from waypost.pages.link_votes import remembered_target

KEYS = {"index.html", "a.html", "b.html", "c.html", "d/index.html", "repo/x.html"}


@pytest.mark.parametrize(
    ("key", "head", "base"),
    [
        ("a.html", HtmlHead(canonicals=("https://a.dev/repo/a",)), "https://a.dev/repo/"),
        ("index.html", HtmlHead(canonicals=("https://a.dev",)), "https://a.dev/"),
        ("a.html", HtmlHead(og_url="https://a.dev/a.html"), "https://a.dev/"),
        ("a.html", HtmlHead(canonicals=("https://a.dev/b",)), None),
        ("a.html", HtmlHead(canonicals=("/a.html",)), None),
        ("a.html", HtmlHead(canonicals=("https://a.dev/a", "https://a.dev/b")), None),
        ("a.html", HtmlHead(canonicals=("https://a.dev/a",), refresh="/"), None),
    ],
)
def test_a_page_names_the_base_url_by_its_own_url(key: str, head: HtmlHead, base: str | None) -> None:
    assert own_base(head, key) == base


def test_a_url_names_the_shortest_base_url_below_which_there_is_a_file() -> None:
    assert base_of_file("https://a.dev/x/y/a.html", KEYS.__contains__) == "https://a.dev/x/y/"
    assert base_of_file("https://a.dev/repo/x.html", KEYS.__contains__) == "https://a.dev/"
    assert base_of_file("https://a.dev/z.html", KEYS.__contains__) is None
    assert base_of_file("a.html", KEYS.__contains__) is None


def test_a_base_url_is_encoded_once_and_an_impossible_one_is_none() -> None:
    assert base_at("https://a.dev/x", "ä b") == "https://a.dev/%C3%A4%20b/"
    assert base_at("https://a.dev/x", "") == "https://a.dev/"
    assert base_at("https://a.dev/x", "y.html") is None


def test_nearly_all_must_agree() -> None:
    assert agreed(["a"] * 4 + ["b"]) == "a"
    assert agreed(["a"] * 3 + ["b"]) is None
    assert agreed([]) is None


def test_links_from_the_host_s_root_are_found_and_others_are_not() -> None:
    data = b"""<a href="/a%20b.html#x">1</a><a href=/c?q>2</a><a href="//other.dev/x">3</a><a href="d">4</a>"""
    assert root_relative_paths(data) == {"a b.html", "c"}


@pytest.mark.parametrize(
    ("paths", "base_url", "other"),
    [
        (["repo/", "repo/a.html", "repo/b.html"], "https://example.org/", "https://example.org/repo/"),
        (["a.html", "b.html", "c.html"], "https://example.org/repo/", "https://example.org/"),
        (["a.html", "b.html", "c.html"], "https://example.org/", ""),
        (["repo/a.html", "repo/b.html", "repo/c.html", "d/", "a.html"], "https://example.org/", ""),
        (["x/missing.html"] * 5, "https://example.org/", ""),
        (["repo/x.html"] * 5, "https://example.org/", ""),
    ],
    ids=["a folder", "the root", "its own", "mixed", "no file", "a file of the site in a folder of that name"],
)
def test_links_name_another_base_url_if_nearly_all_lead_to_files_below_it(
    paths: list[str], base_url: str, other: str
) -> None:
    the_site = site(base_url)
    assert linked_base(paths, remembered_target(KEYS, the_site), the_site) == other
