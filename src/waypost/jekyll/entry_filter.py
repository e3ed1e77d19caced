"""Jekyll's decision whether an entry of a folder takes part in the site, by its name and the configuration."""

from collections.abc import Callable, Sequence

from waypost.core import reasons
from waypost.core.reasons import Reason
from waypost.jekyll.globs import entry_pattern


class EntryFilter:
    """The lists `include` and `exclude` of a configuration, and Jekyll's rules for names.

    A pattern matches as a glob, or as the beginning of a path: `vendor` also matches `vendors.md`. `is_folder` says
    whether a path is that of a folder; a pattern with a final slash matches only folders and what is below them.
    """

    def __init__(self, include: Sequence[str], exclude: Sequence[str], is_folder: Callable[[str], bool]) -> None:
        self._include = tuple(_rooted(pattern) for pattern in include)
        self._exclude = tuple(_rooted(pattern) for pattern in exclude if pattern not in include)
        self._is_folder = is_folder

    def exclusion_reason(self, entry: str, folder: str = "") -> Reason | None:
        """Why an entry is left out, or None; `entry` is its path below `folder`."""
        name = entry.rpartition("/")[2]
        if entry.endswith("."):
            return reasons.GENERATOR_EXCLUDED
        if self.is_included(entry):
            return None
        if self._matches(self._exclude, f"{folder}/{entry}" if folder else entry):
            return reasons.GENERATOR_EXCLUDED
        if entry.startswith(".") or name.startswith("."):
            return reasons.HIDDEN
        if entry.startswith("_") or name.startswith("_"):
            return reasons.UNPUBLISHED
        is_backup = entry.startswith(("#", "~")) or name.startswith(("#", "~")) or entry.endswith("~")
        return reasons.GENERATOR_EXCLUDED if is_backup else None

    def is_included(self, entry: str) -> bool:
        """Whether the list `include` names an entry, by its path or by its name."""
        return self._matches(self._include, entry) or self._matches(self._include, entry.rpartition("/")[2])

    def _matches(self, patterns: Sequence[str], entry: str) -> bool:
        path = _rooted(entry)
        return any(
            path.startswith(pattern)
            or entry_pattern(pattern).match(path) is not None
            or (pattern == f"{path}/" and self._is_folder(entry))
            for pattern in patterns
        )


def _rooted(path: str) -> str:
    return "/" + path.lstrip("/")
