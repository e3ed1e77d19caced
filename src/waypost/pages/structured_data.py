"""Reads the objects of a page's JSON-LD and microdata, and their values."""

import json
import re
from collections.abc import Iterable, Iterator
from itertools import islice
from typing import Any

from selectolax.lexbor import LexborHTMLParser, LexborNode

_SCHEMA_ORG = re.compile(r"(?:https?://(?:www\.)?schema\.org/|schema:)")
_MAX_SCRIPTS, _MAX_JSON, _MAX_VALUES = 200, 1_048_576, 50_000
"""The most scripts of JSON-LD that are read of a page, the most characters of all of them, and the most values."""
_MAX_ITEMS, _MAX_DEPTH, _MAX_ELEMENTS = 200, 3, 50_000
"""The most items of microdata that are read of a page, how many may be in one another, and the most elements in all."""
_MAX_NAMES, _MAX_TEXT = 200, 8_388_608
"""The most names of an item's properties, and the most characters of text that are read for the values on a page.

Properties may be in one another: without a limit, each would have all the text of those in it.
"""
_VALUE_ATTRIBUTES = {
    "meta": "content",
    **dict.fromkeys(("a", "area", "link"), "href"),
    **dict.fromkeys(("audio", "embed", "iframe", "img", "source", "track", "video"), "src"),
    "object": "data",
    **dict.fromkeys(("data", "meter"), "value"),
    "time": "datetime",
}
"""The attribute that has the value of a property, by the element (HTML, "Values")."""


def all_objects(tree: LexborHTMLParser) -> Iterator[dict[str, Any]]:
    """The objects of JSON-LD, and then the objects of microdata."""
    yield from objects(tree)
    yield from microdata(tree)


def objects(tree: LexborHTMLParser) -> Iterator[dict[str, Any]]:
    """Every object of each readable JSON-LD script, the outermost first."""
    return (value for value in islice(_json_values(tree), _MAX_VALUES) if isinstance(value, dict))


def _json_values(tree: LexborHTMLParser) -> Iterator[Any]:
    """All values in the JSON-LD scripts, the outermost of each script first."""
    left = _MAX_JSON
    for node in islice(tree.css('script[type="application/ld+json" i]'), _MAX_SCRIPTS):
        written = node.text()
        if len(written) > left:
            continue
        left -= len(written)
        try:
            level = [json.loads(written)]
        except (ValueError, RecursionError):
            continue
        while level:
            yield from level
            level = [below for value in level for below in _values_in(value)]


def _values_in(value: Any) -> Iterable[Any]:
    if isinstance(value, dict):
        return value.values()
    return value if isinstance(value, list) else ()


def microdata(tree: LexborHTMLParser) -> Iterator[dict[str, Any]]:
    """Every item of microdata that has a type, in the form of an object of JSON-LD (HTML, "Microdata")."""
    reader = _ItemReader()
    for node in islice(tree.css("[itemscope][itemtype]"), _MAX_ITEMS):
        yield reader.item(node, _MAX_DEPTH)


def values(tree: LexborHTMLParser, name: str) -> Iterator[str]:
    """The values of a property in microdata, also outside of an item."""
    reader = _ItemReader()
    return (reader.value(node) for node in islice(tree.css(f'[itemprop~="{name}"]'), _MAX_ITEMS))


class _ItemReader:
    """Reads the items of one page."""

    def __init__(self) -> None:
        self._text_left = _MAX_TEXT
        self._elements_left = _MAX_ELEMENTS

    def item(self, scope: LexborNode, depth: int) -> dict[str, Any]:
        """An item with the first value of each property, and the items in it, down to a depth."""
        found: dict[str, Any] = {"@type": (scope.attributes.get("itemtype") or "").split()}
        for node in self._properties(scope):
            names = [name for name in (node.attributes["itemprop"] or "").split() if name not in found]
            is_item = "itemscope" in node.attributes
            if not names or (is_item and not depth):
                continue
            found.update(dict.fromkeys(names, self.item(node, depth - 1) if is_item else self.value(node)))
            if len(found) > _MAX_NAMES:
                break
        return found

    def _properties(self, scope: LexborNode) -> Iterator[LexborNode]:
        """The elements with the properties of an item, and not of those in it, while some may be read."""
        waiting = [*scope.iter()][::-1]
        while waiting and self._elements_left > 0:
            self._elements_left -= 1
            node = waiting.pop()
            if "itemprop" in node.attributes:
                yield node
            if "itemscope" not in node.attributes:
                waiting += [*node.iter()][::-1]

    def value(self, node: LexborNode) -> str:
        """The value of a property: an attribute's value, or else the element's text, while some may be read."""
        written = node.attributes.get(_VALUE_ATTRIBUTES.get(node.tag or "", "content"))
        if written is None and self._text_left > 0:
            written = node.text()
            self._text_left -= len(written)
        return " ".join((written or "").split())


def is_of_type(found: dict[str, Any], name: str) -> bool:
    """Whether an object has this type of schema.org, which may be written as a URL."""
    types = found.get("@type")
    named = types if isinstance(types, list) else [types]
    return any(isinstance(each, str) and _SCHEMA_ORG.sub("", each, count=1) == name for each in named)


def text(value: Any) -> str:
    """A value as text: itself, the first of several, or the URL or name of an object; else `""`.

    Half of a surrogate pair, which JSON may contain and UTF-8 may not, is dropped.
    """
    if isinstance(value, list):
        value = next(iter(value), "")
    if isinstance(value, dict):
        value = value.get("url") or value.get("contentUrl") or value.get("name")
    return value.encode(errors="ignore").decode() if isinstance(value, str) else ""
