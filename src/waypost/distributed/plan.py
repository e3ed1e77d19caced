"""What of the key space is still to be gathered, and by whom; once nothing is, what is to be shaped of it."""

import re
from collections.abc import Callable, Iterable, Iterator, Sequence

from msgspec import Struct
from msgspec.structs import replace

from waypost.core.errors import ConfigIssue, ConflictError, SegmentTooLargeError
from waypost.distributed import ranges
from waypost.distributed.artifacts import MergeResult, RunArtifacts, RunContext, ScanResult, ScanTask, Segment
from waypost.distributed.build_shards import batch_segments
from waypost.distributed.merge import merge_fragments
from waypost.ledger import manifest as manifests
from waypost.ledger.manifest import Manifest, Run, ShardEntry
from waypost.ledger.store import NEVER, TRIES, LedgerVersion
from waypost.sources.parallel_listing import KeyRange
from waypost.sync.result import total
from waypost.sync.updater import Updater

_TOO_MANY = 2
_READ, _EACH = 10_000, 8
"""Objects behind which a worker leaves the rest of what it reads, unless each of all workers has so many ranges."""
SplitRanges = Callable[[Sequence[KeyRange], Manifest], list[KeyRange]]
"""Parts what is not covered into ranges, each of a size that one worker surely finishes."""


class RunLimits(Struct, frozen=True):
    """How large the pieces are: workers at once, objects that one gathers at least and at most, `files` to publish.

    The records of `held` objects fit in a worker's memory.
    """

    workers: int = 500
    max_objects: int = 100_000
    min_objects: int = 10_000
    files_per_batch: int = 20
    max_segment_objects: int = 1_000_000


class RunPlan(Struct, frozen=True):
    """What comes next: parts to gather, or segments to shape in batches.

    There is no run where another took its place.
    """

    run: Run | None
    scan_tasks: Sequence[ScanTask] = ()
    build_batches: Sequence[Sequence[Segment]] = ()


class RunPlanner:
    """Plans the distributed builds of one bucket."""

    def __init__(self, updater: Updater, spread: SplitRanges, limits: RunLimits) -> None:
        self._updater, self._ledger, self._spread, self._limits = updater, updater.ledger, spread, limits

    def plan(self, name: str) -> RunPlan:
        """What comes next in the run of this name, which is begun if need be.

        Raises SourceError, LedgerError, and ExtentError where pages that nobody lists are too many side by side.
        """
        for _ in range(TRIES):
            rules = self._updater.robots_rules()
            version = self._ledger.read_or_recover()
            run = version.manifest.run
            try:
                if run is None or run.owner != name:
                    if self._has_begun(name):
                        return RunPlan(None)
                    version, run = self._begin(version, name, rules)
                elif not self._updater.is_built_with(version.manifest, rules):
                    version, run = self._begin(version, name, rules)
                return self._next(version.manifest, run)
            except ConflictError:
                continue
        raise ConflictError(NEVER)

    def _has_begun(self, name: str) -> bool:
        """Whether there was a run of this name, whose place another has taken."""
        briefs = re.compile(rf"runs/{re.escape(name)}-\d+-context\.json")
        return any(briefs.fullmatch(kept.name) for kept in self._ledger.store.list_files(f"runs/{name}-"))

    def _begin(self, version: LedgerVersion, name: str, rules: str) -> tuple[LedgerVersion, Run]:
        """Have the ledger tell of the run: what it compares with is set aside, and events are noted from now on.

        A ledger of other settings gives place to an empty one, as in a build by one worker.
        """
        before = version.manifest
        is_whole = self._updater.is_built_with(before, rules) and before.position is None
        run = Run(name, before.generation + 1)
        previous = self._ledger.archive(before) if before.built_at and before.position is None else before.previous
        after = before if is_whole else self._updater.empty_manifest(before, rules)
        after = replace(after, generation=run.start_generation, previous=previous, run=run)
        return self._ledger.commit(version, after, {}), run

    def _next(self, manifest: Manifest, run: Run) -> RunPlan:
        artifacts = RunArtifacts(self._ledger.store, run)
        gathered = list(_in_key_order(artifacts.read_all("scanned-", ScanResult)))
        is_whole = manifest.position is None
        base = self._ledger.read_archived(manifest.previous) if manifest.previous else Manifest()
        base = manifest if is_whole and not base.built_at else base  # what was set aside may be damaged
        facts = (manifest.config_digest, manifest.robots_rules, is_whole, bool(base.built_at), base.recorded_facts)
        artifacts.put("context.json", RunContext(*facts))
        cuts = sorted({cut for each in gathered for cut in each.split_points})
        left = ranges.uncovered([KeyRange(each.start_after, each.through) for each in gathered])
        gaps = [part for gap in left for part in ranges.split_at_points(cuts, gap)]
        if gaps:
            return RunPlan(run, self._scan_tasks(self._spread(gaps, base), base, artifacts))
        found = artifacts.find("merged.json", MergeResult) or self._merge(
            gathered, base.entries if is_whole else (), artifacts
        )
        return RunPlan(run, (), batch_segments(found.segments, has_families=self._updater.site.alternates))

    def _merge(
        self, gathered: Sequence[ScanResult], base: Sequence[ShardEntry], artifacts: RunArtifacts
    ) -> MergeResult:
        """The segments, which are told once: what is shaped of them goes by their numbers."""
        segments = merge_fragments(gathered, base, self._updater.site)
        has_families = self._updater.site.alternates
        _check([each for each in segments if has_families or not each.is_unchanged], self._limits.max_segment_objects)
        artifacts.put_once("merged.json", MergeResult(tuple(segments), total([each.result for each in gathered])))
        return artifacts.get("merged.json", MergeResult)

    def _scan_tasks(self, parts: Sequence[KeyRange], base: Manifest, artifacts: RunArtifacts) -> list[ScanTask]:
        """Ranges as what workers are given, numbered on from those of earlier rounds."""
        groups = manifests.by_group(base.entries)
        first = artifacts.task_count("scan")
        reads = _READ if len(parts) < _EACH * self._limits.workers else None
        return [
            ScanTask(
                n,
                *part,
                tuple(entry for some in groups.values() for entry in ranges.overlapping(some, part)),
                reads,
            )
            for n, part in enumerate(parts, first)
        ]


