"""The folders of a repository that have a project of their own."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from waypost.project.project_folder import ProjectFolder
from waypost.project.workspaces import package_folders

if TYPE_CHECKING:
    from pathlib import Path

    from sites import Files, Write


@pytest.mark.parametrize(
    ("files", "found"),
    [
        (
            {"package.json": '{"workspaces": ["web", "libs/*", "absent"]}', "web/a": "", "libs/b/c": ""},
            ["web", "libs/b"],
        ),
        ({"package.json": '{"workspaces": {"packages": ["./web/"]}}', "web/a": ""}, ["web"]),
        ({"pnpm-workspace.yaml": "packages: ['site', '!site/x']", "site/a": ""}, ["site"]),
        (
            {"packages/b/x": "", "packages/a/x": "", "apps/c/x": "", "apps/file": ""},
            ["apps/c", "packages/a", "packages/b"],
        ),
        (
            {
                "package.json": '{"workspaces": ["examples/*", "tests", "a/templates/b"]}',
                "examples/a/b": "",
                "tests/a": "",
            },
            [],
        ),
        ({"package.json": '{"workspaces": ["../out", "/etc", "**/x", 3]}'}, []),
        ({"package.json": '{"workspaces": 3}', "pnpm-workspace.yaml": "- a"}, []),
    ],
    ids=["npm", "yarn", "pnpm", "usual", "no sites", "outside", "no lists"],
)
def test_packages_are_found_where_package_managers_are_told(write: Write, files: Files, found: list[str]) -> None:
    assert package_folders(ProjectFolder(write(files))) == found


def test_a_link_out_of_the_repository_is_no_package(write: Write, tmp_path: Path) -> None:
    (tmp_path / "out" / "a").mkdir(parents=True)
    root = write({"package.json": '{"workspaces": ["web", "libs/*"]}'})
    (root / "web").symlink_to(tmp_path / "out")
    (root / "libs").symlink_to(tmp_path / "out")
    assert package_folders(ProjectFolder(root)) == []
