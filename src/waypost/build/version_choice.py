"""Chooses among folders of versions the newest, and leaves out what folders of languages have untranslated."""

import re
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from itertools import chain

import msgspec

from waypost.build.page_choice import ListingNotes, without
from waypost.build.page_reader import ReadPage
from waypost.core import reasons, urls
from waypost.core.data_files import DataError, load_json
from waypost.core.model import Example, Item, printable
from waypost.core.urls import page_identity, path_on_site
from waypost.core.versions import is_version, version_rank
from waypost.files.source import Source
from waypost.pages import html_tree
from waypost.pages.html_bounds import MOST_BYTES
from waypost.pages.sibling_folders import (
    Pages,
    SiblingFolders,
    is_language,
    is_shared,
    language_folders,
    sibling_folders,
)
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
_MIN_RUN, _MIN_TEXT, _MIN_SHARE = 20, 50, 0.9
"""The bytes of a text between tags that counts, of all that a page has of these, and the share that both pages have.

Shorter texts are those of menus and buttons, which themes translate.
"""
_MIN_PAGES, _MAX_SHARE = 4, 0.5
"""A text that more than this share of so many pages have is of the site's frame."""
_UNSEEN = re.compile(
    rb"<(script|style|pre|template|noscript|title)\b[^<]*+(?:<(?!/?\1\b)[^<]*+)*+</\1\s{0,9}>", re.IGNORECASE
)
"""What is not shown, or is code, which no translator translates."""
_SCRIPTS = {
    **dict.fromkeys(("zh", "ja"), "\u3040-\u30ff\u3400-\u9fff"),
    **dict.fromkeys(("ru", "uk", "bg", "be", "sr", "mk", "kk"), "\u0400-\u04ff"),
    **dict.fromkeys(("ar", "fa", "ur"), "\u0600-\u06ff"),
    **dict.fromkeys(("hi", "mr", "ne"), "\u0900-\u097f"),
    "ko": "\uac00-\ud7af",
    "el": "\u0370-\u03ff",
    "he": "\u0590-\u05ff",
    "th": "\u0e00-\u0e7f",
    "bn": "\u0980-\u09ff",
    "ta": "\u0b80-\u0bff",
    "ka": "\u10a0-\u10ff",
    "hy": "\u0530-\u058f",
}
"""The letters of languages that are not written in Latin ones."""
_MIN_LETTERS = 0.2
_BEGINNING = 4_096
"""The first bytes of a page, which hold its first tag."""
Texts = frozenset[bytes]
"""The texts between the tags of a page that are long enough to count."""
_FRAME_SAMPLE = 40
_INDEXES = ("index.html", "index.htm")
"""The home page of a language stays: it leads to what is translated."""
_Read = Callable[[str], bytes]


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


def texts(page: bytes) -> Texts:
    """The texts of a page, each as it is written."""
    runs = (part.partition(b">")[2].strip() for part in _UNSEEN.sub(b"<", page).split(b"<"))
    return frozenset(run for run in runs if len(run) >= _MIN_RUN)


def frame(pages: Iterable[Texts]) -> Texts:
    """The texts that most of some pages share, such as a footer."""
    all_pages = list(pages)
    counts = Counter(text for page in all_pages for text in page)
    most = max(_MIN_PAGES, _MAX_SHARE * len(all_pages))
    return frozenset(text for text, count in counts.items() if count > most)


def are_alike(page: Texts, original: Texts) -> bool:
    """Whether two pages, both without the frame, have the same texts."""
    common = sum(map(len, page & original))
    return common >= max(_MIN_TEXT, _MIN_SHARE * max(sum(map(len, page)), sum(map(len, original))))


def is_written_in(page: Texts, language: str) -> bool:
    """Whether a page is written in the letters of a language that has letters of its own."""
    script = _SCRIPTS.get(language[:2].lower())
    if script is None:
        return False
    text = b"".join(page).decode("utf-8", "replace")
    return len(re.findall(f"[{script}]", text)) >= _MIN_LETTERS * max(1, len(text))


def language(page: bytes) -> str:
    """The `lang` attribute of a page as it is written, or `""`."""
    return html_tree.language(html_tree.parse(page[:_BEGINNING]))


def sample(keys: Sequence[str], count: int) -> Sequence[str]:
    """So many keys, evenly spread."""
    return keys[:: max(1, len(keys) // count)][:count]


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
    for siblings in language_folders(items, lambda key: language(read(key))):
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
    said = language(read(root)) if root else ""
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
        spoken = default or language(page)
        shown = texts(page) - frames[default]
        for name in names:
            key = siblings.folders[name][path]
            if not is_language(spoken, name) and _is_untranslated(read(key), shown, frames[name], name):
                yield key, original


def _frame(pages: Pages, read: _Read) -> Texts:
    return frame(texts(read(key)) for key in sample(list(pages.values()), _FRAME_SAMPLE))


def _is_untranslated(page: bytes, original: Texts, frame: Texts, language: str) -> bool:
    own = texts(page) - frame
    return are_alike(own, original) and not is_written_in(own, language)


def _read(source: Source, item: Item) -> bytes:
    """The first bytes of a page; none if it cannot be read any more, so it is like no other."""
    try:
        return source.read(item, MOST_BYTES).data
    except OSError:
        return b""
