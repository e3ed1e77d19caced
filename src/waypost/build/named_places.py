"""Finds a site's settings file, and opens the paths that it names: it is trusted with its own repository only."""

import os
from collections.abc import Mapping, Sequence
from pathlib import Path

from waypost.core import tree_files
from waypost.core.errors import ConfigIssue, ConfigurationError
from waypost.core.places import Place, place_of, places_in
from waypost.settings import load
from waypost.settings.load import ConfigSource

NAMES = ("waypost.toml", "pyproject.toml")
"""The names of settings files, in the order in which they are looked for."""
_UNNAMED = ConfigSource("settings", {})


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


class NamedPlaces:
    """The places that the settings of a run name, and how far each of them is trusted.

    Relative paths begin at `folder`. A settings file may name no path outside of `root`, its repository, and no bucket
    with the runner's credentials; a flag, an input or the environment of the run may. No link in `root` may lead out of
    it, or into its `.git`, whoever names it: anybody can commit one.
    """

    def __init__(
        self, config_sources: Sequence[ConfigSource], folder: Path, root: Path | None = None, named: Sequence[str] = ()
    ) -> None:
        """Without a repository, the root is the folder. `named` are further places that the run's arguments name."""
        self.folder, self._root = folder, root if root and _is_below(folder, root) else folder
        self._sources: Mapping[str, ConfigSource] = {name: each for each in config_sources for name in each.values}
        texts = [each.values for each in config_sources if each.is_trusted]
        self._buckets = {_bucket(each) for each in places_in([*texts, list(named)]) if each.kind == "bucket"}

    def path(self, setting: str, text: str, folder: Path | None = None) -> Path:
        """Where a path leads that a setting names; call it when the path is opened, as its links are checked here.

        Raises ConfigurationError for a path that leads out of the repository, and for a URL.
        """
        source, path = self._source(setting), (folder or self.folder) / text
        if place_of(text).kind != "path":
            raise ConfigurationError((source.issue(setting, f"{text!r} is a URL, and no path", "a path"),))
        try:
            if not source.is_trusted or tree_files.is_written_below(path, self._root):
                tree_files.real_path(path, self._root)
        except OSError:
            problem = f"{text!r} leads out of the repository, or into its .git"
            allowed = "a path inside of its repository, and not in .git"
            raise ConfigurationError((source.issue(setting, problem, allowed),)) from None
        return path

    def root_of(self, path: Path) -> Path:
        """What no link of a path may lead out of: the repository, or the folder of a file elsewhere."""
        return self._root if tree_files.is_written_below(path, self._root) else path.parent

    def place(self, setting: str, text: str) -> Place:
        """What a setting names, which may be in a bucket; raises ConfigurationError if the run does not name that."""
        place, source = place_of(text), self._source(setting)
        if place.kind == "bucket" and not source.is_trusted and _bucket(place) not in self._buckets:
            problem = f"{text!r} is in a bucket that no flag, input or variable of this run names"
            allowed = "a path, or a bucket that the run names itself, as by --state"
            raise ConfigurationError((source.issue(setting, problem, allowed),))
        return place

    def is_trusted(self, setting: str) -> bool:
        """Whether a flag, an input or the environment gives a setting."""
        return self._source(setting).is_trusted

    def _source(self, setting: str) -> ConfigSource:
        return self._sources.get(setting, _UNNAMED)


def _bucket(place: Place) -> str:
    return place.text.split("/")[2]


def _is_below(folder: Path, root: Path) -> bool:
    return folder.resolve().is_relative_to(root.resolve())
