"""Leaves out the pages of a language's folder that are not translated, as generators build them in its place."""

from collections.abc import Iterator, Mapping, Sequence

from waypost.build.listing_notes import ListingNotes
from waypost.build.page_reader import ReadPage
from waypost.config.schema import Site
from waypost.core import reasons
from waypost.core.model import Item
from waypost.core.urls import path_on_site
from waypost.rules.language_folders import language_folders
from waypost.rules.sibling_folders import SiblingFolders
from waypost.rules.untranslated import is_untranslated, language
from waypost.sources.base import Source


def without_untranslated(
    listed: Sequence[ReadPage], home: str, source: Source, site: Site, notes: ListingNotes
) -> Sequence[ReadPage]:
    """The pages without those in a language's folder that have the text of the default language's page.

    The default language is that of the pages above such folders, or else of the folder to which `home`, the URL that
    the site's root sends visitors to, belongs. Where neither is known, no page is left out. A `!` pattern of `exclude`
    takes a page back.
    """
    items = {each.item.key: each.item for each in listed}
    left_out: dict[str, str] = {}
    for siblings in language_folders(items):
        default = _default(siblings, home, site)
        if default is not None:
            left_out |= _untranslated(siblings, default, items, source)
    for key in [key for key in left_out if site.exclude.decision(key) is False]:
        del left_out[key]
    for key, original in left_out.items():
        notes.leave_out(key, reasons.UNTRANSLATED, f"it has the text of {original}")
    return [each for each in listed if each.item.key not in left_out]


def _default(siblings: SiblingFolders, home: str, site: Site) -> str | None:
    """The name of the default language's folder; `""` if its pages lie above the others."""
    if "" in siblings.folders:
        return ""
    found = path_on_site(home, site.base_url) if home else None
    name = found.path.removeprefix(siblings.parent).partition("/")[0] if found else ""
    return name if name in siblings.folders else None


def _untranslated(
    siblings: SiblingFolders, default: str, items: Mapping[str, Item], source: Source
) -> Iterator[tuple[str, str]]:
    """The keys of the pages that are not translated, each with the key of the original."""
    for path, original in siblings.folders[default].items():
        versions = {name: pages[path] for name, pages in siblings.folders.items() if name != default and path in pages}
        text = _read(source, items[original]) if versions else b""
        spoken = (language(text) or default).lower()[:2]
        for name, key in versions.items():
            if name[:2].lower() != spoken and is_untranslated(_read(source, items[key]), text):
                yield key, original


def _read(source: Source, item: Item) -> bytes:
    """The bytes of a page; none if it cannot be read any more, so it is like no other."""
    try:
        return source.read(item).data
    except OSError:
        return b""
