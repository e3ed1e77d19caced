"""Recognises HTML files that are no pages of a site: pieces of pages, empty files, proofs of ownership, redirects.

The table `non_pages.toml` has files that are known by name and content, each with its source.
"""

import re
from functools import cache
from pathlib import Path

from msgspec import Struct
from selectolax.lexbor import LexborHTMLParser

from waypost.core import reasons
from waypost.core.reasons import REASONS, Reason
from waypost.core.tables import Table
from waypost.pages import html_tree
from waypost.pages.html_tree import as_utf8
from waypost.settings.output_names import MARK

_DOCUMENT = re.compile(rb"<(?:!doctype|html|head|title|body)\b", re.IGNORECASE)
"""What every page has at least one of; parsers supply the others."""
_TEMPLATE_TAG = re.compile(rb"\s*(?:\{[%{#]|<%)")
_FENCE = re.compile(rb"\s*+(---|\+\+\+)[ \t]*+\r?\n")
_MARK, _MARK_WITHIN = MARK.encode(), 200
"""How Waypost's own HTML sitemaps begin, also those that the settings do not ask for any more."""
_SCRIPTED_REDIRECT = re.compile(
    rb"""location(?<![\w$]location)(?:(?:\.href)?\s{0,9}=(?!=)|\.(?:replace|assign)\()\s{0,9}"""
    rb"""(["'`])(?P<target>[^"'`\s#$]{1,2000})\1"""
    rb"""(?:\s{0,9}\+\s{0,9}(?:window\.|document\.)?location\.(?:search|hash))*\s{0,9}(?:[;)\n}<]|\Z)"""
)
"""A script that sends visitors to a URL that it names."""
_SCRIPTED_MOVE = re.compile(
    rb"(?:(?<![\w$.])|\b(?:window|document|self|top)\.)location"
    rb"(?:(?:\.href)?\s{0,9}=(?!=)|\.(?:replace|assign)\()\s{0,9}(?!(?:self|window)\b)[A-Za-z_$]"
)
"""A script that sends visitors to a URL that it makes: the value of a variable or of a function."""
_LFS = b"version https://git-lfs.github.com/spec/"
"""How a pointer of Git LFS begins (git-lfs, docs/spec.md)."""
LARGEST_POINTER = 1_023
_CONTENT = (
    "script[src], img, picture, video, audio, iframe, object, embed, canvas, svg, form, pre, link[rel~=stylesheet]"
)
"""Elements that show something, or fill the page by a script."""
_SHELL = "200.html"
"""The page that servers show for any URL; with a text it may be a page about the number."""
_LARGEST_EMPTY = 512
"""A page without anything on it is smaller than this, as the drafts of Quarto are."""
_LARGEST_REDIRECT = 4_096
"""A file of which nothing but a redirect is left is smaller than this."""


class KnownFile(Struct, frozen=True):
    """A row of the table: a kind of file that is no page, by its name and by what is in it."""

    what: str
    reason: str
    source: str
    content: str = ""
    contains: str = ""
    names: str = ""

    def is_like(self, name: str, data: bytes) -> bool:
        """Whether a file is of this kind."""
        if self.names and not re.fullmatch(self.names, name):
            return False
        if self.contains and self.contains.encode() not in data:
            return False
        return not self.content or bool(re.search(self.content.encode(), data.strip()))


@cache
def _known_files() -> tuple[KnownFile, ...]:
    return tuple(Table(Path(__file__).parent / "non_pages.toml", KnownFile, "what").values())


NonPage = tuple[Reason, str]
"""The reason for which an HTML file is no page, and what showed it."""


