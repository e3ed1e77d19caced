"""Finds the versions of pages in other languages by the folders that are named for languages."""

from collections.abc import Callable, Collection, Iterator, Mapping

from waypost.core import languages
from waypost.pages.hreflang import PageLinks
from waypost.pages.sibling_folders import SiblingFolders, is_shared, sibling_folders

Speaks = Callable[[str], str]
"""Returns the language that the page with a key says to be in, or `""`."""


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
