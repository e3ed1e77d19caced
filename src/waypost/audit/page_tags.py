"""Reads from the bytes of an HTML page what an audit needs: its references, its title and its description.

A parser would take five times as long. So this reads tags by patterns, and passes over comments, scripts, styles,
templates and text areas, in which there are no tags.
"""

import re
from functools import lru_cache
from itertools import islice
from typing import Literal, NamedTuple

from waypost.core.character_references import unescape
from waypost.rules.encoding import as_utf8

ReferenceKind = Literal["link", "image", "media", "related"]
"""What a reference is for: a link to follow, an image, a video or a sound, or a `link` element of the head."""
Reference = tuple[ReferenceKind, str]
"""What a reference is for, and its URL as written."""

_VALUE = rb"""\s*+=\s*+("[^"]*+"|'[^']*+'|[^\s>"']++)"""
_LINK = (
    rb"""\s*+=\s*+((?:"[^"#?]*+(?:(?<=&)#[^"#?]*+)*+|'[^'#?]*+(?:(?<=&)#[^'#?]*+)*+|"""
    rb"""[^\s>"'#?]++(?:(?<=&)#[^\s>"'#?]*+)*+)\??+)"""
)
"""The value of a link up to the `?` of its query, or up to its fragment; `&#` begins no fragment."""
_HREF = rb"[hH][rR][eE][fF]" + _LINK
_TAGS = re.compile(
    rb"<(?=[!alimfstvxAISVLMFTX])(?:"
    rb"[aA]\s(?:"
    rb"[^<>hH]*+(?:(?<![\s:])[hH][^<>hH]*+)*+(?<=\s)|(?:[^<>]*?\s)??(?:[xX][lL][iI][nN][kK]:)?|"
    rb"""(?=[^<>]*=\s*+["'][^<>"']*+>)(?:[^<>"']|"[^"<]*+"|'[^'<]*+'){0,65536}?\s)""" + _HREF + rb"|"
    rb"!--(?!-?>).*?(?:--!?>|\Z)|"
    rb"(?i:s(?:cript|tyle)|te(?:mplate|xtarea)|xmp)\b(?:.*?</(?i:s(?:cript|tyle)|te(?:mplate|xtarea)|xmp)\b|.*)|"
    rb"((?i:title\b[^>]*+(?:>[^<]*+)?|(?:a(?:rea|udio)|i(?:mg|frame|nput)|source|video|frame|link|meta)\s[^>]*+)))",
    re.DOTALL,
)
"""The value of a link, or else a title or another tag; what has no tags is passed over.

Before the `href` of a link there may be attributes that do not begin with `h` (so it is with most, which are read in
one pass), any attributes, or values that contain `>`. Each part ends at the next tag or takes the rest, so that the
time is in proportion to the length of any text. The last one is limited, because its steps take memory. Sets of letters
take less time than ignoring their case.
"""
_ATTRIBUTE = re.compile(rb"([a-z][a-z:-]*+)(?:" + _VALUE + rb")?", re.IGNORECASE)
_CANDIDATE = re.compile(r"[\s,]*+(?:(\S*+)(?<=,)|(\S++)([^,]*+))")
"""A URL of a `srcset` (HTML, "Srcset attributes")."""
_TITLE = re.compile(rb"title\b", re.IGNORECASE)
_BODY = re.compile(rb"<body[\s>]", re.IGNORECASE)
_REMEMBERED, _MAX_REMEMBERED = 16_384, 1_000
"""How many tags are remembered, and how many bytes each may have: the memory has a limit, too."""
_MAX_CANDIDATES = 1_000
"""The most URLs of a `srcset` that are read."""
_NO_LINKS = frozenset({"preconnect", "dns-prefetch", "stylesheet", "icon", "preload", "modulepreload", "manifest"})
_NOT_FOLLOWED = _NO_LINKS | {"mask-icon", "apple-touch-icon", "shortcut", "search", "pingback", "edituri", "canonical"}


