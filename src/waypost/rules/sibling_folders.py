"""Finds folders of one folder that hold the same pages, as the versions and the languages of a site do.

Folders are known by their names and by their pages: `2.0/` of another project holds no page of `1.0/`.
"""

from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterator, Mapping
from typing import NamedTuple

_MIN_SHARE = 0.5
"""The share of a folder's pages that other folders must hold, too."""
_Pages = Mapping[str, str]
"""The key of each page by its path in one of the folders."""


class SiblingFolders(NamedTuple):
    """The folders directly in `parent`, which is `""` or ends with `/`, by name: for each page's path its key.

    The name `""` means the parent itself, without these folders, if it holds their pages, too.
    """

    parent: str
    folders: Mapping[str, _Pages]


def sibling_folders(
    keys: Collection[str], names: Callable[[str, Collection[str]], Collection[str]], min_shared: int = 1
) -> Iterator[SiblingFolders]:
    """The folders whose pages their siblings hold, too: at least half, and at least `min_shared`.

    `names` chooses the folders that count among those directly in a parent.
    """
    chosen = _chosen(keys, names)
    for parent, folders in sorted(_pages(keys, chosen).items()):
        own = folders.pop("", {})
        counts = Counter(path for pages in (*folders.values(), own) for path in pages)
        in_others = {path for path, count in counts.items() if count > 1}
        shared = {name: pages for name, pages in folders.items() if _is_shared(pages, in_others, min_shared)}
        if any(_is_shared(pages, own, min_shared) for pages in shared.values()):
            shared[""] = own
        if len(shared) > 1:
            yield SiblingFolders(parent, shared)


def _chosen(
    keys: Collection[str], names: Callable[[str, Collection[str]], Collection[str]]
) -> Mapping[str, Collection[str]]:
    """The names that count, by the parents that have any."""
    below: dict[str, set[str]] = defaultdict(set)
    for folder in {key[: key.rfind("/") + 1] for key in keys}:
        start = 0
        while (end := folder.find("/", start)) >= 0:
            below[folder[:start]].add(folder[start:end])
            start = end + 1
    return {parent: found for parent, folders in below.items() if (found := names(parent, folders))}


def _pages(keys: Collection[str], chosen: Mapping[str, Collection[str]]) -> Mapping[str, dict[str, dict[str, str]]]:
    """The pages of each chosen folder by its parent and its name, and those of the parent itself by `""`."""
    found: dict[str, dict[str, dict[str, str]]] = defaultdict(lambda: defaultdict(dict))
    for key in keys if chosen else ():
        start = 0
        while start >= 0:
            parent = key[:start]
            end = key.find("/", start)
            if parent in chosen:
                name = key[start:end] if end >= 0 and key[start:end] in chosen[parent] else ""
                path = key[end + 1 :] if name else key[start:]
                found[parent][name][path] = key
            start = end + 1 if end >= 0 else -1
    return found


def _is_shared(pages: Collection[str], others: Collection[str], min_shared: int) -> bool:
    shared = sum(path in others for path in pages)
    return shared >= max(min_shared, _MIN_SHARE * len(pages))
