"""The key space in ranges for workers: by what is remembered of the keys, or by probing where nothing is.

Edges are only texts that sort between keys: where they lie decides how evenly the work is spread, and never what
comes of it.
"""

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Sequence
from operator import itemgetter
from typing import NamedTuple, Protocol

from waypost.core import concurrency
from waypost.ledger.manifest import ShardEntry
from waypost.ledger.shard_entries import entry_index
from waypost.sources.parallel_listing import LAST_KEY, KeyRange, split_at

_BEHIND = "\U0010fffd"
"""The last character that is meant to be used, which no key is known to contain."""
ALL = KeyRange("")
"""All keys."""
_BRANCHES = 64
_SAMPLED, _OVER = 32, 4
_SEEN = 250
"""How many keys tell how a range goes on: taking a page of 1,000 in costs several times the computing."""
_LISTED = 1_000
"""How many keys a page of a listing has (ListObjectsV2)."""
_LONGEST = 1_024
"""How many bytes a key has at most (S3, "Naming objects")."""
_SURROGATES = range(0xD800, 0xE000)


class KeyListing(Protocol):
    """A source whose key space can be felt out, `width` questions at a time."""

    width: int

    def first_key_after(self, key: str) -> str | None:
        """The first key behind another, or None where there is none."""

    def first_keys(self, after: str, upto: str | None, most: int = 1_000) -> tuple[Sequence[str], bool]:
        """The first keys behind one, up to and with another, that one request lists, and whether those are all."""


class _Leaf(NamedTuple):
    """A range, all of whose keys agree in their first `depth` characters, and its guessed share of all.

    `objects` are how many it has, counted or guessed, where it is small.
    """

    part: KeyRange
    depth: int
    share: float
    object_count: int | None = None


class CountedRange(NamedTuple):
    """A range, and how many objects are remembered of it."""

    range: KeyRange
    object_count: int


Counts = Sequence[tuple[str, int]]
"""Where shards begin, in order, and how many objects are remembered of each."""


def counts(entries: Iterable[ShardEntry]) -> Counts:
    """How many objects are remembered of each shard, in the order of their first keys."""
    return sorted((entry.first_key, entry.object_count) for entry in entries)


def split_by_records(known: Counts, gap: KeyRange, most: int) -> list[CountedRange]:
    """A range in parts of about `most` remembered objects, or more, which end where shards do.

    A group's first shard begins before all keys, so those of many small groups are in one part.
    """
    first = bisect_right(known, gap.start_after, key=itemgetter(0)) if gap.start_after else 0
    last = len(known) if gap.through is None else bisect_right(known, gap.through, key=itemgetter(0))
    found: list[CountedRange] = []
    after, share = gap.start_after, 0
    for begins, count in known[first:last]:
        edge = just_before(begins) if begins else ""
        if share and share + count > most and edge > after:
            found.append(CountedRange(KeyRange(after, edge), share))
            after, share = edge, 0
        share += count
    return [*found, CountedRange(KeyRange(after, gap.through), share)]


def split_at_points(cuts: Sequence[str], gap: KeyRange) -> list[KeyRange]:
    """A range in parts that end at these texts, which are sorted, as far as they lie in it."""
    inside = cuts[
        bisect_right(cuts, gap.start_after) : len(cuts) if gap.through is None else bisect_left(cuts, gap.through)
    ]
    return split_at(inside, gap.start_after, gap.through)


def split_by_probing(gaps: Sequence[KeyRange], source: KeyListing, wanted: int, small: int) -> list[KeyRange]:
    """Ranges in `wanted` parts or a few times more, as even as guesses can make them; raises SourceError.

    Where the keys of a part branch is found by asking for what follows a prefix; each branch is taken to be as large
    as the others, and the largest are parted again. Parts that prove small are one, up to so many objects.
    """
    return [leaf.part for leaf in _merged(_leaves(gaps, source, wanted, small), small)]


