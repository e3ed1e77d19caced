"""Parses HTML: the only place that does, so that no page takes more time and memory than its length accounts for."""

from selectolax.lexbor import LexborHTMLParser

from waypost.rules.encoding import as_utf8
from waypost.rules.html_bounds import bounded_length


def parse(data: bytes) -> LexborHTMLParser:
    """The tree of a page in any encoding; of one that exceeds a bound, the tree of what comes before."""
    return parse_utf8(as_utf8(data))


def parse_utf8(data: bytes) -> LexborHTMLParser:
    """The same of a page in UTF-8."""
    return LexborHTMLParser(data[: bounded_length(data)])
