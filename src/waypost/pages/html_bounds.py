"""Finds how much of an HTML page can be parsed in time and memory that grow with its length only.

A parser of HTML takes time in proportion to the square of the attributes of a tag, and to the product of its tags and
the depth at which they are; formatting elements that are left open are made again in each block that follows. This
module counts these in one pass, as the tokenizer of the standard reads tags (HTML, "Tokenization"). Where the standard
leaves it to the context what a tag does, the count is the higher one: a start tag always counts, and an end tag only
closes the element that was opened last, with those in it that are ordinary or whose end tag may be left out.
"""

import re
from collections.abc import Mapping
from functools import lru_cache
from typing import NamedTuple

MOST_BYTES = 4_194_304
"""No more of a page is parsed: at the other bounds, so much takes less than half a second."""
MOST_TAGS = 100_000
MOST_ATTRIBUTES, MOST_DEPTH, MOST_TAG_NAMES, MOST_ATTRIBUTE_NAMES = 256, 512, 1_000, 20_000
"""The most attributes of a tag, open elements, and different names of tags and of attributes."""
MOST_STEPS = 12_000_000
"""The most open elements, summed over all tags; and for each option, a share of the tags in its list of choices."""
_OPTION_STEPS = 2
"""For each option a parser goes through that list, so many elements in the time of a step."""
_INLINE_STEPS = 2
"""How many more steps each open inline element takes: its text is moved out of all of them, one after the other."""
MOST_REOPENED = 80_000
"""The most open formatting elements, summed over the tags of blocks."""