def non_page(name: str, data: bytes, *, is_whole: bool) -> NonPage | None:
    """Why a file is no page, or None if it is one; `data` is its beginning, or all of it.

    A missing title, or a body that only a script fills, is no reason.
    """
    if _MARK in data[:_MARK_WITHIN]:
        return reasons.OUTPUT, ""
    if is_lfs_pointer(data):
        return reasons.LFS_POINTER, ""
    for kind in _known_files():
        if kind.is_like(name, data):
            return REASONS[kind.reason], f"it is {kind.what}" if kind.reason == reasons.FRAGMENT else ""
    if not _DOCUMENT.match(data) and (found := _piece(data, is_whole=is_whole)):
        return found
    if name == _SHELL and is_whole and not _has_text(html_tree.parse(data)):
        return reasons.APP_SHELL, ""
    if is_whole and len(data) <= _LARGEST_EMPTY and (b"</body>" in data or b"http-equiv" in data) and _is_blank(data):
        return reasons.EMPTY, "nothing is on it"
    if is_whole and len(data) <= _LARGEST_REDIRECT and b"location" in data and _may_redirect(data):
        return _redirect(data)
    return None


def is_lfs_pointer(data: bytes) -> bool:
    """Whether a file is a pointer of Git LFS, by its beginning."""
    return data.startswith(_LFS)


def _may_redirect(data: bytes) -> bool:
    return bool(_SCRIPTED_REDIRECT.search(data) or _SCRIPTED_MOVE.search(data))


def _is_blank(data: bytes) -> bool:
    """Whether a page has neither a title nor a script, nor anything that is shown."""
    tree = html_tree.parse(data)
    title = tree.css_first("title")
    if tree.css_first("script, link[rel~=canonical], frameset") is not None or (title and title.text().strip()):
        return False
    return not _shows_anything(tree)


def _has_text(tree: LexborHTMLParser) -> bool:
    """Whether a page has any text besides its scripts; the tree loses these."""
    tree.strip_tags(["script", "style", "template", "noscript"])
    return tree.body is not None and bool(tree.body.text().strip())


def _piece(data: bytes, *, is_whole: bool) -> NonPage | None:
    """Why a file that does not begin as a page is none: it is empty, a template, or a piece of a page."""
    text = data.removeprefix(b"\xef\xbb\xbf")
    if is_whole and not text.strip(b" \t\r\n\f"):
        return reasons.EMPTY, ""
    if tag := _TEMPLATE_TAG.match(text):
        return reasons.FRAGMENT, f"it begins with {tag[0].strip().decode()}"
    if _begins_with_front_matter(text):
        return reasons.FRAGMENT, "it begins with front matter"
    if is_whole and not has_document_tag(data):
        return reasons.FRAGMENT, "it has neither a doctype nor html, head, title or body"
    return None


def _begins_with_front_matter(text: bytes) -> bool:
    """Whether a text begins with a fence, and has the same one on a later line."""
    opened = _FENCE.match(text)
    if opened is None:
        return False
    closed = re.compile(rb"^" + re.escape(opened[1]) + rb"[ \t]*+(?:\r?\n|\Z)", re.MULTILINE)
    return closed.search(text, opened.end()) is not None


def has_document_tag(data: bytes) -> bool:
    """Whether there is a doctype, or an html, head, title or body tag."""
    return bool(_DOCUMENT.search(data) or (b"\x00" in data and _DOCUMENT.search(as_utf8(data))))


def _redirect(data: bytes) -> NonPage | None:
    """A redirect by a script, in a page that shows nothing else, or that repeats it in a meta refresh in `noscript`."""
    tree = html_tree.parse(data)
    scripts = [node.text().encode("utf-8", "replace") for node in tree.css("script:not([src])")]
    found = next(filter(None, map(_SCRIPTED_REDIRECT.search, scripts)), None)
    if found is None:
        moves = any(map(_SCRIPTED_MOVE.search, scripts)) and not _shows_anything(tree)
        return (reasons.REFRESH, "a script") if moves else None
    target = found["target"].decode("utf-8", "replace")
    if not _is_repeated(tree, target) and _shows_anything(tree):
        return None
    return reasons.REFRESH, target


def _is_repeated(tree: LexborHTMLParser, target: str) -> bool:
    """Whether a meta refresh for browsers without scripts leads to the same URL."""
    refreshes = ((node.html or "").lower() for node in tree.css("noscript"))
    return any("http-equiv" in text and target.lower() in text for text in refreshes)


def _shows_anything(tree: LexborHTMLParser) -> bool:
    return tree.css_first(_CONTENT) is not None or _has_text(tree)
