"""Reads from the bytes of an HTML page what an audit needs: its references, its ids, its title and its description.

A parser would take five times as long. So this reads tags by patterns, and passes over comments, scripts, styles,
templates and text areas, in which there are no tags.
"""

import re
from collections.abc import Mapping, Sequence, Set
from functools import lru_cache
from itertools import islice
from typing import Literal, NamedTuple

from waypost.audit.fragments import read_ids
from waypost.audit.style_urls import style_urls
from waypost.core.character_references import unescape
from waypost.pages.html_tree import as_utf8

ReferenceKind = Literal["link", "image", "media", "script", "style", "file", "related"]
"""What a reference is for: a link to follow; an image; a video, a sound or a document inside a page; a script; a style
sheet; a font, an icon or another file that a browser loads if it needs it; or a related page.
"""
WrittenReference = tuple[ReferenceKind, str]
"""What a reference is for, and its URL as written."""

_VALUE = rb"""\s*+=\s*+("[^"]*+"|'[^']*+'|[^\s>"']++)"""
_LINK = (
    rb"""\s*+=\s*+((?:(")[^"#?]*+(?:(?<=&)#[^"#?]*+)*+|(')[^'#?]*+(?:(?<=&)#[^'#?]*+)*+|"""
    rb"""[^\s>"'#?]*+(?:(?<=&)#[^\s>"'#?]*+)*+)\??+)"""
)
"""The value of a link up to the `?` of its query, or up to its fragment; `&#` begins no fragment."""
_REST = (
    rb"""((?(2)(?:[^"#]|(?<=&)#)*+|(?(3)(?:[^'#]|(?<=&)#)*+|(?:[^\s>#]|(?<=&)#)*+)))"""
    rb"""(?:#((?(2)[^"]*+|(?(3)[^']*+|[^\s>]*+))))?+"""
)
"""The query, and the fragment: each ends at the quotation mark with which the value began, if it has one."""
_HREF = rb"[hH][rR][eE][fF]" + _LINK + _REST
_IN_TAG = rb"""[^>=]*+(?:=\s*+(?:"[^"]*+"|'[^']*+')?+[^>=]*+)*+"""
"""The rest of a tag, up to its end: a `>` in a quoted value is none."""
_TAGS = re.compile(
    rb"<(?=[!aeiflmostuvxAEIFLMOSTUVX])(?:"
    rb"[aA]\s(?:"
    rb"[^<>hH]*+(?:(?<![\s:])[hH][^<>hH]*+)*+(?<=\s)|(?:[^<>]*?\s)??(?:[xX][lL][iI][nN][kK]:)?|"
    rb"""(?=[^<>]*=\s*+["'][^<>"']*+>)(?:[^<>"']|"[^"<]*+"|'[^'<]*+'){0,65536}?\s)""" + _HREF + rb"|"
    rb"!--(?!-?>).*?(?:--!?>|\Z)|"
    rb"((?i:script\b" + _IN_TAG + rb"|style\b[^<]*+))(?:.*?</(?i:script|style)\b|.*)|"
    rb"(?i:te(?:mplate|xtarea)|xmp)\b(?:.*?</(?i:te(?:mplate|xtarea)|xmp)\b|.*)|"
    rb"((?i:title\b[^>]*+(?:>[^<]*+)?|(?:a(?:rea|udio)|embed|i(?:mage|mg|frame|nput)|object|source|track|use|video|frame|"
    rb"link|meta)\s" + _IN_TAG + rb")))",
    re.DOTALL,
)
"""The value of a link, its query and its fragment, or else a script's tag, a style's content, a title or another tag.

What has no tags is passed over.

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
_ICONS = frozenset({"icon", "mask-icon", "apple-touch-icon", "apple-touch-icon-precomposed"})
_FILES = _ICONS | {"manifest", "preload", "modulepreload", "prefetch", "search"}
_FEEDS = ("application/rss+xml", "application/atom+xml", "application/feed+json")
_NOT_READ = frozenset({"preconnect", "dns-prefetch", "pingback", "edituri", "canonical"})
"""What `rel` says of a file that a browser loads if it needs it, and of what is no reference to check here."""
_META: dict[str, ReferenceKind] = {
    **dict.fromkeys(("og:image", "og:image:url", "og:image:secure_url", "twitter:image", "twitter:image:src"), "image"),
    **dict.fromkeys(("og:video", "og:video:url", "og:video:secure_url", "og:audio", "og:audio:url"), "media"),
    "msapplication-tileimage": "file",
}
"""The names of meta elements that have a URL, and what that is for."""
_ACTIVE = ("script", "iframe", "frame", "object", "embed")
_PASSIVE = ("img", "image", "video", "audio", "source", "track")
_WITH_SOURCE = ("script", "img", "iframe", "video", "audio", "embed", "source", "track")
_INSECURE = re.compile(r"http://(?!localhost[:/]|127\.|\[::1\])", re.IGNORECASE)
"""What is not secure, and not on this computer (W3C, Secure Contexts, "Is origin potentially trustworthy?")."""
_STYLE_ATTRIBUTE = re.compile(rb"""\sstyle\s*+=\s*+("[^"]*+"|'[^']*+')""", re.IGNORECASE)


