"""Reads from the head of an HTML page whether it has the texts that search engines show: a title and a description."""

import re
from typing import NamedTuple

from selectolax.lexbor import LexborHTMLParser

from waypost.rules.encoding import as_utf8

_BODY = re.compile(rb"<body[\s>]", re.IGNORECASE)


class HeadTexts(NamedTuple):
    """Whether a page has a title and a description that are not empty."""

    has_title: bool
    has_description: bool


def read_head_texts(data: bytes) -> HeadTexts:
    """Read the first bytes of a page, up to its body."""
    body = _BODY.search(data)
    tree = LexborHTMLParser(as_utf8(data[: body.start()] if body else data))
    title = tree.css_first("title")
    return HeadTexts(
        bool(title and title.text().strip()),
        any(
            (node.attributes.get("name") or "").strip().lower() == "description"
            and (node.attributes.get("content") or "").strip()
            for node in tree.css("meta")
        ),
    )
