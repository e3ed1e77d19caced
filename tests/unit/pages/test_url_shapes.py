from typing import Any

import pytest
from unit.sample_sites import site

from waypost.core.model import LinkedShapes, UrlForm
from waypost.pages.url_shapes import (
    KINDS,
    ServedPaths,
    form_changes,
    linked_shape,
    required_shape,
    served_paths,
    stem_of,
    usual_shape,
)


@pytest.mark.parametrize(
    ("key", "paths"),
    [
        ("index.html", ServedPaths("home", "", "", "index.html")),
        ("a/index.html", ServedPaths("folder", "a/", "a", "a/index.html")),
        ("a/README.md", ServedPaths("folder", "a/", "a", "a/index.html")),
        ("a.html", ServedPaths("page", "a/", "a", "a.html", ("a/index.html",))),
        ("a.md", ServedPaths("page", "a/", "a", "a.html", ("a/index.html",))),
        ("a/INDEX.html", ServedPaths(None, "a/INDEX.html", "a/INDEX.html", "a/INDEX.html", ("a/", "a"))),
        ("a.pdf", ServedPaths(None, "a.pdf", "a.pdf", "a.pdf")),
        (".html", ServedPaths(None, ".html", ".html", ".html")),
    ],
)
def test_servers_answer_a_file_at_these_paths(key: str, paths: ServedPaths) -> None:
    assert served_paths(key, site()) == paths
    assert [paths.of("slash"), paths.of("bare"), paths.of("file")] == [paths.slash, paths.bare, paths.file]


@pytest.mark.parametrize(
    ("settings", "home", "folder", "page"),
    [
        ({}, None, None, None),
        ({"drop_html": False}, None, None, "file"),
        ({"drop_html": True}, None, None, "bare"),
        ({"trailing_slash": "auto"}, "slash", "slash", None),
        ({"trailing_slash": "never"}, "bare", "bare", None),
        ({"trailing_slash": "always", "drop_html": True}, "slash", "slash", "slash"),
    ],
)
def test_a_setting_that_is_given_decides_even_if_it_is_what_is_usual(
    settings: dict[str, Any], home: str | None, folder: str | None, page: str | None
) -> None:
    the_site = site(**settings)
    assert [required_shape(kind, the_site) for kind in ("home", "folder", "page")] == [home, folder, page]
    assert required_shape(None, the_site) is None


def test_links_decide_the_shape_of_a_kind_or_it_is_the_usual_one() -> None:
    assert [linked_shape(kind, UrlForm(folder="bare")) for kind in KINDS] == [None, "bare", None]
    assert [usual_shape(kind, UrlForm(folder="bare")) for kind in KINDS] == ["slash", "bare", "file"]


def test_what_differs_between_two_forms_is_said_in_examples() -> None:
    before = UrlForm(folder="bare", folders=(("a/", LinkedShapes(page="bare")), ("b/", LinkedShapes(page="bare"))))
    after = UrlForm("file", "file", "slash", folders=(("b/", LinkedShapes(page="bare")), ("c\n/", LinkedShapes())))
    assert form_changes(before, after) == [
        "/ /folder /page.html became /index.html /folder/index.html /page/",
        "below a/: / /folder/ /page became /index.html /folder/index.html /page/",
        "below c\\n/: / /folder /page.html became / /folder/ /page.html",
    ]
    assert form_changes(before, before) == []


@pytest.mark.parametrize(
    ("stem", "paths"),
    [
        ("", ["", "index.html", "index.htm"]),
        ("a/b", ["a/b", "a/b/", "a/b.html", "a/b.HTM", "a/b/index.html", "a/b.md"]),
        ("a/index", ["a/index", "a/index/", "a/index/index.html"]),
    ],
)
def test_the_paths_of_one_file_have_one_stem(stem: str, paths: list[str]) -> None:
    assert {stem_of(path) for path in paths} == {stem}
