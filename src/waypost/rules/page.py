"""What an HTML page says of itself, as an HTML parser sees it."""

import json
import re
from collections.abc import Iterator
from typing import Any

from msgspec import Struct
from selectolax.lexbor import LexborHTMLParser, LexborNode

from waypost import address
from waypost.rules import lastmod

HEAD_SIZES = (16_384, 262_144, 15_728_640)
"""How much of a file is read in search of its head's end; Google reads no more than 15 MiB."""

_END = re.compile(rb"</head|<body", re.IGNORECASE)
_SENTINEL = b"<body data-waypost-end>"
_CHARSET = re.compile(rb"""<meta[^>]{0,200}?charset\s*=\s*["']?\s*([\w:.-]+)""", re.IGNORECASE)
_XML_ENCODING = re.compile(rb"""^\s*<\?xml[^>]{0,200}?encoding\s*=\s*["']([\w:.-]+)["']""")
_REFRESH = re.compile(r"\s*[\d.]+\s*(?:[;,]|\s)\s*(?:url\s*=\s*)?(.*)", re.IGNORECASE | re.DOTALL)
_ENDS_TRIED = 8
_DECIDING = 'meta[name="robots" i], meta[http-equiv="refresh" i], link[rel~="canonical" i], base[href]'


class Head(Struct, frozen=True):
    """What the head of a page says: raw references, not yet resolved against the page's URL."""

    noindex: str = ""
    refresh: str | None = None
    canonicals: tuple[str, ...] = ()
    base: str = ""
    date: str | None = None


def read_head(data: bytes, *, is_whole: bool, is_dated: bool = False) -> Head | None:
    """Read the head from a file's first bytes, or all of them; None where more are needed.

    Where the head ends is the parser's word, not a search's: a `</head>` in a comment or a
    script ends nothing. The page's own date is looked for only where `is_dated`.
    """
    data = _as_utf8(data)
    for n, end in enumerate(_END.finditer(data)):
        if n == _ENDS_TRIED:
            break
        tree = LexborHTMLParser(data[: end.start()] + _SENTINEL)
        if tree.body is not None and "data-waypost-end" in tree.body.attributes:
            return _head(tree, is_dated)
    return _head(LexborHTMLParser(data), is_dated) if is_whole else None


def read_date(data: bytes) -> str | None:
    """The date a whole page gives for itself, in JSON-LD of its body too."""
    return _own_date(LexborHTMLParser(_as_utf8(data)))


def visible_text(data: bytes) -> str:
    """The title and the text that a reader sees, white space folded.

    Markup, scripts, styles, attributes and comments do not count, so that a build stamp, a
    script's hash or a nonce is no change of content.
    """
    tree = LexborHTMLParser(_as_utf8(data))
    title = tree.css_first("title")
    parts = [title.text() if title else ""]
    tree.strip_tags(["script", "style", "template", "noscript"])
    if tree.body is not None:
        parts.append(tree.body.text(separator=" "))
    return "\n".join(" ".join(part.split()) for part in parts)


def canonical(head: Head, loc: str) -> str | None:
    """The one URL that the page names as canonical, normalised; None where it names none or several."""
    urls = {address.normal(href, _base(head, loc)) for href in head.canonicals if href.strip()} - {None}
    return urls.pop() if len(urls) == 1 else None


def refresh_target(head: Head, loc: str) -> str | None:
    """Where a meta refresh sends the reader, normalised; None where it stays on the page."""
    if head.refresh is None:
        return None
    target = address.normal(head.refresh, _base(head, loc))
    return None if target in (None, loc) else target


def _base(head: Head, loc: str) -> str:
    return (address.normal(head.base, loc) or loc) if head.base else loc


def _head(tree: LexborHTMLParser, is_dated: bool) -> Head:
    noindex, refresh, canonicals, base = "", None, [], ""
    for node in _in_head(tree):
        attributes = node.attributes
        if node.tag == "base":
            base = base or attributes.get("href") or ""
        elif node.tag == "link":
            canonicals.append(attributes.get("href") or "")
        elif (attributes.get("name") or "").lower() == "robots":
            noindex = noindex or _excluding_word(attributes.get("content") or "")
        elif refresh is None:
            refresh = _refresh_url(attributes.get("content") or "")
    return Head(noindex, refresh, tuple(canonicals), base, _own_date(tree) if is_dated else None)


def _in_head(tree: LexborHTMLParser) -> Iterator[LexborNode]:
    """The nodes that decide, in the head itself; those in `noscript` are for readers whom crawlers are not."""
    for node in tree.head.css(_DECIDING) if tree.head is not None else ():
        if node.parent is not None and node.parent.tag == "head":
            yield node


def _refresh_url(content: str) -> str | None:
    """The URL of a refresh, or None where it only loads the page again (HTML, "Refresh state")."""
    match = _REFRESH.match(content)
    if match is None:
        return None
    url: str = match[1].strip()
    if url[:1] in ("'", '"'):
        url = url[1:].partition(url[0])[0].strip()
    return url or None


def _excluding_word(content: str) -> str:
    words = {word.strip().lower() for word in content.split(",")}
    return next((word for word in ("noindex", "none") if word in words), "")


def _own_date(tree: LexborHTMLParser) -> str | None:
    for node in tree.css("meta[property], meta[name]"):
        name = (node.attributes.get("property") or node.attributes.get("name") or "").strip().lower()
        if name in ("article:modified_time", "last-modified") and (
            date := lastmod.read(node.attributes.get("content") or "")
        ):
            return date
    for node in tree.css('script[type="application/ld+json" i]'):
        try:
            data = json.loads(node.text())
        except (ValueError, RecursionError):
            continue
        if date := next(filter(None, map(lastmod.read, _modified(data))), None):
            return date
    return None


def _modified(data: Any) -> Iterator[str]:
    """Each dateModified of a JSON-LD document, the outermost first."""
    level = [data]
    while level:
        below: list[Any] = []
        for value in level:
            if isinstance(value, dict):
                if isinstance(value.get("dateModified"), str):
                    yield value["dateModified"]
                below.extend(value.values())
            elif isinstance(value, list):
                below.extend(value)
        level = below


def _as_utf8(data: bytes) -> bytes:
    """The bytes in UTF-8, decoded as a browser would: byte-order mark, declared charset, UTF-8."""
    if data.isascii():
        return data
    for mark, name in ((b"\xef\xbb\xbf", "utf-8-sig"), (b"\xff\xfe", "utf-16-le"), (b"\xfe\xff", "utf-16-be")):
        if data.startswith(mark):
            return data.decode(name, "replace").removeprefix("\ufeff").encode("utf-8", "replace")
    declared = _CHARSET.search(data, 0, 4096) or _XML_ENCODING.search(data, 0, 1024)
    name = declared[1].decode("ascii", "replace").lower() if declared else "utf-8"
    name = {
        "iso-8859-1": "cp1252",
        "latin1": "cp1252",
        "us-ascii": "cp1252",
        "x-sjis": "cp932",
        "shift_jis": "cp932",
        "gb2312": "gb18030",
        "gbk": "gb18030",
    }.get(name, name)
    try:
        return data.decode(name, "replace").encode("utf-8", "replace")
    except (LookupError, ValueError):
        return data.decode("utf-8", "replace").encode()
