"""Recognises HTML files that are no pages of a site: pieces of pages, empty files, proofs of ownership, redirects."""

import re
from typing import NamedTuple

from selectolax.lexbor import LexborHTMLParser

from waypost.core import reasons
from waypost.core.reasons import Reason
from waypost.rules import html_tree
from waypost.rules.encoding import as_utf8

_DOCUMENT = re.compile(rb"<(?:!doctype|html|head|title|body)\b", re.IGNORECASE)
"""What every page has at least one of; parsers supply the others."""
_TEMPLATE_TAG = re.compile(rb"\s*(?:\{[%{#]|<%)")
_FENCE = re.compile(rb"\s*+(---|\+\+\+)[ \t]*+\r?\n")
_OWNERS = ("google", "yandex", "baidu", "naver", "pinterest", "mailru", "wmail")
_PROOFS = (
    (r"google[0-9a-f]{16}\.html", rb"google-site-verification:\s{0,9}google[0-9a-f]{16}\.html"),
    (r"yandex_[0-9a-f]{8,32}\.html", rb"Verification:\s{0,9}[0-9a-f]{8,32}"),
    (r"baidu_verify_[\w-]+\.html", rb"\A[0-9A-Za-z-]{6,64}\Z"),
    (r"naver[0-9a-f]{32}\.html", rb"naver-site-verification:\s{0,9}naver[0-9a-f]{32}\.html"),
    (r"pinterest-[0-9a-f]{5,}\.html", rb"(?i)pinterest"),
    (r"(?:mailru-verification|wmail_)[0-9a-f]{16,32}\.html", rb"mailru-verification"),
)
"""The names and the contents of the files by which search engines know a site's owner.

Few sites have one, so these patterns are compiled when they are needed.
"""
_SCRIPTED_REDIRECT = re.compile(
    rb"""location(?<![\w$]location)(?:(?:\.href)?\s{0,9}=(?!=)|\.(?:replace|assign)\()\s{0,9}"""
    rb"""(["'`])(?P<target>[^"'`\s#$]{1,2000})\1"""
    rb"""(?:\s{0,9}\+\s{0,9}(?:window\.|document\.)?location\.(?:search|hash))*\s{0,9}(?:[;)\n}<]|\Z)"""
)
"""A script that sends visitors to a URL that it names."""
_CONTENT = "script[src], img, picture, video, audio, iframe, object, embed, canvas, svg, form, link[rel~=stylesheet]"
"""Elements that show something, or fill the page by a script."""
_LARGEST_REDIRECT = 4_096
"""A file of which nothing but a redirect is left is smaller than this."""


class NonPage(NamedTuple):
    """The reason for which an HTML file is no page, and what showed it."""

    reason: Reason
    detail: str = ""


def non_page(name: str, data: bytes, *, is_whole: bool) -> NonPage | None:
    """Why a file is no page, or None if it is one; `data` is its beginning, or all of it.

    A missing title, or a body that only a script fills, is no reason.
    """
    if name.startswith(_OWNERS) and _is_proof(name, data):
        return NonPage(reasons.VERIFICATION)
    if not _DOCUMENT.match(data) and (found := _piece(data, is_whole=is_whole)):
        return found
    if is_whole and len(data) <= _LARGEST_REDIRECT and b"location" in data and _SCRIPTED_REDIRECT.search(data):
        return _redirect(data)
    return None


def _is_proof(name: str, data: bytes) -> bool:
    text = data.strip()
    return any(re.fullmatch(names, name) and re.search(content, text) for names, content in _PROOFS)


def _piece(data: bytes, *, is_whole: bool) -> NonPage | None:
    """Why a file that does not begin as a page is none: it is empty, a template, or a piece of a page."""
    text = data.removeprefix(b"\xef\xbb\xbf")
    if is_whole and not text.strip(b" \t\r\n\f"):
        return NonPage(reasons.EMPTY)
    if tag := _TEMPLATE_TAG.match(text):
        return NonPage(reasons.FRAGMENT, f"it begins with {tag[0].strip().decode()}")
    if _begins_with_front_matter(text):
        return NonPage(reasons.FRAGMENT, "it begins with front matter")
    if is_whole and not has_document_tag(data):
        return NonPage(reasons.FRAGMENT, "it has neither a doctype nor html, head, title or body")
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
    scripts = (node.text().encode("utf-8", "replace") for node in tree.css("script:not([src])"))
    found = next(filter(None, map(_SCRIPTED_REDIRECT.search, scripts)), None)
    if found is None:
        return None
    target = found["target"].decode("utf-8", "replace")
    if not _is_repeated(tree, target) and _shows_anything(tree):
        return None
    return NonPage(reasons.REFRESH, target)


def _is_repeated(tree: LexborHTMLParser, target: str) -> bool:
    """Whether a meta refresh for browsers without scripts leads to the same URL."""
    refreshes = ((node.html or "").lower() for node in tree.css("noscript"))
    return any("http-equiv" in text and target.lower() in text for text in refreshes)


def _shows_anything(tree: LexborHTMLParser) -> bool:
    if tree.css_first(_CONTENT) is not None:
        return True
    tree.strip_tags(["script", "style", "template", "noscript"])
    return tree.body is not None and bool(tree.body.text().strip())
