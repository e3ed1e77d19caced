"""Compares the visible texts of two versions of a page by their bytes, where no HTML parser is needed for it.

Most commits change a small part of a page. Only that part is read here, if all before it is markup that neither moves
nor hides text. An HTML parser then sees the same text before that part and after it in both versions.
"""

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from html import unescape
from itertools import islice
from typing import NamedTuple

from waypost.rules.encoding import is_read_as_utf8
from waypost.rules.html_head import INLINE

_SPACE = rb"[\t\n\f\r ]"
_ENDS_NAME = rb"[\t\n\f\r />]"
_ATTRIBUTES = (
    rb"(?:" + _SPACE + rb"++[^\t\n\f\r \"'<>/=\0]++"
    rb"(?:"
    + _SPACE
    + rb"*+="
    + _SPACE
    + rb"*+(?:\"[^\"<]*+\"|'[^'<]*+'|[^\t\n\f\r \"'<>][^\t\n\f\r <>]*+))?+)*+"
    + _SPACE
    + rb"*+"
)
"""A `<` in a value would look like a tag, so only an HTML parser reads such tags."""
_COMMENT = rb"<!--(?!-?>)[^-]*+(?:-(?!->|-!>)[^-]*+)*+-->"
_UNSEEN = (
    _COMMENT + rb"|<!\[(?:end)?if\b[^>]*+>"
    rb"|<script" + _ATTRIBUTES + rb"/?>[^<]*+(?:<(?!/?script)[^<]*+)*+</script" + _SPACE + rb"*+>"
    rb"|<style" + _ATTRIBUTES + rb"/?>[^<]*+(?:<(?!/?style)[^<]*+)*+</style" + _SPACE + rb"*+>"
)  # fmt: skip


def _elements(names: str, content: bytes) -> bytes:
    """Elements with some content; the names are repeated, since `re` loses groups in possessive repetitions."""
    return b"|".join(b"<%b%b>%b</%b>" % (name, _ATTRIBUTES, content, name) for name in names.encode().split())


_TABLE_TAG = rb"t(?:able|head|body|foot|r|d|h)|c(?:aption|olgroup|ol)"
_SPECIAL = (
    rb"script|style|title|textarea|template|no(?:script|frames|embed)|xmp|plaintext|i?frame|frameset|svg|math|select|"
    rb"opt(?:ion|group)|" + _TABLE_TAG
)
"""Elements that may hide text, move it, or read markup in another way; all others only nest, or have no content."""
_TABLE = (
    rb"(?:<(?:t[dh]|caption)|</table)" + _ATTRIBUTES + rb"/?>"
    rb"|</?(?:" + _TABLE_TAG + rb")" + _ATTRIBUTES + rb"/?>"
    rb"(?=" + _SPACE + rb"*+</?(?:" + _TABLE_TAG + rb")" + _ENDS_NAME + rb")"
)
"""Tags of a table in which nothing but cells has content: a parser moves all else to before the table."""
_SHAPES = (
    rb"path|g|use|circle|rect|ellipse|line|polyline|polygon|defs|symbol|stop|(?:linear|radial)gradient|clippath|mask|"
    rb"pattern|filter|fe[a-z]++|animate[a-z]*+|image"
)
_SVG = (
    rb"<svg" + _ATTRIBUTES + rb">(?:" + _SPACE + rb"|</?(?:" + _SHAPES + rb")" + _ATTRIBUTES + rb"/?>|" + _COMMENT
    + rb"|" + _elements("style title desc text tspan", rb"[^<&\0]*+") + rb")*+</svg>"
)  # fmt: skip
_VOID = rb"<(?:img|link|br)" + _ATTRIBUTES + rb"/?>"
_UNSURE = (
    rb"<iframe" + _ATTRIBUTES + rb">(?!" + _SPACE + rb"*+</iframe>)[^<]*+(?:<(?!/?iframe)[^<]*+)*+</iframe>"
    rb"|<noscript>(?:[^<\0]++|" + _VOID + rb"|" + _elements("iframe style", rb"[^<]*+") + rb"|"
    + _elements("div p", rb"(?:[^<\0]++|" + _VOID + rb"|" + _elements("a strong", rb"[^<]*+") + rb")*+")
    + rb")*+</noscript>"
)  # fmt: skip
"""Elements whose text is visible only to some: a block in `noscript` ends the paragraph around it, and `noscript`."""
_SELECT = (
    rb"<select" + _ATTRIBUTES + rb">(?:[^<\0]++|" + _COMMENT + rb"|</?opt(?:ion|group)" + _ATTRIBUTES + rb"/?>)*+"
    rb"</select>"
)
_MARKUP = rb"|".join(
    [
        rb"</?(?!(?:" + _SPECIAL + rb")" + _ENDS_NAME + rb")[a-z][^\t\n\f\r />\0<]*+" + _ATTRIBUTES + rb"/?>",
        _UNSEEN,
        _TABLE,
        _SVG,
        _SELECT,
        rb"<!doctype[^>]*+>",
        _elements("iframe textarea", _SPACE + rb"*+"),
    ]
)
_IN_HEAD = (
    _SPACE + rb"|<(?:meta|link|base)" + _ATTRIBUTES + rb"/?>|" + _UNSEEN
    + rb"|<noscript>(?:" + _SPACE + rb"|<(?:meta|link)" + _ATTRIBUTES + rb"/?>|<style" + _ATTRIBUTES
    + rb">[^<]*+</style>)*+</noscript>"
)  # fmt: skip
_HEAD = re.compile(
    rb"(?:\xef\xbb\xbf)?(?:<[!?](?!-)[^>]*+>|<(?:html|head)" + _ATTRIBUTES + rb">|" + _IN_HEAD + rb")*+"
    rb"<title" + _ATTRIBUTES + rb">([^<\0]*+)</title>(?:" + _IN_HEAD + rb"|" + _elements("title", rb"[^<\0]*+")
    + rb"|</head>)*+"
    rb"(?:<body" + _ATTRIBUTES + rb">|(?=<(?!(?:html|head|meta|link|base|basefont|bgsound|body|" + _SPECIAL + rb")"
    + _ENDS_NAME + rb")[a-z]))",
    re.IGNORECASE,
)  # fmt: skip
"""A head with its title, and the beginning of the body."""
_PLAIN = re.compile(rb"(?:[^<\0]++|<(?![a-z/!?])|" + _MARKUP + rb"|" + _UNSURE + rb")*+", re.IGNORECASE)
"""A body or a part of it, after which text is visible."""
_HAS_TEXT = re.compile(
    rb"(?:[^<&a-z0-9\0]++|<(?![a-z/!?])|&(?:[a-z0-9]++|\#x?[0-9a-f]++);|" + _MARKUP + rb"|" + _UNSURE + rb")*+[a-z0-9]",
    re.IGNORECASE,
)

