"""Reads the head of an HTML page as an HTML parser sees it."""

import re
from collections.abc import Iterator
from itertools import chain, islice

from msgspec import Struct
from msgspec.structs import replace
from selectolax.lexbor import LexborHTMLParser

from waypost.core import urls
from waypost.pages import html_tree, structured_data
from waypost.pages.html_bounds import MOST_BYTES, bounded_length, is_bounded
from waypost.pages.html_tree import as_utf8
from waypost.pages.indexing import NOTHING_SAID, of_meta
from waypost.pages.own_dates import (
    MODIFICATION_META,
    MODIFICATION_PROPERTY,
    NO_DATES,
    PUBLICATION_META,
    OwnDates,
    first_date,
)

HEAD_SIZES = (16_384, 262_144, MOST_BYTES)
"""How many bytes of a file are read to find the end of its head."""

_HEAD_TAGS = rb"(?:meta|link|base|title|script|style|template|noscript|noframes)\b"
_WHOLE_TAG = rb"[a-z][^<\s/>]{0,64}[\s/>]"
"""The name of a tag and what follows it: where a read ends in a name, `<l` may be a link."""
_MAYBE_END_TAG = re.compile(rb"<body|</head", re.IGNORECASE)
_END_TAG = re.compile(
    rb"<body|</head[^<>]{0,256}>(?:\s{1,4096}|<!--.{0,4096}?-->)*+(?=[^<]|<[^a-z]|<" + _WHOLE_TAG + rb")"
    rb"(?!<" + _HEAD_TAGS + rb")",
    re.IGNORECASE | re.DOTALL,
)
_BODY_TAG = re.compile(rb"<(?!" + _HEAD_TAGS + rb"|html\b|head\b)" + _WHOLE_TAG, re.IGNORECASE)
_SENTINEL = b"<body data-waypost-end>"
_REFRESH = re.compile(r"\s*[\d.]+\s*(?:[;,]|\s)\s*(?:url\s*=\s*)?(.*)", re.IGNORECASE | re.DOTALL)
_ENDS_TRIED = 4
_END_TAGS_SEEN = 100
_MOST_HEAD = 262_144
"""Only so many tags and bytes are searched for the end of a head: a longer page is parsed as a whole."""
_DATE_META = frozenset([*MODIFICATION_META, *PUBLICATION_META])
_READ_TAGS = ("meta", "link", "base")
INLINE = frozenset(
    ["a", "abbr", "b", "bdi", "bdo", "cite", "code", "em", "font", "i", "mark", "s", "small", "span", "strong", "u"]
)
_BETWEEN_BLOCKS = "\x1e"
"""A character that is white space, so it separates words in `visible_text` wherever it comes from."""


