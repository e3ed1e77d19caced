"""Finds entries of a manifest by key, and decides which of them a change of keys affects."""

from bisect import bisect_right
from collections.abc import Collection, Iterable, Iterator, Sequence
from typing import NamedTuple

from waypost.ledger.manifest import ShardEntry
from waypost.sitemaps.sharding import begins_segment, key_hash


class AffectedRange(NamedTuple):
    """The entries `[start, stop)` of a group: whole segments, or one of the parts of a segment (`is_part`)."""

    start: int
    stop: int
    is_part: bool = False


def by_group(entries: Iterable[ShardEntry]) -> dict[str, list[ShardEntry]]:
    """The entries of each group, in their order."""
    groups: dict[str, list[ShardEntry]] = {}
    for entry in entries:
        groups.setdefault(entry.group, []).append(entry)
    return groups


def entry_index(entries: Sequence[ShardEntry], key: str) -> int:
    """The index of the entry whose range holds a key; a key before all entries belongs to the first."""
    return max(bisect_right(entries, key, key=lambda entry: entry.first_key) - 1, 0)


def affected_ranges(
    entries: Sequence[ShardEntry], toggled: Collection[str], limit: int, still_listed: Collection[str] = ()
) -> list[AffectedRange]:
    """The entries of a group that a change of these keys affects, in their order.

    `toggled` are keys that start or cease to be listed; `still_listed` are listed before and after. Boundaries depend
    on the listed keys of a segment alone, so toggled keys affect whole segments. If the key that begins a segment is
    toggled, or the segment may become empty, the segment before it is affected too. The whole group is affected if it
    may fit in one sitemap (`limit` URLs) before or after the change. Of a segment that has too many pages for one
    sitemap, keys that stay listed affect only their own part.
    """
    if len(entries) <= 1 or _page_count(entries) - len(toggled) <= limit:
        return [AffectedRange(0, len(entries))]
    starts = [n for n, entry in enumerate(entries) if n == 0 or begins_segment(entry.first_key, limit)]
    first_keys = [entries[start].first_key for start in starts[1:]]
    edges = [*starts, len(entries)]
    affected = set[int]()
    toggled_counts: dict[int, int] = {}
    for key in toggled:
        segment = bisect_right(first_keys, key)
        toggled_counts[segment] = toggled_counts.get(segment, 0) + 1
        affected |= {segment, segment - 1} if segment and key == first_keys[segment - 1] else {segment}
    emptied = {n for n, count in toggled_counts.items() if _page_count(entries[edges[n] : edges[n + 1]]) <= count}
    for segment in emptied:
        neighbours = [*range(segment - 1, -1, -1), *range(segment + 1, len(starts))]
        affected |= {next((n for n in neighbours if n not in emptied), segment)}
    parts = set[int]()
    for key in still_listed:
        start, stop = _bounds(edges, bisect_right(first_keys, key))
        part = entry_index(entries, key)
        if _is_split_by_count(entries[start:stop], part - start, limit):
            parts.add(part)
        else:
            affected.add(bisect_right(first_keys, key))
    whole = list(_as_ranges(sorted(affected), edges))
    alone = (
        AffectedRange(n, n + 1, is_part=True) for n in parts if not any(each.start <= n < each.stop for each in whole)
    )
    return sorted([*whole, *alone])


def _bounds(edges: Sequence[int], segment: int) -> tuple[int, int]:
    return edges[segment], edges[segment + 1]


def _is_split_by_count(entries: Sequence[ShardEntry], part: int, limit: int) -> bool:
    """Whether a part of a segment is one because of numbers of pages alone, so that no change of their size joins it.

    A segment, and each half, is halved before the key with the lowest hash; all keys at which it is halved begin an
    entry. Halves of few pages were halved because of their size in bytes.
    """
    start, stop = 0, len(entries)
    is_split = stop > 1
    while is_split and stop - start > 1:
        is_split = _page_count(entries[start:stop]) > limit
        split_point = min(range(start + 1, stop), key=lambda n: key_hash(entries[n].first_key))
        start, stop = (start, split_point) if part < split_point else (split_point, stop)
    return is_split


def _page_count(entries: Sequence[ShardEntry]) -> int:
    return sum(entry.page_count for entry in entries)


def _as_ranges(segments: Sequence[int], edges: Sequence[int]) -> Iterator[AffectedRange]:
    """Ranges of entries for segments; neighbouring segments give one range."""
    start: int | None = None
    for n, segment in enumerate(segments):
        start = segment if start is None else start
        if n + 1 == len(segments) or segments[n + 1] != segment + 1:
            yield AffectedRange(edges[start], edges[segment + 1])
            start = None
