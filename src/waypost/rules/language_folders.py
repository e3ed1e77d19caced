"""Finds the versions of pages in other languages by the folders that are named for languages."""

from collections.abc import Collection, Iterator, Mapping

from waypost.core import languages
from waypost.rules.hreflang import PageLinks
from waypost.rules.sibling_folders import SiblingFolders, sibling_folders


def language_folders(keys: Collection[str]) -> Iterator[SiblingFolders]:
    """The folders of one folder that are named for languages and hold the same pages, as `de/` and `pt-br/` do.

    The name `""` means the pages of the default language, which lie above these folders.
    """
    return sibling_folders(keys, lambda parent, folders: list(filter(languages.is_two_letter_name, folders)))


def folder_links(locs: Mapping[str, str], own: Mapping[str, str]) -> Mapping[str, PageLinks]:
    """The links, by its loc, that each page would have if it named its versions in other folders, and itself.

    `locs` has the loc of each page by its key, and `own` the hreflang of each page by its `lang` attribute: it counts
    for a page of no language's folder. A page whose versions have no other language has no links.
    """
    found: dict[str, PageLinks] = {}
    for siblings in language_folders(locs):
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
