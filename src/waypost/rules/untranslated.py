"""Compares versions of a page in two languages: whether the one has the text of the other.

The texts are compared as they are written between tags, without a parser: the pages of one generator write the same
text in the same way, and a site may have many of them.
"""

import re
from collections import Counter
from collections.abc import Iterable, Sequence

from waypost.rules import html_tree

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
