"""Segments of fragments into shards: one worker's batch."""

from collections.abc import Iterator, Mapping, Sequence

from msgspec import Struct
from msgspec.structs import replace

from waypost.core import concurrency
from waypost.distributed.artifacts import BuildResult, MergeResult, Segment
from waypost.distributed.merge import as_entries
from waypost.ledger.hreflang_clusters import HreflangClusters
from waypost.ledger.manifest import Manifest, ShardEntry
from waypost.ledger.manifest_update import ManifestUpdater
from waypost.ledger.records import Record
from waypost.ledger.shard_cache import DirtySegment, RecordCache
from waypost.rules.hreflang import HreflangIssue
from waypost.rules.selection import Selection
from waypost.sync.result import RunResult
from waypost.sync.updater import Updater, hreflang_warnings

_PAGES, _SEGMENTS = 100_000, 16
_HELD = 250_000
"""How many records, and versions that they tell of, are held at a time in search of others."""
_TOGETHER = 25_000
"""Of how many versions of pages it is settled together which they are."""


class BuildOutput(Struct, frozen=True):
    """What was shaped, and the files of records that it names."""

    result: BuildResult
    files: Mapping[str, bytes]


def batch_segments(segments: Sequence[Segment], *, has_families: bool) -> list[list[Segment]]:
    """The segments that must be shaped, so many together as one worker surely does.

    Where pages may be versions of pages elsewhere, all are looked through.
    """
    found: list[list[Segment]] = []
    pages = _PAGES
    for segment in segments:
        if segment.is_unchanged and not has_families:
            continue
        if pages >= _PAGES or len(found[-1]) >= _SEGMENTS:
            found.append([])
            pages = 0
        found[-1].append(segment)
        pages += segment.object_count
    return found


def build_shards(
    segments: Sequence[Segment], updater: Updater, manifest_updater: ManifestUpdater, joined: MergeResult | None
) -> BuildOutput:
    """The shards of segments; `joined` is all there is, where pages may be versions of others."""
    relations = _AlternatesUpdater(updater, manifest_updater, joined) if joined else None
    entries: list[tuple[ShardEntry, ...]] = []
    files: dict[str, bytes] = {}
    told = RunResult()
    for segment in segments:
        known = _records(segment, updater)
        changed, result = relations.changed(known) if relations else ({}, RunResult())
        told += result
        if segment.is_unchanged and not changed:
            entries.append(segment.fragments)
            continue
        opened = DirtySegment(
            segment.group, known | changed, segment.first_key, segment.end_key, (), segment.is_whole_group
        )
        made = list(manifest_updater.undated_shard_builder().build(opened, {}))
        entries.append(tuple(each.entry for each in made))
        files |= {each.entry.records_file: each.data for each in made if each.data is not None}
    return BuildOutput(BuildResult(tuple(entries), told), files)


def _records(segment: Segment, updater: Updater) -> dict[str, Record]:
    some = concurrency.map_concurrently(updater.ledger.records, segment.fragments, updater.ledger.store.width)
    return {each.key: _with_duplicate(each, segment.duplicates) for part in some for each in part}


def _with_duplicate(record: Record, duplicates: Mapping[str, str]) -> Record:
    first = duplicates.get(record.key)
    return replace(record, duplicate_of=first) if first else record


class _AlternatesUpdater:
    """The versions of pages in other languages, wherever they are."""

    def __init__(self, updater: Updater, manifest_updater: ManifestUpdater, joined: MergeResult) -> None:
        duplicates = joined.duplicates
        self._clusters = HreflangClusters(updater.site, manifest_updater.classifier.page)
        self._cache = RecordCache(
            Manifest(entries=as_entries(joined.segments)),
            Selection(updater.site),
            lambda entry: [_with_duplicate(record, duplicates) for record in updater.ledger.records(entry)],
            most=_HELD,
        )

    def changed(self, known: Mapping[str, Record]) -> tuple[dict[str, Record], RunResult]:
        """Those of the records whose alternates are others now, and what was doubtful."""
        changed: dict[str, Record] = {}
        issues: list[HreflangIssue] = []
        for some in _in_portions(known):
            found, doubtful = self._clusters.recompute(some, self._cache)
            changed |= found
            issues += doubtful
        return changed, RunResult(warnings=hreflang_warnings(issues))


def _in_portions(known: Mapping[str, Record]) -> Iterator[dict[str, Record]]:
    """Records in the order of their keys, so many at a time that there is memory for all of their versions."""
    some: dict[str, Record] = {}
    versions = 0
    for key in sorted(known):
        some[key] = known[key]
        versions += 1 + len(known[key].facts.head.alternates)
        if versions >= _TOGETHER:
            yield some
            some, versions = {}, 0
    if some:
        yield some
