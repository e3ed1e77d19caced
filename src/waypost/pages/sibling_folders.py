"""Finds folders of one folder that hold the same pages, as the versions and the languages of a site do.

Folders are known by their names and by their pages: `2.0/` of another project holds no page of `1.0/`.
"""

from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterator, Mapping
from itertools import islice
from typing import NamedTuple

_MIN_SHARE = 0.5
"""The share of the pages of a folder that another one must hold, too."""
_MOST_COMPARED, _MOST_LEVELS = 100, 16
"""A folder is compared with so many others; versions and languages lie in no more folders than these."""
Pages = Mapping[str, str]
"""The key of each page by its path in a folder."""
Choose = Callable[[str, Collection[str]], Collection[str]]
"""Chooses the names that count among those of the folders directly in a parent."""


class SiblingFolders(NamedTuple):
    """The pages of folders that lie directly in `parent`, which is `""` or ends with `/`, by the folders' names.

    `above` are the pages that lie in the parent, but in none of the folders whose names count.
    """

    parent: str
    folders: Mapping[str, Pages]
    above: Pages


def sibling_folders(
    keys: Collection[str],
    choose: Choose,
    min_shared: int = 1,
    certain: Collection[str] = (),
) -> Iterator[SiblingFolders]:
    """The folders of which at least half of the pages, and at least `min_shared`, are in a sibling or above them.

    A larger folder counts, too, if it holds as much of one of them, and one whose name in the root is `certain`.
    """
    for parent, folders in sorted(_pages(keys, _chosen(keys, choose)).items()):
        above = folders.pop("", {})
        counts = Counter(path for pages in (*folders.values(), above) for path in pages)
        in_others = {path for path, count in counts.items() if count > 1}
        sharing = {name: pages for name, pages in folders.items() if is_shared(pages, in_others, min_shared)}
        told = () if parent else certain
        found = {
            name: pages
            for name, pages in folders.items()
            if name in sharing or name in told or _is_larger(pages, sharing)
        }
        if found:
            yield SiblingFolders(parent, found, above)


def is_shared(pages: Collection[str], others: Collection[str], min_shared: int = 1) -> bool:
    """Whether half of some pages, and at least `min_shared`, are among others; both are given by their paths."""
    needed = max(min_shared, _MIN_SHARE * len(pages))
    return len(others) >= needed and sum(path in others for path in pages) >= needed


def _is_larger(pages: Pages, sharing: Mapping[str, Pages]) -> bool:
    return any(is_shared(each, pages) for each in islice(sharing.values(), _MOST_COMPARED))


def _chosen(keys: Collection[str], choose: Choose) -> Mapping[str, Collection[str]]:
    """The names that count, by the parents that have any."""
    below: dict[str, set[str]] = defaultdict(set)
    for folder in {key[: key.rfind("/") + 1] for key in keys}:
        start = 0
        for name in folder.split("/", _MOST_LEVELS)[:-1]:
            below[folder[:start]].add(name)
            start += len(name) + 1
    return {parent: found for parent, folders in below.items() if (found := frozenset(choose(parent, folders)))}


def _pages(keys: Collection[str], chosen: Mapping[str, Collection[str]]) -> Mapping[str, dict[str, dict[str, str]]]:
    """The pages of each chosen folder by its parent and its name, and those of the parent itself by `""`."""
    found: dict[str, dict[str, dict[str, str]]] = defaultdict(lambda: defaultdict(dict))
    for key in keys if chosen else ():
        start = 0
        for first in key.split("/", _MOST_LEVELS)[:_MOST_LEVELS]:
            parent = key[:start]
            after = start + len(first) + 1
            if parent in chosen:
                name = first if after < len(key) and first in chosen[parent] else ""
                found[parent][name][key[after:] if name else key[start:]] = key
            start = after
    return found
