"""Leaves out the pages of a language's folder that are not translated, as generators build them in its place."""

from collections.abc import Callable, Iterator, Sequence

from waypost.build.listing_notes import ListingNotes
from waypost.build.page_choice import without
from waypost.build.page_reader import ReadPage
from waypost.config.schema import Site
from waypost.core import reasons
from waypost.core.model import Item
from waypost.core.urls import path_on_site
from waypost.rules import untranslated
from waypost.rules.html_bounds import MOST_BYTES
from waypost.rules.language_folders import is_language, language_folders
from waypost.rules.sibling_folders import Pages, SiblingFolders
from waypost.rules.untranslated import Texts
from waypost.sources.base import Source

_FRAME_SAMPLE = 40
_INDEXES = ("index.html", "index.htm")
"""The home page of a language stays: it leads to what is translated."""
_Read = Callable[[str], bytes]


def without_untranslated(
    listed: Sequence[ReadPage], home: str, source: Source, site: Site, notes: ListingNotes
) -> Sequence[ReadPage]:
    """The pages without those in a language's folder that have the text of the default language's page.

    The default language is that of the pages above such folders; else that of the folder to which `home`, the URL that
    the site's root sends visitors to, belongs; else that which the root's page says. Where it is not known, no page is
    left out. A `!` pattern of `exclude` takes a page back.
    """
    items = {each.item.key: each.item for each in listed}

    def read(key: str) -> bytes:
        return _read(source, items[key])

    left_out: dict[str, str] = {}
    for siblings in language_folders(items, lambda key: untranslated.language(read(key))):
        default = _default(siblings, home, site, read, next((key for key in _INDEXES if key in items), ""))
        if default is not None:
            left_out |= _untranslated(siblings, default, read)
    details = {key: f"it has the text of {original}" for key, original in left_out.items()}
    return without(listed, details, reasons.UNTRANSLATED, site, notes)


def _default(siblings: SiblingFolders, home: str, site: Site, read: _Read, root: str) -> str | None:
    """The name of the default language's folder; `""` if its pages lie above the others."""
    if "" in siblings.folders:
        return ""
    found = path_on_site(home, site.base_url) if home else None
    name = found.path.removeprefix(siblings.parent).partition("/")[0] if found else ""
    if name in siblings.folders:
        return name
    said = untranslated.language(read(root)) if root else ""
    return next((name for name in siblings.folders if is_language(said, name)), None)


def _untranslated(siblings: SiblingFolders, default: str, read: _Read) -> Iterator[tuple[str, str]]:
    """The keys of the pages that are not translated, each with the key of the original."""
    frames = {name: _frame(pages, read) for name, pages in siblings.folders.items()}
    names_by_path: dict[str, list[str]] = {}
    for name, pages in siblings.folders.items():
        for path in pages if name != default else ():
            names_by_path.setdefault(path, []).append(name)
    for path, original in siblings.folders[default].items():
        names = names_by_path.get(path)
        if not names or path in _INDEXES:
            continue
        page = read(original)
        spoken = default or untranslated.language(page)
        texts = untranslated.texts(page) - frames[default]
        for name in names:
            key = siblings.folders[name][path]
            if not is_language(spoken, name) and _is_untranslated(read(key), texts, frames[name], name):
                yield key, original


def _frame(pages: Pages, read: _Read) -> Texts:
    sample = untranslated.sample(list(pages.values()), _FRAME_SAMPLE)
    return untranslated.frame(untranslated.texts(read(key)) for key in sample)


def _is_untranslated(page: bytes, original: Texts, frame: Texts, language: str) -> bool:
    texts = untranslated.texts(page) - frame
    return untranslated.are_alike(texts, original) and not untranslated.is_written_in(texts, language)


def _read(source: Source, item: Item) -> bytes:
    """The first bytes of a page; none if it cannot be read any more, so it is like no other."""
    try:
        return source.read(item, MOST_BYTES).data
    except OSError:
        return b""
