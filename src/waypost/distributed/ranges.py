"""The key space in ranges for workers: by what is remembered of the keys, or by probing where nothing is.

Edges are only texts that sort between keys: where they lie decides how evenly the work is spread, and never what
comes of it.
"""

from collections.abc import Iterator, Sequence
from typing import NamedTuple, Protocol

from waypost import parallel
from waypost.manifest import Entry
from waypost.sources.spread import Range, ranges

_LAST = "\U0010ffff"
"""Sorts behind whatever may follow in a key."""
_BEHIND = "\U0010fffd"
"""The last character that is meant to be used, which no key is known to contain."""
_BRANCHES = 64
_SURROGATES = range(0xD800, 0xE000)


class Probed(Protocol):
    """A source whose key space can be felt out, `width` questions at a time."""

    width: int

    def following(self, key: str) -> str | None:
        """The first key behind another, or None where there is none."""

    def is_small(self, after: str, upto: str | None) -> bool:
        """Whether one request lists all that is behind a key, up to and with another."""


class _Leaf(NamedTuple):
    """A range, all of whose keys agree in their first `depth` characters, and its guessed share of all."""

    part: Range
    depth: int
    share: float
    is_small: bool = False


class Counted(NamedTuple):
    """A range, and how many objects are remembered of it."""

    part: Range
    objects: int


def remembered(entries: Sequence[Entry], gap: Range, most: int) -> list[Counted]:
    """A range in parts of about `most` remembered objects, or more, which end where shards do.

    A group's first shard begins before all keys, so those of many small groups are in one part.
    """
    inside = sorted((entry.begins, _count(entry)) for entry in entries if _is_inside(entry.begins, gap))
    found: list[Counted] = []
    after, share = gap.after, 0
    for begins, count in inside:
        edge = just_before(begins) if begins else ""
        if share and share + count > most and edge > after:
            found.append(Counted(Range(after, edge), share))
            after, share = edge, 0
        share += count
    return [*found, Counted(Range(after, gap.upto), share)]


def cut(cuts: Sequence[str], gap: Range) -> list[Range]:
    """A range in parts that end at these texts, which are sorted, as far as they lie in it."""
    return ranges(cuts, gap.after, gap.upto)


def probed(gap: Range, source: Probed, wanted: int, thousands: int) -> list[Range]:
    """A range in at least `wanted` parts, as even as guesses can make them, unless it is small.

    Small parts that lie side by side are one, of so many thousands of keys at most.

    Where the keys of a part branch is found by asking for what follows a prefix; each branch is taken to be as large
    as the others, and parted again until it is guessed small enough. Raises SourceError.
    """
    return [leaf.part for leaf in _merged(_leaves(gap, source, wanted), thousands)]


def holds(source: Probed, thousands: int) -> bool:
    """Whether a source is seen to have so many thousands of keys: in parts that one request cannot list."""
    return sum(not leaf.is_small for leaf in _leaves(Range(""), source, thousands)) >= thousands


def just_before(key: str) -> str:
    """A text that sorts before a key, and behind all others before it but the strangest."""
    code = ord(key[-1]) - 1
    if code < 0:
        return key[:-1]
    return key[:-1] + chr(_SURROGATES.start - 1 if code in _SURROGATES else code) + _BEHIND


def gaps(covered: Sequence[Range]) -> list[Range]:
    """What of the key space is not covered by these ranges, which do not overlap."""
    found: list[Range] = []
    at: str | None = ""
    for part in sorted(covered, key=lambda part: part.after):
        if at is not None and part.after > at:
            found.append(Range(at, part.after))
        at = part.upto
    return [*found, Range(at)] if at is not None else found


def overlapping(entries: Sequence[Entry], part: Range) -> tuple[Entry, ...]:
    """The entries of one group that are responsible for any key of a range."""
    starts = [n for n, entry in enumerate(entries) if n == 0 or entry.begins <= part.after]
    first = starts[-1] if starts else 0
    return tuple(entry for entry in entries[first:] if part.upto is None or entry.begins <= part.upto)


def _is_inside(key: str, gap: Range) -> bool:
    return (key > gap.after or not gap.after) and (gap.upto is None or key <= gap.upto)


def _count(entry: Entry) -> int:
    return entry.pages + sum(entry.skipped.values())


def _leaves(gap: Range, source: Probed, wanted: int) -> list[_Leaf]:
    leaves = [_leaf(gap, 0, 1.0, source)]
    while len(leaves) < wanted:
        large = [leaf for leaf in leaves if not leaf.is_small and leaf.share * wanted > 1]
        if not large:
            break
        parted = dict(zip(large, parallel.each(lambda leaf: _parted(leaf, source), large, source.width), strict=True))
        leaves = [each for leaf in leaves for each in parted.get(leaf, [leaf])]
    return leaves


def _leaf(part: Range, depth: int, share: float, source: Probed) -> _Leaf:
    return _Leaf(part, depth, share, source.is_small(*part))


def _parted(leaf: _Leaf, source: Probed) -> list[_Leaf]:
    """A leaf by its branches, whose first keys part it; a key that begins all others parts them from itself."""
    first = source.following(leaf.part.after)
    if first is None:
        return [leaf._replace(is_small=True)]
    depth = _agreement(first, leaf, source)
    cuts = list(_branches(first, depth, leaf.part, source)) or [first]
    parts = ranges(cuts, leaf.part.after, leaf.part.upto)
    share = leaf.share / len(parts)
    return [_leaf(part, depth + 1, share, source) for part in parts]


def _agreement(first: str, leaf: _Leaf, source: Probed) -> int:
    """In how many characters all keys of a leaf agree with the first."""
    least, most = leaf.depth, len(first)
    while least < most:
        middle = (least + most + 1) // 2
        least, most = (middle, most) if _branch(first, middle, leaf.part, source) is None else (least, middle - 1)
    return least


def _branches(first: str, depth: int, part: Range, source: Probed) -> Iterator[str]:
    """The first keys of the branches at a depth, but for the first branch."""
    key: str | None = first
    for _ in range(_BRANCHES):
        key = _branch(key, depth + 1, part, source) if key is not None else None
        if key is None:
            return
        yield key


def _branch(key: str, depth: int, part: Range, source: Probed) -> str | None:
    """The first key of a range that differs from another, and sorts behind it, in its first characters.

    The range's end does not count: it may be the first key of another branch.
    """
    following = source.following(key[:depth] + _LAST)
    return following if following is not None and (part.upto is None or following < part.upto) else None


def _merged(leaves: Sequence[_Leaf], most: int) -> Iterator[_Leaf]:
    """Small leaves with those after them, up to so many of them."""
    waiting: list[_Leaf] = []
    for leaf in leaves:
        waiting.append(leaf)
        if not leaf.is_small or len(waiting) >= most:
            yield leaf._replace(part=Range(waiting[0].part.after, leaf.part.upto))
            waiting = []
    if waiting:
        yield waiting[-1]._replace(part=Range(waiting[0].part.after, waiting[-1].part.upto))
