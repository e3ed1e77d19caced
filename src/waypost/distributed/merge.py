"""From the fragments of all ranges to the segments of the whole: what no worker could see of its own range alone."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import pairwise

from msgspec.structs import replace

from waypost.config.schema import Site
from waypost.distributed.artifacts import OpenKey, ScanResult, Segment
from waypost.ledger import manifest as manifests
from waypost.ledger.manifest import ShardEntry
from waypost.rules import page_url
from waypost.rules.selection import Selection
from waypost.sitemaps.sharding import begins_segment


def merge_fragments(gathered: Sequence[ScanResult], base: Sequence[ShardEntry], site: Site) -> list[Segment]:
    """The segments of all groups, from what was gathered in the order of the ranges.

    `base` are the shards of a ledger of the same settings: what is just as it was there is kept.
    """
    opens = {each.key: each for found in gathered for each in found.open_keys}
    duplicates = resolve_duplicates(opens.values(), site)
    selection = Selection(site)
    moved: dict[str, dict[str, str]] = defaultdict(dict)
    for key, first in duplicates.items():
        moved[selection.group(key)][key] = first
    parts = manifests.by_group(each for found in gathered for each in found.fragments)
    known = manifests.by_group(base)
    segments: list[Segment] = []
    for group in ("", *(name for name, _ in site.groups)):
        unlisted = {key: first for key, first in moved[group].items() if opens[key].is_listed}
        found = _Group(parts.get(group, ()), known.get(group, ()), moved[group], unlisted, site.file_limits.urls)
        segments += found.segments(group)
    return segments


def resolve_duplicates(opens: Iterable[OpenKey], site: Site) -> dict[str, str]:
    """The keys of several ranges whose loc another gives before them, and which does."""
    clusters: dict[str, list[str]] = defaultdict(list)
    for each in opens:
        clusters[str(page_url.page_url(each.key, site))].append(each.key)
    found: dict[str, str] = {}
    for family in clusters.values():
        first, *others = sorted(family, key=lambda key: page_url.duplicate_rank(key, site))
        found |= dict.fromkeys(others, first)
    return found


class _Group:
    """One group: its fragments in order, its shards before, and its duplicates, some of which were listed."""

    def __init__(
        self,
        parts: Sequence[ShardEntry],
        base: Sequence[ShardEntry],
        duplicates: Mapping[str, str],
        unlisted: Mapping[str, str],
        limit: int,
    ) -> None:
        self._parts, self._base, self._duplicates, self._limit = parts, base, duplicates, limit
        self._moved: dict[int, dict[str, str]] = defaultdict(dict)
        for key, first in duplicates.items():
            self._moved[manifests.entry_index(parts, key)][key] = first
        self._unlisted = Counter(manifests.entry_index(parts, key) for key in unlisted)
        self._starts = {part.first_key for part in parts if part.first_key in unlisted}
        self._was_whole = sum(entry.page_count for entry in base) <= limit

    def segments(self, group: str) -> Iterator[Segment]:
        if not self._parts:
            return
        if sum(map(self._pages, range(len(self._parts)))) <= self._limit:
            is_kept = tuple(self._parts) == tuple(self._base) and not self._duplicates
            yield Segment(
                group, tuple(self._parts), is_whole_group=True, is_unchanged=is_kept, duplicates=dict(self._duplicates)
            )
            return
        edges = [0, *self._boundaries(), len(self._parts)]
        for start, stop in pairwise(edges):
            yield self._segment(group, start, stop)

    def _segment(self, group: str, start: int, stop: int) -> Segment:
        parts = tuple(self._parts[start:stop])
        begins = parts[0].first_key if start else ""
        ends = self._parts[stop].first_key if stop < len(self._parts) else None
        moved = {key: first for n in range(start, stop) for key, first in self._moved.get(n, {}).items()}
        is_kept = not moved and self._is_kept(parts, is_first=start == 0)
        return Segment(group, parts, begins, ends, is_unchanged=is_kept, duplicates=moved)

    def _boundaries(self) -> Iterator[int]:
        """Which fragments begin a segment behind the first, which has some page."""
        pages = 0
        for n, part in enumerate(self._parts):
            if pages and self._is_boundary(part):
                yield n
            pages += self._pages(n)

    def _pages(self, n: int) -> int:
        return self._parts[n].page_count - self._unlisted[n]

    def _is_boundary(self, part: ShardEntry) -> bool:
        """Whether a segment begins with a fragment: its first key is a boundary, and listed."""
        if not part.shard_id or part.first_key in self._starts:
            return False
        return part.first_key != "" and begins_segment(part.first_key, self._limit)

    def _is_kept(self, parts: Sequence[ShardEntry], *, is_first: bool) -> bool:
        """Whether a segment's fragments are all of the shards that it had."""
        if self._was_whole or not all(part.files for part in parts):
            return False
        start = manifests.entry_index(self._base, parts[0].first_key)
        stop = start + len(parts)
        ends_too = stop == len(self._base) or begins_segment(self._base[stop].first_key, self._limit)
        return (start == 0) == is_first and tuple(self._base[start:stop]) == tuple(parts) and ends_too


def as_entries(segments: Sequence[Segment]) -> tuple[ShardEntry, ...]:
    """The fragments of all segments as entries, in which any key can be found."""
    return tuple(
        replace(part, first_key="" if n == 0 and not segment.first_key else part.first_key)
        for segment in segments
        for n, part in enumerate(segment.fragments)
    )