def estimate_exceeds(source: KeyListing, objects: int, part: KeyRange = ALL) -> bool:
    """Whether a range seems to have so many objects: counted where it is small, else by some of its parts."""
    leaves = _leaves([part], source, objects // _LISTED + 1, _LISTED)
    unknown = [leaf for leaf in leaves if leaf.object_count is None]
    some = unknown[:: len(unknown) // _SAMPLED + 1]
    seen = concurrency.map_concurrently(lambda leaf: len(source.first_keys(*leaf.part)[0]), some, source.width)
    guessed = sum(seen) * len(unknown) // len(seen) if seen else 0
    return sum(leaf.object_count or 0 for leaf in leaves) + guessed >= objects


def just_before(key: str) -> str:
    """A text that sorts before a key, and behind all others before it but the strangest."""
    code = ord(key[-1]) - 1
    if code < 0:
        return key[:-1]
    before = key[:-1] + chr(_SURROGATES.start - 1 if code in _SURROGATES else code)
    return before + _BEHIND if len((before + _BEHIND).encode()) <= _LONGEST else before


def uncovered(covered: Sequence[KeyRange]) -> list[KeyRange]:
    """What of the key space is not covered by these ranges, which do not overlap."""
    found: list[KeyRange] = []
    at: str | None = ""
    for part in sorted(covered, key=lambda part: part.start_after):
        if at is not None and part.start_after > at:
            found.append(KeyRange(at, part.start_after))
        at = part.through
    return [*found, KeyRange(at)] if at is not None else found


def overlapping(entries: Sequence[ShardEntry], part: KeyRange) -> tuple[ShardEntry, ...]:
    """The entries of one group that are responsible for any key of a range."""
    last = (
        len(entries) if part.through is None else bisect_right(entries, part.through, key=lambda entry: entry.first_key)
    )
    return tuple(entries[entry_index(entries, part.start_after) : last])


def _leaves(gaps: Sequence[KeyRange], source: KeyListing, wanted: int, small: int) -> list[_Leaf]:
    """The leaves of ranges, parted until the largest had no more than its share, or they were far too many."""
    leaves = [_Leaf(gap, 0, 1 / len(gaps)) for gap in gaps]
    while len(gaps) < wanted and len(leaves) < _OVER * wanted:
        large = [leaf for leaf in leaves if leaf.object_count is None and leaf.share * wanted > 1]
        if not large:
            break
        found = concurrency.map_concurrently(lambda leaf: _split_leaf(leaf, source, small), large, source.width)
        parted = dict(zip(large, found, strict=True))
        leaves = [each for leaf in leaves for each in parted.get(leaf, [leaf])]
    return leaves


def _split_leaf(leaf: _Leaf, source: KeyListing, small: int) -> list[_Leaf]:
    """A leaf by its branches, whose first keys part it, unless the first of its keys tell that it is small.

    A key that begins all others parts them from itself.
    """
    keys, is_all = source.first_keys(*leaf.part, _SEEN)
    if is_all:
        return [leaf._replace(object_count=len(keys))]
    depth = _agreement(keys[0], leaf, source)
    cuts = list(_branches(keys[0], depth, leaf.part, source)) or [keys[0]]
    parts = split_at(cuts, leaf.part.start_after, leaf.part.through)
    guessed = _guessed(keys, cuts)
    if guessed is not None and guessed <= small and _is_like_others(keys[-1], cuts, leaf.part, source):
        return [leaf._replace(object_count=guessed)]
    return [_Leaf(part, depth + 1, leaf.share / len(parts)) for part in parts]


def _guessed(keys: Sequence[str], cuts: Sequence[str]) -> int | None:
    """How many keys a range may have, by those of its branches that the first of its keys show whole, if any do.

    Its first branch may have begun before it.
    """
    seen = bisect_right(cuts, keys[-1])
    if seen < 2:
        return None
    whole = bisect_right(keys, cuts[seen - 1]) - bisect_right(keys, cuts[0])
    return whole * (len(cuts) + 1) // (seen - 1)


def _is_like_others(last: str, cuts: Sequence[str], part: KeyRange, source: KeyListing) -> bool:
    """Whether the branch in which the known keys end goes on only a little, and no branch is unknown."""
    following = bisect_right(cuts, last)
    end = cuts[following] if following < len(cuts) else part.through
    return len(cuts) < _BRANCHES and source.first_keys(last, end, _SEEN)[1]


def _agreement(first: str, leaf: _Leaf, source: KeyListing) -> int:
    """In how many characters all keys of a leaf agree with the first."""
    least, most = leaf.depth, len(first)
    while least < most:
        middle = (least + most + 1) // 2
        least, most = (middle, most) if _branch(first, middle, leaf.part, source) is None else (least, middle - 1)
    return least


def _branches(first: str, depth: int, part: KeyRange, source: KeyListing) -> Iterator[str]:
    """The first keys of the branches at a depth, but for the first branch."""
    key: str | None = first
    for _ in range(_BRANCHES):
        key = _branch(key, depth + 1, part, source) if key is not None else None
        if key is None:
            return
        yield key


def _branch(key: str, depth: int, part: KeyRange, source: KeyListing) -> str | None:
    """The first key of a range that differs from another, and sorts behind it, in its first characters.

    The range's end does not count: it may be the first key of another branch.
    """
    following = source.first_key_after(key[:depth] + LAST_KEY)
    return following if following is not None and (part.through is None or following < part.through) else None


def _merged(leaves: Sequence[_Leaf], small: int) -> Iterator[_Leaf]:
    """Small leaves with those after them, as long as they are small together."""
    waiting: _Leaf | None = None
    for leaf in leaves:
        if waiting and _are_small(waiting, leaf, small):
            part = KeyRange(waiting.part.start_after, leaf.part.through)
            waiting = waiting._replace(part=part, object_count=(waiting.object_count or 0) + (leaf.object_count or 0))
            continue
        if waiting:
            yield waiting
        waiting = leaf if leaf.object_count is not None else None
        if waiting is None:
            yield leaf
    if waiting:
        yield waiting


def _are_small(leaf: _Leaf, following: _Leaf, small: int) -> bool:
    """Whether two leaves lie side by side, and are small together."""
    if leaf.object_count is None or following.object_count is None or leaf.part.through != following.part.start_after:
        return False
    return leaf.object_count + following.object_count <= small
