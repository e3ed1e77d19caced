"""Lists keys in order, with several ranges of keys listed at the same time.

The caller gives ranges, if it knows the keys. A range that turns out to be large is split where its keys branch, which
a few requests find out. The memory for what is listed ahead is bounded, whatever the size of the bucket.
"""

from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Generic, NamedTuple, TypeVar

T = TypeVar("T")

LAST_KEY = "\U0010ffff"
"""A suffix that sorts after any other."""
_MAX_BRANCHES = 32


class KeyRange(NamedTuple):
    """The keys after `start_after`, up to and including `through` (None: no end)."""

    start_after: str
    through: str | None = None


class ListedPart(NamedTuple, Generic[T]):
    """The first items of a range; if more follow, the keys of the first, the middle and the last of them."""

    items: Sequence[T]
    sampled_keys: tuple[str, str, str] | None = None


ListPart = Callable[[KeyRange], ListedPart[T]]
"""Lists the first few thousand items of a range."""
Probe = Callable[[str], str | None]
"""Finds the first key after another, or None."""


def split_at(split_points: Iterable[str], start_after: str, through: str | None = None) -> list[KeyRange]:
    """The keys after `start_after`, up to and including `through`, in ranges that end at sorted keys."""
    inside = (point for point in split_points if point > start_after and (through is None or point < through))
    edges = [start_after, *inside]
    return [KeyRange(start, end) for start, end in zip(edges, [*edges[1:], through], strict=True)]


def list_in_order(
    ranges: Sequence[KeyRange], list_part: ListPart[T], probe: Probe, width: int
) -> Iterator[Sequence[T]]:
    """The items of all ranges in order, a few thousand at a time, with up to `width` ranges being listed at once.

    The next ones are listed while the caller works with the items that it has got.
    """
    queue: deque[tuple[KeyRange, Future[ListedPart[T]] | None]] = deque((each, None) for each in ranges)

    def begin_listings() -> None:
        for n in range(min(width, len(queue))):
            key_range, listing = queue[n]
            queue[n] = key_range, listing or executor.submit(list_part, key_range)

    with ThreadPoolExecutor(width) as executor:
        try:
            while queue:
                begin_listings()
                key_range, listing = queue.popleft()
                part = listing.result() if listing else list_part(key_range)
                if part.sampled_keys is not None:
                    rest = _split_rest(part.sampled_keys, key_range.through, probe)
                    queue.extendleft((each, None) for each in reversed(rest))
                begin_listings()
                yield part.items
        finally:
            executor.shutdown(wait=False, cancel_futures=True)


def _split_rest(sampled_keys: tuple[str, str, str], through: str | None, probe: Probe) -> list[KeyRange]:
    """Split the rest of a range where its keys branch, into ranges of many keys each.

    The listed keys share the characters before the first one in which they differ. So those characters change rarely,
    and a range in which they do not change has many keys. The differing character changes rarely too if it has changed
    only once among the listed keys; the middle key shows that.
    """
    first, middle, last = sampled_keys
    rest = KeyRange(last, through)
    shared = next((n for n, pair in enumerate(zip(first, last, strict=False)) if len(set(pair)) > 1), 0)
    changed_once = middle[: shared + 1] in (first[: shared + 1], last[: shared + 1])
    for depth in (shared - 1, shared) if changed_once else (shared - 1,):
        split_points = list(_branches(depth, rest, probe)) if depth >= 0 else []
        if split_points:
            return [*split_at(split_points, last)[:-1], KeyRange(split_points[-1], through)]
    return [rest]


def _branches(depth: int, key_range: KeyRange, probe: Probe) -> Iterator[str]:
    """The next keys of a range at which the character at this depth, or one before it, changes."""
    key: str | None = key_range.start_after
    for _ in range(_MAX_BRANCHES):
        key = probe(key[: depth + 1] + LAST_KEY) if key is not None else None
        if key is None or (key_range.through is not None and key >= key_range.through):
            return
        yield key
