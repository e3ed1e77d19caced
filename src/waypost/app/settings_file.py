"""Finds and reads a site's settings file, and checks the paths in it: it is trusted with its own repository only."""

import os
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from waypost.config import load
from waypost.config.load import ConfigSource
from waypost.core import tree_files
from waypost.core.errors import ConfigIssue, ConfigurationError

NAMES = ("waypost.toml", "pyproject.toml")
"""The names of settings files, in the order in which they are looked for."""

_SITEMAPS = "sitemaps"
_PATHS = ("state", "templates", "compare", "source_repository", "urls")


def read(file: Path | None, source: Path, here: Path) -> tuple[ConfigSource, Path] | None:
    """The settings and the path of their file; relative paths in the settings begin at that file's folder.

    `file` is the file that the user named. Without it, the first waypost.toml, or pyproject.toml with `[tool.waypost]`,
    in `source` and then in `here` is used; None if neither folder has one. Raises ConfigurationError.
    """
    for path in [file] if file else [folder / name for folder in (source, here) for name in NAMES]:
        if file or os.path.lexists(path):
            shown = path.relative_to(here) if path.is_relative_to(here) else path
            found = load.parse_toml(_text(path, None if file else path.parent), str(shown))
            if found:
                return found, path.absolute()
    if file:
        raise ConfigurationError((ConfigIssue(str(file), "tool.waypost", "the file has no such table"),))
    return None


def _text(path: Path, root: Path | None) -> str:
    try:
        return tree_files.read(path, root, most=tree_files.SMALL_FILE).decode("utf-8-sig")
    except OSError as error:
        raise ConfigurationError((ConfigIssue(str(path), "file", error.strerror or str(error)),)) from None
    except UnicodeDecodeError as error:
        problem = f"it is not UTF-8: {error.reason} at byte {error.start}"
        raise ConfigurationError((ConfigIssue(str(path), "file", problem),)) from None


def misplaced_paths(
    config_sources: Sequence[ConfigSource], file: ConfigSource | None, folder: Path, root: Path | None
) -> Iterator[ConfigIssue]:
    """The paths, relative to a folder, that lead out of the repository with this root, or into its `.git`.

    A path of the settings file may not name a place outside of the repository; one of a flag or an input may, but no
    link may lead there. Without a repository, links lead out of the folder.
    """
    for name in (*_PATHS, _SITEMAPS):
        named = next((each for each in reversed(config_sources) if name in each.values), None)
        if named is None:
            continue
        for path in _named_paths(name, named.values[name]):
            if "\0" in path:
                yield named.issue(name, f"{path!r} is not a path", "a path without a NUL")
                continue
            is_outside = root is not None and named is file and not _is_inside(folder / path, root)
            if is_outside or tree_files.leads_out(folder / path, root or folder):
                where = "inside of its repository, and not in .git"
                yield named.issue(name, f"{path!r} leads out of the repository, or into its .git", f"a path {where}")


def _named_paths(name: str, value: object) -> list[str]:
    """The paths, and no URLs, that the value of a setting names, which is not checked yet."""
    each = value if name == _SITEMAPS and isinstance(value, list | tuple) else [value]
    texts = [item.get("from") if isinstance(item, Mapping) else item for item in each]
    return [text for text in texts if isinstance(text, str) and text and "://" not in text]


def _is_inside(path: Path, root: Path) -> bool:
    return path.resolve().is_relative_to(root.resolve())
