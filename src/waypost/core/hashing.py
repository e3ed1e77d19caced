"""The digest that identifies content, and samples that are chosen by a hash."""

from collections.abc import Callable, Iterable
from hashlib import blake2b
from heapq import nsmallest
from typing import TypeVar
from zlib import crc32

T = TypeVar("T")


def content_digest(content: bytes) -> str:
    """The 128-bit BLAKE2b digest of the bytes, in hexadecimal."""
    return blake2b(content, digest_size=16).hexdigest()


def short_digest(content: bytes) -> str:
    """The 64-bit BLAKE2b digest, in hexadecimal: for comparisons with one earlier version, where an error costs little.

    Two versions that differ have the same one by a chance of 1 in 2^64. Who may write both can find such a pair.
    """
    return blake2b(content, digest_size=8).hexdigest()


def sample_by_hash(values: Iterable[T], size: int, key_of: Callable[[T], str]) -> list[T]:
    """At most so many of the values, chosen by a hash of their keys: their order does not matter, nor does chance."""
    return nsmallest(size, values, key=lambda value: _hash_and_key(key_of(value)))


def _hash_and_key(key: str) -> tuple[int, str]:
    return crc32(key.encode("utf-8", "surrogateescape")), key
