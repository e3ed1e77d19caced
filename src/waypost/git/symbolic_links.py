"""The names that symbolic links give to tracked files: a link and its target are one file.

Git tracks a link as a file whose content is a path, and nothing below a link to a folder.
"""

import os
from bisect import bisect_left
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import islice, takewhile
from pathlib import Path
from typing import NamedTuple

from msgspec.structs import replace

from waypost.core.model import History

_MOST_NAMES = 10_000
"""How many names links give at most, since each link to a folder names all its files; no test has so many."""


class LinkedFile(NamedTuple):
    """The link by which a file has another name, and the file's own path."""

    link: str
    file: str


def linked_names(paths: Iterable[str], folder: Path) -> Mapping[str, LinkedFile]:
    """The other names of files, of these tracked paths below a folder; a link out of the tree gives none."""
    tracked = sorted(paths)
    targets = [(path, target) for path in tracked if (target := _target(folder, path)) is not None]
    known = frozenset(tracked)
    files = {link: LinkedFile(link, target) for link, target in targets if target in known}
    others = (each for each in targets if each[1] not in known)
    below = ((name, LinkedFile(link, file)) for link, to in others for name, file in _below(link, to, tracked))
    found = dict(islice(below, _MOST_NAMES))
    return {name: _at_end(linked, files) for name, linked in found.items() if name not in known} | files


def _at_end(linked: LinkedFile, links: Mapping[str, LinkedFile]) -> LinkedFile:
    """The file itself where a folder that a link names has a further link."""
    return LinkedFile(linked.link, links[linked.file].file) if linked.file in links else linked


def _target(folder: Path, path: str) -> str | None:
    """Where a link leads, relative to a folder, which has its real path; None if the path is no link, or leads out."""
    place = f"{folder}/{path}"
    if not os.path.islink(place):  # noqa: PTH114 (faster)
        return None
    target = Path(os.path.realpath(place))
    return Path(os.path.relpath(target, folder)).as_posix() if not target.is_symlink() else None


def _below(link: str, target: str, tracked: Sequence[str]) -> Iterator[tuple[str, str]]:
    """The names that a link to a folder gives to the tracked files in it, with their paths."""
    above = "" if target == "." else f"{target}/"
    start = bisect_left(tracked, above)
    for path in takewhile(lambda path: path.startswith(above), islice(tracked, start, None)):
        yield f"{link}/{path.removeprefix(above)}", path


def with_names(history: History, names: Mapping[str, LinkedFile]) -> History:
    """The history with the files' other names: each has the newer date of the link and of the file."""
    times, significant = history.commit_times, history.page_times
    of_names = {name: _newer(times[each.link], times[each.file]) for name, each in names.items()}
    unsure = {name for name, each in names.items() if not history.uncommitted.isdisjoint(each)}
    compared = {
        name: _newer(times[each.link], significant[each.file])
        for name, each in names.items()
        if each.file in significant and each.link not in history.uncommitted
    }
    return replace(
        history,
        commit_times=times | of_names,
        page_times=significant | compared,
        uncommitted=history.uncommitted | unsure,
    )


def _newer(one: int | None, other: int | None) -> int | None:
    """The newer of two times; None if a shallow clone does not tell one of them."""
    return None if one is None or other is None else max(one, other)
