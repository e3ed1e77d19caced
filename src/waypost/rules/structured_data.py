"""Reads the objects of a page's JSON-LD and microdata, and their values."""

import json
import re
from collections.abc import Iterator
from itertools import islice
from typing import Any

from selectolax.lexbor import LexborHTMLParser, LexborNode

_SCHEMA_ORG = re.compile(r"(?:https?://(?:www\.)?schema\.org/|schema:)")
_MAX_ITEMS, _MAX_DEPTH = 200, 3
"""The most items of microdata that are read of a page, and how many items may be in one another."""
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
    """The objects of JSON-LD, and then those of microdata."""
    yield from objects(tree)
    yield from microdata(tree)


def objects(tree: LexborHTMLParser) -> Iterator[dict[str, Any]]:
    """Every object of each readable JSON-LD script, the outermost first."""
    for node in tree.css('script[type="application/ld+json" i]'):
        try:
            level = [json.loads(node.text())]
        except (ValueError, RecursionError):
            continue
        while level:
            below: list[Any] = []
            for value in level:
                if isinstance(value, dict):
                    yield value
                    below.extend(value.values())
                elif isinstance(value, list):
                    below.extend(value)
            level = below


def microdata(tree: LexborHTMLParser) -> Iterator[dict[str, Any]]:
    """Every item of microdata that has a type, in the form of an object of JSON-LD (HTML, "Microdata")."""
    for node in islice(tree.css("[itemscope][itemtype]"), _MAX_ITEMS):
        yield _item(node, _MAX_DEPTH)


def _item(scope: LexborNode, depth: int) -> dict[str, Any]:
    """An item with the first value of each property, and the items in it, down to a depth."""
    found: dict[str, Any] = {"@type": (scope.attributes.get("itemtype") or "").split()}
    for node in _properties(scope):
        is_item = "itemscope" in node.attributes
        if is_item and not depth:
            continue
        value = _item(node, depth - 1) if is_item else _value(node)
        for name in (node.attributes["itemprop"] or "").split():
            found.setdefault(name, value)
    return found


def _properties(scope: LexborNode) -> Iterator[LexborNode]:
    """The elements with the properties of an item, and not of those in it."""
    waiting = [*scope.iter()][::-1]
    while waiting:
        node = waiting.pop()
        if "itemprop" in node.attributes:
            yield node
        if "itemscope" not in node.attributes:
            waiting += [*node.iter()][::-1]


def _value(node: LexborNode) -> str:
    attribute = _VALUE_ATTRIBUTES.get(node.tag or "", "content")
    written = node.attributes.get(attribute)
    return " ".join((node.text() if written is None else written).split())


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
