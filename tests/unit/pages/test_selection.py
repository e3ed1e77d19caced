import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from sites import MakeSite
from unit.sample_sites import site

from waypost.core import reasons
from waypost.core.reasons import Reason
from waypost.pages.selection import Selection


@pytest.mark.parametrize("key", ["index.html", "A.HTML", "paper.pdf", "node_modules.html", "my_node_modules/a.html"])
def test_html_and_pdf_files_are_pages(make_site: MakeSite, key: str) -> None:
    assert Selection(make_site()).exclusion_reason(key) is None


@pytest.mark.parametrize(
    ("key", "reason"),
    [
        (".hidden.html", reasons.HIDDEN),
        ("docs/.cache/a.html", reasons.HIDDEN),
        ("app/node_modules/x/index.html", reasons.DEPENDENCY),
        ("style.css", reasons.NOT_A_PAGE),
        ("notes.md", reasons.NOT_A_PAGE),
        ("robots.txt", reasons.NOT_A_PAGE),
        ("sitemap.xml", reasons.OUTPUT),
        ("sitemap.txt", reasons.OUTPUT),
        ("sitemap-0123456789abcdef.xml", reasons.OUTPUT),
    ],
)
def test_what_is_no_page_by_default_has_its_reason(make_site: MakeSite, key: str, reason: Reason) -> None:
    assert Selection(make_site()).exclusion_reason(key) is reason


@pytest.mark.parametrize(
    "key",
    [
        "404.html",
        "de/404.HTML",
        "451.html",
        "503.html",
        "4xx.html",
        "50x.html",
        "Error.html",
        "404/index.html",
        "error/404/index.html",
        "pt-br/500.html",
    ],
)
def test_the_page_that_a_server_shows_for_an_error_is_left_out(make_site: MakeSite, key: str) -> None:
    assert Selection(make_site()).exclusion_reason(key) is reasons.ERROR_PAGE


@pytest.mark.parametrize(
    "key", ["404-not-found.html", "my-404.html", "docs/500.html", "api/500.html", "300.html", "409th.html"]
)
def test_a_page_that_only_looks_like_an_error_page_is_listed(make_site: MakeSite, key: str) -> None:
    assert Selection(make_site()).exclusion_reason(key) is None


@pytest.mark.parametrize(
    ("exclude", "key", "reason"),
    [
        (["drafts/"], "drafts/a.html", reasons.EXCLUDED),
        (["drafts/"], "docs/drafts/a.html", reasons.EXCLUDED),
        (["/drafts/"], "docs/drafts/a.html", None),
        (["*.pdf"], "docs/a.pdf", reasons.EXCLUDED),
        (["*.html", "!/index.html"], "index.html", None),
        (["!.well-known/"], ".well-known/a.html", None),
        (["!404.html"], "de/404.html", None),
        (["!/404.html"], "de/404.html", reasons.ERROR_PAGE),
        (["!node_modules/"], "node_modules/a/index.html", None),
        (["!*.css"], "style.css", reasons.NOT_A_PAGE),
        (["!sitemap.xml"], "sitemap.xml", reasons.OUTPUT),
    ],
)
def test_exclude_adds_to_the_defaults_and_takes_them_back(
    make_site: MakeSite, exclude: list[str], key: str, reason: Reason | None
) -> None:
    assert Selection(make_site(exclude=exclude)).exclusion_reason(key) is reason


@pytest.mark.parametrize(
    ("include", "key", "reason"),
    [
        (["/docs/"], "docs/a.html", None),
        (["/docs/"], "a.html", reasons.NOT_INCLUDED),
        (["*.html", "!old.html"], "old.html", reasons.NOT_INCLUDED),
        (["*"], ".hidden.html", reasons.HIDDEN),
    ],
)
def test_include_narrows_what_is_listed(
    make_site: MakeSite, include: list[str], key: str, reason: Reason | None
) -> None:
    assert Selection(make_site(include=include)).exclusion_reason(key) is reason


def test_outputs_are_known_by_the_site_s_own_name_for_them(make_site: MakeSite) -> None:
    selection = Selection(make_site(name="map", pages=["html", ".txt"], groups={"blog": ["/blog/"]}))
    assert selection.exclusion_reason("map-blog.txt") is reasons.OUTPUT
    assert selection.exclusion_reason("sitemap.txt") is None
    assert selection.exclusion_reason("docs/map.txt") is None


def test_a_file_that_is_a_page_by_its_setting_is_one(make_site: MakeSite) -> None:
    selection = Selection(make_site(pages=["markdown", ".TXT"]))
    assert selection.exclusion_reason("a.md") is None
    assert selection.exclusion_reason("a.Txt") is None
    assert selection.exclusion_reason("a.html") is reasons.NOT_A_PAGE


@pytest.mark.parametrize(
    ("exclude", "folder", "reason"),
    [
        ([], "a/.git/", reasons.HIDDEN),
        ([], "a/node_modules/", reasons.DEPENDENCY),
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


parts = st.sampled_from(["a", "b", ".c", "node_modules", "*", "**"])
lines = st.builds(
    "{}{}{}{}".format,
    st.sampled_from(["", "!"]),
    st.sampled_from(["", "/"]),
    st.lists(parts, min_size=1, max_size=3).map("/".join),
    st.sampled_from(["", "/", "/*", "/x.html"]),
)
folders = st.lists(st.sampled_from(["a", "b", ".c", "node_modules"]), min_size=1, max_size=3)


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


@pytest.mark.parametrize(
    ("key", "reason"),
    [
        ("/" * 1_000 + "a.html", None),
        ("a/" * 500 + "a.html", None),
        ("a/" * 500 + "node_modules/a.html", reasons.DEPENDENCY),
        (".a/" + "a/" * 500 + "a.html", reasons.HIDDEN),
    ],
)
def test_a_key_may_have_as_many_folders_as_a_key_of_s3_can(
    make_site: MakeSite, key: str, reason: Reason | None
) -> None:
    assert Selection(make_site()).exclusion_reason(key) is reason
