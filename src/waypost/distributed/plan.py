"""Plans a run: which ranges of keys must still be scanned, and after that, which segments must be built."""

import re
from collections.abc import Callable, Iterable, Iterator, Sequence

from msgspec import Struct
from msgspec.structs import replace

from waypost.core.dates import format_unix_time
from waypost.core.errors import ConfigIssue, SegmentTooLargeError
from waypost.core.model import UrlForm
from waypost.distributed import ranges
from waypost.distributed.artifacts import MergeResult, RunArtifacts, RunContext, ScanResult, ScanTask, Segment
from waypost.distributed.base_manifest import base_manifest
from waypost.distributed.build_shards import batch_segments
from waypost.distributed.merge import merge_fragments
from waypost.ledger import shard_entries
from waypost.ledger.ledger_state import BuilderLease, Run
from waypost.ledger.manifest import Manifest, ShardEntry
from waypost.ledger.store import LedgerVersion
from waypost.ledger.url_list import UrlList
from waypost.sources.parallel_listing import KeyRange
from waypost.sync.builder_lease import BuilderLeaseHolder
from waypost.sync.moved_urls import check_moved_urls
from waypost.sync.named_urls import NamedUrls
from waypost.sync.rebuild_options import NO_OPTIONS, RebuildOptions
from waypost.sync.removal_sample import check_sample
from waypost.sync.result import RunResult, total
from waypost.sync.updater import Updater
from waypost.sync.url_form import find_url_form

_SPLIT_FROM = 2
"""A range is split if it has so many times the objects that one worker scans."""
_MAX_READS, _RANGES_PER_WORKER = 10_000, 8
"""A worker leaves the rest of its range after so many reads, unless there are so many ranges for each worker."""
_NAMED_URLS = "named-urls.json"
"""The artifact with what is to be said of the URLs without an object."""
RUN_LEASE = 7_200
"""Seconds after which a run that takes no step counts as ended; the workers of one step may need hours."""
SplitRanges = Callable[[Sequence[KeyRange], Manifest], list[KeyRange]]
"""Splits what was not scanned yet into ranges that one worker can surely finish."""


class RunLimits(Struct, frozen=True):
    """The sizes of a run's tasks: workers at once, objects that one scans at least and at most, files to publish.

    The records of `max_segment_objects` objects fit in a worker's memory.
    """

    workers: int = 500
    max_objects: int = 100_000
    min_objects: int = 10_000
    files_per_batch: int = 20
    max_segment_objects: int = 1_000_000


class RunPlan(Struct, frozen=True):
    """What comes next: ranges to scan, or batches of segments to build; `run` is None if another run replaced it."""

    run: Run | None
    scan_tasks: Sequence[ScanTask] = ()
    build_batches: Sequence[Sequence[Segment]] = ()


