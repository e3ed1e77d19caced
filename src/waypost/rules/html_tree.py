"""Parses HTML: the only place that does, so that no page takes more time and memory than its length accounts for."""

from collections.abc import Callable
from functools import wraps
from threading import RLock
from typing import ParamSpec, TypeVar

from selectolax.lexbor import LexborHTMLParser

from waypost.rules.encoding import as_utf8
from waypost.rules.html_bounds import bounded_length, is_bounded

P = ParamSpec("P")
R = TypeVar("R")
_ONE_TREE = RLock()


def one_at_a_time(function: Callable[P, R]) -> Callable[P, R]:
    """Have only one thread in any of these functions, which use a tree, so that one tree is in memory.

    It takes up to 45 times the memory of its page, and threads cannot parse at the same time anyway.
    """

    @wraps(function)
    def call(*arguments: P.args, **options: P.kwargs) -> R:
        with _ONE_TREE:
            return function(*arguments, **options)

    return call


def parse(data: bytes) -> LexborHTMLParser:
    """The tree of a page in any encoding; of one that exceeds a bound, the tree of what comes before."""
    page = as_utf8(data)
    return LexborHTMLParser(page[: bounded_length(page)])


def parse_whole(data: bytes) -> LexborHTMLParser | None:
    """The tree of a whole page in any encoding; None if it exceeds a bound."""
    page = as_utf8(data)
    return LexborHTMLParser(page) if is_bounded(page) else None