class HtmlHead(Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """The head of a page; references are as written, not yet resolved against the page's URL.

    `alternates` are the hreflang and the reference of its versions in other languages, and `lang` is its own language;
    they are read only on request.
    `og_url` is read only if there is no canonical link. `is_cut` says that the head exceeds a bound of the parser. The
    rest is as `Indexing` has it.
    """

    noindex: str = ""
    refresh: str | None = None
    canonicals: tuple[str, ...] = ()
    base: str = ""
    dates: OwnDates = NO_DATES
    alternates: tuple[tuple[str, str], ...] = ()
    og_url: str = ""
    is_cut: bool = False
    unavailable_after: str = ""
    is_no_news: bool = False
    lang: str = ""


NO_HEAD = HtmlHead()


def read_head(data: bytes, *, is_whole: bool, is_dated: bool = False, has_alternates: bool = False) -> HtmlHead | None:
    """Read the head from the first bytes of a file, or all of them; None if more are needed.

    The parser decides where the head ends, not a search: a `</head>` in a comment or a script does not end it, and
    elements of the head after it still belong to it. The page's own dates are read only if `is_dated`, and its
    alternates only if `has_alternates`. Of a head that exceeds a bound of the parser, what comes before is read, and
    `is_cut` says so.
    """
    data = as_utf8(data)
    for ends in (_end_tags(data), _body_tags(data)):
        for end in islice(ends, _ENDS_TRIED):
            beginning = data[:end] + _SENTINEL
            if not is_bounded(beginning):
                break
            tree = LexborHTMLParser(beginning)
            if tree.body is not None and "data-waypost-end" in tree.body.attributes:
                return _head(tree, is_dated=is_dated, has_alternates=has_alternates)
    length = bounded_length(data)
    if not is_whole and length == len(data):
        return None
    head = _head(LexborHTMLParser(data[:length]), is_dated=is_dated, has_alternates=has_alternates)
    return replace(head, is_cut=True) if length < len(data) else head


def _end_tags(data: bytes) -> Iterator[int]:
    """Where tags are that end a head, unless they are in a comment or a script."""
    found = islice(_MAYBE_END_TAG.finditer(data, 0, _MOST_HEAD), _END_TAGS_SEEN)
    return (each.start() for each in found if _END_TAG.match(data, each.start()))


def _body_tags(data: bytes) -> Iterator[int]:
    """Where tags are that cannot be in a head."""
    return (each.start() for each in _BODY_TAG.finditer(data, 0, _MOST_HEAD))


def read_dates(data: bytes) -> OwnDates:
    """The dates a whole page gives for itself, in JSON-LD and microdata of its body too."""
    return _own_dates(html_tree.parse(data))


def visible_text(data: bytes) -> str | None:
    """The title and the text that a visitor sees, with white space folded; None if the page exceeds a bound.

    Markup, scripts, styles, attributes and comments do not count, so a build stamp, a script's hash or a nonce is no
    change of the content.
    """
    lines = _whole_lines(data)
    return f"{lines[0]}\n{' '.join(lines[1:])}" if lines else None


def text_lines(data: bytes) -> tuple[str, ...]:
    """The title, and then the text of each block of the body, of which `visible_text` consists.

    Empty without text, and if the page exceeds a bound.
    """
    lines = _whole_lines(data)
    return tuple(lines) if len(lines) > 1 else ()


def _whole_lines(data: bytes) -> list[str]:
    """The visible lines of a page; empty if it exceeds a bound."""
    tree = html_tree.parse_whole(data)
    return visible_lines(tree) if tree is not None else []


def visible_lines(tree: LexborHTMLParser) -> list[str]:
    """The title, and then each block of the text that a visitor sees; the tree loses all else.

    Elements inside of a block, such as links, do not end it.
    """
    in_head = tree.head.iter() if tree.head is not None else ()
    title = next((node for node in in_head if node.tag == "title"), None) or tree.css_first("title")
    lines = [title.text() if title else ""]
    tree.strip_tags(["script", "style", "template", "noscript"])
    if tree.body is not None:
        for node in list(tree.body.traverse(include_text=True)):
            if node.is_comment_node:
                node.decompose()
            elif node.tag in INLINE:
                node.unwrap()
        tree.merge_text_nodes()
        lines += tree.body.text(separator=_BETWEEN_BLOCKS).split(_BETWEEN_BLOCKS)
    first, *folded = (" ".join(line.split()) for line in lines)
    return [first, *filter(None, folded)]


def alternates(head: HtmlHead, loc: str) -> Iterator[tuple[str, str]]:
    """The hreflang and normalised URL of each alternate that a page names."""
    base = _base(head, loc)
    for hreflang, href in head.alternates:
        if href.strip() and (target := urls.normalize(href, base)):
            yield hreflang, target


def resolved(reference: str, head: HtmlHead, loc: str) -> str | None:
    """A reference on the page as an absolute, normalised URL; None if it is no HTTP URL."""
    return urls.normalize(reference, _base(head, loc))


def canonical(head: HtmlHead, loc: str) -> str | None:
    """The one URL that the page names as canonical, normalised; None if it names none or several."""
    found = {urls.normalize(href, _base(head, loc)) for href in head.canonicals if href.strip()} - {None}
    return found.pop() if len(found) == 1 else None


def refresh_target(head: HtmlHead, loc: str) -> str | None:
    """The URL that a meta refresh sends visitors to, normalised; None if it stays on the page."""
    if head.refresh is None:
        return None
    target = urls.normalize(head.refresh, _base(head, loc))
    return None if target in (None, loc) else target


def _base(head: HtmlHead, loc: str) -> str:
    return (urls.normalize(head.base, loc) or loc) if head.base else loc


def _head(tree: LexborHTMLParser, *, is_dated: bool, has_alternates: bool) -> HtmlHead:
    said, refresh, canonicals, base, alternates, og_url = NOTHING_SAID, None, [], "", [], ""
    for tag, attributes in _in_head(tree):
        if tag == "base":
            base = base or attributes.get("href") or ""
        elif tag == "link":
            words = (attributes.get("rel") or "").lower().split()
            if "canonical" in words:
                canonicals.append(attributes.get("href") or "")
            if has_alternates and "alternate" in words and (hreflang := _hreflang(attributes)):
                alternates.append((hreflang, attributes.get("href") or ""))
        elif (name := attributes.get("name")) and "bot" in name.lower():
            said |= of_meta(name, attributes.get("content") or "")
        elif refresh is None and (pragma := attributes.get("http-equiv")) and pragma.lower() == "refresh":
            refresh = refresh_url(attributes.get("content") or "")
        elif (property_ := attributes.get("property")) and property_.lower() == "og:url":
            og_url = og_url or attributes.get("content") or ""
    own_dates = _own_dates(tree) if is_dated else NO_DATES
    own_url = "" if canonicals else og_url
    return HtmlHead(
        said.noindex,
        refresh,
        tuple(canonicals),
        base,
        own_dates,
        tuple(alternates),
        own_url,
        unavailable_after=said.unavailable_after,
        is_no_news=said.is_no_news,
        lang=html_tree.language(tree) if has_alternates else "",
    )


def _hreflang(attributes: dict[str, str | None]) -> str:
    """The hreflang of a link; `""` if it has none, or names the page for some media only."""
    is_for_all_media = (attributes.get("media") or "all").strip().lower() == "all"
    return (attributes.get("hreflang") or "").strip() if is_for_all_media else ""


def _in_head(tree: LexborHTMLParser) -> Iterator[tuple[str, dict[str, str | None]]]:
    """Tag and attributes of the elements that matter, in the head itself: crawlers ignore those in `noscript`.

    Walking the tree is faster than a selector, which would be compiled for each page.
    """
    for node in tree.head.iter() if tree.head is not None else ():
        if node.tag in _READ_TAGS:
            yield node.tag, node.attributes


def refresh_url(content: str) -> str | None:
    """The URL of a refresh, or None if it only loads the page again (HTML, "Refresh state")."""
    match = _REFRESH.match(content)
    if match is None:
        return None
    url: str = match[1].strip()
    if url[:1] in ("'", '"'):
        url = url[1:].partition(url[0])[0].strip()
    return url or None


def _own_dates(tree: LexborHTMLParser) -> OwnDates:
    """The dates that meta elements, JSON-LD and microdata give; several in microdata are those of a list's entries."""
    meta = [(name, content) for name, content in html_tree.named_meta(tree) if name in _DATE_META]
    in_json = (found.get(MODIFICATION_PROPERTY) for found in structured_data.objects(tree))
    in_items = {*structured_data.values(tree, MODIFICATION_PROPERTY)}
    written = chain(
        (each for each in meta if each[0] in MODIFICATION_META),
        ((MODIFICATION_PROPERTY, date) for date in in_json if isinstance(date, str)),
        ((MODIFICATION_PROPERTY, date) for date in in_items if len(in_items) == 1),
    )
    return OwnDates(first_date(written), first_date(each for each in meta if each[0] in PUBLICATION_META))
