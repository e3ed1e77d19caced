"""Finds the tracked files to which a built page links: for editing, or as its source."""

from collections import defaultdict
from collections.abc import Iterable
from urllib.parse import unquote, urlsplit

_FOR_EDITING = ("/edit/", "_sources/")
_SPHINX_ENDING = ".txt"


class SourceLinks:
    """Finds tracked files by the ends of URLs."""

    def __init__(self, paths: Iterable[str]) -> None:
        self._by_name: dict[str, list[str]] = defaultdict(list)
        for path in paths:
            self._by_name[path.rpartition("/")[2]].append(path)

    def files(self, links: Iterable[str]) -> tuple[str, ...]:
        """The files to which these links lead: those for editing if there are any, else all; each once, in order."""
        found = [(link, self._file(link)) for link in links]
        editing = {file for link, file in found if file and any(part in link for part in _FOR_EDITING)}
        return tuple(sorted(editing or {file for _, file in found if file}))

    def _file(self, link: str) -> str | None:
        """The one file with whose path the link ends, or of whose path it is the end."""
        try:
            path = unquote(urlsplit(link).path)
        except ValueError:
            return None
        _, is_copy, below = path.partition("_sources/")
        named = below.removesuffix(_SPHINX_ENDING) if is_copy else path
        same_name = self._by_name.get(named.rpartition("/")[2], [])
        if is_copy:
            found = [each for each in same_name if f"/{each}".endswith(f"/{named}")]
        else:
            found = [each for each in same_name if named.endswith(f"/{each}")]
        longest = max(map(len, found), default=0)
        found = [each for each in found if is_copy or len(each) == longest]
        return found[0] if len(found) == 1 else None
