"""Finds which files a commit moved: each file continues at most one path of the parent."""

from bisect import bisect
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import takewhile

from waypost.core.page_changes import PageChange

_MOST_PARTS = 32
"""How many parts of a path are compared from its end."""
_MOST_COMPARED = 50
"""Of more candidates, those count that stand beside the path in the order of paths: they begin alike."""


def moves(
    before: Mapping[str, bytes], after: Mapping[str, bytes], is_page: Callable[[str], bool] = lambda path: True
) -> Iterator[PageChange]:
    """The files of a commit that were at another path in its parent; given are the changed files with their blobs.

    A file continues the path that held its bytes in the parent and no longer holds them, because it is gone or has
    another content now. A file that was added, and continues no such path, continues the only removed file of the same
    name. Of several, those whose paths are nearest belong together, and pages are paired before other files.
    """
    same = _pairs_of_pages_first(after, before, is_page)
    gone, added = before.keys() - after.keys() - set(same.values()), after.keys() - before.keys() - same.keys()
    names = Counter(_file_name(path) for path in before.keys() - after.keys())
    named = _pairs_of_pages_first(
        {path: _file_name(path) for path in added},
        {path: name for path in gone if names[name := _file_name(path)] == 1},
        is_page,
    )
    for path, old in sorted((same | named).items()):
        yield PageChange(path, before[old], after[path], old)


def _pairs_of_pages_first(
    new: Mapping[str, object], old: Mapping[str, object], is_page: Callable[[str], bool]
) -> dict[str, str]:
    """The old path of each new one that has the same key; no old path belongs to two, and pages come first."""
    free, found = dict(old), dict[str, str]()
    for pages in (True, False):
        chosen = _pairs({path: key for path, key in new.items() if is_page(path) == pages}, free)
        taken = set(chosen.values())
        free = {path: key for path, key in free.items() if path not in taken}
        found |= chosen
    return found


def _pairs(new: Mapping[str, object], old: Mapping[str, object]) -> dict[str, str]:
    shared = set(new.values()).intersection(old.values())
    groups: dict[object, tuple[list[str], list[str]]] = {key: ([], []) for key in shared}
    for side, paths in enumerate((new, old)):
        for path, key in paths.items():
            if key in shared:
                groups[key][side].append(path)
    return {path: other for group in groups.values() for path, other in _nearest(*group)}


def _nearest(new: Sequence[str], old: Sequence[str]) -> Iterator[tuple[str, str]]:
    """Pairs of paths, those first of which most parts are equal at their ends."""
    waiting, free = sorted(new), sorted(old)
    depth = min(_MOST_PARTS, max(path.count("/") for path in (*waiting, *free)) + 1)
    for length in range(depth, -1, -1):
        by_end: dict[str, list[str]] = {}
        for path in free:
            by_end.setdefault(_end(path, length), []).append(path)
        rest = []
        for path in waiting:
            if candidates := by_end.get(_end(path, length)):
                yield path, _take_nearest(path, candidates)
            else:
                rest.append(path)
        waiting, free = rest, sorted(path for paths in by_end.values() for path in paths)
        if not (waiting and free):
            return


def _take_nearest(path: str, candidates: list[str]) -> str:
    """Remove the candidate of which most parts are equal anywhere, then most characters at the start.

    Folders may have changed their order, or `1.6.6` become `1.6.7`. Of equally near ones the first counts, as of
    several versions the oldest had the text first. The candidates are sorted.
    """
    at = 0 if len(candidates) <= _MOST_COMPARED else max(0, bisect(candidates, path) - 1)
    compared = candidates[at : at + _MOST_COMPARED]
    parts = set(path.split("/"))
    nearest = max(
        range(len(compared)),
        key=lambda n: (len(parts.intersection(compared[n].split("/"))), _common_length(path, compared[n]), -n),
    )
    return candidates.pop(at + nearest)


def _end(path: str, length: int) -> str:
    return "/".join(path.split("/")[-length:]) if length else ""


def _common_length(one: Iterable[str], other: Iterable[str]) -> int:
    """How many characters are equal from the start on."""
    return sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(one, other, strict=False)))


def _file_name(path: str) -> str:
    return path.rpartition("/")[2]
