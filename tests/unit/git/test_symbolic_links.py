"""The names that symbolic links give to tracked files."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from waypost.core.model import History
from waypost.git.symbolic_links import LinkedFile, linked_names, with_names

if TYPE_CHECKING:
    from pathlib import Path

FILES = ("README.md", "content/a.md", "content/deep/b.md", "docs/c.md")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder with files, beside another one."""
    for path in (*FILES, "../outside/d.md"):
        place = tmp_path / "tree" / path
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text(path)
    return (tmp_path / "tree").resolve()


def found(folder: Path, links: dict[str, str]) -> dict[str, LinkedFile]:
    for link, target in links.items():
        (folder / link).symlink_to(target)
    return dict(linked_names((*FILES, *links), folder))


def test_a_link_is_another_name_of_its_target(folder: Path) -> None:
    assert found(folder, {"docs/index.md": "../README.md", "docs/again.md": "index.md"}) == {
        "docs/index.md": ("docs/index.md", "README.md"),
        "docs/again.md": ("docs/again.md", "README.md"),
    }


def test_a_link_to_a_folder_gives_names_to_its_files_also_to_those_that_are_links(folder: Path) -> None:
    assert found(folder, {"content/index.md": "../README.md", "docs/en": "../content"}) == {
        "content/index.md": ("content/index.md", "README.md"),
        "docs/en/a.md": ("docs/en", "content/a.md"),
        "docs/en/deep/b.md": ("docs/en", "content/deep/b.md"),
        "docs/en/index.md": ("docs/en", "README.md"),
    }


def test_a_link_to_the_folder_above_names_each_file_once(folder: Path) -> None:
    names = found(folder, {"docs/all": ".."})
    assert sorted(names) == [
        "docs/all/README.md",
        "docs/all/content/a.md",
        "docs/all/content/deep/b.md",
        "docs/all/docs/all",
        "docs/all/docs/c.md",
    ]


@pytest.mark.parametrize("target", ["../../outside/d.md", "../../outside", "none.md", "link", "/", "/dev/null"])
def test_a_link_out_of_the_tree_or_to_nothing_names_nothing(folder: Path, target: str) -> None:
    assert found(folder, {"docs/link": target}) == {}


def test_a_name_has_the_newer_date_of_the_link_and_of_the_file() -> None:
    times = {"new": 9, "old": 1, "file": 5, "edited": 5, "lost": None}
    names = {
        "new": LinkedFile("new", "file"),
        "old": LinkedFile("old", "file"),
        "below/file": LinkedFile("old", "edited"),
        "lost": LinkedFile("lost", "file"),
    }
    history = with_names(History(times, uncommitted=frozenset({"edited"}), page_times={"file": 3}), names)
    assert history.commit_times == times | {"new": 9, "old": 5, "below/file": 5, "lost": None}
    assert history.page_times == {"file": 3, "new": 9, "old": 3, "lost": None}
    assert history.uncommitted == {"edited", "below/file"}


def test_a_link_that_is_not_committed_makes_its_name_uncommitted() -> None:
    history = History({"link": 1, "file": 2}, uncommitted=frozenset({"link"}), page_times={"file": 2})
    named = with_names(history, {"link": LinkedFile("link", "file")})
    assert named.uncommitted == {"link"}
    assert named.page_times == {"file": 2}
