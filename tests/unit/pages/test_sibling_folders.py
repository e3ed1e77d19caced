"""Folders of one folder that hold the same pages."""

from collections.abc import Collection

from waypost.pages.sibling_folders import SiblingFolders, is_shared, sibling_folders


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