class _Tag(NamedTuple):
    """The references of another tag than a link, and the description that it has.

    `is_active` if what it loads can change the page, None if it loads nothing, and `is_empty` if it names an empty URL.
    """

    references: tuple[WrittenReference, ...] = ()
    description: str | None = None
    is_active: bool | None = None
    is_empty: bool = False


class PageTags(NamedTuple):
    """What a page has: the values of its links as written, cut after `?` or before `#`, and its other references.

    `fragments` has the links with a fragment, each with the fragment as written; a link to the page itself is empty, or
    a quotation mark. `queries` has the absolute links with a query, each with that. `ids` are hashes. `title` and
    `description` are the first ones with white space folded, or None if the page has no such tag. A title in the body
    is a drawing's. `insecure` are URLs with `http:` of what the page loads, each with whether it can change the page
    (W3C, Mixed Content), and `has_empty` is true if an element names an empty URL to load.
    """

    links: tuple[bytes, ...]
    others: tuple[WrittenReference, ...]
    title: str | None
    description: str | None
    fragments: tuple[tuple[bytes, bytes], ...] = ()
    ids: Set[int] = frozenset()
    queries: tuple[tuple[bytes, bytes], ...] = ()
    insecure: tuple[tuple[str, bool], ...] = ()
    has_empty: bool = False


def read_tags(data: bytes) -> PageTags:
    """Read a whole page."""
    text = as_utf8(data)
    found = _TAGS.findall(text)
    links = dict.fromkeys([link for link, *_ in found if link])
    queries = dict.fromkeys([(link, query) for link, _, _, query, *_ in found if query and b"//" in link])
    fragments = dict.fromkeys([(link, fragment.rstrip()) for link, _, _, _, fragment, *_ in found if fragment])
    others = dict.fromkeys(_style_references(text))
    tags = [script or tag for *_, script, tag in found if script or tag]
    read = [_read_tag(tag) for tag in tags if not _TITLE.match(tag)]
    for each in read:
        others.update(dict.fromkeys(each.references))
    title = next(filter(_TITLE.match, tags), None)
    described = (each.description for each in read if each.description is not None)
    loaded = [(url, each.is_active) for each in read if each.is_active is not None for _, url in each.references]
    insecure = dict.fromkeys((url, active) for url, active in loaded if _INSECURE.match(url))
    return PageTags(
        *(tuple(links), tuple(others), _title(title, text), next(described, None), tuple(fragments), read_ids(text)),
        *(tuple(queries), tuple(insecure), any(each.is_empty for each in read)),
    )


def _style_references(text: bytes) -> list[WrittenReference]:
    """The images of style attributes, which the page itself shows."""
    if b"url(" not in text:
        return []
    values = dict.fromkeys(value for value in _STYLE_ATTRIBUTE.findall(text) if b"url(" in value)
    return [("image", url) for value in values for _, url in style_urls(written(value).encode())]


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
    """The references of a tag that is not a link, and a description; most pages of a site have the same tags."""
    return _read_short_tag(tag) if len(tag) <= _MAX_REMEMBERED else _read_any_tag(tag)


