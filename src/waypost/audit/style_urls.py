"""Finds the URLs in style sheets and in values of style attributes."""

import re
from itertools import islice
from typing import Literal, NamedTuple

_COMMENT = re.compile(rb"/\*.*?(?:\*/|\Z)", re.DOTALL)
_URL = re.compile(
    rb"""@import\s*+(?:url\(\s*+)?("[^"\n]*+"|'[^'\n]*+'|[^\s"';()]++)|"""
    rb"""url\(\s*+("[^"\n]*+"|'[^'\n]*+'|(?:[^\s"'()\\]|\\.)++)\s*+\)""",
    re.IGNORECASE,
)
"""The URL of an import, or one of another kind (CSS Values 4, "Resource Locators")."""
_MAX_URLS = 10_000
"""The most URLs of a style sheet that are read."""
_ESCAPE = re.compile(r"\\([^0-9A-Fa-f\n])")


class StyleUrl(NamedTuple):
    """A URL as written, and whether another style sheet is there, or a font, an image and the like."""

    kind: Literal["style", "file"]
    url: str


def style_urls(text: bytes) -> list[StyleUrl]:
    """The distinct URLs in the text of a style sheet, which is in UTF-8."""
    if b"url(" not in text and b"@" not in text and b"URL(" not in text:
        return []
    found = (_style_url(match) for match in islice(_URL.finditer(_COMMENT.sub(b" ", text)), _MAX_URLS))
    return list(dict.fromkeys(each for each in found if each.url))


def _style_url(match: re.Match[bytes]) -> StyleUrl:
    text = (match[1] or match[2]).strip(b"\"'").decode("utf-8", "replace").strip()
    return StyleUrl("style" if match[1] else "file", _ESCAPE.sub(r"\1", text))