_INLINE_NAME = rb"(?:" + "|".join(sorted(INLINE)).encode() + rb")(?=" + _ENDS_NAME + rb")"
_BLOCK = rb"<(?!/?" + _INLINE_NAME + rb"|/?(?:" + _SPECIAL + rb"|" + _SHAPES + rb")" + _ENDS_NAME + rb")/?[a-z]"
_NEXT_BLOCK = re.compile(_BLOCK, re.IGNORECASE)
_LAST_BLOCK = re.compile(rb"(?s:.*)(?=" + _BLOCK + rb")", re.IGNORECASE)
_UNSURE_PART = re.compile(
    rb"<noscript>.*?</noscript>|<iframe" + _ATTRIBUTES + rb">(?!" + _SPACE + rb"*+</).*?</iframe>",
    re.IGNORECASE | re.DOTALL,
)
_HIDDEN_PART = re.compile(_UNSEEN + rb"|" + _UNSURE_PART.pattern, re.IGNORECASE | re.DOTALL)
_EMPTY_PART = re.compile(rb"<(?P<name>" + _INLINE_NAME + rb")" + _ATTRIBUTES + rb"></(?P=name)>", re.IGNORECASE)
_INLINE_TAG = re.compile(rb"</?" + _INLINE_NAME + _ATTRIBUTES + rb"/?>", re.IGNORECASE)
_BLOCK_TAG = re.compile(
    rb"<(?!/?" + _INLINE_NAME + rb")/?[a-z][^\t\n\f\r />]*+" + _ATTRIBUTES + rb"/?>|<!doctype[^>]*+>",
    re.IGNORECASE,
)
_LINE_END = b"\0"
"""No text has it that is read here."""
_UNSEEN_PART = re.compile(_UNSEEN, re.IGNORECASE)
_BLOCK_NAME = re.compile(rb"<(?!/?" + _INLINE_NAME + rb")/?[a-z][^\t\n\f\r />]*+", re.IGNORECASE)

_ENDS_TRIED = 4
"""The next block may be in a script or in `noscript`, which no part of a page can end in."""

Lines = tuple[str, ...]


class _Part(NamedTuple):
    """A part of a page without scripts, styles and comments; what may be visible in it; what is between its blocks."""

    seen: bytes
    unsure: list[bytes]
    blocks: list[bytes]


class ChangedText(NamedTuple):
    """The titles of two versions of a page, and the lines that only one of their texts has.

    A line is a block of the text, as in `html_head.text_lines`.
    """

    titles: tuple[str, str]
    removed: Lines = ()
    added: Lines = ()


