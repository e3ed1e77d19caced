"""Finds folders of one folder that hold the same pages, as the versions and the languages of a site do.

Folders are known by their names and by their pages: `2.0/` of another project holds no page of `1.0/`.
"""

from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterator, Mapping
from itertools import islice
from typing import NamedTuple

from waypost.core import languages
from waypost.pages.hreflang import PageLinks

_MIN_SHARE = 0.5
"""The share of the pages of a folder that another one must hold, too."""
_MOST_COMPARED, _MOST_LEVELS = 100, 16
"""A folder is compared with so many others; versions and languages lie in no more folders than these."""
Pages = Mapping[str, str]
"""The key of each page by its path in a folder."""
Choose = Callable[[str, Collection[str]], Collection[str]]
"""Chooses the names that count among those of the folders directly in a parent."""
Speaks = Callable[[str], str]
"""Returns the language that the page with a key says to be in, or `""`."""


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


def language_folders(keys: Collection[str], speaks: Speaks) -> Iterator[SiblingFolders]:
    """The folders of one folder that are named for languages and hold the same pages, as `de/` and `pt-br/` do.

    The name `""` means the pages of the default language, which lie above these folders. One folder alone, such as
    `io/`, is named for a language only if it holds as many pages as there are above it, or says that language.
    """
    for found in sibling_folders(keys, lambda parent, names: list(filter(_is_language, names))):
        folders = dict(found.folders)
        if any(is_shared(pages, found.above) for pages in folders.values()):
            folders[""] = found.above
        if len(folders) > 2 or "" not in folders or _is_one_language(found, speaks):
            yield found._replace(folders=folders)


def _is_language(name: str) -> bool:
    return name[:2].islower() and languages.is_two_letter_name(name)


def _is_one_language(found: SiblingFolders, speaks: Speaks) -> bool:
    """Whether the only folder beside the pages above it is named for a language."""
    ((name, pages),) = found.folders.items()
    return is_shared(found.above, pages) or is_language(speaks(next(iter(pages.values()))), name)


def is_language(said: str, name: str) -> bool:
    """Whether a page that says a language is in the language of a folder's name."""
    return said[:2].lower() == name[:2].lower()


def folder_links(locs: Mapping[str, str], own: Mapping[str, str]) -> Mapping[str, PageLinks]:
    """The links, by its loc, that each page would have if it named its versions in other folders, and itself.

    `locs` has the loc of each page by its key, and `own` the hreflang of each page by its `lang` attribute: it counts
    for a page of no language's folder. A page whose versions have no other language has no links.
    """
    found: dict[str, PageLinks] = {}
    for siblings in language_folders(locs, own.__getitem__):
        for versions in _versions(siblings, own):
            urls = {code: locs[key] for code, key in sorted(versions.items())}
            found |= {loc: PageLinks(urls) for loc in urls.values() if len(urls) > 1 and loc not in found}
    return found


def _versions(siblings: SiblingFolders, own: Mapping[str, str]) -> Iterator[dict[str, str]]:
    """For each path the key of each version by its hreflang; the page of a folder goes before one above the folders."""
    by_path: dict[str, dict[str, str]] = {}
    for name, pages in sorted(siblings.folders.items(), reverse=True):
        for path, key in pages.items():
            code = languages.normalize(name.replace("_", "-")) if name else own[key]
            if code:
                by_path.setdefault(path, {}).setdefault(code, key)
    yield from by_path.values()
