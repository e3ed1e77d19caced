"""Reads the few files of a folder that show how its site is made."""

import re
from collections.abc import Iterator, Mapping
from functools import cached_property
from pathlib import Path
from typing import Any

from waypost.core import tree_files
from waypost.core.data_files import DataError, load_json, load_toml, table_of

_MOST_BYTES = 1 << 20
_WORKFLOWS, _MOST_WORKFLOWS = ".github/workflows", 200
_MENTIONS_PAGES = re.compile(r"gh-pages|github-pages|gh-deploy|deploy-pages|\bmike deploy\b")
_PYTHON_LOCKS = {"uv.lock": "uv", "poetry.lock": "poetry"}
_GROUP_NAME = re.compile(r"[A-Za-z0-9][\w.-]*", re.ASCII)
"""What a group is called (PEP 735, "Specification"); a command is printed that has the name."""
_LOCK_FILES = {"pnpm-lock.yaml": "pnpm", "yarn.lock": "yarn", "bun.lock": "bun", "bun.lockb": "bun"}


class ProjectFolder:
    """A folder whose files are read at most once; a file that cannot be read counts as empty."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self._texts: dict[str, str] = {}

    def has_file(self, path: str) -> bool:
        """Whether there is a file with this path below the folder."""
        return self._may_have(path) and tree_files.is_file(self.root / path, self.root)

    def has_folder(self, path: str) -> bool:
        """Whether there is a folder with this path below the folder."""
        return self._may_have(path) and tree_files.is_folder(self.root / path, self.root)

    def _may_have(self, path: str) -> bool:
        """Whether the folder has the first name of a path: hundreds of names are asked for, and few exist."""
        first = path.partition("/")[0]
        return first in self._names or first in ("", ".", "..")

    @cached_property
    def _names(self) -> frozenset[str]:
        return tree_files.names(self.root)

    def text(self, path: str) -> str:
        """The first mebibyte of a file; an empty string if it does not exist or cannot be read."""
        if path not in self._texts:
            try:
                start = tree_files.read_start(self.root / path, self.root, size=_MOST_BYTES)
                self._texts[path] = start.decode("utf-8-sig", "replace")
            except OSError:
                self._texts[path] = ""
        return self._texts[path]

    def matches(self, path: str, *patterns: str) -> bool:
        """Whether a file's text matches each of these patterns, in which ^ is the beginning of a line."""
        return all(re.search(pattern, self.text(path), re.MULTILINE | re.IGNORECASE) for pattern in patterns)

    @cached_property
    def dependencies(self) -> frozenset[str]:
        """The packages that package.json names as dependencies, those for development included."""
        return frozenset(name for key in ("dependencies", "devDependencies") for name in self._table(key))

    @cached_property
    def scripts(self) -> dict[str, str]:
        """The commands that package.json names."""
        return {name: text for name, text in self._table("scripts").items() if isinstance(text, str)}

    @property
    def package_manager(self) -> str:
        """The program that installs what package.json names: npm, yarn, pnpm or bun."""
        return next((manager for folder in self._workspace for name, manager in folder.managers(_LOCK_FILES)), "npm")

    @property
    def python_manager(self) -> str:
        """The program that installs what a Python project requires, by its lock file: uv, poetry or pip."""
        return next((manager for folder in self._workspace for _, manager in folder.managers(_PYTHON_LOCKS)), "pip")

    def python_groups(self, package: str) -> Iterator[tuple[str, str]]:
        """The groups of pyproject.toml that require a package, or one named for it, each with uv's option for it.

        There are none if the project requires it itself, or by the group `dev`, which is always there.
        """
        project = next((each for each in self._workspace if each.has_file("pyproject.toml")), self)
        try:
            settings = load_toml(project.text("pyproject.toml"))
        except DataError:
            return
        own = table_of(settings.get("project"))
        groups = table_of(settings.get("dependency-groups"))
        named = re.compile(rf"{re.escape(package)}\b", re.IGNORECASE)
        groups = {name: found for name, found in groups.items() if _GROUP_NAME.fullmatch(name)}
        extras = table_of(own.get("optional-dependencies")).items()

        def has(found: object) -> bool:
            return isinstance(found, list) and any(isinstance(each, str) and named.match(each) for each in found)

        if has(own.get("dependencies")) or has(groups.get("dev")):
            return
        yield from (("--group", name) for name, found in groups.items() if has(found))
        yield from (("--extra", name) for name, found in extras if _GROUP_NAME.fullmatch(name) and has(found))

    def managers(self, lock_files: Mapping[str, str]) -> Iterator[tuple[str, str]]:
        """The lock files in this folder, each with its program."""
        return ((name, manager) for name, manager in lock_files.items() if self.has_file(name))

    @property
    def _workspace(self) -> Iterator["ProjectFolder"]:
        """The folder, and those above it up to the root of its repository, where a workspace has its lock file."""
        folder = self.root.absolute()
        for each in (folder, *folder.parents):
            yield ProjectFolder(each)
            if each == self.repository_root:
                return

    @cached_property
    def repository_root(self) -> Path:
        """The root of the repository that contains the folder, or the folder itself."""
        folder = self.root.absolute()
        return next((each for each in (folder, *folder.parents) if (each / ".git").exists()), folder)

    @property
    def mentions_pages(self) -> bool:
        """Whether a workflow of that repository, or the folder's package.json, names GitHub Pages."""
        return any(map(_MENTIONS_PAGES.search, [*self.workflows, self.text("package.json")]))

    @property
    def workflows(self) -> tuple[str, ...]:
        """The text of each workflow of the repository that contains the folder."""
        return tuple(self.workflow_texts.values())

    @cached_property
    def workflow_texts(self) -> Mapping[str, str]:
        """The same, by the path in the repository."""
        repository = ProjectFolder(self.repository_root)
        names = tree_files.names(repository.root / _WORKFLOWS) if repository.has_folder(_WORKFLOWS) else ()
        found = sorted(f"{_WORKFLOWS}/{name}" for name in names if name.endswith((".yml", ".yaml")))
        return {path: repository.text(path) for path in found[:_MOST_WORKFLOWS]}

    def _table(self, key: str) -> Mapping[str, Any]:
        return table_of(self.package.get(key))

    @cached_property
    def package(self) -> Mapping[str, Any]:
        """The values of package.json; none if there is no such file, or if it cannot be read."""
        try:
            return table_of(load_json(self.text("package.json") or "{}"))
        except DataError:
            return {}