_SMALL_BYTES, _SMALL_TAGS, _SMALL_PART, _QUOTED_ENDS = 16_384, 4_000, 4_096, 4
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
    rb"(?P<content>(?:[^<]++|<(?!/(?P=raw)[" + _SPACE + rb"/>]))*+)"
    rb"|<(?P<end>/?)(?P<name>[a-z][^" + _SPACE + rb"/>]*+)(?P<attributes>" + _ATTRIBUTES + rb")>"
    rb"|<(?:[!?]|/(?![a-z]))[^>]*+(?:>|\Z)"
    rb"|<(?=/?[a-z]).*+",
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
_HTML_ANYWHERE = _names("body br embed hr img meta")
"""Of these, those that end SVG, where all others are ordinary elements (HTML, "Foreign content")."""
_FORMATTING = _names("a b big code em font i nobr s small strike strong tt u")
_INLINE = _FORMATTING | _names("span abbr bdi bdo cite data del dfn ins kbd label mark q samp sub sup time var")
_IMPLIED = _names("p li dd dt option optgroup rb rp rt rtc td th tr tbody thead tfoot colgroup caption")
"""Elements whose end tag may be left out (HTML, "Optional tags")."""
_SPECIAL = _names(
    "address applet area article aside base basefont bgsound blockquote body br button caption center col colgroup dd "
    "details dir div dl dt embed fieldset figcaption figure footer form frame frameset h1 h2 h3 h4 h5 h6 head header "
    "hgroup hr html iframe img input keygen li link listing main marquee menu meta nav noembed noframes noscript "
    "object ol p param plaintext pre script search section select source style summary table tbody td textarea "
    "template tfoot th thead title tr track ul wbr xmp svg math"
)
"""Elements that no end tag of another one closes, unless it may be left out; all others are ordinary ("Special")."""
_MOST_CLOSED = 8
"""An end tag closes no more elements at once that are ordinary, or whose end tag may be left out."""
_BLOCKS = _names(
    "address article aside blockquote center details dialog dir div dl fieldset figcaption figure footer form h1 h2 h3 "
    "h4 h5 h6 header hgroup hr main menu nav ol p pre listing section search summary ul li dd dt"
)
_CLOSED_BY: Mapping[bytes, frozenset[bytes]] = {
    **dict.fromkeys(_BLOCKS, _names("p")),
    b"li": _names("li p"),
    **dict.fromkeys(_names("dd dt"), _names("dd dt p")),
    **dict.fromkeys(_names("option optgroup"), _names("option")),
    **dict.fromkeys(_names("td th"), _names("td th p")),
    b"tr": _names("td th tr p"),
    **dict.fromkeys(_names("tbody thead tfoot"), _names("td th tr tbody thead tfoot colgroup caption p")),
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
    return len(data) if _is_small(data) else _counted_length(data)


@lru_cache(2)
def _counted_length(page: bytes) -> int:
    """The same by counting; remembered, because one page is parsed for several questions."""
    return min(_Counter(page).bounded_length(), MOST_BYTES)


def is_bounded(data: bytes) -> bool:
    """Whether the whole of a page may be parsed."""
    return bounded_length(data) == len(data)


def _is_small(data: bytes) -> bool:
    """Whether a page is so small that no count is needed, as most are; this takes a tenth of the time of counting.

    Of equal formatting elements three are opened again at most, and of links one (HTML, "Noah's Ark clause").
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


class _Kind(NamedTuple):
    """What the name of a tag means for the count: numbers are 0 or 1."""

    name: bytes
    is_void: bool
    is_merged: bool
    is_html: bool
    is_closed_by_others: bool
    is_shape: bool
    formatting: int
    foreign: int
    select: int
    option: int
    block: int
    closes: frozenset[bytes]


def _kind_of(name: bytes) -> _Kind:
    return _Kind(
        name,
        name in _VOID,
        name in _MERGED,
        name in _HTML_ANYWHERE,
        name in _IMPLIED or name not in _SPECIAL | _FORMATTING,
        name in _SHAPES,
        int(name in _FORMATTING),
        int(name in _FOREIGN),
        int(name == b"select"),
        int(name == b"option"),
        int(name not in _INLINE),
        _CLOSED_BY.get(name, frozenset()),
    )


class _Counter:
    """Counts what a parser would do with the tags of a page, until that exceeds a bound."""

    def __init__(self, page: bytes) -> None:
        self._page = page
        self._is_large = len(page) > _MANY_BYTES
        self._kinds: dict[bytes, _Kind] = {}
        self.open: list[_Kind] = []
        self._formatting = self._foreign = self._selects = 0
        self._steps = self.reopened = self._merged_attributes = 0
        self._inline = self._tags = 0
        self._tags_before_select: int | None = None
        self._attribute_names: set[bytes] = set()
        self._is_foreign = False
        self._may_close = True

    def bounded_length(self) -> int:
        """The offset of the first tag that exceeds a bound, or the number of bytes."""
        for number, token in enumerate(_TOKEN.finditer(self._page, 0, MOST_BYTES)):
            if number == MOST_TAGS or not self._take(*token.groups()):
                return token.start()
        return len(self._page)

    def _take(
        self,
        cdata: bytes | None,
        raw: bytes | None,
        raw_attributes: bytes,
        content: bytes,
        end: bytes,
        name: bytes | None,
        attributes: bytes,
    ) -> bool:
        """Count a token by the groups of its pattern; returns whether no bound is exceeded."""
        if name is not None:
            return self._end(self._kind(name)) if end else self.start(self._kind(name), attributes)
        if raw is not None:
            return self._raw(self._kind(raw), raw_attributes, content)
        self._count_depth()  # a comment divides a text
        return self._steps <= MOST_STEPS and (cdata is None or self._markup(cdata))

    def _kind(self, name: bytes) -> _Kind:
        kind = self._kinds.get(name)
        if kind is None:
            kind = self._kinds[name] = _kind_of(name.lower())
        return kind

    def start(self, kind: _Kind, attributes: bytes) -> bool:
        """Count a start tag; returns whether no bound is exceeded."""
        is_long = self._is_large or kind.is_merged or len(attributes) > 2 * MOST_ATTRIBUTES
        if is_long and attributes and not self._has_bounded_attributes(kind, attributes):
            return False
        if kind.closes and not self._foreign:
            while self.open and self.open[-1].name in kind.closes:
                self._pop()
        if self._is_foreign or kind.foreign:
            self._is_foreign = bool(kind.foreign) or kind.is_shape
        is_closed = (kind.is_void or kind.is_merged) and (kind.is_html or not self._foreign)
        if not is_closed and not (self._is_foreign and _SELF_CLOSED.search(attributes)):
            self.open.append(kind)
            self._formatting += kind.formatting
            self._foreign += kind.foreign
            self._selects += kind.select
            self._inline += 1 - kind.block
        if kind.select:
            self._tags_before_select = self._tags
        if kind.option and self._tags_before_select is not None:
            self._steps += (self._tags - self._tags_before_select) // _OPTION_STEPS
        return self._count(kind)

    def _pop(self) -> None:
        kind = self.open.pop()
        self._formatting -= kind.formatting
        self._foreign -= kind.foreign
        self._selects -= kind.select
        self._inline -= 1 - kind.block

    def _end(self, kind: _Kind) -> bool:
        if self._may_close and self.open:
            if self.open[-1] is kind:
                self._pop()
            elif kind.name != b"form":  # the end tag of a form closes that alone, wherever it is
                self._close_with_others(kind)
        if self._is_foreign:
            self._is_foreign = self._foreign > 0 and kind.is_shape
        return self._count(kind)

    def _close_with_others(self, kind: _Kind) -> None:
        """Close an element, and those in it that its end tag closes, too, if there are only such."""
        last = self.open[-_MOST_CLOSED:]
        for others, each in enumerate(reversed(last)):
            if each.name == kind.name:
                for _ in range(others + 1):
                    self._pop()
                return
            if self._foreign or not each.is_closed_by_others:
                return

    def _raw(self, kind: _Kind, attributes: bytes, content: bytes) -> bool:
        """Count an element whose content is text, unless it is in SVG or a list of choices: there it may be markup."""
        if kind.name == b"script" and b"<!--" in content and b"<script" in content.lower():
            self._may_close = False  # its end is not where it seems to be (HTML, "Script data double escaped state")
        is_text = not (self._foreign or self._selects)
        return self.start(kind, attributes) and (is_text or self._markup(content))

    def _markup(self, text: bytes) -> bool:
        """Count the start tags in what may be text or markup."""
        return all(self.start(self._kind(name), b"") for name in _TAG.findall(text))

    def _has_bounded_attributes(self, kind: _Kind, attributes: bytes) -> bool:
        """Whether a tag, and all `html` and `body` tags together, have few attributes."""
        names = _ATTRIBUTE.findall(attributes)
        if self._is_large:
            self._attribute_names.update(names)
        self._merged_attributes += len(names) if kind.is_merged else 0
        most = max(len(names), self._merged_attributes)
        return most <= MOST_ATTRIBUTES and len(self._attribute_names) <= MOST_ATTRIBUTE_NAMES

    def _count_depth(self) -> None:
        self._steps += len(self.open) + _INLINE_STEPS * self._inline

    def _count(self, kind: _Kind) -> bool:
        """Count what a tag costs at its place; returns whether no bound is exceeded."""
        self._tags += 1
        self._count_depth()
        if kind.block:
            self.reopened += self._formatting
        return (
            len(self.open) <= MOST_DEPTH
            and self._steps <= MOST_STEPS
            and self.reopened <= MOST_REOPENED
            and len(self._kinds) <= MOST_TAG_NAMES
        )