class PageTags(NamedTuple):
    """What a page has: the values of its links as written, cut after `?` or before `#`, and its other references.

    `title` and `description` are the first ones with white space folded, or None if the page has no such tag. A title
    in the body is a drawing's.
    """

    links: tuple[bytes, ...]
    others: tuple[Reference, ...]
    title: str | None
    description: str | None


class _Tag(NamedTuple):
    """What another tag than a link says."""

    references: tuple[Reference, ...] = ()
    description: str | None = None


def read_tags(data: bytes) -> PageTags:
    """Read a whole page."""
    text = as_utf8(data)
    found = _TAGS.findall(text)
    links = dict.fromkeys([link for link, _ in found if link])
    others = dict[Reference, None]()
    title: bytes | None = None
    description: str | None = None
    for tag in [tag for _, tag in found if tag]:
        if not _TITLE.match(tag):
            said = _read_tag(tag)
            others.update(dict.fromkeys(said.references))
            description = said.description if description is None else description
        elif title is None:
            title = tag
    return PageTags(tuple(links), tuple(others), _title(title, text), description)


def _title(tag: bytes | None, text: bytes) -> str | None:
    """The text of the first title; None if there is none, or it is in the body, where all others are, too."""
    if tag is None or b">" not in tag or _is_in_body(tag, text):
        return None
    return " ".join(unescape(tag.partition(b">")[2].decode("utf-8", "replace")).split())


def _is_in_body(tag: bytes, text: bytes) -> bool:
    body = _BODY.search(text)
    return body is not None and text.find(tag) > body.start()


def written(value: bytes) -> str:
    """The text of an attribute's value as it is in the file."""
    quote = value[:1]
    bare = value[1:].removesuffix(quote) if quote in (b'"', b"'") else value
    return unescape(bare.decode("utf-8", "replace")).strip()


def _read_tag(tag: bytes) -> _Tag:
    """Read a tag that is not a link; most pages of a site have the same."""
    return _read_short_tag(tag) if len(tag) <= _MAX_REMEMBERED else _read_any_tag(tag)


@lru_cache(_REMEMBERED)
def _read_short_tag(tag: bytes) -> _Tag:
    return _read_any_tag(tag)


def _read_any_tag(tag: bytes) -> _Tag:
    name = re.split(rb"\s", tag, maxsplit=1)[0].decode().lower()
    attributes: dict[str, str] = {}
    for key, value in _ATTRIBUTE.findall(tag, len(name)):
        attributes.setdefault(key.decode().lower(), written(value))
    if name == "meta":
        is_description = attributes.get("name", "").lower() == "description"
        return _Tag(description=" ".join(attributes.get("content", "").split()) if is_description else None)
    return _Tag(tuple(dict.fromkeys(_references(name, attributes))))


def _references(name: str, attributes: dict[str, str]) -> list[Reference]:
    source, href = attributes.get("src", ""), attributes.get("href", "")
    found: list[Reference] = []
    if name == "area":
        found = [("link", href)]
    elif name in ("iframe", "frame"):
        found = [("link", source)]
    elif name == "link":
        relations = set(attributes.get("rel", "").lower().split())
        found = [("related", href)] if relations and not relations & _NOT_FOLLOWED else []
    elif name in ("video", "audio"):
        found = [("media", source), ("image", attributes.get("poster", ""))]
    elif name == "source":
        found = [("media", source)]
    elif name == "img" or attributes.get("type", "").lower() == "image":
        found = [("image", source)]
    if name in ("img", "source"):
        found += [("image", url) for url in _candidates(attributes.get("srcset", ""))]
    return [(kind, url) for kind, url in found if url]


def _candidates(text: str) -> list[str]:
    found = islice(_CANDIDATE.finditer(text.strip()), _MAX_CANDIDATES)
    return [(each[1] or each[2] or "").rstrip(",") for each in found]
