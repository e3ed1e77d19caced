"""Splits the key space into ranges for workers: by recorded keys, or by probing the source if nothing is recorded.

The ends of ranges are texts that sort between keys. They decide how evenly the work is spread, never its result.
"""

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Sequence
from operator import itemgetter
from typing import NamedTuple, Protocol

from waypost.core import concurrency
from waypost.ledger.manifest import ShardEntry
from waypost.ledger.shard_entries import entry_index
from waypost.sources.parallel_listing import LAST_KEY, KeyRange, split_at

_LAST_CHARACTER = "\U0010fffd"
"""The last assignable character; keys hardly ever contain it."""
ALL = KeyRange("")
"""The range of all keys."""
_MAX_BRANCHES = 64
"""How many branches a range is split into at most."""
_SAMPLES = 32
"""How many ranges are sampled to estimate the number of objects."""
_MAX_EXCESS = 4
"""Splitting ends at this multiple of the wanted number of ranges."""
_PROBE_KEYS = 250
"""How many keys a probe lists: a page of 1,000 costs several times the computing time."""
_PAGE_KEYS = 1_000
"""How many keys a page of a listing has (S3, ListObjectsV2)."""
_MAX_KEY_BYTES = 1_024
"""How many bytes a key has at most (S3, "Naming objects")."""
_SURROGATES = range(0xD800, 0xE000)


class KeyListing(Protocol):
    """A source whose key space can be probed, with `width` requests at a time."""

    width: int

    def first_key_after(self, key: str) -> str | None:
        """The first key after another, or None if there is none."""

    def first_keys(self, start_after: str, through: str | None, limit: int = 1_000) -> tuple[Sequence[str], bool]:
        """The first keys after one, up to and including another, that one request lists, and whether these are all."""


class _Leaf(NamedTuple):
    """A range whose keys all have the same first `depth` characters, and its estimated share of all keys.

    `object_count` is known, or estimated, only for a small range.
    """

    part: KeyRange
    depth: int
    share: float
    object_count: int | None = None


class CountedRange(NamedTuple):
    """A range, and how many objects are recorded in it."""

    range: KeyRange
    object_count: int


Counts = Sequence[tuple[str, int]]
"""The first keys of shards, in order, each with its number of recorded objects."""


def counts(entries: Iterable[ShardEntry]) -> Counts:
    """The number of recorded objects of each shard, in the order of their first keys."""
    return sorted((entry.first_key, entry.object_count) for entry in entries)


def split_by_records(known: Counts, gap: KeyRange, max_objects: int) -> list[CountedRange]:
    """A range in parts of about `max_objects` recorded objects, which end where shards end.

    A group's first shard begins before all keys, so the first shards of many small groups are in one part.
    """
    first = bisect_right(known, gap.start_after, key=itemgetter(0)) if gap.start_after else 0
    last = len(known) if gap.through is None else bisect_right(known, gap.through, key=itemgetter(0))
    found: list[CountedRange] = []
    after, share = gap.start_after, 0
    for begins, count in known[first:last]:
        edge = just_before(begins) if begins else ""
        if share and share + count > max_objects and edge > after:
            found.append(CountedRange(KeyRange(after, edge), share))
            after, share = edge, 0
        share += count
    return [*found, CountedRange(KeyRange(after, gap.through), share)]


def split_at_points(split_points: Sequence[str], gap: KeyRange) -> list[KeyRange]:
    """A range in parts that end at those of these sorted texts that lie in it."""
    first = bisect_right(split_points, gap.start_after)
    last = len(split_points) if gap.through is None else bisect_left(split_points, gap.through)
    return split_at(split_points[first:last], gap.start_after, gap.through)


def split_by_probing(gaps: Sequence[KeyRange], source: KeyListing, wanted: int, small: int) -> list[KeyRange]:
    """Ranges in `wanted` parts, or a few times more, of about equal estimated size; raises SourceError.

    Probes ask for the first key after a prefix, which shows where the keys of a part branch. All branches are taken to
    be equally large, and the largest parts are split again. Neighbouring parts of together at most `small` objects
    become one.
    """
    return [leaf.part for leaf in _merge_small(_leaves(gaps, source, wanted, small), small)]


