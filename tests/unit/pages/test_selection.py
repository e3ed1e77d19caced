"""Which files are pages by their names, for the first reason that keeps one out."""

from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from sites import MakeSite
from unit.sample_sites import site

from waypost.core import reasons
from waypost.core.reasons import Reason
from waypost.pages.selection import Selection

BLOG = {"blog": ["/blog/"]}
parts = st.sampled_from(["a", "b", ".c", "node_modules", "*", "**"])
lines = st.builds(
    "{}{}{}{}".format,
    st.sampled_from(["", "!"]),
    st.sampled_from(["", "/"]),
    st.lists(parts, min_size=1, max_size=3).map("/".join),
    st.sampled_from(["", "/", "/*", "/x.html"]),
)
folders = st.lists(st.sampled_from(["a", "b", ".c", "node_modules"]), min_size=1, max_size=3)


@pytest.mark.parametrize(
    ("key", "reason"),
    [
        ("a.git.html", None),
        ("my_node_modules/a.html", None),
        ("sitemap-index-0123456789abcdef.xml.gz", reasons.OUTPUT),
        ("+not-found.html", reasons.ERROR_PAGE),
        ("_global-error.html", reasons.ERROR_PAGE),
        ("de/404.HTML", reasons.ERROR_PAGE),
        ("Error.html", reasons.ERROR_PAGE),
        ("error/404/index.html", reasons.ERROR_PAGE),
        ("pt-br/500.html", reasons.ERROR_PAGE),
        ("404", reasons.NOT_A_PAGE),
        ("my-404.html", None),
        ("404-not-found.html", None),
        ("409th.html", None),
        ("200.html", reasons.APP_SHELL),
        ("fr/200.html", reasons.APP_SHELL),
        ("app/__spa-fallback.html", reasons.APP_SHELL),
        ("index.csr.html", reasons.APP_SHELL),
        ("_shell.html", reasons.APP_SHELL),
        ("a/b/offline-plugin-app-shell-fallback/index.html", reasons.APP_SHELL),
        ("blog/[slug].html", reasons.APP_SHELL),
        ("docs/[[...path]]/index.html", reasons.APP_SHELL),
        ("rooms/200.html", None),
        ("my_shell.html", None),
        ("notes [1].html", None),
        ("[a]b.html", None),
        ("/" * 1_000 + "a.html", None),
        ("a/" * 500 + "node_modules/a.html", reasons.DEPENDENCY),
        (".a/" + "a/" * 500 + "a.html", reasons.HIDDEN),
    ],
)
def test_a_file_is_a_page_or_has_a_reason_by_its_name(make_site: MakeSite, key: str, reason: Reason | None) -> None:
    assert Selection(make_site()).exclusion_reason(key) is reason


def test_the_pages_that_servers_show_for_errors_are_known_by_their_codes(make_site: MakeSite) -> None:
    selection = Selection(make_site())
    codes = {code for code in range(300, 700) if selection.exclusion_reason(f"{code}.html") is reasons.ERROR_PAGE}
    assert codes == {400, 401, 403, 404, 405, 407, *range(410, 430), 451, *range(500, 506)}


@pytest.mark.parametrize(
    ("settings", "key", "reason"),
    [
        ({"exclude": ["/drafts/"]}, "docs/drafts/a.html", None),
        ({"exclude": ["*.html", "!/index.html"]}, "index.html", None),
        ({"exclude": ["!/404.html"]}, "de/404.html", reasons.ERROR_PAGE),
        ({"exclude": ["!node_modules/"]}, "node_modules/a/index.html", None),
        ({"exclude": ["!sitemap.xml"]}, "sitemap.xml", reasons.OUTPUT),
        ({"exclude": ["style.css"]}, "style.css", reasons.EXCLUDED),
        ({"include": ["*.html", "!old.html"]}, "old.html", reasons.NOT_INCLUDED),
        ({"include": ["*"]}, ".hidden.html", reasons.HIDDEN),
        ({"include": ["*.html"], "exclude": ["a.html"]}, "a.html", reasons.EXCLUDED),
        ({"pages": ["markdown", ".TXT"]}, "a.md", None),
        ({"pages": ["markdown", ".TXT"]}, "a.Txt", None),
        ({"pages": ["markdown", ".TXT"]}, "a.html", reasons.NOT_A_PAGE),
        ({"pages": [".txt"]}, "robots.txt", reasons.NOT_A_PAGE),
        ({"pages": ["markdown"]}, "my_draft.md", None),
        ({"robots_sitemaps": True}, "docs/robots.txt", reasons.NOT_A_PAGE),
        ({}, "sitemap.html", None),
        ({"name": "map", "pages": [".txt"], "groups": BLOG}, "map-blog.txt", reasons.OUTPUT),
        ({"name": "map", "pages": [".txt"], "groups": BLOG}, "sitemap.txt", None),
        ({"name": "map", "pages": [".txt"], "groups": BLOG}, "docs/map.txt", None),
    ],
)
def test_settings_add_to_the_defaults_and_take_them_back(
    make_site: MakeSite, settings: dict[str, Any], key: str, reason: Reason | None
) -> None:
    assert Selection(make_site(**settings)).exclusion_reason(key) is reason


@pytest.mark.parametrize(
    ("exclude", "folder", "reason"),
    [
        (["drafts/"], "drafts/", reasons.EXCLUDED),
        (["drafts/*"], "drafts/", None),
        (["!.git/keep.html"], ".git/", reasons.HIDDEN),
        (["drafts/", "!drafts/"], "drafts/", None),
    ],
)
def test_a_folder_is_pruned_where_nothing_below_it_can_be_a_page(
    make_site: MakeSite, exclude: list[str], folder: str, reason: Reason | None
) -> None:
    assert Selection(make_site(exclude=exclude)).folder_exclusion_reason(folder) is reason


@given(st.lists(lines, max_size=4), folders)
@example(["a/", "!a/x.html"], ["a"])
@example(["*", "!a/x.html"], ["a"])
@example(["a", "!a/b/"], ["a", "b"])
def test_a_pruned_folder_holds_no_page(exclude: list[str], folder: list[str]) -> None:
    selection = Selection(site(exclude=exclude))
    key = "/".join([*folder, "x.html"])
    if any(selection.folder_exclusion_reason("/".join(folder[:n]) + "/") for n in range(1, len(folder) + 1)):
        assert selection.exclusion_reason(key) is not None


def test_a_page_belongs_to_the_first_group_that_matches(make_site: MakeSite) -> None:
    selection = Selection(make_site(groups={"blog": ["/blog/"], "news": ["/blog/news/", "/news/"]}))
    assert selection.group("blog/news/a.html") == "blog"
    assert selection.group("news/a.html") == "news"
    assert selection.group("about.html") == ""


def test_the_last_override_that_matches_wins_for_each_of_the_two(make_site: MakeSite) -> None:
    overrides = [
        {"match": ["*.html"], "changefreq": "monthly", "priority": 0.5},
        {"match": ["/news/"], "changefreq": "daily"},
        {"match": ["/news/old/"], "priority": 0},
    ]
    selection = Selection(make_site(overrides=overrides))
    assert selection.changefreq_and_priority("a.html") == ("monthly", "0.5")
    assert selection.changefreq_and_priority("news/a.html") == ("daily", "0.5")
    assert selection.changefreq_and_priority("news/old/a.html") == ("daily", "0.0")
    assert selection.changefreq_and_priority("a.pdf") == (None, None)
