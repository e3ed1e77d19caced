"""Finds folders that were renamed or moved, by the names of the pages that both sides share.

A page is a `page_identity` here: its host and path, `example.org/blog/a`. The host counts as a folder.
"""

from bisect import bisect_left
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Sequence
from typing import NamedTuple
from zlib import crc32

from waypost.core import languages

_ROUNDS = 5
_SAMPLE = 10_000
"""How many pages of a side are searched for shared names in a round; found folders are applied to all pages."""
_MIN_PAGES = 3
"""A folder has moved if so many pages did; for a host one page is enough, because its path is the same."""
_MAX_PAIRS = 4
"""A name that could mean more pairs of pages than this says nothing, as `index` or `about` in each folder."""
_MAX_DEPTH = 16
"""Names that were changed are found so many folders deep, the host included."""
_MIN_SHARE_OF_SMALLER, _MIN_SHARE_OF_LARGER = 0.5, 0.1
"""A folder's pages must be found again to this share: of the folder with fewer unmatched pages, and of the other."""

Pair = tuple[str, str]


class FolderMove(NamedTuple):
    """A folder's old and new place, and the old and new page of each that moved with it."""

    old: str
    new: str
    pages: Sequence[Pair]


def find_folder_moves(removed: Iterable[str], added: Iterable[str]) -> Iterator[FolderMove]:
    """The moves of folders that explain most; each page is in one of them at most. No page may be on both sides."""
    old, new = sorted(removed), sorted(added)
    for _ in range(_ROUNDS):
        found = list(_Search(old, new).moves()) if old and new else []
        if not found:
            return
        yield from found
        gone = {page for move in found for pair in move.pages for page in pair}
        old, new = ([page for page in side if page not in gone] for side in (old, new))


class _Search:
    """One search in two sorted lists of pages."""

    def __init__(self, removed: Sequence[str], added: Sequence[str]) -> None:
        self._removed, self._added = removed, added
        self._left_removed, self._left_added = set(removed), set(added)

    def moves(self) -> Iterator[FolderMove]:
        candidates = _candidates(_sample(self._removed), _sample(self._added))
        for folders in sorted(candidates, key=lambda pair: (-len(candidates[pair]), _distance(*pair), pair)):
            old, new = _narrowed(folders, candidates[folders])
            shared = len(candidates[folders])
            if self._is_supported(old, new, shared, _least(*folders)):
                pages = self._pages(folders, (old, new))
                if len(pages) >= _least(*folders):
                    self._left_removed.difference_update(page for page, _ in pages)
                    self._left_added.difference_update(page for _, page in pages)
                    yield FolderMove(*_narrowed(folders, pages), pages)

    def _is_supported(self, old: str, new: str, shared: int, least: int) -> bool:
        """Whether enough pages of both folders share their names; `shared` was counted in the samples."""
        scale = max(1, len(self._removed) / _SAMPLE, len(self._added) / _SAMPLE)
        smaller, larger = sorted((len(_below(self._removed, old)), len(_below(self._added, new))))
        is_shared = shared * scale >= max(smaller * _MIN_SHARE_OF_SMALLER, larger * _MIN_SHARE_OF_LARGER)
        return shared >= least and is_shared

    def _pages(self, folders: Pair, narrow: Pair) -> list[Pair]:
        """The pages in the narrow folders that moved, with the folders' own pages."""
        size = len(narrow[0])
        pairs = [folders, *((page, narrow[1] + page[size:]) for page in (narrow[0], *_below(self._removed, narrow[0])))]
        return [
            (page, moved)
            for page, moved in dict.fromkeys(pairs)
            if page in self._left_removed and moved in self._left_added
        ]


def _candidates(removed: Sequence[str], added: Sequence[str]) -> dict[Pair, set[Pair]]:
    """For two folders, the pages that may have moved from one to the other."""
    places: dict[int, list[str]] = defaultdict(list)
    for page in added:
        for key in _keys(page):
            places[key].append(page)
    sources: dict[int, list[str]] = defaultdict(list)
    for page in removed:
        for key in _keys(page) & places.keys():
            sources[key].append(page)
    found: dict[Pair, set[Pair]] = defaultdict(set)
    for key, pages in sources.items():
        if len(pages) * len(places[key]) <= _MAX_PAIRS:
            for pair in ((page, place) for page in pages for place in places[key]):
                found[_folders(*pair)].add(pair)
    return {folders: pairs for folders, pairs in found.items() if all(folders) and not _is_translation(*folders)}


def _keys(page: str) -> set[int]:
    """What a page may still have after a move, as hashes: its path without one folder, and each end of its path."""
    names = page.split("/")
    depth = min(len(names), _MAX_DEPTH)
    shorter = (hash("/".join(names[:n] + names[n + 1 :])) for n in range(min(len(names) - 1, depth)))
    return {hash(page), *shorter, *(hash("/".join(names[n:])) for n in range(2, depth))}


def _folders(old: str, new: str) -> Pair:
    """The folders of two pages without what both paths end with."""
    olds, news = old.split("/"), new.split("/")
    count = 0
    while count < min(len(olds), len(news)) and olds[-1 - count] == news[-1 - count]:
        count += 1
    return "/".join(olds[: len(olds) - count]), "/".join(news[: len(news) - count])


def _narrowed(folders: Pair, pages: Collection[Pair]) -> Pair:
    """The folders with the subfolder that all pages are in, or whose own page they are."""
    size = len(folders[0])
    paths = [page[size:].split("/")[1:] for page, _ in pages]
    common = min(paths)[: _common(min(paths), max(paths)) if len(paths) > 1 else -1]
    subfolder = "".join(f"/{name}" for name in common)
    return folders[0] + subfolder, folders[1] + subfolder


def _distance(old: str, new: str) -> int:
    """How many names of folders were removed and added."""
    olds, news = old.split("/"), new.split("/")
    return len(olds) + len(news) - 2 * _common(olds, news)


def _common(olds: Sequence[str], news: Sequence[str]) -> int:
    """How many names at the beginning of two paths are the same."""
    pairs = list(zip(olds, news, strict=False))
    return next((n for n, (old, new) in enumerate(pairs) if old != new), len(pairs))


def _is_translation(old: str, new: str) -> bool:
    """Whether the folders, or the subdomains, begin to differ in a language: `/de/` and `/fr/` have the same names."""
    olds, news = old.split("/"), new.split("/")
    common = _common(olds, news)
    return all(len(names) > common and _is_language(names[common].partition(".")[0]) for names in (olds, news))


def _is_language(name: str) -> bool:
    language = name.replace("_", "-")
    return len(language.partition("-")[0]) == 2 and not languages.problem(language)


def _least(old: str, new: str) -> int:
    return _MIN_PAGES if "/" in old + new else 1


def _below(pages: Sequence[str], folder: str) -> Sequence[str]:
    """The pages of a sorted list that are in a folder; `0` is the character after `/`."""
    return pages[bisect_left(pages, f"{folder}/") : bisect_left(pages, f"{folder}0")]


def _sample(pages: Sequence[str]) -> Sequence[str]:
    """Some of the pages if they are many: those whose names have certain hashes, which are the same on both sides."""
    share = len(pages) // _SAMPLE + 1
    if share == 1:
        return pages
    return [page for page in pages if crc32(page.rpartition("/")[2].encode("utf-8", "replace")) % share == 0]
