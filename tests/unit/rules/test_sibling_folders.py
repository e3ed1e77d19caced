"""Folders of one folder that hold the same pages."""

from collections.abc import Collection

from waypost.rules.sibling_folders import SiblingFolders, sibling_folders


def numbered(parent: str, folders: Collection[str]) -> Collection[str]:
    del parent
    return [name for name in folders if name[0].isdigit()]


def found(*keys: str, min_shared: int = 1) -> list[tuple[str, list[str]]]:
    siblings = sibling_folders(keys, numbered, min_shared)
    return [(each.parent, sorted(each.folders)) for each in siblings]


def test_folders_with_the_same_pages_are_siblings_by_their_pages_paths() -> None:
    (siblings,) = sibling_folders(["d/1/a.html", "d/1/b/c.html", "d/2/a.html"], numbered)
    assert siblings == SiblingFolders(
        "d/", {"1": {"a.html": "d/1/a.html", "b/c.html": "d/1/b/c.html"}, "2": {"a.html": "d/2/a.html"}}
    )


def test_folders_of_which_most_pages_are_their_own_are_no_siblings() -> None:
    assert found("1/a.html", "1/b.html", "2/a.html", "2/c.html") == [("", ["1", "2"])]
    assert found("1/a.html", "1/b.html", "2/a.html", "2/c.html", "2/d.html", "1/e.html") == []


def test_the_parent_is_one_of_them_if_it_holds_the_pages_of_one() -> None:
    assert found("d/a.html", "d/b.html", "d/1/a.html", "x.html") == [("d/", ["", "1"])]
    assert found("d/a.html", "d/1/b.html") == []


def test_folders_must_share_as_many_pages_as_are_asked_for() -> None:
    assert found("1/index.html", "2/index.html") == [("", ["1", "2"])]
    assert found("1/index.html", "2/index.html", min_shared=2) == []


def test_folders_below_one_another_are_apart() -> None:
    keys = ["1/2/a.html", "1/3/a.html", "x/1/2/a.html"]
    assert found(*keys) == [("1/", ["2", "3"])]
    assert found() == []
