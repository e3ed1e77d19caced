"""Finds how much of an HTML page can be parsed in time and memory that grow with its length only.

A parser of HTML takes time in proportion to the square of the attributes of a tag, and to the product of its tags and
the depth at which they are; formatting elements that are left open are made anew in each block that follows. This
module counts these in one pass, as the tokenizer of the standard reads tags (HTML, "Tokenization"). Where the standard
leaves it to the context what a tag does, the count is the higher one: a start tag always counts, and an end tag only
closes the element that was opened last, but for those whose end tag may be left out.
"""

import re
from collections.abc import Mapping

MOST_BYTES = 4_194_304
"""No more of a page is parsed: at the other bounds, so much takes less than half a second."""
MOST_TAGS = 200_000
MOST_ATTRIBUTES, MOST_DEPTH, MOST_TAG_NAMES, MOST_ATTRIBUTE_NAMES = 256, 512, 1_000, 20_000
"""The most attributes of a tag, open elements, and different names of tags and of attributes."""
MOST_STEPS = 20_000_000
"""The most open elements, summed over all tags."""
MOST_REOPENED = 200_000
"""The most open formatting elements, summed over the tags of blocks."""

_SMALL_BYTES, _SMALL_TAGS, _SMALL_PART, _QUOTED_ENDS = 65_536, 4_000, 4_096, 4
"""A page with no more tags exceeds no bound by their depth. One with no more bytes does not by the attributes of a tag,
nor does one with no more bytes between two `>`, of which no more are in a quoted value."""
_MANY_BYTES = 262_144
"""Fewer bytes do not have so many different names of attributes."""
_SPACE = rb"\t\n\f\r "
_ATTRIBUTES = (
    rb"(?:[" + _SPACE + rb"/]++|[^" + _SPACE + rb"/>][^" + _SPACE + rb"/>=]*+"
    rb"(?:[" + _SPACE + rb"]*+=[" + _SPACE + rb"]*+(?:\"[^\"]*+\"|'[^']*+'|[^" + _SPACE + rb"\"'>][^" + _SPACE
    + rb">]*+)?)?)*+"
)  # fmt: skip
_ATTRIBUTE = re.compile(
    rb"([^" + _SPACE + rb"/>][^" + _SPACE + rb"/>=]*+)"
    rb"(?:[" + _SPACE + rb"]*+=[" + _SPACE + rb"]*+(?:\"[^\"]*+\"|'[^']*+'|[^" + _SPACE + rb"\"'>][^" + _SPACE
    + rb">]*+)?)?"
)  # fmt: skip
_RAW = rb"script|style|title|textarea|xmp|iframe|noembed|noframes"
_TOKEN = re.compile(
    rb"<!--(?:-?>|.*?(?:--!?>|\Z))"
    rb"|<(?P<cdata>!\[CDATA\[.*?(?:\]\]>|\Z))"
    rb"|<(?P<raw>" + _RAW + rb")(?=[" + _SPACE + rb"/>])(?P<raw_attributes>" + _ATTRIBUTES + rb")>"
    rb"(?P<content>.*?)(?:(?=</(?P=raw)[" + _SPACE + rb"/>])|\Z)"
    rb"|<(?P<end>/?)(?P<name>[a-z][^" + _SPACE + rb"/>]*+)(?P<attributes>" + _ATTRIBUTES + rb")>"
    rb"|<(?:[!?]|/(?![a-z]))[^>]*+(?:>|\Z)"
    rb"|<(?=/?[a-z])(?P<unclosed>.*+)",
    re.IGNORECASE | re.DOTALL,
)
_TAG = re.compile(rb"<(?P<name>[a-z][^" + _SPACE + rb"/>]*+)", re.IGNORECASE)

_FORMATTING_TAG = re.compile(
    rb"<(?:b|big|code|em|font|i|nobr|s|small|strike|strong|tt|u)(?=[" + _SPACE + rb"/>])[^>]*", re.IGNORECASE
)
_QUOTED_END = (re.compile(rb"=[" + _SPACE + rb"]*\"[^\">]*>"), re.compile(rb"=[" + _SPACE + rb"]*'[^'>]*>"))


