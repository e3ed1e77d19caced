"""Finds the folders of a repository that have a project of their own: its packages, and the usual folders of a site."""

import posixpath
import re
from collections.abc import Iterator, Mapping, Sequence

from waypost.core import tree_files
from waypost.project.project_folder import ProjectFolder
from waypost.project.workflow_publications import items_of, read_yaml

PROJECT_FOLDERS = ("website", "docs", "doc", "site", "www", "documentation", "frontend", "book")
"""The folders in which projects usually keep the source of their site."""
_PACKAGES = ("apps/*", "packages/*", "sites/*")
"""Where repositories of several packages usually have them."""
_MOST_PACKAGES = 50
NO_SITES = re.compile(r"(?:.*/)?(?:examples?|templates?|tests?|__tests__|e2e|fixtures?)(?:/.*)?")
"""Folders with projects that nobody publishes: what a repository shows and tests."""


def possible_folders(project: ProjectFolder) -> Sequence[str]:
    """The folders in which the source of a repository's site may be, besides its root: the usual ones, and packages."""
    return list(dict.fromkeys((*PROJECT_FOLDERS, *package_folders(project))))


def package_folders(project: ProjectFolder) -> Sequence[str]:
    """The folders of a repository's packages, as its package managers are told them, or in the usual places."""
    return list(dict.fromkeys(path for pattern in _patterns(project) for path in _matching(project, pattern)))


def _patterns(project: ProjectFolder) -> Iterator[str]:
    """The patterns of the workspaces of npm, Yarn and Bun (package.json) and of pnpm, and the usual ones."""
    named = project.package.get("workspaces")
    yield from _texts({"packages": named.get("packages") if isinstance(named, dict) else named}, "packages")
    if project.has_file("pnpm-workspace.yaml"):
        yield from _texts(read_yaml(project.text("pnpm-workspace.yaml")), "packages")
    yield from _PACKAGES


def _texts(values: Mapping[str, object], key: str) -> Iterator[str]:
    return (each for each in items_of(values, key) if isinstance(each, str))


def _matching(project: ProjectFolder, pattern: str) -> Iterator[str]:
    """The folders of a pattern, of which only the last name may have a star, but for examples, templates and tests."""
    path = posixpath.normpath(pattern)
    folder, _, name = path.rpartition("/")
    if path.startswith(("..", "/", "!")) or "*" in folder:
        return
    if "*" in name:
        is_there = tree_files.is_folder(project.root / folder, project.root)
        names = sorted(tree_files.names(project.root / folder))[:_MOST_PACKAGES] if is_there else []
        paths = [posixpath.join(folder, each) for each in names]
    else:
        paths = [path]
    yield from (each for each in paths if not NO_SITES.fullmatch(each) and project.has_folder(each))
