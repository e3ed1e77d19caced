"""Chooses for each page one name of a file that has several, by symbolic links: the one that the page's path tells."""

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence

from msgspec.structs import replace

from waypost.dates import paths
from waypost.dates.page_sources import PageEvidence

_Nearness = tuple[bool, int, int]
_FAR: _Nearness = (False, 0, 0)


def with_nearest_names(pages: Sequence[PageEvidence], names: Mapping[str, str]) -> list[PageEvidence]:
    """The evidence with the names of files that are nearest to the pages; `names` has the files by their other names.

    Where none is near a page, the file has the name that is nearest to any page: so one page is the file's.
    """
    if not names:
        return list(pages)
    by_file: dict[str, list[str]] = defaultdict(list)
    for name, file in names.items():
        by_file[file].append(name)
    nearest: dict[str, tuple[_Nearness, str]] = {}
    for page in pages:
        for file in (match.path for match in page.matches if match.path in by_file):
            found = _nearest(page.key, (file, *by_file[file]))
            nearest[file] = max(found, nearest.get(file, found))

    def renamed(page: PageEvidence) -> PageEvidence:
        def name_of(file: str) -> str:
            if file not in by_file:
                return file
            nearness, name = _nearest(page.key, (file, *by_file[file]))
            return nearest[file][1] if nearness == _FAR and file in nearest else name

        return _renamed(page, name_of)

    return list(map(renamed, pages))


def _nearest(key: str, names: Iterable[str]) -> tuple[_Nearness, str]:
    """The name that is nearest to a page's path, and how near; the first of those that are equally near."""
    return max(((_nearness(key, name), name) for name in names), key=lambda each: each[0])


def _nearness(key: str, name: str) -> _Nearness:
    return paths.names_whole(key, name), *paths.nearness(key, name)


def _renamed(page: PageEvidence, name_of: Callable[[str], str]) -> PageEvidence:
    return replace(
        page,
        matches=tuple(replace(match, path=name_of(match.path)) for match in page.matches),
        linked=tuple(map(name_of, page.linked)),
        dated=frozenset(map(name_of, page.dated)),
    )
