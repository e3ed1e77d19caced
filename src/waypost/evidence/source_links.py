"""Finds the tracked files to which a built page links: for editing, or as its source."""

from collections import defaultdict
from collections.abc import Collection, Iterable

from waypost.core.urls import decoded_path
from waypost.evidence.paths import last_two

_FOR_EDITING = ("/edit/", "_sources/")
_SPHINX_ENDING = ".txt"
_MOST_ALIKE = 100
"""If more files have the same end, hardly one of them is meant, and time would grow with the square of these."""


class SourceLinks:
    """Finds tracked files by the ends of URLs, without looking at all of them: many have the same name."""

    def __init__(self, paths: Collection[str]) -> None:
        self._paths = frozenset(paths)
        self._most_parts = max((path.count("/") + 1 for path in paths), default=0)
        self._by_end: dict[str, list[str]] = defaultdict(list)
        for path in paths:
            for end in {path.rpartition("/")[2], last_two(path)}:
                self._by_end[end].append(path)

    def files(self, links: Iterable[str]) -> tuple[str, ...]:
        """The files to which these links lead: those for editing if there are any, else all; each once, in order."""
        found = [(link, self._file(link)) for link in links]
        editing = {file for link, file in found if file and any(part in link for part in _FOR_EDITING)}
        return tuple(sorted(editing or {file for _, file in found if file}))

    def _file(self, link: str) -> str | None:
        """The file with whose whole path the link ends, or of whose path a copy of sources is the end."""
        path = decoded_path(link)
        if path is None:
            return None
        _, is_copy, below = path.partition("_sources/")
        if is_copy:
            return self._file_that_ends_with(below.removesuffix(_SPHINX_ENDING))
        parts = path.split("/")
        ends = ("/".join(parts[n:]) for n in range(max(0, len(parts) - self._most_parts), len(parts)))
        return next((end for end in ends if end in self._paths), None)

    def _file_that_ends_with(self, named: str) -> str | None:
        same_end = self._by_end.get(last_two(named), [])
        if len(same_end) > _MOST_ALIKE:
            return None
        found = [each for each in same_end if f"/{each}".endswith(f"/{named}")]
        return found[0] if len(found) == 1 else None