def _names(text: str) -> frozenset[bytes]:
    return frozenset(text.encode().split())


_VOID = _names("area base br col embed hr img input link meta param source track wbr basefont bgsound frame keygen")
_MERGED = _names("html body")
"""All such tags have their attributes on one element."""
_FORMATTING = _names("a b big code em font i nobr s small strike strong tt u")
_INLINE = _FORMATTING | _names("span abbr bdi bdo cite data del dfn ins kbd label mark q samp sub sup time var")
_IMPLIED = _names("p li dd dt option optgroup rb rp rt rtc td th tr tbody thead tfoot colgroup caption")
"""Elements whose end tag may be left out (HTML, "Optional tags")."""
_MOST_IMPLIED = 8
"""An end tag closes no more of those at once."""
_BLOCKS = _names(
    "address article aside blockquote center details dialog dir div dl fieldset figcaption figure footer form h1 h2 h3 "
    "h4 h5 h6 header hgroup hr main menu nav ol p pre listing section search summary ul li dd dt"
)
_CLOSED_BY: Mapping[bytes, frozenset[bytes]] = {
    **dict.fromkeys(_BLOCKS, _names("p")),
    b"li": _names("li p"),
    **dict.fromkeys(_names("dd dt"), _names("dd dt p")),
    b"option": _names("option"),
    b"optgroup": _names("option optgroup"),
    **dict.fromkeys(_names("td th"), _names("td th p")),
    b"tr": _names("td th tr p"),
    **dict.fromkeys(_names("tbody thead tfoot"), _names("td th tr tbody thead tfoot colgroup caption p")),
    **dict.fromkeys(_names("rt rp"), _names("rt rp rb rtc")),
    b"a": _names("a"),
}
"""The open elements that a start tag closes, if they were opened last."""
_FOREIGN = _names("svg math")
_SHAPES = _names(
    "svg g path circle rect ellipse line polyline polygon defs use stop symbol clippath mask pattern filter "
    "lineargradient radialgradient image text tspan animate title desc"
)
_SELF_CLOSED = re.compile(rb"(?:\A|[" + _SPACE + rb"\"'])/\Z")


def bounded_length(data: bytes) -> int:
    """The number of bytes of a page in UTF-8, from its beginning, that exceed no bound: all of them, as a rule."""
    if _is_small(data):
        return len(data)
    return min(_Counter(data).bounded_length(), MOST_BYTES)


def is_bounded(data: bytes) -> bool:
    """Whether the whole of a page may be parsed."""
    return bounded_length(data) == len(data)


def _is_small(data: bytes) -> bool:
    """Whether a page is so small that no count is needed, as most are; this takes a tenth of the time of counting.

    Of equal formatting elements three are opened anew at most, and of links one (HTML, "Noah's Ark clause").
    """
    tags = data.count(b"<")
    if len(data) > _MANY_BYTES or tags > _SMALL_TAGS:
        return False
    if tags * (3 * len(set(_FORMATTING_TAG.findall(data))) + 1) > MOST_REOPENED:
        return False
    return len(data) <= _SMALL_BYTES or _has_short_tags(data)


def _has_short_tags(data: bytes) -> bool:
    """Whether no tag is long: a tag ends at the first `>` that is not in a quoted value."""
    quoted = sum(len(each.findall(data)) for each in _QUOTED_END)
    return quoted <= _QUOTED_ENDS and max(map(len, data.split(b">"))) <= _SMALL_PART