@lru_cache(_REMEMBERED)
def _read_short_tag(tag: bytes) -> _Tag:
    return _read_any_tag(tag)


def _read_any_tag(tag: bytes) -> _Tag:
    name = re.split(rb"[\s>/]", tag, maxsplit=1)[0].decode().lower()
    if name == "style":
        return _Tag(tuple(style_urls(tag.partition(b">")[2])))
    attributes: dict[str, str] = {}
    for key, value in _ATTRIBUTE.findall(tag, len(name)):
        attributes.setdefault(key.decode().lower(), written(value))
    if name == "meta":
        return _meta(attributes)
    references = tuple(dict.fromkeys((kind, url) for kind, url in _references(name, attributes) if url))
    return _Tag(references, None, _is_active(name, references), _is_empty(name, attributes))


def _is_active(name: str, references: Sequence[WrittenReference]) -> bool | None:
    """Whether what a tag loads can change the page; None for one that loads nothing by itself."""
    if name in _PASSIVE:
        return False
    if name == "link":
        return next((kind == "style" for kind, _ in references if kind in ("style", "file")), None)
    return True if name in _ACTIVE else None


def _is_empty(name: str, attributes: Mapping[str, str]) -> bool:
    """Whether a tag names an empty URL, for which browsers load nothing, and no script may fill it (HTML, "Images")."""
    is_lazy = any(key.startswith("data-") or (key == "srcset" and value) for key, value in attributes.items())
    relations = set(attributes.get("rel", "").lower().split())
    is_loaded = {
        "input": attributes.get("type", "").lower() == "image",
        "link": bool(relations & {"stylesheet", *_ICONS}),
        "object": True,
    }
    source = {"object": "data", "link": "href"}.get(name, "src")
    return is_loaded.get(name, name in _WITH_SOURCE) and attributes.get(source, "x") == "" and not is_lazy


def _meta(attributes: dict[str, str]) -> _Tag:
    name, content = attributes.get("name", "").lower(), attributes.get("content", "")
    kind = _META.get(attributes.get("property", "").lower()) or _META.get(name)
    description = " ".join(content.split()) if name == "description" else None
    return _Tag(((kind, content),) if kind and content else (), description)


def _references(name: str, attributes: dict[str, str]) -> list[WrittenReference]:
    """The references of a tag by what they are for; those without a URL are among them."""
    source, href = attributes.get("src", ""), attributes.get("href", "") or attributes.get("xlink:href", "")
    if name in ("area", "iframe", "frame"):
        return [("link", href if name == "area" else source)]
    if name == "link":
        is_feed = attributes.get("type", "").strip().lower() in _FEEDS
        relations = set(attributes.get("rel", "").lower().split())
        preloaded: list[WrittenReference] = [("file", url) for url in _candidates(attributes.get("imagesrcset", ""))]
        return [*_of_link_element(href, relations, is_feed=is_feed), *preloaded]
    if name == "script":
        return [("script", source)]
    if name == "img":
        lazy = [attributes.get("data-src", ""), *_candidates(attributes.get("data-srcset", ""))]
        return [("image", url) for url in (source, *_candidates(attributes.get("srcset", "")), *lazy)]
    if name == "image" or attributes.get("type", "").lower() == "image":
        return [("image", href or source)]
    if name in ("video", "audio", "source", "track", "object", "embed"):
        images = [attributes.get("poster", ""), *_candidates(attributes.get("srcset", ""))]
        return [("media", source or attributes.get("data", "")), *(("image", url) for url in images)]
    return [("file", href)] if name == "use" else []


def _of_link_element(href: str, relations: set[str], *, is_feed: bool) -> list[WrittenReference]:
    if not relations or relations & _NOT_READ:
        return []
    kind: ReferenceKind = "file" if is_feed or relations & _FILES else "related"
    return [("style" if "stylesheet" in relations else kind, href)]


def _candidates(text: str) -> list[str]:
    found = islice(_CANDIDATE.finditer(text.strip()), _MAX_CANDIDATES)
    return [(each[1] or each[2] or "").rstrip(",") for each in found]
