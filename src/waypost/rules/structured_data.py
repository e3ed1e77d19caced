"""Reads the objects of a page's JSON-LD, and their values."""

import json
from collections.abc import Iterator
from typing import Any

from selectolax.lexbor import LexborHTMLParser


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


def is_of_type(found: dict[str, Any], name: str) -> bool:
    """Whether an object has this type of schema.org."""
    types = found.get("@type")
    return name in (types if isinstance(types, list) else [types])


def text(value: Any) -> str:
    """A value as text: itself, the first of several, or the URL or name of an object; else `""`.

    Half of a surrogate pair, which JSON may contain and UTF-8 may not, is dropped.
    """
    if isinstance(value, list):
        value = next(iter(value), "")
    if isinstance(value, dict):
        value = value.get("url") or value.get("contentUrl") or value.get("name")
    return value.encode(errors="ignore").decode() if isinstance(value, str) else ""
