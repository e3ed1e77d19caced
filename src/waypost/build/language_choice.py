"""Leaves out the pages of a language's folder that are not translated, as generators build them in its place."""

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence

from waypost.build.listing_notes import ListingNotes
from waypost.build.page_choice import without
from waypost.build.page_reader import ReadPage
from waypost.core import reasons
from waypost.core.model import Item
from waypost.core.urls import path_on_site
from waypost.files.source import Source
from waypost.pages import html_tree
from waypost.pages.html_bounds import MOST_BYTES
from waypost.pages.language_folders import is_language, language_folders
from waypost.pages.sibling_folders import Pages, SiblingFolders
from waypost.settings.schema import Site

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