class RunPlanner:
    """Plans the runs over one bucket."""

    def __init__(self, updater: Updater, split: SplitRanges, limits: RunLimits) -> None:
        self._updater, self._ledger, self._split, self._limits = updater, updater.ledger, split, limits

    def plan(self, owner: str, options: RebuildOptions = NO_OPTIONS) -> RunPlan:
        """What comes next in the run of this owner, which is started if necessary.

        Raises SourceError, LedgerError, SegmentTooLargeError if too many objects without a listed page follow one
        another, and RemovalError if a run under other settings would clearly remove too many of the listed pages.
        """

        def attempt() -> RunPlan:
            version = self._ledger.read_or_recover()
            rules = self._updater.robots_rules()
            run = version.manifest.run
            if run is None or run.owner != owner:
                if self._has_started(owner):
                    return RunPlan(None)
                version = builder.wait_for_process(version)
                urls = named_urls.read(version.manifest)
                with self._updater.urls_of(version.manifest, urls):
                    form = self._check_removals(version.manifest, rules, self._most_removed(options))
                version, run = self._start(version, owner, rules, builder, form, named_urls, urls)
            elif not self._updater.is_built_with(version.manifest, rules):
                form, urls = find_url_form(self._updater), named_urls.read(version.manifest)
                version, run = self._start(version, owner, rules, builder, form, named_urls, urls)
            else:
                version = self._renewed(version)
            return self._next(version.manifest, run, options.lag)

        builder = BuilderLeaseHolder(self._updater, self._updater.lease_clock.time())
        named_urls = NamedUrls(self._updater, self._most_removed(options))
        return self._ledger.commit_with_retry(attempt)

    def _most_removed(self, options: RebuildOptions) -> int:
        return self._updater.site.max_removed if options.max_removed is None else options.max_removed

    def _check_removals(self, before: Manifest, rules: str, most: int) -> UrlForm:
        """The form of URLs in which the run lists pages; raises RemovalError if it would move or remove too many.

        A run under other settings replaces the manifest at once; under the same ones its commit counts removals.
        """
        if before.is_complete and not self._updater.is_built_with(before, rules):
            check_sample(self._updater, before, rules, most)
        url_form = find_url_form(self._updater)
        check_moved_urls(self._updater, before, url_form, most)
        return url_form

    def _has_started(self, owner: str) -> bool:
        """Whether there was a run of this owner, which another run has replaced."""
        contexts = re.compile(rf"runs/{re.escape(owner)}-\d+-context\.json")
        return any(contexts.fullmatch(name) for name in self._ledger.store.list_files(f"runs/{owner}-"))

    def _renewed(self, version: LedgerVersion) -> LedgerVersion:
        """The run's lease as the builder, for its whole time again if half of that is over."""
        builder, now = version.manifest.builder, self._updater.lease_clock.time()
        if builder is None or builder.expires - now > RUN_LEASE / 2:
            return version
        renewed = replace(builder, expires=now + RUN_LEASE)
        return self._ledger.commit(version, replace(version.manifest, builder=renewed), {})

    def _start(
        self,
        version: LedgerVersion,
        owner: str,
        rules: str,
        builder: BuilderLeaseHolder,
        url_form: UrlForm,
        named_urls: NamedUrls,
        urls: UrlList | None,
    ) -> tuple[LedgerVersion, Run]:
        """Record the run in the manifest: from now on updates defer their keys to it.

        The manifest is archived for the run to compare with. One of other settings is replaced by an empty one. `urls`
        are those that the settings name besides the objects.
        """
        before = version.manifest
        is_built = self._updater.is_built_with(before, rules) and before.url_form == url_form
        if not self._updater.is_built_with(before, before.robots_rules):
            builder.require_newer_settings(before)
        is_current = is_built and before.is_complete
        run = Run(owner, before.generation + 1)
        previous = self._ledger.archive(before) if before.built_at and before.is_complete else before.previous
        after = before if is_current else self._updater.empty_manifest(before, rules, url_form)
        position = None if is_current else ""
        expires = self._updater.lease_clock.time() + RUN_LEASE
        lease = BuilderLease(
            owner, expires, is_run=True, start_generation=run.start_generation, position=position, previous=previous
        )
        RunArtifacts(self._ledger.store, run).put(_NAMED_URLS, named_urls.result)
        after = builder.confirm_settings(replace(after, builder=lease))
        return self._ledger.commit(version, *named_urls.remembered(version, after, urls)), run

    def _next(self, manifest: Manifest, run: Run, lag: float | None) -> RunPlan:
        artifacts = RunArtifacts(self._ledger.store, run)
        base = base_manifest(self._ledger, manifest)
        base_is_current = manifest.is_complete
        context = RunContext(
            manifest.config_digest,
            manifest.robots_rules,
            base_is_current,
            bool(base.built_at),
            base.recorded_facts,
            manifest.url_form,
            base.url_form,
            base.listed_since,
            format_unix_time(int(manifest.config_since - lag)) if base_is_current and lag is not None else "",
            manifest.url_list,
        )
        artifacts.put("context.json", context)
        scans = list(_in_key_order(artifacts.read_all("scanned-", ScanResult)))
        split_points = sorted({key for scan in scans for key in scan.split_points})
        left = ranges.uncovered([KeyRange(scan.start_after, scan.through) for scan in scans])
        gaps = [part for gap in left for part in ranges.split_at_points(split_points, gap)]
        if gaps:
            return RunPlan(run, self._scan_tasks(self._split(gaps, base), base, artifacts))
        known = base.entries if base_is_current else ()
        merged = artifacts.find("merged.json", MergeResult) or self._merge(scans, known, artifacts)
        return RunPlan(run, (), batch_segments(merged.segments, has_alternates=bool(self._updater.site.alternates)))

    def _merge(self, scans: Sequence[ScanResult], known: Sequence[ShardEntry], artifacts: RunArtifacts) -> MergeResult:
        """The segments; they are written only once, since build tasks refer to them by number."""
        segments = merge_fragments(scans, known, self._updater.site)
        built = [each for each in segments if self._updater.site.alternates or not each.is_unchanged]
        _check_sizes(built, self._limits.max_segment_objects)
        named = artifacts.find(_NAMED_URLS, RunResult) or RunResult()
        result = total([named, *(scan.result for scan in scans)])
        artifacts.put_once("merged.json", MergeResult(tuple(segments), result))
        return artifacts.get("merged.json", MergeResult)

    def _scan_tasks(self, key_ranges: Sequence[KeyRange], base: Manifest, artifacts: RunArtifacts) -> list[ScanTask]:
        """A task for each range, numbered after the tasks of earlier rounds."""
        groups = shard_entries.by_group(base.entries)
        first = artifacts.task_count("scan")
        max_reads = _MAX_READS if len(key_ranges) < _RANGES_PER_WORKER * self._limits.workers else None
        return [
            ScanTask(
                number,
                *key_range,
                tuple(entry for entries in groups.values() for entry in ranges.overlapping(entries, key_range)),
                max_reads,
            )
            for number, key_range in enumerate(key_ranges, first)
        ]


