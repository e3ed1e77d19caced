"""Builds the shards of segments: the task of one worker."""

from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise

from msgspec import Struct
from msgspec.structs import replace

from waypost.core import concurrency
from waypost.core.diff import all_changes
from waypost.core.model import Changes
from waypost.distributed.artifacts import BuildResult, MergeResult, Segment
from waypost.distributed.merge import as_entries
from waypost.ledger import shard_entries
from waypost.ledger.dirty_segments import DirtySegment
from waypost.ledger.hreflang_update import HreflangUpdater
from waypost.ledger.manifest import Manifest, ShardEntry
from waypost.ledger.manifest_update import ManifestUpdater
from waypost.ledger.record_cache import RecordCache
from waypost.ledger.records import Record
from waypost.ledger.shard_builder import BuiltShard
from waypost.rules.hreflang import HreflangIssue
from waypost.rules.selection import Selection
from waypost.sync.result import RunResult
from waypost.sync.site_warnings import hreflang_warnings
from waypost.sync.updater import Updater

_BATCH_OBJECTS, _BATCH_SEGMENTS = 100_000, 16
"""How many objects and segments one worker builds at most, unless a single segment has more."""
_CACHED_RECORDS = 250_000
"""How many records, counted with their alternates, a worker keeps in memory while it looks for alternates."""
_PORTION = 25_000
"""For how many records, counted with their alternates, a worker recomputes alternates at a time."""


class BuildOutput(Struct, frozen=True):
    """A worker's result, and the files of records that it names."""

    result: BuildResult
    files: Mapping[str, bytes]


def batch_segments(segments: Sequence[Segment], *, has_alternates: bool) -> list[list[Segment]]:
    """The segments that must be built, in batches for one worker each; with alternates these are all segments."""
    batches: list[list[Segment]] = []
    objects = _BATCH_OBJECTS
    for segment in segments:
        if segment.is_unchanged and not has_alternates:
            continue
        if objects >= _BATCH_OBJECTS or len(batches[-1]) >= _BATCH_SEGMENTS:
            batches.append([])
            objects = 0
        batches[-1].append(segment)
        objects += segment.object_count
    return batches


def build_shards(
    segments: Sequence[Segment],
    updater: Updater,
    manifest_updater: ManifestUpdater,
    merged: MergeResult | None,
    base: Manifest | None = None,
) -> BuildOutput:
    """The shards of segments; `merged` holds all segments, among which the alternates of their pages are found.

    `base` is the ledger that the run replaces, if subscribers must be notified of what changes.
    """
    alternates = _AlternatesUpdater(updater, manifest_updater, merged) if merged else None
    entries: list[tuple[ShardEntry, ...]] = []
    files: dict[str, bytes] = {}
    changes: list[Changes] = []
    result = RunResult()
    for segment in segments:
        records = _records(segment, updater)
        changed, found = alternates.changed(records) if alternates else ({}, RunResult())
        result += found
        if segment.is_unchanged and not changed:
            entries.append(segment.fragments)
            continue
        if base and (known := _known_records(segment, base, updater)) is not None:
            changes.append(manifest_updater.changes(known, (records | changed).values()))
        shards = _build(segment, records | changed, manifest_updater)
        entries.append(tuple(each.entry for each in shards))
        files |= {each.entry.records_file: each.data for each in shards if each.data is not None}
    notified, more = updater.outbox.with_urls(Manifest(), all_changes(changes))
    return BuildOutput(BuildResult(tuple(entries), result, notified.outbox), {**files, **more})


def _known_records(segment: Segment, base: Manifest, updater: Updater) -> list[Record] | None:
    """The records of a ledger in a segment's range; None if some are lost, so that nobody knows what changes."""
    entries = shard_entries.by_group(base.entries).get(segment.group, ())
    found = [
        updater.ledger.records_or_none(entry)
        for entry, following in pairwise((*entries, None))
        if entry
        and (following is None or following.first_key > segment.first_key)
        and (segment.end_key is None or entry.first_key < segment.end_key)
    ]
    if None in found:
        return None
    in_range = (record for some in found for record in some or () if record.key >= segment.first_key)
    return [record for record in in_range if segment.end_key is None or record.key < segment.end_key]


def _build(segment: Segment, records: dict[str, Record], manifest_updater: ManifestUpdater) -> list[BuiltShard]:
    dirty = DirtySegment(
        segment.group, records, segment.first_key, segment.end_key, is_whole_group=segment.is_whole_group
    )
    return list(manifest_updater.undated_shard_builder().build(dirty, {}))


def _records(segment: Segment, updater: Updater) -> dict[str, Record]:
    parts = concurrency.map_concurrently(updater.ledger.records, segment.fragments, updater.ledger.store.width)
    return {each.key: _with_duplicate(each, segment.duplicates) for part in parts for each in part}


def _with_duplicate(record: Record, duplicates: Mapping[str, str]) -> Record:
    first = duplicates.get(record.key)
    return replace(record, duplicate_of=first) if first else record


class _AlternatesUpdater:
    """Recomputes the alternates of pages, in whatever segment the alternates are."""

    def __init__(self, updater: Updater, manifest_updater: ManifestUpdater, merged: MergeResult) -> None:
        duplicates = merged.duplicates
        self._hreflang = HreflangUpdater(manifest_updater.site, manifest_updater.classifier.page)
        self._cache = RecordCache(
            Manifest(entries=as_entries(merged.segments)),
            Selection(updater.site),
            lambda entry: [_with_duplicate(record, duplicates) for record in updater.ledger.records(entry)],
            max_records=_CACHED_RECORDS,
        )

    def changed(self, records: Mapping[str, Record]) -> tuple[dict[str, Record], RunResult]:
        """The records among these whose alternates changed, and the warnings about links that were not accepted."""
        changed: dict[str, Record] = {}
        issues: list[HreflangIssue] = []
        for portion in _in_portions(records):
            found, not_accepted = self._hreflang.recompute(portion, self._cache)
            changed |= found
            issues += not_accepted
        return changed, RunResult(warnings=hreflang_warnings(issues))


def _in_portions(records: Mapping[str, Record]) -> Iterator[dict[str, Record]]:
    """Records in the order of their keys, as many at a time as fit in memory with all their alternates."""
    portion: dict[str, Record] = {}
    size = 0
    for key in sorted(records):
        portion[key] = records[key]
        size += 1 + len(records[key].facts.head.alternates)
        if size >= _PORTION:
            yield portion
            portion, size = {}, 0
    if portion:
        yield portion
