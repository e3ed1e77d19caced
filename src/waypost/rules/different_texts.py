"""Proves by bytes that the visible texts of two versions of a page differ, where no HTML parser is needed for it."""

import re

from waypost.rules.encoding import is_read_as_utf8

_SPACE = rb"[\t\n\f\r ]"
_ATTRIBUTES = (
    rb"(?:" + _SPACE + rb"++[^\t\n\f\r \"'<>/=\0]++"
    rb"(?:" + _SPACE + rb"*+=" + _SPACE + rb"*+(?:\"[^\"]*+\"|'[^']*+'|[^\t\n\f\r \"'<>=`]++))?+)*+" + _SPACE + rb"*+"
)
_PLAIN_TAGS = rb"""(?:
    a(?:bbr|ddress|rea|rticle|side|udio)?|b(?:ase|di|do|lockquote|ody|r|utton)?|c(?:anvas|ite|ode)|d(?:ata|d|el|etails|fn
    |iv|l|t)|em|f(?:ieldset|igcaption|igure|ooter|orm)|h(?:[1-6]|ead|eader|group|r|tml)|i(?:mg|nput|ns)?|kbd
    |l(?:abel|egend|i|ink)|m(?:ain|ap|ark|eta|eter)|nav|ol|p(?:icture|re|rogress)?|q|s(?:amp|earch|ection|mall|ource
    |pan|trong|ub|ummary|up)?|time|track|u(?:l)?|v(?:ar|ideo)|wbr|[a-z]++-[a-z0-9-]*+
)"""
"""Elements that only nest, or have no content: text in them stays where it is written, and is visible."""
_SHAPE_TAGS = rb"(?:path|g|use|circle|rect|ellipse|line|polyline|polygon|defs|symbol)"
_UNSEEN = (
    rb"<!--(?!-?>)[^-]*+(?:-[^-]++)*+-->"
    rb"|<script" + _ATTRIBUTES + rb"/?>[^<]*+(?:<(?!/?script|!--)[^<]*+)*+</script" + _SPACE + rb"*+>"
    rb"|<style" + _ATTRIBUTES + rb"/?>[^<]*+(?:<(?!/?style|!--)[^<]*+)*+</style" + _SPACE + rb"*+>"
)
_MARKUP = (
    rb"</?" + re.sub(rb"\s", b"", _PLAIN_TAGS) + _ATTRIBUTES + rb"/?>"
    rb"|" + _UNSEEN + rb"|<!doctype[^>]*+>"
    rb"|<iframe" + _ATTRIBUTES + rb">" + _SPACE + rb"*+</iframe>"
    rb"|<noscript>(?:" + _SPACE + rb"|<(?:img|link)(?:[^<>\"']|\"[^<>\"]*+\"|'[^<>']*+')*+>)*+</noscript>"
    rb"|<svg" + _ATTRIBUTES + rb">(?:" + _SPACE + rb"|</?" + _SHAPE_TAGS + _ATTRIBUTES + rb"/?>)*+</svg>"
)
"""Markup without text of its own; whatever follows, it neither moves nor hides the text around it."""
_HEAD = re.compile(
    rb"(?:\xef\xbb\xbf)?(?:" + _SPACE + rb"|<!doctype[^>]*+>|<(?:html|head|meta|link|base)" + _ATTRIBUTES + rb"/?>|"
    + _UNSEEN + rb")*+(?:<title>([\t\n\f\r !-%'-;=-~]*+)</title>)?+"
    rb"(?:" + _SPACE + rb"|<(?:meta|link|base)" + _ATTRIBUTES + rb"/?>|</head>|" + _UNSEEN + rb")*+"
    rb"(<body" + _ATTRIBUTES + rb">)?+",
    re.IGNORECASE,
)  # fmt: skip
"""A head with its title, and the body's tag if nothing else precedes it."""
_BODY = re.compile(
    rb"(?:[^<&]++|&(?:[a-z0-9]++|\#[0-9]++);|&(?=" + _SPACE + rb")|<title>[^<]*+</title>|" + _MARKUP + rb")*+",
    re.IGNORECASE,
)
_NEXT_CHARACTER = re.compile(rb"(?:" + _SPACE + rb"++|" + _MARKUP + rb")*+(?:([!-%'-;=?-~])|\Z)", re.IGNORECASE)
"""Up to the next visible character of ASCII, or to the end."""


def texts_differ(before: bytes, after: bytes) -> bool:
    """Whether the texts of two pages differ for certain, so that `html_head.text_lines` differ if a body has text.

    The title decides, or else the first bytes that differ after the heads: if, in both, only markup that nests and
    white space come before the next character, and the two characters are not the same, then so are the texts. What
    follows does not matter, because an HTML parser puts text before other text only in tables (which end the search).
    """
    if not (is_read_as_utf8(before) and is_read_as_utf8(after)):
        return False
    old, new = _HEAD.match(before), _HEAD.match(after)
    if old is None or new is None:
        return False
    if old[1] is not None and new[1] is not None and old[1].split() != new[1].split():
        return True
    if old[2] and new[2]:
        return _bodies_differ(before[old.end() :], after[new.end() :])
    return _bodies_differ(before, after)


def certain_titles(before: bytes, after: bytes) -> tuple[str, str] | None:
    """The titles of two pages, as in `html_head.text_lines`; None if only an HTML parser can read one of them."""
    if not (is_read_as_utf8(before) and is_read_as_utf8(after)):
        return None
    old, new = _HEAD.match(before), _HEAD.match(after)
    if old is None or new is None or old[1] is None or new[1] is None:
        return None
    return " ".join(old[1].decode().split()), " ".join(new[1].decode().split())


def _bodies_differ(before: bytes, after: bytes) -> bool:
    known = _BODY.match(before, 0, _common_length(before, after))
    start = known.end() if known else 0
    old, new = _NEXT_CHARACTER.match(before, start), _NEXT_CHARACTER.match(after, start)
    return old is not None and new is not None and old[1] != new[1]


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
