"""Chooses among the versions of a site, each of which is in a folder of its own, the newest."""

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from itertools import chain

import msgspec

from waypost.build.listing_notes import ListingNotes
from waypost.build.page_choice import without
from waypost.build.page_reader import ReadPage
from waypost.core import reasons, urls
from waypost.core.data_files import DataError, load_json
from waypost.core.model import Example, printable
from waypost.core.urls import page_identity, path_on_site
from waypost.core.versions import is_version, version_rank
from waypost.files.source import Source
from waypost.pages.sibling_folders import SiblingFolders, is_shared, sibling_folders
from waypost.settings.schema import Site

_VERSIONS_FILE = "versions.json"
"""Where mike names the versions of a site, in its root."""
_MIN_SHARED = 2
"""How many pages versions share: a list in parts (`page/2/`), or release notes, have one of the same name for each."""
_MANY_VERSIONS = 3
"""From how many versions on a warning names the setting."""
Told = Mapping[str, Collection[str]]
"""The names of versions with the other names that each has, in the order in which a site tells them."""
Versions = Mapping[str, Sequence[str]]
"""The folders of the versions of one set of pages, the newest first, each with the keys of its pages.

A folder is `""` for the site's root, or ends with `/`.
"""
_PAGES_OF_VERSIONS = frozenset({reasons.CANONICAL, reasons.FOREIGN_CANONICAL, reasons.NOINDEX})
"""Pages that are left out for these reasons are pages of a version; a redirect is none."""


def without_older(
    listed: Sequence[ReadPage], read: Sequence[ReadPage], source: Source, site: Site, notes: ListingNotes
) -> Sequence[ReadPage]:
    """The pages without those of older versions, if the setting `versions` asks for the newest; else a hint at it.

    `read` are all pages, since a version whose pages are left out is one, and a redirect names the newest.
    """
    found = list(find_versions(_pages(read), _told_versions(source), _leads(read, site)))
    keys = {each.item.key for each in listed}
    if site.versions != "newest":
        for versions in found:
            folders = [folder for folder, of_folder in versions.items() if not keys.isdisjoint(of_folder)]
            for folder in folders[1:] if len(folders) >= _MANY_VERSIONS else ():
                notes.warn("several-versions", Example(printable(folder or "the root")))
        return listed
    if not found:
        notes.warn("no-versions", Example(_VERSIONS_FILE))
    left_out: dict[str, str] = {}
    for versions in found:
        newest, *older = versions
        if not is_shared(versions[newest], keys):
            notes.warn("no-versions", Example(printable(newest), "most of its pages are left out for other reasons"))
        else:
            left_out |= {key: newest for folder in older for key in versions[folder] if key in keys}
    details = {key: f"{newest or 'the root'} is newer" for key, newest in left_out.items()}
    return without(listed, details, reasons.OLD_VERSION, site, notes)


def find_versions(keys: Collection[str], told: Told, leads: Mapping[str, str]) -> Iterator[Versions]:
    """The versions among the folders of pages; `told` are those that the site's root names.

    `leads` has the path to which the page of a folder sends visitors. Folders whose names are whole numbers are
    versions only beside one that is not: they may be years, or parts.
    """

    def choose(parent: str, names: Collection[str]) -> Collection[str]:
        known = {} if parent else told
        found = [name for name in names if is_version(name) or name in known]
        return found if any(name in known or not name.isdecimal() for name in found) else ()

    for found in sibling_folders(keys, choose, _MIN_SHARED, told):
        versions = _ordered(found, {} if found.parent else told, leads.get(found.parent, ""))
        if len(versions) > 1:
            yield versions


def _ordered(found: SiblingFolders, told: Told, lead: str) -> Versions:
    """The versions of one parent, the newest first.

    What lies above the folders is the newest if it is a version as whole as they are. It is old where the site names
    its versions, or sends visitors from there to one of them: then its pages are left from before.
    """
    first = lead.removeprefix(found.parent).partition("/")[0]
    names = sorted(found.folders, key=_order(told, first))
    versions = {f"{found.parent}{name}/": list(found.folders[name].values()) for name in names}
    paths = set(chain.from_iterable(found.folders.values()))
    shared = [key for path, key in found.above.items() if path in paths]
    if first in found.folders or told.keys() & found.folders.keys():
        return versions | ({found.parent: shared} if shared else {})
    if any(is_shared(pages, found.above) and is_shared(found.above, pages) for pages in found.folders.values()):
        return {found.parent: list(found.above.values())} | versions
    return versions


def _pages(read: Sequence[ReadPage]) -> Sequence[str]:
    """The keys of the pages of versions: also of those that are left out, if none is listed in their place."""
    identities = {page_identity(each.loc) for each in read}

    def is_page(page: ReadPage) -> bool:
        skipped = page.decision.skipped
        if skipped is None or skipped.reason not in _PAGES_OF_VERSIONS:
            return skipped is None
        target = urls.normalize(skipped.detail, page.loc) if skipped.reason == reasons.CANONICAL else None
        return target is None or page_identity(target) not in identities

    return [each.item.key for each in read if is_page(each)]


def _leads(pages: Iterable[ReadPage], site: Site) -> Mapping[str, str]:
    """The path to which the page of each folder sends visitors, by the folder."""
    found: dict[str, str] = {}
    for page in pages:
        skipped = page.decision.skipped
        folder, slash, name = page.item.key.rpartition("/")
        if skipped and skipped.reason in (reasons.REFRESH, reasons.REDIRECT) and name.startswith("index."):
            target = urls.normalize(skipped.detail, page.loc)
            path = path_on_site(target, site.base_url) if target else None
            found[folder + slash] = path.path if path else ""
    return found


def _told_versions(source: Source) -> Told:
    """The versions that `versions.json` in a site's root names, and their aliases; none if it has another form."""
    try:
        text = (source.find(_VERSIONS_FILE) or b"").decode("utf-8", "replace")
        found = msgspec.convert(load_json(text), list[_ToldVersion])
    except (OSError, DataError, msgspec.ValidationError):
        return {}
    return {alias: () for each in found for alias in each.aliases} | {each.version: each.aliases for each in found}


class _ToldVersion(msgspec.Struct, frozen=True):
    """A version as mike writes it."""

    version: str
    aliases: tuple[str, ...] = ()


def _order(told: Told, first: str) -> Callable[[str], tuple[bool, object, int]]:
    """The order of versions by name: `first`, then by the best name that each has."""
    places = {name: n for n, name in enumerate(told)}

    def order(name: str) -> tuple[bool, object, int]:
        names: Iterable[str] = (name, *told.get(name, ()))
        return name != first, min(map(version_rank, names)), places.get(name, 0)

    return order
