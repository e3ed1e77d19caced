from pathlib import Path

import pytest
from preset_rows import project, sources

from waypost.rules.presets.page_tree import choice, copied, folder_name, page_tree


@pytest.mark.parametrize(
    ("page", "file"),
    [
        ("docs/index.html", "text/index.md"),
        ("docs/a/index.html", "text/a/index.md"),
        ("docs/a/index.html", "text/a.md"),
        ("docs/a/b.html", "text/a/b.md"),
    ],
)
def test_pages_below_a_path_are_made_of_the_files_below_a_folder(page: str, file: str, tmp_path: Path) -> None:
    rows = page_tree("docs/", ["text/"], (".md",))
    assert sources(lambda _: rows, project(tmp_path, {}), page, file, "index.md", "a.md") == [file]


def test_the_first_folder_and_then_the_index_comes_first(tmp_path: Path) -> None:
    rows, folder = page_tree("", ["de/", "en/"], (".md",)), project(tmp_path, {})
    files = ["de/a.md", "de/a/index.md", "en/a.md", "en/a/index.md"]
    assert sources(lambda _: rows, folder, "a/index.html", *files) == ["de/a/index.md"]
    assert sources(lambda _: rows, folder, "a/index.html", *files[2:]) == ["en/a/index.md"]
    assert sources(lambda _: rows, folder, "a/index.html", "de/a.md", "en/a/index.md") == ["de/a.md"]


def test_a_copied_file_has_its_own_path_and_comes_after_the_rows_before(tmp_path: Path) -> None:
    rows = (choice("{name}.html", ["{name}.md"]), copied("static/"))
    assert sources(lambda _: rows, project(tmp_path, {}), "a.html", "a.md", "static/a.html") == ["a.md"]
    assert sources(lambda _: rows, project(tmp_path, {}), "b/c.pdf", "static/b/c.pdf") == ["static/b/c.pdf"]


@pytest.mark.parametrize(
    ("path", "folder"),
    [(None, "docs/"), ("text", "text/"), ("./text/", "text/"), ("/", ""), (".", ""), ("", ""), ("a/../b", "b/")],
)
def test_a_configured_folder_ends_with_a_slash_and_that_of_the_project_is_empty(path: str | None, folder: str) -> None:
    assert folder_name(path, "docs") == folder
