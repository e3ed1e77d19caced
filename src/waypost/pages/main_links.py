"""The links in the main content of a page: not those of menus, sidebars, headers and footers."""

import re
from collections.abc import Iterator
from itertools import takewhile

from selectolax.lexbor import LexborNode

from waypost.core import urls
from waypost.pages import html_tree

_BESIDE = ("nav", "aside")
_AT_ENDS = ("header", "footer")
_PARTS = ("article", "section", "li")
"""An element in which a header or a footer is that of a part of the content."""
_BESIDE_BY_CLASS = re.compile(r"(?:^|[\s_-])(?:nav|navbar|navigation|menu|sidebar|breadcrumbs?|pagination)(?:$|[\s_-])")
_ROLES = ("navigation", "complementary", "banner", "contentinfo")
_MOST_LINKS, _MOST_ABOVE = 2_000, 100
"""How many links of a page are read, and how many elements around one, so that a hostile page ends soon."""


def main_links(data: bytes, loc: str) -> Iterator[str]:
    """The absolute URLs to which the main content of a page links, each once; none if the page exceeds a bound."""
    tree = html_tree.parse_whole(data)
    root = tree and (tree.css_first("main, [role=main]") or tree.body)
    found = root.css("a[href]")[:_MOST_LINKS] if root else []
    inside = (link.attributes.get("href") or "" for link in found if not _is_beside(link))
    yield from dict.fromkeys(url for href in inside if (url := urls.normalize(href.partition("#")[0], loc)))


def _is_beside(link: LexborNode) -> bool:
    """Whether an element around a link is beside the content, or the link is in the header or footer of the page."""
    around = [node for _, node in zip(range(_MOST_ABOVE), _above(link), strict=False)]
    inner = takewhile(lambda node: not _is_main(node), around)
    return any(_is_by_name(node) or (node.tag in _AT_ENDS and not _has_part(node)) for node in inner)


def _above(node: LexborNode) -> Iterator[LexborNode]:
    parent = node.parent
    while parent is not None and parent.tag != "body":
        yield parent
        parent = parent.parent


def _is_by_name(node: LexborNode) -> bool:
    names = node.attributes
    is_named = _BESIDE_BY_CLASS.search(f"{names.get('class') or ''} {names.get('id') or ''}".lower()) is not None
    return node.tag in _BESIDE or names.get("role") in _ROLES or is_named


def _is_main(node: LexborNode) -> bool:
    return node.tag == "main" or node.attributes.get("role") == "main"


def _has_part(node: LexborNode) -> bool:
    return any(each.tag in _PARTS or _is_main(each) for _, each in zip(range(_MOST_ABOVE), _above(node), strict=False))
