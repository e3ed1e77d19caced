"""Learns where the files of a site's pages are, and names the file of a page by its path."""

import re
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator, Sequence
from typing import NamedTuple

from waypost.dates import paths

_MIN_PAGES = 2
"""So many pages of a folder must have their files in another one."""
_MOST_FOLDERS = 50
"""How many pairs of folders are tried for a page, those of most pages first: time would grow with their product."""
_OF_PROJECT = re.compile(r"readme\.\w+", re.IGNORECASE)
"""The file in a repository's root that tells of the project: its path alone says nothing of the site's home page."""
_Segments = tuple[str, ...]


class _Folders(NamedTuple):
    """A folder of pages, and the folder in which the files of these pages have the same paths."""

    of_pages: _Segments
    of_files: _Segments


class SourceFolders:
    """The folders of a site's pages and of their files, learned from the pages whose files are known by other evidence.

    Of most generators all pages have their files in one folder, such as `docs`; of some each language has one.
    """

    def __init__(self, known: Iterable[tuple[str, str]], files: Iterable[str], languages: Collection[str]) -> None:
        counts = Counter(_folders(paths.page_segments(key), _segments(file, languages)) for key, file in known)
        most = sorted(counts, key=lambda each: (-counts[each], each))[:_MOST_FOLDERS]
        self._folders = [each for each in most if counts[each] >= _MIN_PAGES]
        self._files: dict[_Segments, list[str]] = defaultdict(list)
        for file in (each for each in files if not _OF_PROJECT.fullmatch(each)):
            self._files[_segments(file, languages)].append(file)

    def files(self, key: str) -> Iterator[Sequence[str]]:
        """The files with the path of a page, by the folder in which they are: that of most other pages first."""
        page = paths.page_segments(key)
        for each in self._folders:
            count = len(each.of_pages)
            if _without_digits(page[:count]) == each.of_pages and (path := each.of_files + page[count:]) in self._files:
                yield self._files[path]


def _segments(file: str, languages: Collection[str]) -> _Segments:
    """The path of a file, whatever the language that its name ends with."""
    return paths.file_segments(paths.without_language(file, languages))


def _folders(page: _Segments, file: _Segments) -> _Folders:
    """The folders of a page and of its file, without what is equal at the ends of both paths."""
    common = paths.common_end(page, file)
    return _Folders(_without_digits(page[: len(page) - common]), file[: len(file) - common])


def _without_digits(folders: _Segments) -> _Segments:
    """The same for all dates, such as `2026/01`."""
    return tuple("#" if folder.isdigit() else folder for folder in folders)
