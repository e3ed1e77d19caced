"""Finds and reads a site's settings file."""

import os
from pathlib import Path

from waypost.core import tree_files
from waypost.core.errors import ConfigIssue, ConfigurationError
from waypost.settings import load
from waypost.settings.load import ConfigSource

NAMES = ("waypost.toml", "pyproject.toml")
"""The names of settings files, in the order in which they are looked for."""


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
