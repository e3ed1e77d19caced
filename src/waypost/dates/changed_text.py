"""Compares the visible texts of two versions of a page by their bytes, where no HTML parser is needed for it.

Most commits change a small part of a page. Only that part is read here, if all before it is markup that neither moves
nor hides text. An HTML parser then sees the same text before that part and after it in both versions.
"""

import re
from collections import Counter
from collections.abc import Callable
from functools import lru_cache
from html import unescape
from itertools import islice
from typing import NamedTuple

from waypost.pages.html_head import INLINE
from waypost.pages.html_tree import is_read_as_utf8

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
    _COMMENT + rb"|<script" + _ATTRIBUTES + rb"/?>[^<]*+(?:<(?!/?script)[^<]*+)*+</script" + _SPACE + rb"*+>"
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
_IS_SPECIAL = rb"(?=[cfimnopstx])(?:" + _SPECIAL + rb")" + _ENDS_NAME
"""The first letter is looked at alone, as most tags are none of these."""
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
    + rb"|" + _elements("title", rb"[^<&\0]*+") + rb")*+</svg>"
)  # fmt: skip
_UNSURE = rb"<noscript>(?:[^<\0]++|" + _elements("div iframe", rb"[^<]*+") + rb")*+</noscript>"
"""What is visible only to some: a block in `noscript` ends the paragraph around it."""
_SELECT = (
    rb"<select" + _ATTRIBUTES + rb">(?:[^<\0]++|" + _COMMENT + rb"|</?opt(?:ion|group)" + _ATTRIBUTES + rb"/?>)*+"
    rb"</select>"
)
_ANY_PLAIN_TAG = rb"</?(?!" + _IS_SPECIAL + rb")[a-z][^\t\n\f\r />\0<]*+(?:>|" + _ATTRIBUTES + rb"/?>)"
_MARKUP = rb"|".join(
    [
        _ANY_PLAIN_TAG,
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
    rb"<title" + _ATTRIBUTES + rb">([^<\0]*+)</title>(?:" + _IN_HEAD + rb"|</head>)*+"
    rb"(?:<body" + _ATTRIBUTES + rb">|(?=<(?!(?:html|head|meta|link|base|basefont|bgsound|body|" + _SPECIAL + rb")"
    + _ENDS_NAME + rb")[a-z]))",
    re.IGNORECASE,
)  # fmt: skip
"""A head with its title, and the beginning of the body."""
_PLAIN = re.compile(rb"(?:[^<\0]++|" + _MARKUP + rb"|<(?![a-z/!?])|" + _UNSURE + rb")*+", re.IGNORECASE)
"""A body or a part of it, after which text is visible."""
_TAG = re.compile(rb"<[^<>]*>?")
_PLAIN_TAG = re.compile(_ANY_PLAIN_TAG, re.IGNORECASE)
"""A tag that is plain wherever it is."""
_MOST_TAGS, _MOST_REMEMBERED = 100, 10_000
"""A part with more different tags is read from its beginning; of so many tags it is known whether they are plain."""
_HAS_TEXT = re.compile(
    rb"(?:[^<&a-z0-9\0]++|<(?![a-z/!?])|&(?:[a-z0-9]++|\#x?[0-9a-f]++);|" + _MARKUP + rb"|" + _UNSURE + rb")*+[a-z0-9]",
    re.IGNORECASE,
)

_INLINE_NAME = rb"(?:" + "|".join(sorted(INLINE)).encode() + rb")(?=" + _ENDS_NAME + rb")"
_BLOCK = (
    rb"<(?!/?" + _INLINE_NAME + rb"|/?(?:" + _SPECIAL + rb"|" + _SHAPES + rb")" + _ENDS_NAME + rb")/?[a-z]"
    rb"[^\t\n\f\r />]*+" + _ENDS_NAME
)
_NEXT_BLOCK = re.compile(_BLOCK, re.IGNORECASE)
_LAST_BLOCK = re.compile(rb"(?s:.*)(?=" + _BLOCK + rb")", re.IGNORECASE)
_UNSURE_PART = re.compile(_UNSURE, re.IGNORECASE)
_HIDDEN_PART = re.compile(_UNSEEN + rb"|" + _UNSURE, re.IGNORECASE)
_EMPTY_PART = re.compile(rb"<(?P<name>" + _INLINE_NAME + rb")" + _ATTRIBUTES + rb"></(?P=name)>", re.IGNORECASE)
_INLINE_TAG = re.compile(rb"</?" + _INLINE_NAME + _ATTRIBUTES + rb"/?>", re.IGNORECASE)
_BLOCK_TAG = re.compile(
    rb"<(?!/?" + _INLINE_NAME + rb")/?[a-z][^\t\n\f\r />]*+" + _ATTRIBUTES + rb"/?>|<!doctype[^>]*+>",
    re.IGNORECASE,
)
_OTHER_SPACE = b"\t\n\x0b\x0c\r\x1c\x1d\x1e\x1f"
"""What `str.split` takes for white space in ASCII, but the space."""
_LINE_END = b"\0"
"""No text has it that is read here."""
_MAY_HIDE = re.compile(rb"<(?:!|s[ct])", re.IGNORECASE)
"""How comments, scripts and styles begin."""
_UNSEEN_PART = re.compile(_UNSEEN, re.IGNORECASE)
_BLOCK_NAME = re.compile(rb"<(?!/?" + _INLINE_NAME + rb")/?[a-z][^\t\n\f\r />]*+", re.IGNORECASE)

_ENDS_TRIED = 4
"""The next block may be in a script or in `noscript`, which no part of a page can end in.

No verdict depends on this or on the next values: less leaves more pages to an HTML parser, more takes more time.
"""

Lines = tuple[str, ...]


_LEAST_SPAN, _MOST_SPANS = 256, 256
"""How long a span must be, between changes, so that it need not be read; and how many are searched for."""
_SKIPPED = (0, 64, 256, 1024, 4096, 16_384)
"""How far behind a change a span of the older body is searched for in the newer one, each in turn."""
_MOST_SEARCHED = 65_536
"""In how many bytes of the newer body it is searched for."""
_FIRST_STEP = 256
"""How many bytes are compared at first; then twice as many each time."""


class _Span(NamedTuple):
    """Bytes that two bodies have in common: where they begin in each, and how many they are."""

    before: int
    after: int
    length: int


class _Part(NamedTuple):
    """A part of a page without scripts, styles and comments; what may be visible in it; and `seen` without that."""

    seen: bytes
    unsure: list[bytes]
    sure: bytes


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
    if not _HAS_TEXT.match(before):
        return None
    if before == after:
        return (), ()
    if not _HAS_TEXT.match(after):
        return None
    parts = _changed_parts(before, after)
    if parts is None:
        return None
    old, new = map(_read_part, parts)
    if old.seen == new.seen:
        return (), ()
    if old.unsure != new.unsure:
        return None
    removed, added = _other_lines(old.sure, new.sure)
    if removed or added:
        return (removed, added) if _have_other_characters(removed, added) else None
    return ((), ()) if _have_same_text(old, new) else None


def _changed_parts(before: bytes, after: bytes) -> tuple[bytes, bytes] | None:
    """All that differs between two bodies, as whole lines; None if not all up to its end is plain in both."""
    first, *spans = _equal_spans(before, after)
    start = new_start = _end(_LAST_BLOCK, before, 0, _end(_PLAIN, before, 0, first.length))
    old, new = [], []
    while spans:
        span = spans.pop(0)
        shift, ends = span.after - span.before, _possible_ends(before, span)
        plain = (each for each in ends if _are_plain(before[start:each], after[new_start : each + shift]))
        end = next(plain, None)
        if end is None:
            spans = spans[-1:] if ends else spans  # within a script, or what is not plain: the rest is one part
            continue
        old.append(before[start:end])
        new.append(after[new_start : end + shift])
        if not spans:
            return b"".join(old), b"".join(new)
        start = _end(_LAST_BLOCK, before, end, span.before + span.length)
        new_start = start + shift
        if not _PLAIN.fullmatch(before, end, start):
            return None
    return None


def _are_plain(*parts: bytes) -> bool:
    return all(map(_is_plain, parts))


def _is_plain(part: bytes) -> bool:
    """Whether text is visible after a part: at once if each of its few different tags is plain by itself."""
    tags = set(_TAG.findall(part))
    is_simple = _LINE_END not in part and len(tags) <= _MOST_TAGS and all(map(_is_plain_tag, tags))
    return is_simple or bool(_PLAIN.fullmatch(part))


@lru_cache(_MOST_REMEMBERED)
def _is_plain_tag(tag: bytes) -> bool:
    return bool(_PLAIN_TAG.fullmatch(tag))


def _possible_ends(before: bytes, span: _Span) -> list[int]:
    """Where a part that differs may end: at each of the next blocks after it, or at the end of the body."""
    end = span.before + span.length
    blocks = islice(_NEXT_BLOCK.finditer(before, span.before, end), _ENDS_TRIED)
    return [*(block.start() for block in blocks), *([end] if end == len(before) else [])]


def _equal_spans(before: bytes, after: bytes) -> list[_Span]:
    """What two bodies have in common: their beginnings, some long spans between, and their ends."""
    spans = [_Span(0, 0, _common_length(before, after))]
    same = spans[0].length
    same_end = _common_end(before, after, min(len(before), len(after)) - same)
    last = _Span(len(before) - same_end, len(after) - same_end, same_end)
    while len(spans) <= _MOST_SPANS and (span := _next_span(before, after, spans[-1], last)):
        spans.append(span)
    return [*spans, last]


def _next_span(before: bytes, after: bytes, span: _Span, last: _Span) -> _Span | None:
    """The next long span that two bodies have in common, before the last one; None if none is found."""
    old, new = span.before + span.length, span.after + span.length
    for skipped in _SKIPPED:
        start = old + skipped
        if start + _LEAST_SPAN > last.before:
            return None
        found = after.find(before[start : start + _LEAST_SPAN], new, min(new + _MOST_SEARCHED, last.after))
        if found >= 0:
            most = min(last.before - start, last.after - found)
            return _Span(start, found, min(most, _common_length(before, after, start, found)))
    return None


def _read_part(part: bytes) -> _Part:
    seen = _UNSEEN_PART.sub(b"", part) if _MAY_HIDE.search(part) else part
    unsure = [found[0] for found in _UNSURE_PART.finditer(seen)]
    return _Part(seen, unsure, _HIDDEN_PART.sub(b"", part) if unsure else seen)


def _other_lines(before: bytes, after: bytes) -> tuple[Lines, Lines]:
    """The lines that only the older text has, and those that only the newer one has."""
    old, new = _lines(before), _lines(after)
    if set(old).isdisjoint(new):
        return old, new
    counts, other = Counter(old), Counter(new)
    return tuple((counts - other).elements()), tuple((other - counts).elements())


def _lines(part: bytes) -> Lines:
    """The lines of a part without white space at their ends, and with one space between words."""
    text = _text(part)
    if b"\n" in text:
        text = text.replace(b"\n" + _LINE_END, _LINE_END).replace(_LINE_END + b"\n", _LINE_END)
    is_folded = text.isascii() and b"  " not in text and len(text.translate(None, _OTHER_SPACE)) == len(text)
    if is_folded and b"&" not in text:
        return tuple(filter(None, (line.strip(" ") for line in text.decode("ascii").split(_LINE_END.decode()))))
    return tuple(filter(None, map(_folded, _read(text).split(_LINE_END.decode()))))


def _have_same_text(before: _Part, after: _Part) -> bool:
    """Whether two parts have blocks of the same names, and the same text but for white space within lines."""
    is_same = before.sure == after.sure or _text(before.sure).split() == _text(after.sure).split()
    return is_same and _block_names(before.seen) == _block_names(after.seen)


def _text(part: bytes) -> bytes:
    """The text of a part as it is written, with `_LINE_END` after each of its lines.

    An empty element ends a line, as in `html_head.text_lines`.
    """
    lines = _BLOCK_TAG.sub(_LINE_END, part)
    lines = _EMPTY_PART.sub(_LINE_END, lines) if b"></" in lines else lines
    return (_INLINE_TAG.sub(b"", lines) if b"<" in lines else lines) + _LINE_END


def _block_names(part: bytes) -> list[bytes]:
    """The tags of blocks: whether one ends a line may depend on what is around them."""
    return [name.lower() for name in _BLOCK_NAME.findall(part)]


def _read(text: bytes) -> str:
    return unescape(text.decode("utf-8", "replace"))


def _folded(text: str) -> str:
    return " ".join(text.split())


def _have_other_characters(removed: Lines, added: Lines) -> bool:
    """Whether lines differ in more than white space: whether two lines are one may depend on what is around them."""
    old, new = map("".join, (removed, added))
    if len(old) - old.count(" ") != len(new) - new.count(" "):  # at once, as most are
        return True
    return Counter(old.replace(" ", "")) != Counter(new.replace(" ", ""))


def _end(pattern: re.Pattern[bytes], text: bytes, start: int, end: int) -> int:
    found = pattern.match(text, start, end)
    return found.end() if found else start


def _common_length(before: bytes, after: bytes, start: int = 0, new_start: int = 0) -> int:
    """How many bytes both have in common from there on."""
    most = min(len(before) - start, len(after) - new_start)
    return _longest(most, lambda n, end: before[start + n : start + end] == after[new_start + n : new_start + end])


def _common_end(before: bytes, after: bytes, most: int) -> int:
    """How many bytes at their ends both have in common."""
    old, new = len(before), len(after)
    return _longest(most, lambda n, end: before[old - end : old - n] == after[new - end : new - n])


def _longest(most: int, are_equal: Callable[[int, int], bool]) -> int:
    """How many bytes are equal, counted from one end; it takes time in proportion to these alone."""
    same, step = 0, _FIRST_STEP
    while same < most and are_equal(same, min(same + step, most)):
        same, step = min(same + step, most), 2 * step
    other = min(same + step, most)
    while same < other:
        middle = (same + other + 1) // 2
        if are_equal(same, middle):
            same = middle
        else:
            other = middle - 1
    return same
