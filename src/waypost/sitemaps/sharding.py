"""Splits pages into shards at boundaries derived from a hash of each key, so a change moves only its own boundary.

This is a pure function of the set of keys, without state: a worker that knows a range of keys knows the boundaries in
it.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from hashlib import blake2b

FIRST_SEGMENT = "0" * 16
"""The id of the first segment: it begins before every key, so its name never changes."""


@dataclass(frozen=True, slots=True)
class Span:
    """The keys `[start, stop)` of a sorted list; `id` is the hash of its first key."""

    id: str
    start: int
    stop: int

    def __len__(self) -> int:
        return self.stop - self.start


def key_hash(key: str) -> int:
    """The 64-bit hash that decides boundaries: BLAKE2b of the key's UTF-8 bytes, big-endian."""
    return int.from_bytes(blake2b(key.encode(), digest_size=8).digest())


def begins_segment(key: str, limit: int) -> bool:
    """Whether a segment begins at this key in every list: on average, one key in half the limit begins one."""
    return key_hash(key) % (limit // 2) == 0


def segments(keys: Sequence[str], limit: int) -> Iterator[Span]:
    """Split sorted keys where `hash(key) % (limit // 2) == 0`, then halve segments until none is over the limit.

    With a limit of 50,000 a key in 25,000 is a boundary, so segments average 25,000 keys.
    """
    start, id = 0, FIRST_SEGMENT
    for n, key in enumerate(keys):
        if begins_segment(key, limit):
            if n > start:
                yield from within(Span(id, start, n), keys, limit)
            start, id = n, f"{key_hash(key):016x}"
    if len(keys) > start:
        yield from within(Span(id, start, len(keys)), keys, limit)


def within(span: Span, keys: Sequence[str], limit: int) -> Iterator[Span]:
    """The span itself, or its parts if it has more keys than the limit."""
    if len(span) <= limit:
        yield span
        return
    for half in halves(span, keys):
        yield from within(half, keys, limit)


def halves(span: Span, keys: Sequence[str]) -> tuple[Span, Span]:
    """Split a span of two keys or more before its key with the lowest hash (the first cannot split it)."""
    lowest, n = min((key_hash(keys[n]), n) for n in range(span.start + 1, span.stop))
    return Span(span.id, span.start, n), Span(f"{lowest:016x}", n, span.stop)
