"""Compares two versions of a page: whether the one in another language has the text of the other."""

import re
from collections.abc import Iterator

from selectolax.lexbor import LexborHTMLParser

from waypost.rules import html_tree
from waypost.rules.html_head import visible_lines

_HEADING = re.compile(rb"<h1\b[^>]*>(.{0,2000}?)</h1", re.IGNORECASE | re.DOTALL)
_TAG = re.compile(rb"<[^>]*>")
_MAIN = ("main", "[role=main]", "article", "body")
_NOT_MAIN = ["nav", "header", "footer", "aside", "pre", "script", "style", "template", "noscript"]
"""What themes translate, and code, which no translator does."""
_BEGINNING = 4_096
"""The first bytes of a page, which hold its first tag."""
_MIN_SHARE, _MIN_TEXT = 0.8, 100
"""The share of the longer text, in characters, that both have, and how long it is at least."""


def is_untranslated(page: bytes, original: bytes) -> bool:
    """Whether the main text of a page is that of the original; texts in one language say nothing.

    What themes translate, such as menus, does not count. Pages with other headings are not compared any further.
    """
    if _heading(page) != _heading(original):
        return False
    found, of_original = set(_main_lines(page)), set(_main_lines(original))
    common = sum(map(len, found & of_original))
    return common >= max(_MIN_TEXT, _MIN_SHARE * max(sum(map(len, found)), sum(map(len, of_original))))


def language(page: bytes) -> str:
    """The `lang` attribute of a page as it is written, or `""`."""
    root = html_tree.parse(page[:_BEGINNING]).root
    return ((root.attributes.get("lang") if root is not None else "") or "").strip()


def _heading(page: bytes) -> bytes:
    found = _HEADING.search(page)
    return b" ".join(_TAG.sub(b"", found[1]).split()) if found else b""


def _main_lines(page: bytes) -> Iterator[str]:
    tree = html_tree.parse(page)
    tree.strip_tags(_NOT_MAIN)
    main = next((node for name in _MAIN if (node := tree.css_first(name)) is not None), None)
    yield from visible_lines(LexborHTMLParser(main.html or ""))[1:] if main is not None else ()
