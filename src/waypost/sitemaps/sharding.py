"""Splits pages into shards at boundaries derived from a hash of each key, so a change moves only its own boundary.

This is a pure function of the set of keys, without state: a worker that knows a range of keys knows the boundaries in
it.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from hashlib import blake2b
from itertools import pairwise
from typing import TypeVar

T = TypeVar("T")

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
    """Whether a segment begins at this key in every list: on average, one key in half the limit begins one.

    With a limit of 1, 2 or 3 keys, each key begins one.
    """
    return key_hash(key) % max(limit // 2, 1) == 0


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
    """The span itself, or its parts if it has more keys than the limit, which is 1 or more."""
    for part, _ in split_until(span, keys, lambda part: part if len(part) <= limit else None):
        yield part


def split_until(span: Span, keys: Sequence[str], make: Callable[[Span], T | None]) -> list[tuple[Span, T]]:
    """The span, or its halves, or theirs, until `make` returns a value for each part; each part with that value.

    A part is halved before its key with the lowest hash (its first key cannot split it). If `make` returns a value for
    a part, it must return one for each part of that part. For a part of one key it returns a value, or raises.

    The calls of `make` get `n * log(n)` keys together, or a few times as many, whatever the hashes are: if the first
    keys have the lowest hashes, they are split off one by one, and not each of these parts is tried.
    """
    if (whole := make(span)) is not None:
        return [(span, whole)]
    halves = _Halves(span, keys)
    found, left = list[tuple[Span, T]](), [*halves.of(span)]
    while left:
        parts = halves.larger_ones(left.pop())
        n, made = _first_made(parts, make)
        found.append((parts[n], made))
        left += [half for part, larger in pairwise(parts[: n + 1]) for half in halves.of(part) if half != larger]
    return sorted(found, key=lambda each: each[0].start)


def _first_made(parts: Sequence[Span], make: Callable[[Span], T | None]) -> tuple[int, T]:
    """The position of the first part for which `make` returns a value, and that value; found by bisection.

    Each of the parts contains the next one, and the last has one key. The first ones are tried first.
    """
    low = high = 0
    while (made := make(parts[high])) is None:
        low, high = high + 1, min(2 * high + 1, len(parts) - 1)
    while low < high:
        middle = (low + high) // 2
        if (larger := make(parts[middle])) is None:
            low = middle + 1
        else:
            high, made = middle, larger
    return high, made


class _Halves:
    """Where a span, its halves, and theirs are split; found for all of them in one pass over the hashes."""

    def __init__(self, span: Span, keys: Sequence[str]) -> None:
        self._keys = keys
        self._split_points: dict[tuple[int, int], int] = {}
        open_points = [span.start]  # the hashes of all but the first of these rise
        hashes = {n: key_hash(keys[n]) for n in range(span.start + 1, span.stop)}
        for n in range(span.start + 1, span.stop + 1):
            while len(open_points) > 1 and hashes.get(n, -1) < hashes[open_points[-1]]:
                split_point = open_points.pop()
                self._split_points[open_points[-1], n] = split_point
            open_points.append(n)

    def of(self, span: Span) -> tuple[Span, Span]:
        """The halves of a span of two keys or more."""
        n = self._split_points[span.start, span.stop]
        return Span(span.id, span.start, n), Span(f"{key_hash(self._keys[n]):016x}", n, span.stop)

    def larger_ones(self, span: Span) -> list[Span]:
        """The span, its larger half, the larger half of that, and so on to a span of one key."""
        parts = [span]
        while len(parts[-1]) > 1:
            parts.append(max(self.of(parts[-1]), key=len))
        return parts
