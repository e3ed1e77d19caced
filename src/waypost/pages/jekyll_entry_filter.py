"""Jekyll's decision whether an entry of a folder takes part in the site, by its name and the configuration."""

from collections.abc import Callable, Iterable, Sequence

from waypost.core import reasons
from waypost.core.reasons import Reason
from waypost.pages.jekyll_globs import entry_pattern


class EntryFilter:
    """The lists `include` and `exclude` of a configuration, and Jekyll's rules for names.

    A pattern matches as a glob, or as the beginning of a path: `vendor` also matches `vendors.md`. `is_folder` says
    whether a path is a folder's; a pattern with a final slash matches only folders and what is below them.
    """

    def __init__(self, include: Sequence[str], exclude: Sequence[str], is_folder: Callable[[str], bool]) -> None:
        included = frozenset(include)
        self._include = _Patterns(include)
        self._exclude = _Patterns(pattern for pattern in exclude if pattern not in included)
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

    def _matches(self, patterns: "_Patterns", entry: str) -> bool:
        path = _rooted(entry)
        return patterns.match(path) or (f"{path}/" in patterns.texts and self._is_folder(entry))


class _Patterns:
    """The patterns of a list; one without a wildcard matches what begins with it."""

    def __init__(self, patterns: Iterable[str]) -> None:
        rooted = tuple(map(_rooted, patterns))
        self.texts = frozenset(rooted)
        self._beginnings = rooted
        self._globs = [entry_pattern(each) for each in rooted if any(character in each for character in "*?[")]

    def match(self, path: str) -> bool:
        return path.startswith(self._beginnings) or any(glob.match(path) for glob in self._globs)


def _rooted(path: str) -> str:
    return "/" + path.lstrip("/")
