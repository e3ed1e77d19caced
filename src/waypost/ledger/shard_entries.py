"""Finds entries of a manifest by key, and decides which of them a change of keys affects."""

from bisect import bisect_right
from collections.abc import Collection, Iterable, Iterator, Sequence

from waypost.ledger.manifest import ShardEntry
from waypost.sitemaps.sharding import begins_segment


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
) -> list[tuple[int, int]]:
    """The entries of a group that a change of these keys affects, as ranges `[start, stop)` of indexes.

    `toggled` are keys that start or cease to be listed; `still_listed` are listed before and after. Boundaries depend
    on the listed keys of a segment alone, so whole segments are affected. If the key that begins a segment is toggled,
    or the segment may become empty, the segment before it is affected too. The whole group is affected if it may fit
    in one sitemap (`limit` URLs) before or after the change.
    """
    if len(entries) <= 1 or _page_count(entries) - len(toggled) <= limit:
        return [(0, len(entries))]
    starts = [n for n, entry in enumerate(entries) if n == 0 or begins_segment(entry.first_key, limit)]
    first_keys = [entries[start].first_key for start in starts[1:]]
    affected = {bisect_right(first_keys, key) for key in still_listed}
    toggled_counts: dict[int, int] = {}
    for key in toggled:
        segment = bisect_right(first_keys, key)
        toggled_counts[segment] = toggled_counts.get(segment, 0) + 1
        affected |= {segment, segment - 1} if segment and key == first_keys[segment - 1] else {segment}
    edges = [*starts, len(entries)]
    emptied = {n for n, count in toggled_counts.items() if _page_count(entries[edges[n] : edges[n + 1]]) <= count}
    for segment in emptied:
        neighbours = [*range(segment - 1, -1, -1), *range(segment + 1, len(starts))]
        affected |= {next((n for n in neighbours if n not in emptied), segment)}
    return list(_as_ranges(sorted(affected), edges))


def _page_count(entries: Sequence[ShardEntry]) -> int:
    return sum(entry.page_count for entry in entries)


def _as_ranges(segments: Sequence[int], edges: Sequence[int]) -> Iterator[tuple[int, int]]:
    """Ranges of entries for segments; neighbouring segments give one range."""
    start: int | None = None
    for n, segment in enumerate(segments):
        start = segment if start is None else start
        if n + 1 == len(segments) or segments[n + 1] != segment + 1:
            yield edges[start], edges[segment + 1]
            start = None
