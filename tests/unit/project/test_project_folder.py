"""The few files of a folder that show how its site is made."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from waypost.project.project_folder import ProjectFolder

if TYPE_CHECKING:
    from pathlib import Path

    from sites import Write


def test_dependencies_are_those_of_the_site_and_of_its_development(write: Write) -> None:
    package = '{"dependencies": {"a": "1"}, "devDependencies": {"b": "2"}, "peerDependencies": {"c": "3"}}'
    assert ProjectFolder(write({"package.json": package})).dependencies == {"a", "b"}


@pytest.mark.parametrize("package", ["", "{", "[]", '{"dependencies": ["a"], "scripts": "b"}'])
def test_a_package_json_without_dependencies_or_with_errors_names_none(write: Write, package: str) -> None:
    folder = ProjectFolder(write({"package.json": package}))
    assert (folder.dependencies, folder.scripts) == (frozenset(), {})


def test_a_file_that_does_not_exist_or_is_a_folder_counts_as_empty(write: Write) -> None:
    folder = ProjectFolder(write({"conf.py/a.txt": ""}))
    assert (folder.text("conf.py"), folder.text("absent")) == ("", "")
    assert (folder.has_file("conf.py"), folder.has_folder("conf.py")) == (False, True)


def test_patterns_match_any_line_and_all_of_them_must(write: Write) -> None:
    folder = ProjectFolder(write({"a.toml": "title = 'x'\nBASEURL = 'y'\n"}))
    assert folder.matches("a.toml", "^baseurl", "^title")
    assert not folder.matches("a.toml", "^baseurl", "^theme")


@pytest.mark.parametrize(
    ("lock", "manager"), [("package-lock.json", "npm"), ("yarn.lock", "yarn"), ("pnpm-lock.yaml", "pnpm")]
)
def test_the_package_manager_is_that_of_the_lock_file(write: Write, lock: str, manager: str) -> None:
    assert ProjectFolder(write({lock: ""})).package_manager == manager


def test_workflows_are_those_of_the_repository_around_the_folder(tmp_path: Path) -> None:
    workflows = tmp_path / ".github" / "workflows"
    workflows.mkdir(parents=True)
    (workflows / "b.yaml").write_text("second")
    (workflows / "a.yml").write_text("first")
    (workflows / "notes.md").write_text("no workflow")
    (tmp_path / "docs").mkdir()
    assert list(ProjectFolder(tmp_path / "docs").workflows) == []
    (tmp_path / ".git").mkdir()
    assert list(ProjectFolder(tmp_path / "docs").workflows) == ["first", "second"]


def test_workflows_outside_of_the_repository_are_not_read(tmp_path: Path) -> None:
    outside, repository = tmp_path / "outside", tmp_path / "repository"
    outside.mkdir()
    (outside / "a.yml").write_text("outside")
    for folder in (".git", ".github"):
        (repository / folder).mkdir(parents=True)
    (repository / ".github" / "workflows").symlink_to(outside)
    assert list(ProjectFolder(repository).workflows) == []


@pytest.mark.parametrize("package", ["[" * 100_000, '{"scripts": ' + "1" * 5_000 + "}"])
def test_a_package_json_over_a_limit_names_nothing(write: Write, package: str) -> None:
    folder = ProjectFolder(write({"package.json": package}))
    assert (folder.dependencies, folder.scripts) == (frozenset(), {})