class _Counter:
    """Counts what a parser would do with the tags of a page, until that exceeds a bound."""

    def __init__(self, data: bytes) -> None:
        self._data = data
        self._open: list[bytes] = []
        self._formatting = self._foreign = self._selects = 0
        self._steps = self._reopened = self._merged_attributes = 0
        self._tag_names: set[bytes] = set()
        self._attribute_names: set[bytes] = set()
        self._is_foreign = False
        self._may_close = True

    def bounded_length(self) -> int:
        """The offset of the first tag that exceeds a bound, or the number of bytes."""
        for number, token in enumerate(_TOKEN.finditer(self._data, 0, MOST_BYTES)):
            if number == MOST_TAGS or not self._take(token):
                return token.start()
        return len(self._data)

    def _take(self, token: "re.Match[bytes]") -> bool:
        """Count a token; returns whether no bound is exceeded."""
        kind = token.lastgroup
        if kind == "attributes":
            end, name, attributes = token.group("end", "name", "attributes")
            return self._end(name.lower()) if end else self._start(name.lower(), attributes)
        if kind == "content":
            raw, attributes, content = token.group("raw", "raw_attributes", "content")
            return self._raw(raw.lower(), attributes, content)
        return self._markup(token["cdata"]) if kind == "cdata" else True

    def _start(self, name: bytes, attributes: bytes) -> bool:
        if not self._has_bounded_attributes(name, attributes):
            return False
        if not self._foreign:
            self._close_implied(name)
        self._is_foreign = (self._is_foreign or name in _FOREIGN) and (name in _SHAPES or name in _FOREIGN)
        is_closed = name in _VOID or (self._is_foreign and _SELF_CLOSED.search(attributes) is not None)
        if not is_closed and name not in _MERGED:
            self._push(name)
        return self._count(name)

    def _push(self, name: bytes) -> None:
        self._open.append(name)
        self._formatting += name in _FORMATTING
        self._foreign += name in _FOREIGN
        self._selects += name == b"select"

    def _close_implied(self, name: bytes) -> None:
        closed = _CLOSED_BY.get(name)
        while closed and self._open and self._open[-1] in closed:
            self._pop()

    def _pop(self) -> None:
        name = self._open.pop()
        self._formatting -= name in _FORMATTING
        self._foreign -= name in _FOREIGN
        self._selects -= name == b"select"

    def _end(self, name: bytes) -> bool:
        if self._may_close:
            implied = 0
            while implied < min(_MOST_IMPLIED, len(self._open)) and self._open[-1 - implied] != name:
                if self._foreign or self._open[-1 - implied] not in _IMPLIED:
                    break
                implied += 1
            if implied < len(self._open) and self._open[-1 - implied] == name:
                for _ in range(implied + 1):
                    self._pop()
        self._is_foreign = self._is_foreign and self._foreign > 0 and name in _SHAPES
        return self._count(name)

    def _raw(self, name: bytes, attributes: bytes, content: bytes) -> bool:
        """Count an element whose content is text, unless it is in SVG or a list of choices: there it may be markup."""
        if name == b"script" and b"<!--" in content and b"<script" in content.lower():
            self._may_close = False  # its end is not where it seems to be (HTML, "Script data double escaped state")
        if self._foreign or self._selects:
            return self._start(name, attributes) and self._markup(content)
        return self._start(name, attributes)

    def _markup(self, text: bytes) -> bool:
        """Count the start tags in what may be text or markup."""
        return all(self._start(found["name"].lower(), b"") for found in _TAG.finditer(text))

    def _has_bounded_attributes(self, name: bytes, attributes: bytes) -> bool:
        """Whether a tag, and all `html` and `body` tags together, have few attributes."""
        is_many = len(self._data) > _MANY_BYTES
        if name not in _MERGED and not is_many and len(attributes) <= 2 * MOST_ATTRIBUTES:
            return True
        names = _ATTRIBUTE.findall(attributes)
        if is_many:
            self._attribute_names.update(names)
        self._merged_attributes += len(names) if name in _MERGED else 0
        most = max(len(names), self._merged_attributes)
        return most <= MOST_ATTRIBUTES and len(self._attribute_names) <= MOST_ATTRIBUTE_NAMES

    def _count(self, name: bytes) -> bool:
        """Count what a tag costs at its place; returns whether no bound is exceeded."""
        self._tag_names.add(name)
        self._steps += len(self._open)
        self._reopened += 0 if name in _INLINE else self._formatting
        return (
            len(self._open) <= MOST_DEPTH
            and self._steps <= MOST_STEPS
            and self._reopened <= MOST_REOPENED
            and len(self._tag_names) <= MOST_TAG_NAMES
        )
