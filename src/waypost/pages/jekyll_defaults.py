"""The setting `defaults`: values for the front matter of files, by path and type."""

from bisect import bisect_right
from collections import deque
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache

from msgspec import Struct

from waypost.core.errors import SourceError
from waypost.pages.jekyll_front_matter import Values
from waypost.pages.jekyll_globs import path_pattern

_MOST_SETS, _MOST_VALUES, _MOST_GLOBS = 1_000, 2_000, 100
_OLD_TYPES = {"page": "pages", "post": "posts", "draft": "drafts"}


class DefaultSet(Struct, frozen=True):
    """Values of files whose paths begin with `path`, or match it as a glob, and have the `type`; None means any."""

    values: Values
    path: str = ""
    type: str | None = None


def read_default_sets(value: object) -> tuple[DefaultSet, ...]:
    """The sets of the setting; Jekyll ignores those that have no values. Raises SourceError if they are too many."""
    found = []
    for each in value if isinstance(value, list) else []:
        if isinstance(each, dict) and isinstance(each.get("values"), dict):
            scope = each.get("scope")
            scope = scope if isinstance(scope, dict) else {}
            path = scope.get("path")
            kind = str(scope["type"]) if "type" in scope else None
            path = path if isinstance(path, str) else ""
            found.append(DefaultSet(each["values"], path, _OLD_TYPES.get(kind, kind) if kind else kind))
    _check_limits(found)
    return tuple(found)


def _check_limits(sets: Sequence[DefaultSet]) -> None:
    """Raise SourceError if the sets are so many, or so large, that every file would take long."""
    globs = [each.path for each in sets if "*" in each.path]
    for count, most, what in (
        (len(sets), _MOST_SETS, "sets"),
        (sum(len(each.values) for each in sets), _MOST_VALUES, "values"),
        (len(globs), _MOST_GLOBS, "paths with a *"),
    ):
        if count > most:
            raise SourceError(f"_config.yml: defaults: {count:,} {what}; Waypost reads at most {most:,}")
    for path in globs:
        try:
            path_pattern(path.removesuffix("/"))
        except ValueError as error:
            raise SourceError(f"_config.yml: defaults: the path {path[:80]}: {error}") from error


class FrontMatterDefaults:
    """Answers which values a file has by default; `paths` are the paths of all files and folders of the source.

    The path of a scope matches whole segments (Jekyll 3), or also the beginning of a name.
    """

    def __init__(
        self, sets: Sequence[DefaultSet], paths: Iterable[str], collections_dir: str, *, by_segments: bool = False
    ) -> None:
        self._sets = sets
        self._end = "/" if by_segments else ""
        self._collections_dir = f"{collections_dir}/" if collections_dir else ""
        all_paths = list(paths) if any("*" in each.path for each in sets) else []
        self._beginnings = [self._path_beginnings(each.path, all_paths) for each in sets]
        self.of = lru_cache(65_536)(self._of)

    def _of(self, path: str, kind: str | None) -> Values:
        """The values for a file of a type: `pages`, the name of a collection, or None for a static file.

        A longer path of a scope has precedence, and between equal ones a scope with a type, then the later one.
        """
        path = path.removeprefix("/") + self._end
        weakest_first: deque[DefaultSet] = deque()
        for each, beginnings in zip(self._sets, self._beginnings, strict=True):
            if (each.type is not None and each.type != kind) or not _begins_with_one(path, beginnings):
                continue
            if not weakest_first or _precedence(each) >= _precedence(weakest_first[-1]):
                weakest_first.append(each)
            else:
                weakest_first.appendleft(each)
        values: dict[str, object] = {}
        for each in weakest_first:
            _merge(values, each.values)
        return values

    def _path_beginnings(self, scope_path: str, paths: Sequence[str]) -> Sequence[str]:
        """What the paths that match a scope begin with, in order, and none of which begins with another."""
        if "*" not in scope_path:
            return (self._beginning(scope_path),)
        regex = path_pattern(scope_path.removesuffix("/"))
        found: list[str] = []
        for beginning in sorted(self._beginning(path) for path in paths if regex.fullmatch(path)):
            if not found or not beginning.startswith(found[-1]):
                found.append(beginning)
        return found

    def _beginning(self, scope_path: str) -> str:
        path = scope_path.removeprefix(self._collections_dir)
        return path and path + self._end


def merged(base: Values, over: Values) -> dict[str, object]:
    """The values of both, where the second's values count; an empty one does not replace another."""
    values = dict(base)
    _merge(values, over)
    return values


def _merge(values: dict[str, object], over: Values) -> None:
    values.update((name, value) for name, value in over.items() if value is not None or name not in values)


def _begins_with_one(path: str, beginnings: Sequence[str]) -> bool:
    """Whether a path begins with one of these texts, none of which begins with another: only the nearest can be it."""
    place = bisect_right(beginnings, path)
    return place > 0 and path.startswith(beginnings[place - 1])


def _precedence(defaults: DefaultSet) -> tuple[int, bool]:
    return len(defaults.path.removeprefix("/")), defaults.type is not None


def is_true(value: object) -> bool:
    """Whether a value counts as true in Ruby: all do but `false` and an empty one."""
    return value is not None and value is not False


def is_published(values: Mapping[str, object]) -> bool:
    """Whether the values let a file be published."""
    return is_true(values.get("published", True))
