"""Keys that somebody chose so that a segment of them is as hard to split as possible."""

from collections.abc import Sequence
from functools import lru_cache
from itertools import count

from waypost.sitemaps.sharding import key_hash

DEEPEST = 1_050
"""More halves within one another than Python follows function calls."""


@lru_cache
def keys_of_rising_hashes(number: int = DEEPEST) -> Sequence[str]:
    """How many keys in order, whose hashes are in the same order: each half that is split off has one key."""
    return [_key_of_hash(n, n, number) for n in range(number)]


@lru_cache
def keys_of_falling_hashes(number: int = DEEPEST) -> Sequence[str]:
    """How many keys in order, whose hashes are in the opposite order."""
    return [_key_of_hash(n, number - n - 1, number) for n in range(number)]


def _key_of_hash(n: int, part: int, parts: int) -> str:
    """A key that is the n-th of its list, with a hash in one of as many equal parts of the range of hashes."""
    keys = (f"{n:04}-{salt}.html" for salt in count())
    return next(key for key in keys if key_hash(key) * parts >> 64 == part)
