"""Which entries an update builds again: whole segments, so that any order of updates leads to the same shards.

Pages that stay listed move no boundary. They affect only one part of a segment that has too many pages for a sitemap.
"""

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence

from msgspec import Struct
from msgspec.structs import replace

from waypost.config.schema import Site
from waypost.ledger import shard_entries
from waypost.ledger.manifest import ShardEntry
from waypost.ledger.record_cache import RecordCache
from waypost.ledger.record_changes import Edits
from waypost.ledger.records import Record
from waypost.ledger.shard_entries import AffectedRange
from waypost.rules.selection import Selection


class DirtySegment(Struct):
    """Neighbouring entries of a group that are built again from their records: the keys from `first_key` to `end_key`.

    `end_key` is excluded; None means no end. `records_files` names the entries' files of records that could be read.
    `part_id` is the id of the shard if it is one part of a segment, whose keys and so whose boundaries stay the same.
    """

    group: str
    records: dict[str, Record]
    first_key: str
    end_key: str | None
    is_whole_group: bool
    records_files: Sequence[str] = ()
    part_id: str | None = None

    def contains(self, key: str, group: str) -> bool:
        """Whether a new key belongs to this segment."""
        return self.group == group and self.first_key <= key and (self.end_key is None or key < self.end_key)


class DirtySegments:
    """The segments that edits of one site's records change."""

    def __init__(self, site: Site, selection: Selection) -> None:
        self._site, self._selection = site, selection

    def parts(
        self, moving: Iterable[str], unmoved: Iterable[str], cache: RecordCache, lost: Collection[ShardEntry]
    ) -> list[ShardEntry | DirtySegment]:
        """All entries in order; the affected ones, and lost ones, as segments to be built again."""
        moving_by_group, unmoved_by_group = self._by_group(moving), self._by_group(unmoved)
        groups = ["", *(name for name, _ in self._site.groups)]
        return [
            part
            for group in groups
            for part in self._group_parts(group, moving_by_group[group], unmoved_by_group[group], cache, lost)
        ]

    def _by_group(self, keys: Iterable[str]) -> Mapping[str, Sequence[str]]:
        groups: dict[str, list[str]] = defaultdict(list)
        for key in keys:
            groups[self._selection.group(key)].append(key)
        return groups

    def _group_parts(
        self,
        group: str,
        moving: Sequence[str],
        unmoved: Sequence[str],
        cache: RecordCache,
        lost: Collection[ShardEntry],
    ) -> Iterator[ShardEntry | DirtySegment]:
        entries = cache.entries(group)
        done = 0
        limit = self._site.file_limits.urls
        # What a lost entry listed is not known: it counts as empty, and its first key may go.
        counted = [replace(entry, page_count=0) if entry in lost else entry for entry in entries] if lost else entries
        moving = [*moving, *(entry.first_key for entry in entries if entry in lost)] if lost else moving
        affected = shard_entries.affected_ranges(counted, moving, limit, unmoved) if moving or unmoved else ()
        for each in affected:
            yield from entries[done : each.start]
            yield _segment(group, entries, each, cache)
            done = each.stop
        yield from entries[done:]

    def apply(self, segments: Sequence[DirtySegment], edits: Edits) -> None:
        """Put the edits into the segments' records."""
        segment_of = {key: segment for segment in segments for key in segment.records}
        for key, record in edits.items():
            group = self._selection.group(key)
            segment = segment_of.get(key) or next(each for each in segments if each.contains(key, group))
            if record is None:
                segment.records.pop(key, None)
            else:
                segment.records[key] = record
                segment_of[key] = segment


def _segment(group: str, entries: Sequence[ShardEntry], affected: AffectedRange, cache: RecordCache) -> DirtySegment:
    start, stop, is_part = affected
    some = entries[start:stop]
    records = {key: record for entry in some for key, record in cache.records(entry).items()}
    first_key = entries[start].first_key if start else ""
    end_key = entries[stop].first_key if stop < len(entries) else None
    readable = [entry.records_file for entry in some if cache.records(entry)]
    is_whole_group = (start, stop) == (0, len(entries))
    part_id = entries[start].shard_id if is_part else None
    return DirtySegment(group, records, first_key, end_key, is_whole_group, readable, part_id)
