"""Parses HTML: the only place that does, so that no page takes more time and memory than its length accounts for."""

from collections.abc import Iterator

from selectolax.lexbor import LexborHTMLParser

from waypost.pages.encoding import as_utf8
from waypost.pages.html_bounds import bounded_length, is_bounded


def parse(data: bytes) -> LexborHTMLParser:
    """The tree of a page in any encoding; of one that exceeds a bound, the tree of what comes before."""
    page = as_utf8(data)
    return LexborHTMLParser(page[: bounded_length(page)])


def language(tree: LexborHTMLParser) -> str:
    """The `lang` attribute of a page as it is written, or `""`."""
    return ((tree.root.attributes.get("lang") if tree.root is not None else "") or "").strip()


def named_meta(tree: LexborHTMLParser) -> Iterator[tuple[str, str]]:
    """The name or property, in small letters, and the content of each meta element that has one."""
    for node in tree.css("meta[property], meta[name]"):
        attributes = node.attributes
        name = attributes.get("property") or attributes.get("name") or ""
        yield name.strip().lower(), attributes.get("content") or ""


def parse_whole(data: bytes) -> LexborHTMLParser | None:
    """The tree of a whole page in any encoding; None if it exceeds a bound."""
    page = as_utf8(data)
    return LexborHTMLParser(page) if is_bounded(page) else None