def _in_key_order(scans: Iterable[ScanResult]) -> Iterator[ScanResult]:
    """The scans in the order of the keys, without scans of late workers whose keys others have scanned again."""
    position: str | None = ""
    for scan in sorted(scans, key=lambda each: each.start_after):
        if position is not None and scan.start_after >= position:
            yield scan
            position = scan.through


def _check_sizes(segments: Sequence[Segment], max_objects: int) -> None:
    """Refuse segments whose records do not fit in a worker's memory; only listed pages can end a segment."""
    issues = [
        ConfigIssue(
            "the settings",
            "exclude",
            f"{segment.object_count:,} objects from {segment.fragments[0].first_key} on, of which "
            f"{sum(part.page_count for part in segment.fragments):,} are listed, are too many for one worker",
            f"exclude such objects, or use a function with memory for more than {max_objects:,} objects",
        )
        for segment in segments
        if segment.object_count > max_objects
    ]
    if issues:
        raise SegmentTooLargeError(tuple(issues))


def is_large(updater: Updater, objects: int) -> bool:
    """Whether the ledger remembers so many objects, or the bucket holds so many if there is no ledger.

    Raises SourceError.
    """
    manifest = updater.ledger.read_or_recover().manifest
    if not manifest.is_complete and manifest.previous:
        manifest = updater.ledger.read_archived(manifest.previous)
    if manifest.built_at:
        return manifest.object_count >= objects
    return ranges.estimate_exceeds(updater.source, objects)


def split_ranges(source: ranges.KeyListing, limits: RunLimits) -> SplitRanges:
    """Splits ranges by what is recorded of a source, or by probing it if nothing is recorded."""
    min_objects = min(limits.min_objects, limits.max_objects)

    def split(gaps: Sequence[KeyRange], base: Manifest) -> list[KeyRange]:
        if base.entries:
            objects = max(min(base.object_count // limits.workers, limits.max_objects), min_objects)
            known = ranges.counts(base.entries)
            counted = [part for gap in gaps for part in ranges.split_by_records(known, gap, objects)]
            return [part for each in counted for part in _split_if_large(each, source, limits.max_objects)]
        if gaps != [ranges.ALL]:
            return list(gaps)  # these are the split points of the worker that left them
        return ranges.split_by_probing(gaps, source, limits.workers, min_objects)

    return split


def _split_if_large(counted: ranges.CountedRange, source: ranges.KeyListing, max_objects: int) -> list[KeyRange]:
    """The range itself, or parts of it if it has several times the objects that one worker scans."""
    wanted = counted.object_count // max_objects
    if wanted < _SPLIT_FROM:
        return [counted.range]
    return ranges.split_by_probing([counted.range], source, wanted, max_objects)
