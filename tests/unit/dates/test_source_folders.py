"""Where the files of a site's pages lie, learned from pages whose files are known."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import pytest

from waypost.dates.paths import SourceFolders


def files(key: str, known: Mapping[str, str], names: Sequence[str]) -> list[Sequence[str]]:
    return list(SourceFolders(known.items(), names, {"de", "fr"}).files(key))


@pytest.mark.parametrize(
    ("known", "key", "file"),
    [
        ({"a.html": "docs/a.md", "b/c.html": "docs/b/c.md"}, "d/index.html", "docs/d.md"),
        ({"a.html": "docs/a.md", "b.html": "docs/b.md"}, "index.html", "docs/README.md"),
        ({"de/a.html": "i18n/de/docs/a.md", "de/b.html": "i18n/de/docs/b.md"}, "de/c.html", "i18n/de/docs/c.md"),
        ({"docs/a.html": "docs/a.md", "blog/b.html": "blog/b.md"}, "docs/c.html", "docs/c.md"),
        ({"de/a.html": "docs/a.DE.md", "de/b.html": "docs/b.de.md"}, "de/c.html", "docs/c.de.md"),
        ({"2025/01/a.html": "posts/a.md", "2026/12/b.html": "posts/b.md"}, "2026/11/c.html", "posts/c.md"),
    ],
)
def test_a_page_has_its_file_where_other_pages_have_theirs(known: Mapping[str, str], key: str, file: str) -> None:
    assert files(key, known, [*known.values(), file, "x/c.md", "x/d.md", "x/README.md"]) == [[file]]


@pytest.mark.parametrize(
    ("known", "key"),
    [
        ({"a.html": "docs/a.md"}, "c.html"),
        ({"a.html": "docs/one.md", "b.html": "docs/two.md"}, "c.html"),
        ({"de/a.html": "docs/de/content/a.md", "de/b.html": "docs/de/content/b.md"}, "fr/c.html"),
    ],
)
def test_one_page_or_pages_of_another_folder_tell_nothing(known: Mapping[str, str], key: str) -> None:
    assert files(key, known, ["docs/c.md", "docs/de/content/c.md"]) == []


def test_the_folder_of_most_pages_comes_first() -> None:
    known = {
        f"{name}.html": f"{folder}/{name}.md" for folder, names in (("old", "ab"), ("new", "cde")) for name in names
    }
    assert files("x.html", known, ["old/x.md", "new/x.md"]) == [["new/x.md"], ["old/x.md"]]
    assert files("y.html", known, ["old/y.md"]) == [["old/y.md"]]


def test_all_files_with_the_path_of_the_page_are_named() -> None:
    known = {"a.html": "docs/a.md", "b.html": "docs/b.md"}
    assert files("c.html", known, ["docs/c.md", "docs/c/index.rst"]) == [["docs/c.md", "docs/c/index.rst"]]


def test_the_readme_of_the_project_is_no_home_page_by_its_path_alone() -> None:
    known = {"a.html": "a.md", "b.html": "b.md"}
    assert files("index.html", known, ["README.md"]) == []
    assert files("index.html", known, ["README.md", "index.md"]) == [["index.md"]]
