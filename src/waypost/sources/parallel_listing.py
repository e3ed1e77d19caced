"""A listing in the order of its keys, of which parts far apart are listed at the same time.

Ranges come from what is known of the keys. One that proves large is split where its keys branch, found
by a few probes, so that nothing needs to be known. What is listed ahead is bounded, whatever the
bucket's size.
"""

from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Generic, NamedTuple, TypeVar

T = TypeVar("T")

LAST_KEY = "\U0010ffff"
"""Sorts behind whatever may follow in a key."""
_PARTS = 32


class KeyRange(NamedTuple):
    """The keys behind `after`, up to and with `upto` (None: no end)."""

    start_after: str
    through: str | None = None


class ListedPart(NamedTuple, Generic[T]):
    """The first items of a range; where there are more, the keys of the first, the middle and the last of them."""

    items: Sequence[T]
    known: tuple[str, str, str] | None = None


ListPart = Callable[[KeyRange], ListedPart[T]]
"""Lists the first few thousand items of a range."""
Probe = Callable[[str], str | None]
"""The first key behind another, or None where there is none."""


def split_at(cuts: Iterable[str], after: str, upto: str | None = None) -> list[KeyRange]:
    """The keys behind `after`, up to and with `upto`, in ranges that end at these keys, which are sorted."""
    edges = [after, *(cut for cut in cuts if cut > after and (upto is None or cut < upto))]
    return [KeyRange(begin, end) for begin, end in zip(edges, [*edges[1:], upto], strict=True)]


def list_in_order(parts: Sequence[KeyRange], some: ListPart[T], probe: Probe, width: int) -> Iterator[Sequence[T]]:
    """The items of all ranges in their order, a few thousand at a time, with up to `width` ranges being listed."""
    waiting: deque[tuple[KeyRange, Future[ListedPart[T]] | None]] = deque((part, None) for part in parts)
    with ThreadPoolExecutor(width) as listers:
        try:
            while waiting:
                for n in range(min(width, len(waiting))):
                    part, listing = waiting[n]
                    waiting[n] = part, listing or listers.submit(some, part)
                part, listing = waiting.popleft()
                found = listing.result() if listing else some(part)
                yield found.items
                if found.known is not None:
                    rest = _split(found.known, part.through, probe)
                    waiting.extendleft((each, None) for each in reversed(rest))
        finally:
            listers.shutdown(wait=False, cancel_futures=True)


def _split(known: tuple[str, str, str], upto: str | None, probe: Probe) -> list[KeyRange]:
    """The rest of a range in parts of many keys each, as far as its keys branch.

    What is before the character in which the first and the last of the known keys differ did not change among
    them, so it changes rarely. That character does too if it has changed but once, and the middle key tells.
    """
    first, middle, last = known
    rest = KeyRange(last, upto)
    shared = next((n for n, pair in enumerate(zip(first, last, strict=False)) if len(set(pair)) > 1), 0)
    is_rare = middle[: shared + 1] in (first[: shared + 1], last[: shared + 1])
    for depth in (shared - 1, shared) if is_rare else (shared - 1,):
        cuts = list(_branches(depth, rest, probe)) if depth >= 0 else []
        if cuts:
            return [*split_at(cuts, last)[:-1], KeyRange(cuts[-1], upto)]
    return [rest]


def _branches(depth: int, part: KeyRange, probe: Probe) -> Iterator[str]:
    """The next keys of a range before which the character at this depth changes."""
    key: str | None = part.start_after
    for _ in range(_PARTS):
        key = probe(key[: depth + 1] + LAST_KEY) if key is not None else None
        if key is None or (part.through is not None and key >= part.through):
            return
        yield key
