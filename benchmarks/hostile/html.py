"""Hostile HTML pages: what once took a parser minutes and gigabytes."""

from collections.abc import Callable
from typing import Any

from waypost.pages import html_head, media

Entry = tuple[Callable[[int], bytes], Callable[[Any], object], int]
_EVERYTHING = frozenset({"images", "videos", "news", "title"})


def _read(page: bytes) -> object:
    """All that is read of a page whose dates, versions and media are wanted."""
    head = html_head.read_head(page, is_whole=True, is_dated=True, has_alternates=True)
    return head, html_head.visible_text(page), html_head.read_dates(page), media.read_media(page, _EVERYTHING)


def _numbered(text: str) -> Callable[[int], bytes]:
    return lambda n: "".join(text.replace("#", str(each)) for each in range(n)).encode()


def _repeated(text: str, before: str = "", after: str = "") -> Callable[[int], bytes]:
    return lambda n: (before + text * n + after).encode()


_SHAPES: dict[str, Callable[[int], bytes]] = {
    "attributes of one tag": lambda n: b"<meta " + _numbered("a# ")(n) + b">",
    "attributes of body tags": _numbered("<body a#>"),
    "names of tags": _numbered("<x#></x#>"),
    "names of attributes": _numbered("<p a#>"),
    "depth": _repeated("<div>"),
    "depth with wrong end tags": _repeated("<div></x>"),
    "depth of lists": _repeated("<ul><li>"),
    "depth of inline elements": _repeated("<span>"),
    "depth times tags": lambda n: b"<div>" * 500 + b"<dd></dd>" * n,
    "inline depth times tags": lambda n: b"<span>" * 250 + b"<i>x</i>" * n,
    "formatting elements in each block": lambda n: b"<p><b><i><u><s><tt><em>" + b"<p>x" * n,
    "more formatting elements each time": _numbered("<p><font color=c#>x</p>"),
    "formatting elements behind a marker": _numbered("<p><font c#><table><td></font></table>"),
    "formatting elements around blocks": lambda n: _numbered("<font c=#><div>")(n) + b"</font>" * n,
    "small elements": _repeated("<p>x</p>"),
    "end tags in comments": _repeated("<div><!--</div>-->"),
    "unclosed comments": _repeated("<!--"),
    "unclosed tags": _repeated("<a "),
    "unclosed scripts": _repeated("<script>"),
    "pictures in pictures": lambda n: b"<picture>" * n + b"<img src=x>" * n,
    "sets of images": lambda n: b"<img srcset='" + b"a 1w," * n + b"'>",
    "ruby texts": _repeated("<rt>"),
    "groups of choices": _repeated("<optgroup>"),
    "choices in a list": lambda n: b"<select>" + b"<option>x" * n,
    "comments in spans": lambda n: b"<span>" * 500 + b"a<!---->" * n,
    "ends of a head in comments": lambda n: b"<head>" + (b"</head><!--" * 371 + b"-->") * (n // 300),
    "beginnings of tags": lambda n: b"<head>" + b"<a" * 30 * n,
    "empty objects in JSON-LD": lambda n: b"<script type=application/ld+json>[" + b"{}," * 20 * n + b"{}]</script>",
    "scripts of JSON-LD": _repeated("<script type=application/ld+json>{}</script>"),
    "dates that are none": _repeated('<meta name=last-modified content="Mon, x">'),
    "pictures": _repeated("<picture><img src=a></picture>"),
    "JSON-LD": lambda n: b"<script type=application/ld+json>" + b"[" * n + b"</script>",
    "ends of a head": _repeated("</head"),
}
HTML: dict[str, Entry] = {f"html: {name}": (make, _read, 2_000) for name, make in _SHAPES.items()}
