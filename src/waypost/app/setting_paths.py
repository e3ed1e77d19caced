"""Checks the paths that settings name: a settings file is not trusted with more than its own repository."""

from collections.abc import Iterator, Sequence
from pathlib import Path

from waypost.config.load import ConfigSource
from waypost.core import tree_files
from waypost.core.errors import ConfigIssue

_PATHS = ("state", "templates", "compare")


def misplaced_paths(
    config_sources: Sequence[ConfigSource], file: ConfigSource | None, folder: Path, root: Path | None
) -> Iterator[ConfigIssue]:
    """The paths, relative to a folder, that lead out of the repository with this root, or into its `.git`.

    A path of the settings file may not name a place outside of the repository; one of a flag or an input may, but no
    link may lead there. Without a repository, links lead out of the folder.
    """
    for name in _PATHS:
        named = [each for each in config_sources if isinstance(each.values.get(name), str)]
        path = str(named[-1].values[name]) if named else ""
        if not path or "://" in path:
            continue
        if "\0" in path:
            yield named[-1].issue(name, f"{path!r} is not a path", "a path without a NUL")
            continue
        is_outside = root is not None and named[-1] is file and not _is_inside(folder / path, root)
        if is_outside or tree_files.leads_out(folder / path, root or folder):
            where = "inside of its repository, and not in .git"
            yield named[-1].issue(name, f"{path!r} leads out of the repository, or into its .git", f"a path {where}")


def _is_inside(path: Path, root: Path) -> bool:
    return path.resolve().is_relative_to(root.resolve())