def estimate_exceeds(source: KeyListing, objects: int, part: KeyRange = ALL) -> bool:
    """Whether a range seems to hold so many objects: counted if it is small, else estimated from some of its parts."""
    leaves = _leaves([part], source, objects // _PAGE_KEYS + 1, _PAGE_KEYS)
    unknown = [leaf for leaf in leaves if leaf.object_count is None]
    some = unknown[:: len(unknown) // _SAMPLES + 1]
    seen = concurrency.map_concurrently(lambda leaf: len(source.first_keys(*leaf.part)[0]), some, source.width)
    estimated = sum(seen) * len(unknown) // len(seen) if seen else 0
    return sum(leaf.object_count or 0 for leaf in leaves) + estimated >= objects


def just_before(key: str) -> str:
    """A text that sorts directly before a key: only keys with the last character could lie between."""
    code = ord(key[-1]) - 1
    if code < 0:
        return key[:-1]
    before = key[:-1] + chr(_SURROGATES.start - 1 if code in _SURROGATES else code)
    return before + _LAST_CHARACTER if len((before + _LAST_CHARACTER).encode()) <= _MAX_KEY_BYTES else before


def uncovered(covered: Sequence[KeyRange]) -> list[KeyRange]:
    """The parts of the key space that none of these ranges covers; the ranges do not overlap."""
    found: list[KeyRange] = []
    at: str | None = ""
    for part in sorted(covered, key=lambda part: part.start_after):
        if at is not None and part.start_after > at:
            found.append(KeyRange(at, part.start_after))
        at = part.through
    return [*found, KeyRange(at)] if at is not None else found


def overlapping(entries: Sequence[ShardEntry], part: KeyRange) -> tuple[ShardEntry, ...]:
    """The entries of one group whose ranges of keys overlap this range."""
    last = (
        len(entries) if part.through is None else bisect_right(entries, part.through, key=lambda entry: entry.first_key)
    )
    return tuple(entries[entry_index(entries, part.start_after) : last])


def _leaves(gaps: Sequence[KeyRange], source: KeyListing, wanted: int, small: int) -> list[_Leaf]:
    """The ranges, split until none has more than its share or there are far too many."""
    leaves = [_Leaf(gap, 0, 1 / len(gaps)) for gap in gaps]
    while len(gaps) < wanted and len(leaves) < _MAX_EXCESS * wanted:
        large = [leaf for leaf in leaves if leaf.object_count is None and leaf.share * wanted > 1]
        if not large:
            break
        found = concurrency.map_concurrently(lambda leaf: _split_leaf(leaf, source, small), large, source.width)
        parted = dict(zip(large, found, strict=True))
        leaves = [each for leaf in leaves for each in parted.get(leaf, [leaf])]
    return leaves


def _split_leaf(leaf: _Leaf, source: KeyListing, small: int) -> list[_Leaf]:
    """A range split where its keys branch, unless its first keys show that it is small.

    If one key is the beginning of all others, the range is split after that key.
    """
    keys, is_all = source.first_keys(*leaf.part, _PROBE_KEYS)
    if is_all:
        return [leaf._replace(object_count=len(keys))]
    depth = _common_length(keys[0], leaf, source)
    branch_keys = list(_branches(keys[0], depth, leaf.part, source)) or [keys[0]]
    parts = split_at(branch_keys, leaf.part.start_after, leaf.part.through)
    estimate = _estimate(keys, branch_keys)
    if estimate is not None and estimate <= small and _is_typical(keys[-1], branch_keys, leaf.part, source):
        return [leaf._replace(object_count=estimate)]
    return [_Leaf(part, depth + 1, leaf.share / len(parts)) for part in parts]


def _estimate(keys: Sequence[str], branch_keys: Sequence[str]) -> int | None:
    """The estimated number of keys of a range, from the branches that the listed keys hold completely, if any.

    The first branch does not count, because it may have begun before the range.
    """
    seen = bisect_right(branch_keys, keys[-1])
    if seen < 2:
        return None
    whole = bisect_right(keys, branch_keys[seen - 1]) - bisect_right(keys, branch_keys[0])
    return whole * (len(branch_keys) + 1) // (seen - 1)


def _is_typical(last: str, branch_keys: Sequence[str], part: KeyRange, source: KeyListing) -> bool:
    """Whether the branch in which the listed keys end has few more keys, and all branches are known."""
    next_branch = bisect_right(branch_keys, last)
    end = branch_keys[next_branch] if next_branch < len(branch_keys) else part.through
    return len(branch_keys) < _MAX_BRANCHES and source.first_keys(last, end, _PROBE_KEYS)[1]


def _common_length(first: str, leaf: _Leaf, source: KeyListing) -> int:
    """The number of first characters that all keys of a range have in common."""
    least, most = leaf.depth, len(first)
    while least < most:
        middle = (least + most + 1) // 2
        least, most = (middle, most) if _branch(first, middle, leaf.part, source) is None else (least, middle - 1)
    return least


def _branches(first: str, depth: int, part: KeyRange, source: KeyListing) -> Iterator[str]:
    """The first keys of the branches at a depth, without the first branch."""
    key: str | None = first
    for _ in range(_MAX_BRANCHES):
        key = _branch(key, depth + 1, part, source) if key is not None else None
        if key is None:
            return
        yield key


def _branch(key: str, depth: int, part: KeyRange, source: KeyListing) -> str | None:
    """The first key of a range after `key` that has other first `depth` characters.

    The range's last key does not count: it may be the first key of another branch.
    """
    next_key = source.first_key_after(key[:depth] + LAST_KEY)
    return next_key if next_key is not None and (part.through is None or next_key < part.through) else None


def _merge_small(leaves: Sequence[_Leaf], small: int) -> Iterator[_Leaf]:
    """The ranges, with small neighbours merged as long as they are small together."""
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


def _are_small(leaf: _Leaf, next_leaf: _Leaf, small: int) -> bool:
    """Whether two ranges are neighbours, and small together."""
    if leaf.object_count is None or next_leaf.object_count is None or leaf.part.through != next_leaf.part.start_after:
        return False
    return leaf.object_count + next_leaf.object_count <= small
