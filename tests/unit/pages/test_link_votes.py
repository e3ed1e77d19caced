from __future__ import annotations

from collections.abc import Iterable
from urllib.parse import unquote

import pytest
from hypothesis import given
from hypothesis import strategies as st
from unit.sample_sites import site

from waypost.core import urls
from waypost.core.model import LinkedShapes, UrlShape
from waypost.pages import link_votes
from waypost.pages.link_votes import LinkVote, Target, locs_in, shapes_of_locs
from waypost.pages.page_url import page_path
from waypost.pages.url_shapes import PageKind

FILES = {"index.html", "a.html", "d/index.html", "both.html", "both/index.html", "p.pdf"}
KEYS = {"index.html", "a.html", "b.html", "c.html", "d.html", "e.html", "f/index.html"}
BASE = "https://example.org/"


def found(paths: Iterable[str]) -> list[Target]:
    return [named for path in paths if (named := link_votes.target(path, FILES.__contains__, site()))]


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        ("", ("index.html", "home", "slash")),
        ("index.html", ("index.html", "home", "file")),
        ("a", ("a.html", "page", "bare")),
        ("a/", ("a.html", "page", "slash")),
        ("d", ("d/index.html", "folder", "bare")),
        ("d/", ("d/index.html", "folder", "slash")),
        ("both", ("both.html", "page", "bare")),
    ],
)
def test_a_link_shows_the_shape_of_a_kind_of_file(path: str, expected: tuple[str, str, str]) -> None:
    assert found([path]) == [expected]


@pytest.mark.parametrize("path", ["p.pdf", "none"])
def test_a_link_to_no_page_shows_nothing(path: str) -> None:
    assert found([path]) == []


def test_links_are_read_as_browsers_do() -> None:
    page = b"""<a href="/a?x">1</a><a class=x href='/b'>2</a><A HREF=/c>3</A><a href="&#x2f;d#top">4</a>
    <a data-href="/no" href="/e">5</a><abbr href="/no">6</abbr><a href="https://other.example/f">7</a><a href="">8</a>
    <a href="http://www.example.org/g%20h">9</a><a href="#top">10</a><a href="mailto:a@example.org">11</a>"""
    assert sorted(link_votes.linked_paths("x.html", page, site())) == ["b", "c", "d", "e", "g h"]


@given(
    st.sampled_from(["a.html", "d/a.html", "d/e/index.html"]),
    st.lists(st.sampled_from(["..", ".", "x", "y.z", "w-1", ""]), min_size=1, max_size=5).map("/".join),
    st.sampled_from(["", "#top"]),
)
def test_a_simple_link_leads_to_the_same_path_as_by_the_general_rule(key: str, href: str, fragment: str) -> None:
    page, the_site = f'<a href="{href}{fragment}">x</a>'.encode(), site("https://example.org/docs/")
    url = urls.normalize(href, the_site.base_url + page_path(key, the_site).path) if href else None
    found = urls.path_on_site(url, the_site.base_url) if url else None
    expected = [unquote(found.path)] if found else []
    if href and not href.startswith("//"):
        assert list(link_votes.linked_paths(key, page, the_site)) == expected


def test_a_relative_link_is_resolved_against_the_page_s_own_url() -> None:
    page = b'<head><link rel=canonical href="/d"></head><a href="a">1</a>'
    assert sorted(link_votes.linked_paths("d/index.html", page, site())) == ["a"]
    assert sorted(link_votes.linked_paths("d/index.html", b'<a href="a">1</a>', site())) == ["d/a"]


def links(*counts: tuple[UrlShape, int], targets: int = 3) -> list[tuple[str, Target]]:
    return [(f"{n}.html", Target(f"t{n % targets}", "page", shape)) for shape, many in counts for n in range(many)]


@pytest.mark.parametrize(
    ("found", "votes"),
    [
        (links(("bare", 10)), [LinkVote("page", "bare", 10, 10)]),
        (links(("bare", 9)), []),
        (links(("bare", 8), ("file", 2)), [LinkVote("page", "bare", 8, 10)]),
        (links(("bare", 7), ("file", 3)), []),
        (links(("bare", 10), targets=2), []),
        (links(("bare", 10)) * 2, [LinkVote("page", "bare", 10, 10)]),
        ([], []),
    ],
)
def test_enough_links_to_enough_pages_must_agree(found: list[tuple[str, Target]], votes: list[LinkVote]) -> None:
    assert link_votes.count_votes(found) == votes


def test_the_home_page_needs_no_other_targets() -> None:
    found = [(f"{n}.html", Target("index.html", "home", "slash")) for n in range(10)]
    assert link_votes.shapes_of(link_votes.count_votes(found), LinkedShapes()) == LinkedShapes(home="slash")


def test_links_to_the_file_of_the_home_page_do_not_decide_its_url() -> None:
    found = [(f"{n}.html", Target("index.html", "home", "file")) for n in range(100)]
    assert link_votes.count_votes(found) == []


@pytest.mark.parametrize(
    ("kind", "shapes", "files", "decided"),
    [
        ("page", {"1": "bare"}, 2, "bare"),
        ("page", {"1": "bare"}, 3, None),
        ("page", {"1": "bare", "2": "file"}, 2, None),
        ("folder", {"1": "bare"}, 1, "bare"),
        ("folder", {"1": "file"}, 1, None),
    ],
)
def test_a_few_links_decide_if_all_agree_and_they_name_half_of_the_files(
    kind: PageKind, shapes: dict[str, UrlShape], files: int, decided: UrlShape | None
) -> None:
    links = [("0.html", Target(key, kind, shape)) for key, shape in shapes.items()]
    votes = link_votes.count_votes(links, totals={kind: files})
    assert [vote.shape for vote in votes] == ([decided] if decided else [])


def test_a_kind_on_which_the_links_do_not_agree_keeps_its_shape() -> None:
    before = LinkedShapes(home="file", page="file")
    assert link_votes.shapes_of([LinkVote("page", "bare", 10, 10)], before) == LinkedShapes(home="file", page="bare")


def test_the_locs_of_a_sitemap_are_found() -> None:
    text = b"<urlset><url><loc> https://a.dev/?x=1&amp;y </loc></url><url><loc>https://a.dev/b</loc></url></urlset>"
    assert list(locs_in(text)) == ["https://a.dev/?x=1&y", "https://a.dev/b"]


@pytest.mark.parametrize(
    ("paths", "shapes"),
    [
        (["", "a", "f/"], LinkedShapes("slash", "slash", "bare")),
        (["a.html", "f/index.html"], LinkedShapes(None, "file", "file")),
        (["index.html"], LinkedShapes()),
        (["a", "b", "c", "d", "e.html"], LinkedShapes(page="bare")),
        (["a", "b.html"], LinkedShapes()),
        (["a?x=1", "unknown"], LinkedShapes()),
        ([], LinkedShapes()),
    ],
    ids=["clean", "files", "the home page's file", "nearly all", "mixed", "nothing of the site", "empty"],
)
def test_the_form_that_nearly_all_urls_have_decides(paths: list[str], shapes: LinkedShapes) -> None:
    assert shapes_of_locs([BASE + path for path in paths], KEYS, site()) == shapes
