"""Parses HTML: the only place that does, so that no page takes more time and memory than its length accounts for."""

import codecs
import re
from collections.abc import Iterator

from selectolax.lexbor import LexborHTMLParser

from waypost.pages.html_bounds import bounded_length, is_bounded

_CHARSET = re.compile(rb"""<meta[^>]{0,200}?charset\s{0,9}=\s{0,9}["']?\s{0,9}([\w:.-]+)""", re.IGNORECASE)
_XML_ENCODING = re.compile(rb"""^\s*<\?xml[^>]{0,200}?encoding\s*=\s*["']([\w:.-]+)["']""")
_COMMENT = re.compile(rb"<!--.*?-->", re.DOTALL)
_DECLARED_WITHIN = 4096
_BYTE_ORDER_MARKS = ((b"\xef\xbb\xbf", "utf-8"), (b"\xff\xfe", "utf-16-le"), (b"\xfe\xff", "utf-16-be"))
_BROWSER_CODECS = frozenset(
    [
        *(f"iso8859-{n}" for n in (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 13, 14, 15, 16)),
        *(f"cp{n}" for n in (866, 874, 932, 949, 1250, 1251, 1252, 1253, 1254, 1255, 1256, 1257, 1258)),
        *("utf-8", "ascii", "koi8-r", "koi8-u", "mac-roman", "mac-cyrillic", "gb2312", "gbk", "gb18030"),
        *("big5", "big5hkscs", "euc_jp", "euc_kr", "shift_jis", "iso2022_jp"),
    ]
)
_READ_AS = {
    "ascii": "cp1252",
    "iso8859-1": "cp1252",
    "iso8859-9": "cp1254",
    "iso8859-11": "cp874",
    "gb2312": "gb18030",
    "gbk": "gb18030",
    "big5": "big5hkscs",
    "euc_kr": "cp949",
    "shift_jis": "cp932",
}


def as_utf8(data: bytes) -> bytes:
    """Decode by the byte-order mark, the declared charset, or as UTF-8; what cannot be decoded becomes U+FFFD."""
    if data.isascii():
        return data
    for mark, name in _BYTE_ORDER_MARKS:
        if data.startswith(mark):
            return data[len(mark) :].decode(name, "replace").encode("utf-8", "replace")
    return data.decode(_declared_codec(data), "replace").encode()


def is_read_as_utf8(data: bytes) -> bool:
    """Whether `as_utf8` takes the bytes as they are, but for a byte-order mark and bytes that cannot be decoded."""
    if data.isascii() or data.startswith(codecs.BOM_UTF8):
        return True
    return not data.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)) and _declared_codec(data) == "utf-8"


def _declared_codec(data: bytes) -> str:
    beginning = _COMMENT.sub(b"", data[:_DECLARED_WITHIN])
    declared = _CHARSET.search(beginning) or _XML_ENCODING.search(beginning)
    return _codec(declared[1].decode("ascii", "replace")) if declared else "utf-8"


def _codec(label: str) -> str:
    """Python's codec for the label of an encoding; UTF-8 for labels that browsers do not accept in a page.

    Browsers read ISO 8859-1 as Windows-1252 and the like (Encoding Standard, 4.2), and accept only encodings that
    extend ASCII: a page in which a meta tag can be read is not in UTF-16.
    """
    try:
        name = codecs.lookup(label).name
    except (LookupError, ValueError):
        return "utf-8"
    return _READ_AS.get(name, name) if name in _BROWSER_CODECS else "utf-8"


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
