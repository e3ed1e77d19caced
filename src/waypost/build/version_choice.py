"""Chooses among the versions of a site, each of which is in a folder of its own, the newest."""

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

import msgspec

from waypost.build.listing_notes import ListingNotes
from waypost.config.schema import Site
from waypost.core import reasons
from waypost.core.model import Example, printable
from waypost.core.versions import is_version, version_rank
from waypost.rules.sibling_folders import SiblingFolders, sibling_folders
from waypost.sources.base import Source

_VERSIONS_FILE = "versions.json"
"""Where mike names the versions of a site, in its root."""
_MIN_SHARED = 2
"""How many pages versions share: each folder of a list in parts (`page/2/`) holds one of the same name."""
_MANY_VERSIONS = 3
"""From how many versions on a site names the setting."""
Told = Mapping[str, Collection[str]]
"""The names of versions with the other names that each has, in the order in which a site tells them."""


class Versions(NamedTuple):
    """The folders of the versions of one set of pages, the newest first, each with the keys of its pages.

    A folder is `""` for the site's root, or ends with `/`.
    """

    folders: Mapping[str, Sequence[str]]

    @property
    def newest(self) -> str:
        """The folder that readers should get."""
        return next(iter(self.folders))

    @property
    def older(self) -> Mapping[str, Sequence[str]]:
        """All other folders."""
        return {folder: keys for folder, keys in self.folders.items() if folder != self.newest}


def without_older(keys: Sequence[str], source: Source, site: Site, notes: ListingNotes) -> Collection[str]:
    """The keys without those of older versions, if the setting `versions` asks for the newest; else a hint at it."""
    found = list(find_versions(keys, _told_versions(source)))
    if site.versions != "newest":
        for folder in (folder for each in found if len(each.folders) >= _MANY_VERSIONS for folder in each.older):
            notes.warn("several-versions", Example(printable(folder)))
        return keys
    if not found:
        notes.warn("no-versions", Example(_VERSIONS_FILE))
    left_out = {key: each.newest for each in found for older in each.older.values() for key in older}
    for key in [key for key in left_out if site.exclude.decision(key) is False]:
        del left_out[key]
    for key, newest in left_out.items():
        notes.leave_out(key, reasons.OLD_VERSION, f"{newest or 'the root'} is newer")
    return [key for key in keys if key not in left_out]


def find_versions(keys: Collection[str], told: Told) -> Iterator[Versions]:
    """The versions among the folders of pages; `told` are those that the site's root names.

    Folders whose names are whole numbers are versions only beside one that is not: they may be years, or parts.
    """

    def names(parent: str, folders: Collection[str]) -> Collection[str]:
        known = {} if parent else told
        found = [name for name in folders if is_version(name) or name in known]
        return found if any(name in known or not name.isdecimal() for name in found) else ()

    for found in sibling_folders(keys, names, _MIN_SHARED):
        ordered = sorted(found.folders, key=_order({} if found.parent else told))
        yield Versions({_folder(found, name): list(found.folders[name].values()) for name in ordered})


def _told_versions(source: Source) -> Told:
    """The versions that `versions.json` in a site's root names, and their aliases; none if it has another form."""
    try:
        found = msgspec.json.decode(source.find(_VERSIONS_FILE) or b"", type=list[_ToldVersion])
    except (OSError, msgspec.MsgspecError):
        return {}
    return {alias: () for each in found for alias in each.aliases} | {each.version: each.aliases for each in found}


class _ToldVersion(msgspec.Struct, frozen=True):
    """A version as mike writes it."""

    version: str
    aliases: tuple[str, ...] = ()


def _folder(found: SiblingFolders, name: str) -> str:
    return f"{found.parent}{name}/" if name else found.parent


def _order(told: Told) -> Callable[[str], tuple[bool, object, int]]:
    """The order of versions by name: the parent of the others, then by the best name that each has."""
    places = {name: n for n, name in enumerate(told)}

    def order(name: str) -> tuple[bool, object, int]:
        names: Iterable[str] = (name, *told.get(name, ()))
        return name != "", min(map(version_rank, names)), places.get(name, 0)

    return order
