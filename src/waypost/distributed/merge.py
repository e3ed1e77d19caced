"""Merges the fragments of all scanned ranges into segments, which no worker could see in its own range alone."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import pairwise

from msgspec.structs import replace

from waypost.config.schema import Site
from waypost.distributed.artifacts import OpenKey, ScanResult, Segment
from waypost.ledger.manifest import ShardEntry
from waypost.ledger.shard_entries import by_group, entry_index
from waypost.rules import page_url
from waypost.rules.selection import Selection
from waypost.sitemaps.sharding import begins_segment


def merge_fragments(scans: Sequence[ScanResult], base: Sequence[ShardEntry], site: Site) -> list[Segment]:
    """The segments of all groups; the scans are in the order of their ranges.

    `base` holds the shards of a ledger of the same settings; segments that did not change keep them.
    """
    open_keys = {each.key: each for scan in scans for each in scan.open_keys}
    selection = Selection(site)
    duplicates: dict[str, dict[str, str]] = defaultdict(dict)
    for key, first in resolve_duplicates(open_keys.values(), site).items():
        duplicates[selection.group(key)][key] = first
    fragments = by_group(each for scan in scans for each in scan.fragments)
    known = by_group(base)
    segments: list[Segment] = []
    for group in ("", *(name for name, _ in site.groups)):
        unlisted = {key for key in duplicates[group] if open_keys[key].is_listed}
        members = _Group(
            fragments.get(group, ()), known.get(group, ()), duplicates[group], unlisted, site.file_limits.urls
        )
        segments += members.segments(group)
    return segments


def resolve_duplicates(open_keys: Iterable[OpenKey], site: Site) -> dict[str, str]:
    """For each key that has the same URL as another range's key listed in its place: that other key."""
    open_keys = list(open_keys)
    entries = {each.key for each in open_keys if each.is_entry}
    return page_url.duplicates({each.key: each.loc for each in open_keys}, site, entries)


class _Group:
    """One group: its fragments in order, its current shards, and its duplicates.

    `unlisted` are those duplicates that their fragments count as listed.
    """

    def __init__(
        self,
        fragments: Sequence[ShardEntry],
        base: Sequence[ShardEntry],
        duplicates: Mapping[str, str],
        unlisted: Iterable[str],
        limit: int,
    ) -> None:
        self._fragments, self._base, self._duplicates, self._limit = fragments, base, duplicates, limit
        self._duplicates_of: dict[int, dict[str, str]] = defaultdict(dict)
        for key, first in duplicates.items():
            self._duplicates_of[entry_index(fragments, key)][key] = first
        unlisted = set(unlisted)
        self._unlisted_counts = Counter(entry_index(fragments, key) for key in unlisted)
        self._unlisted_first_keys = {each.first_key for each in fragments if each.first_key in unlisted}
        self._was_one_sitemap = sum(entry.page_count for entry in base) <= limit

    def segments(self, group: str) -> Iterator[Segment]:
        if not self._fragments:
            return
        if sum(map(self._page_count, range(len(self._fragments)))) <= self._limit:
            is_unchanged = _has_same_records(self._fragments, self._base) and not self._duplicates
            yield Segment(
                group,
                tuple(self._base if is_unchanged else self._fragments),
                is_whole_group=True,
                is_unchanged=is_unchanged,
                duplicates=dict(self._duplicates),
            )
            return
        edges = [0, *self._boundaries(), len(self._fragments)]
        for start, stop in pairwise(edges):
            yield self._segment(group, start, stop)

    def _segment(self, group: str, start: int, stop: int) -> Segment:
        fragments = tuple(self._fragments[start:stop])
        first_key = fragments[0].first_key if start else ""
        end_key = self._fragments[stop].first_key if stop < len(self._fragments) else None
        duplicates = {key: first for n in range(start, stop) for key, first in self._duplicates_of.get(n, {}).items()}
        unchanged = () if duplicates else self._unchanged(fragments, is_first=start == 0)
        return Segment(
            group,
            unchanged or fragments,
            first_key,
            end_key,
            is_unchanged=bool(unchanged),
            duplicates=duplicates,
        )

    def _boundaries(self) -> Iterator[int]:
        """The indexes of fragments that begin a segment; the first segment has at least one page."""
        pages = 0
        for n, fragment in enumerate(self._fragments):
            if pages and self._is_boundary(fragment):
                yield n
            pages += self._page_count(n)

    def _page_count(self, n: int) -> int:
        return self._fragments[n].page_count - self._unlisted_counts[n]

    def _is_boundary(self, fragment: ShardEntry) -> bool:
        """Whether a fragment begins a segment: its first key is a boundary, and listed."""
        if not fragment.shard_id or fragment.first_key in self._unlisted_first_keys:
            return False
        return fragment.first_key != "" and begins_segment(fragment.first_key, self._limit)

    def _unchanged(self, fragments: Sequence[ShardEntry], *, is_first: bool) -> tuple[ShardEntry, ...]:
        """The shards that a segment has now, if its fragments are exactly those; else none."""
        if self._was_one_sitemap or not all(fragment.files for fragment in fragments):
            return ()
        start = entry_index(self._base, fragments[0].first_key)
        stop = start + len(fragments)
        has_same_end = stop == len(self._base) or begins_segment(self._base[stop].first_key, self._limit)
        is_same = (start == 0) == is_first and _has_same_records(self._base[start:stop], fragments) and has_same_end
        return tuple(self._base[start:stop]) if is_same else ()


def _has_same_records(entries: Sequence[ShardEntry], others: Sequence[ShardEntry]) -> bool:
    return [each.records_file for each in entries] == [each.records_file for each in others]


def as_entries(segments: Sequence[Segment]) -> tuple[ShardEntry, ...]:
    """The fragments of all segments as entries, in which any key can be found."""
    return tuple(
        replace(fragment, first_key="" if n == 0 and not segment.first_key else fragment.first_key)
        for segment in segments
        for n, fragment in enumerate(segment.fragments)
    )
