"""Folders of one folder that hold the same pages."""

from collections.abc import Collection

import pytest

from waypost.pages.sibling_folders import SiblingFolders, folder_links, is_shared, sibling_folders

BASE = "https://example.org/"


def numbered(parent: str, names: Collection[str]) -> Collection[str]:
    del parent
    return [name for name in names if name[0].isdigit()]


def found(*keys: str, min_shared: int = 1, certain: Collection[str] = ()) -> list[tuple[str, list[str]]]:
    siblings = sibling_folders(keys, numbered, min_shared, certain)
    return [(each.parent, sorted(each.folders)) for each in siblings]


def test_folders_with_the_same_pages_are_siblings_by_their_pages_paths() -> None:
    (siblings,) = sibling_folders(["d/1/a.html", "d/1/b/c.html", "d/2/a.html", "d/x.html", "d/y/z.html"], numbered)
    assert siblings == SiblingFolders(
        "d/",
        {"1": {"a.html": "d/1/a.html", "b/c.html": "d/1/b/c.html"}, "2": {"a.html": "d/2/a.html"}},
        {"x.html": "d/x.html", "y/z.html": "d/y/z.html"},
    )


def test_folders_of_which_most_pages_are_their_own_are_no_siblings() -> None:
    assert found("1/a.html", "1/b.html", "2/a.html", "2/c.html") == [("", ["1", "2"])]
    assert found("1/a.html", "1/b.html", "2/a.html", "2/c.html", "2/d.html", "1/e.html") == []


def test_a_folder_is_a_sibling_of_one_that_holds_a_part_of_its_pages() -> None:
    assert found("1/a.html", *(f"2/{name}.html" for name in "abcdef")) == [("", ["1", "2"])]


def test_a_folder_whose_pages_lie_above_it_is_found_alone() -> None:
    assert found("d/a.html", "d/b.html", "d/1/a.html", "x.html") == [("d/", ["1"])]
    assert found("d/a.html", "d/1/b.html") == []


def test_folders_must_share_as_many_pages_as_are_asked_for_unless_their_names_are_certain() -> None:
    keys = ("1/index.html", "2/index.html", "3/a.html", "d/3/b.html", "d/4/c.html")
    assert found(*keys) == [("", ["1", "2"])]
    assert found(*keys, min_shared=2) == []
    assert found(*keys, min_shared=2, certain=["3", "x"]) == [("", ["3"])]


def test_folders_below_one_another_are_apart() -> None:
    keys = ["1/2/a.html", "1/3/a.html", "x/1/2/a.html"]
    assert found(*keys) == [("1/", ["2", "3"])]
    assert found() == []


def test_folders_lie_at_most_sixteen_folders_deep() -> None:
    above = "x/" * 15
    assert found(f"{above}1/a.html", f"{above}2/a.html") == [(above, ["1", "2"])]
    assert found(f"x/{above}1/a.html", f"x/{above}2/a.html") == []


def test_pages_are_shared_if_others_have_half_of_them() -> None:
    assert is_shared("ab", "bcd")
    assert not is_shared("abc", "cde")
    assert not is_shared("ab", "ab", 3)


def links(*keys: str, own: str = "en", **spoken: str) -> dict[str, dict[str, str]]:
    """The links of each page by its key, as keys."""
    found = folder_links({key: BASE + key for key in keys}, dict.fromkeys(keys, own) | spoken)
    return {
        loc.removeprefix(BASE): {code: url.removeprefix(BASE) for code, url in of_page.urls.items()}
        for loc, of_page in found.items()
    }


def test_pages_of_one_path_in_folders_of_languages_are_versions_of_one_another_and_of_themselves() -> None:
    both = {"de": "de/a.html", "pt-BR": "pt_br/a.html"}
    assert links("de/a.html", "pt_br/a.html", "a/x.html") == {"de/a.html": both, "pt_br/a.html": both}


def test_the_page_above_the_folders_has_the_language_that_it_names() -> None:
    both = {"de": "de/a.html", "en": "a.html"}
    assert links("a.html", "de/a.html", "b.html") == {"a.html": both, "de/a.html": both}
    assert links("a.html", "de/a.html", own="") == {}


def test_one_folder_beside_many_pages_is_a_language_only_if_its_pages_say_so() -> None:
    keys = ("io/index.html", *(f"{name}.html" for name in ("index", "a", "b", "c")))
    assert links(*keys) == {}
    both = {"en": "index.html", "io": "io/index.html"}
    assert links(*keys, **{"io/index.html": "io"}) == dict.fromkeys(both.values(), both)


def test_the_larger_folder_of_the_default_language_counts_too() -> None:
    many = [f"en/{name}.html" for name in "abcdef"]
    both = {"de": "de/a.html", "en": "en/a.html"}
    assert links(*many, "de/a.html") == dict.fromkeys(both.values(), both)


def test_folders_in_capitals_are_no_languages() -> None:
    assert links("OC/a.html", "DE/a.html") == {}


def test_a_page_above_the_folders_is_no_version_where_a_folder_has_its_language() -> None:
    both = {"de": "de/index.html", "en": "en/index.html"}
    keys = ("index.html", "de/index.html", "en/index.html")
    assert links(*keys) == {"de/index.html": both, "en/index.html": both}


def test_languages_may_lie_in_any_folder() -> None:
    both = {"de": "docs/de/a.html", "fr": "docs/fr/a.html"}
    assert links("docs/de/a.html", "docs/fr/a.html") == dict.fromkeys(both.values(), both)


@pytest.mark.parametrize("keys", [("de/a.html",), ("de/a.html", "fr/b.html"), ("x/a.html", "y/a.html"), ()])
def test_pages_without_a_version_have_no_links(keys: tuple[str, ...]) -> None:
    assert links(*keys) == {}


def test_a_folder_named_like_a_language_that_holds_other_pages_is_none() -> None:
    assert links("it/desk.html", "it/team.html", "it/index.html", "index.html", "about.html") == {}
