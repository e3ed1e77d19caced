"""Versions in other languages by the folders of a site."""

import pytest

from waypost.pages.sibling_folders import folder_links

BASE = "https://example.org/"


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
