"""Finds the URLs in style sheets and in values of style attributes."""

import re
from collections.abc import Iterator
from itertools import islice
from typing import Literal

_COMMENT = re.compile(rb"/\*.*?(?:\*/|\Z)", re.DOTALL)
_TOKENS = re.compile(
    rb"""@import\s*+(?:url\(\s*+)?("[^"\n]*+"|'[^'\n]*+'|[^\s"';()]++)|"""
    rb"""url\(\s*+("[^"\n]*+"|'[^'\n]*+'|(?:[^\s"'()\\]|\\.)++)\s*+\)|"""
    rb"""image-set\(((?:[^()"']|"[^"\n]*+"|'[^'\n]*+'|\([^()]*+\)){0,10000}+)|"""
    rb""""(?:[^"\\\n]|\\.)*+(?:"|(?=\n)|\Z)|'(?:[^'\\\n]|\\.)*+(?:'|(?=\n)|\Z)""",
    re.IGNORECASE | re.DOTALL,
)
"""The URL of an import, or one of another kind, what an image-set has, or a string, in which no URL counts.

(CSS Values 4, "Resource Locators"; CSS Images 4, "image-set()")
"""
_IN_PARENTHESES = re.compile(rb"\([^()]*+\)")
_STRING = re.compile(rb""""[^"\n]*+"|'[^'\n]*+'""")
_MAX_URLS = 10_000
"""The most URLs of a style sheet that are read."""
_ESCAPE = re.compile(r"\\([^0-9A-Fa-f\n])")


StyleUrl = tuple[Literal["style", "file"], str]
"""Whether another style sheet is there, or a font, an image and the like, and the URL as written."""


def style_urls(text: bytes) -> list[StyleUrl]:
    """The distinct URLs in the text of a style sheet, which is in UTF-8."""
    if b"(" not in text and b"@" not in text:
        return []
    found = (each for match in _TOKENS.finditer(_COMMENT.sub(b" ", text)) for each in _urls_of(match))
    return list(dict.fromkeys(islice((each for each in found if each[1]), _MAX_URLS)))


def _urls_of(match: re.Match[bytes]) -> Iterator[StyleUrl]:
    """The URLs of one piece of a style sheet; a string has none, but for those of an image-set."""
    if match[1] or match[2]:
        yield "style" if match[1] else "file", _text(match[1] or match[2])
    elif match[3]:
        inside = (each for each in _TOKENS.finditer(match[3]) if each[2])
        yield from (("file", _text(each[2])) for each in inside)
        strings = _STRING.finditer(_IN_PARENTHESES.sub(b"", match[3]))
        yield from (("file", _text(each[0])) for each in strings)


def _text(written: bytes) -> str:
    return _ESCAPE.sub(r"\1", written.strip(b"\"'").decode("utf-8", "replace").strip())