def _in_key_order(gathered: Iterable[ScanResult]) -> Iterator[ScanResult]:
    """What was gathered in the order of the keys, but for what a late worker tells of keys that others were given."""
    at: str | None = ""
    for each in sorted(gathered, key=lambda each: each.start_after):
        if at is not None and each.start_after >= at:
            yield each
            at = each.through


def _check(segments: Sequence[Segment], stored: int) -> None:
    """Refuse a segment whose records no worker can hold: only pages that are listed end one."""
    issues = [
        ConfigIssue(
            "the settings",
            "exclude",
            f"{segment.object_count:,} objects from {segment.fragments[0].first_key} on, of which "
            f"{sum(part.page_count for part in segment.fragments):,} are listed, are too many for one worker",
            f"leave such objects out, or have memory for more than {stored:,}",
        )
        for segment in segments
        if segment.object_count > stored
    ]
    if issues:
        raise SegmentTooLargeError(tuple(issues))


def is_large(updater: Updater, objects: int) -> bool:
    """Whether so many objects are remembered of a bucket, or seen in it where nothing is; raises SourceError."""
    manifest = updater.ledger.read_or_recover().manifest
    if manifest.position is not None and manifest.previous:
        manifest = updater.ledger.read_archived(manifest.previous)
    if manifest.built_at:
        return manifest.object_count >= objects
    return ranges.estimate_exceeds(updater.source, objects)


def split_ranges(source: ranges.KeyListing, limits: RunLimits) -> SplitRanges:
    """Ranges by what is remembered of a source, and by probing it where nothing is."""

    def parted(gaps: Sequence[KeyRange], base: Manifest) -> list[KeyRange]:
        small = min(limits.min_objects, limits.max_objects)
        if base.entries:
            each = max(min(base.object_count // limits.workers, limits.max_objects), small)
            known = ranges.counts(base.entries)
            parts = [part for gap in gaps for part in ranges.split_by_records(known, gap, each)]
            return [part for some in parts for part in _split_if_large(some, source, limits.max_objects)]
        if gaps != [ranges.ALL]:
            return list(gaps)  # who left them has told where they branch
        return ranges.split_by_probing(gaps, source, limits.workers, small)

    return parted


def _split_if_large(known: ranges.CountedRange, source: ranges.KeyListing, most: int) -> list[KeyRange]:
    """A range as it is, or parted where it has several times the objects that one worker gathers."""
    wanted = known.object_count // most
    return [known.range] if wanted < _TOO_MANY else ranges.split_by_probing([known.range], source, wanted, most)