def changed_text(before: bytes, after: bytes) -> ChangedText | None:
    """What differs between the visible texts of two versions; None if only an HTML parser can tell.

    `html_head.text_lines` of the two, joined, differ if and only if this says so.
    """
    if not (is_read_as_utf8(before) and is_read_as_utf8(after)):
        return None
    old, new = _HEAD.match(before), _HEAD.match(after)
    if old is None or new is None:
        return None
    lines = _changed_lines(before[old.end() :], after[new.end() :])
    return ChangedText((_folded(_read(old[1])), _folded(_read(new[1]))), *lines) if lines else None


def _changed_lines(before: bytes, after: bytes) -> tuple[Lines, Lines] | None:
    """The lines in two bodies that differ; None if that is not certain, or if a body may have no text."""
    if not (_HAS_TEXT.match(before) and _HAS_TEXT.match(after)):
        return None
    if before == after:
        return (), ()
    parts = next((parts for parts in _changed_parts(before, after) if all(map(_PLAIN.fullmatch, parts))), None)
    if parts is None:
        return None
    old, new = map(_read_part, parts)
    if old.unsure != new.unsure:
        return None
    removed, added = _other_lines(old.blocks, new.blocks)
    if removed or added:
        return (removed, added) if _have_other_characters(removed, added) else None
    return ((), ()) if _have_same_text(old, new) else None


def _changed_parts(before: bytes, after: bytes) -> Iterator[tuple[bytes, bytes]]:
    """The parts of two bodies that differ, as whole lines, up to each of the next blocks; all before them is plain."""
    same = _common_length(before, after)
    same_end = _common_length(before[same:][::-1], after[same:][::-1])
    start = _end(_LAST_BLOCK, before, _end(_PLAIN, before, same))
    for block in islice(_NEXT_BLOCK.finditer(before, len(before) - same_end), _ENDS_TRIED):
        kept = len(before) - block.start()
        yield before[start : len(before) - kept], after[start : len(after) - kept]
    yield before[start:], after[start:]


def _read_part(part: bytes) -> _Part:
    seen = _UNSEEN_PART.sub(b"", part)
    unsure = [found[0] for found in _UNSURE_PART.finditer(seen)]
    return _Part(seen, unsure, _BLOCK_TAG.split(_HIDDEN_PART.sub(b"", part) if unsure else seen))


def _other_lines(before: list[bytes], after: list[bytes]) -> tuple[Lines, Lines]:
    """The lines that only the older blocks have, and those that only the newer ones have."""
    old, new = Counter(before), Counter(after)
    removed, added = (_lines(_text(blocks.elements())) for blocks in (old - new, new - old))
    return tuple((removed - added).elements()), tuple((added - removed).elements())


def _lines(text: bytes) -> Counter[str]:
    return Counter(filter(None, map(_folded, _read(text).split(_LINE_END.decode()))))


def _have_same_text(before: _Part, after: _Part) -> bool:
    """Whether two parts have blocks of the same names, and the same text but for white space within lines."""
    old, new = before.blocks, after.blocks
    is_same = old == new or _text(old).split() == _text(new).split()
    return is_same and _block_names(before.seen) == _block_names(after.seen)


def _text(blocks: Iterable[bytes]) -> bytes:
    """The text of blocks as it is written, with `_LINE_END` after each of its lines.

    An empty element ends a line, as in `html_head.text_lines`.
    """
    return _INLINE_TAG.sub(b"", _EMPTY_PART.sub(_LINE_END, _LINE_END.join((*blocks, b""))))


def _block_names(part: bytes) -> list[bytes]:
    """The tags of blocks: whether one ends a line may depend on what is around them."""
    return [name.lower() for name in _BLOCK_NAME.findall(part)]


def _read(text: bytes) -> str:
    return unescape(text.decode("utf-8", "replace"))


def _folded(text: str) -> str:
    return " ".join(text.split())


def _have_other_characters(removed: Lines, added: Lines) -> bool:
    """Whether lines differ in more than white space: whether two lines are one may depend on what is around them."""
    old, new = ("".join(lines).replace(" ", "") for lines in (removed, added))
    return len(old) != len(new) or Counter(old) != Counter(new)


def _end(pattern: re.Pattern[bytes], text: bytes, end: int) -> int:
    found = pattern.match(text, 0, end)
    return found.end() if found else 0


def _common_length(before: bytes, after: bytes) -> int:
    """How many bytes both begin with."""
    same, most = 0, min(len(before), len(after))
    while same < most:
        middle = (same + most + 1) // 2
        if before[same:middle] == after[same:middle]:
            same = middle
        else:
            most = middle - 1
    return same
