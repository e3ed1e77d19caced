"""Counts the pages of a site by folder: how old they are, how many have no date, and what changed."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache
from urllib.parse import unquote

from msgspec import Struct

from waypost.core.diff import KINDS
from waypost.core.model import printable

_MAX_FOLDERS, _MAX_DEPTH = 10_000, 8
"""How many folders are counted, and how deep; pages of further ones count for the folder above."""


class Folder(Struct, frozen=True):
    """A folder of URLs: pages by age, changes by kind (as in `KINDS`), each including all folders below.

    The last of `ages` counts the pages without a date.
    """

    name: str
    ages: Sequence[int]
    changes: Sequence[int]
    folders: Sequence["Folder"] = ()

    @property
    def pages(self) -> int:
        """How many pages are listed here and below."""
        return sum(self.ages)


class FolderCounter:
    """Counts pages and changes; paths are below the site's root, as URLs have them."""

    def __init__(self, age_count: int) -> None:
        self._width, self._age_count = age_count + len(KINDS), age_count
        self._counts: dict[tuple[str, ...], list[int]] = {(): [0] * self._width}
        self._counted: dict[str, Sequence[list[int]]] = {}

    def add_page(self, path: str, age: int) -> None:
        """Count a listed page of this age."""
        for counts in self._counts_of(path):
            counts[age] += 1

    def add_change(self, path: str, kind: str) -> None:
        """Count a change of this kind."""
        for counts in self._counts_of(path):
            counts[self._age_count + KINDS.index(kind)] += 1

    def tree(self) -> Folder:
        """All folders, each with those in it; larger ones first."""
        children: dict[tuple[str, ...], list[tuple[str, ...]]] = {}
        for names in self._counts:
            if names:
                children.setdefault(names[:-1], []).append(names)
        for some in children.values():
            some.sort(key=lambda names: (-sum(self._counts[names][: self._age_count]), names))
        return self._folder((), children)

    def _folder(self, names: tuple[str, ...], children: Mapping[tuple[str, ...], list[tuple[str, ...]]]) -> Folder:
        counts = self._counts[names]
        folders = [self._folder(child, children) for child in children.get(names, ())]
        return Folder(names[-1] if names else "", counts[: self._age_count], counts[self._age_count :], folders)

    def _counts_of(self, path: str) -> Sequence[list[int]]:
        """The counts of all folders of a path."""
        folder = _folder_of(path)
        if folder not in self._counted:
            self._counted[folder] = list(self._make_counts(folder))
        return self._counted[folder]

    def _make_counts(self, folder: str) -> Iterator[list[int]]:
        for names in reversed(list(_folders_above(folder))):
            if names not in self._counts:
                if len(self._counts) >= _MAX_FOLDERS:
                    return
                self._counts[names] = [0] * self._width
            yield self._counts[names]


def _folder_of(path: str) -> str:
    return path.partition("?")[0].rpartition("/")[0]


def _folders_above(folder: str) -> Iterator[tuple[str, ...]]:
    """The folders that are counted of a path that ends with a folder, by their names: the deepest first."""
    names = tuple(printable(unquote(name)) for name in folder.split("/")[:_MAX_DEPTH]) if folder else ()
    return (names[:depth] for depth in range(len(names), -1, -1))


def folder_ids(tree: Folder) -> Callable[[str], int]:
    """Finds the id of the folder of a page, by its URL's path below the site's root: its number in the tree's order."""
    ids = {names: id for id, names in enumerate(_all_names(tree, ()))}

    @cache
    def id_of(folder: str) -> int:
        return next(ids[names] for names in _folders_above(folder) if names in ids)

    return lambda path: id_of(_folder_of(path))


def _all_names(folder: Folder, names: tuple[str, ...]) -> Iterator[tuple[str, ...]]:
    yield names
    for child in folder.folders:
        yield from _all_names(child, (*names, child.name))
