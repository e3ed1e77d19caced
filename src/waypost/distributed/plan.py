"""What of the key space is still to be gathered, and by whom; once nothing is, what is to be shaped of it."""

import re
from collections.abc import Callable, Iterable, Iterator, Sequence

from msgspec import Struct
from msgspec.structs import replace

from waypost.core.errors import ConflictError, ExtentError, Mistake
from waypost.distributed import ranges
from waypost.distributed.artifacts import Brief, Dossier, Gathered, Joined, Part, Segment
from waypost.distributed.build_shards import batches
from waypost.distributed.merge import joined
from waypost.ledger import manifest as manifests
from waypost.ledger.manifest import Entry, Manifest, Run
from waypost.ledger.store import NEVER, TRIES, Version
from waypost.sources.parallel_listing import Range
from waypost.sync.result import total
from waypost.sync.updater import Upkeep

_TOO_MANY = 2
_READ, _EACH = 10_000, 8
"""Objects behind which a worker leaves the rest of what it reads, unless each of all workers has so many ranges."""
Spread = Callable[[Sequence[Range], Manifest], list[Range]]
"""Parts what is not covered into ranges, each of a size that one worker surely finishes."""


class Extent(Struct, frozen=True):
    """How large the pieces are: workers at once, objects that one gathers at least and at most, `files` to publish.

    The records of `held` objects fit in a worker's memory.
    """

    workers: int = 500
    most: int = 100_000
    least: int = 10_000
    files: int = 20
    held: int = 1_000_000


class Plan(Struct, frozen=True):
    """What comes next: parts to gather, or segments to shape in batches.

    There is no run where another took its place.
    """

    run: Run | None
    parts: Sequence[Part] = ()
    batches: Sequence[Sequence[Segment]] = ()


class Planning:
    """Plans the distributed builds of one bucket."""

    def __init__(self, upkeep: Upkeep, spread: Spread, extent: Extent) -> None:
        self._upkeep, self._ledger, self._spread, self._extent = upkeep, upkeep.ledger, spread, extent

    def plan(self, name: str) -> Plan:
        """What comes next in the run of this name, which is begun if need be.

        Raises SourceError, LedgerError, and ExtentError where pages that nobody lists are too many side by side.
        """
        for _ in range(TRIES):
            rules = self._upkeep.robots()
            version = self._ledger.salvaged()
            run = version.manifest.run
            try:
                if run is None or run.id != name:
                    if self._has_begun(name):
                        return Plan(None)
                    version, run = self._begun(version, name, rules)
                elif not self._upkeep.is_ready(version.manifest, rules):
                    version, run = self._begun(version, name, rules)
                return self._next(version.manifest, run)
            except ConflictError:
                continue
        raise ConflictError(NEVER)

    def _has_begun(self, name: str) -> bool:
        """Whether there was a run of this name, whose place another has taken."""
        briefs = re.compile(rf"runs/{re.escape(name)}-\d+-brief\.json")
        return any(briefs.fullmatch(kept.name) for kept in self._ledger.store.kept(f"runs/{name}-"))

    def _begun(self, version: Version, name: str, rules: str) -> tuple[Version, Run]:
        """Have the ledger tell of the run: what it compares with is set aside, and events are noted from now on.

        A ledger of other settings gives place to an empty one, as in a build by one worker.
        """
        before = version.manifest
        is_whole = self._upkeep.is_ready(before, rules) and before.position is None
        run = Run(name, before.generation + 1)
        previous = self._ledger.set_aside(before) if before.built and before.position is None else before.previous
        after = before if is_whole else self._upkeep.empty(before, rules)
        after = replace(after, generation=run.begun, previous=previous, run=run)
        return self._ledger.commit(version, after, {}), run

    def _next(self, manifest: Manifest, run: Run) -> Plan:
        dossier = Dossier(self._ledger.store, run)
        gathered = list(_chained(dossier.all("gathered-", Gathered)))
        is_whole = manifest.position is None
        base = self._ledger.previous(manifest.previous) if manifest.previous else Manifest()
        base = manifest if is_whole and not base.built else base  # what was set aside may be damaged
        facts = (manifest.configuration, manifest.robots, is_whole, bool(base.built), base.reading)
        dossier.put("brief.json", Brief(*facts))
        cuts = sorted({cut for each in gathered for cut in each.cuts})
        left = ranges.gaps([Range(each.after, each.upto) for each in gathered])
        gaps = [part for gap in left for part in ranges.cut(cuts, gap)]
        if gaps:
            return Plan(run, self._parts(self._spread(gaps, base), base, dossier))
        found = dossier.find("joined.json", Joined) or self._joined(gathered, base.entries if is_whole else (), dossier)
        return Plan(run, (), batches(found.segments, has_families=self._upkeep.site.alternates))

    def _joined(self, gathered: Sequence[Gathered], base: Sequence[Entry], dossier: Dossier) -> Joined:
        """The segments, which are told once: what is shaped of them goes by their numbers."""
        segments = joined(gathered, base, self._upkeep.site)
        has_families = self._upkeep.site.alternates
        _check([each for each in segments if has_families or not each.is_kept], self._extent.held)
        dossier.put_once("joined.json", Joined(tuple(segments), total([each.told for each in gathered])))
        return dossier.get("joined.json", Joined)

    def _parts(self, parts: Sequence[Range], base: Manifest, dossier: Dossier) -> list[Part]:
        """Ranges as what workers are given, numbered on from those of earlier rounds."""
        groups = manifests.by_group(base.entries)
        first = dossier.handed_out("gather")
        reads = _READ if len(parts) < _EACH * self._extent.workers else None
        return [
            Part(
                n,
                *part,
                tuple(entry for some in groups.values() for entry in ranges.overlapping(some, part)),
                reads,
            )
            for n, part in enumerate(parts, first)
        ]


def _chained(gathered: Iterable[Gathered]) -> Iterator[Gathered]:
    """What was gathered in the order of the keys, but for what a late worker tells of keys that others were given."""
    at: str | None = ""
    for each in sorted(gathered, key=lambda each: each.after):
        if at is not None and each.after >= at:
            yield each
            at = each.upto


def _check(segments: Sequence[Segment], held: int) -> None:
    """Refuse a segment whose records no worker can hold: only pages that are listed end one."""
    mistakes = [
        Mistake(
            "the settings",
            "exclude",
            f"{segment.objects:,} objects from {segment.parts[0].begins} on, of which "
            f"{sum(part.pages for part in segment.parts):,} are listed, are too many for one worker",
            f"leave such objects out, or have memory for more than {held:,}",
        )
        for segment in segments
        if segment.objects > held
    ]
    if mistakes:
        raise ExtentError(tuple(mistakes))


def is_large(upkeep: Upkeep, objects: int) -> bool:
    """Whether so many objects are remembered of a bucket, or seen in it where nothing is; raises SourceError."""
    manifest = upkeep.ledger.salvaged().manifest
    if manifest.position is not None and manifest.previous:
        manifest = upkeep.ledger.previous(manifest.previous)
    if manifest.built:
        return manifest.records >= objects
    return ranges.holds(upkeep.source, objects)


def spread(source: ranges.Probed, extent: Extent) -> Spread:
    """Ranges by what is remembered of a source, and by probing it where nothing is."""

    def parted(gaps: Sequence[Range], base: Manifest) -> list[Range]:
        small = min(extent.least, extent.most)
        if base.entries:
            each = max(min(base.records // extent.workers, extent.most), small)
            known = ranges.counts(base.entries)
            parts = [part for gap in gaps for part in ranges.remembered(known, gap, each)]
            return [part for some in parts for part in _small(some, source, extent.most)]
        if gaps != [ranges.ALL]:
            return list(gaps)  # who left them has told where they branch
        return ranges.probed(gaps, source, extent.workers, small)

    return parted


def _small(known: ranges.Counted, source: ranges.Probed, most: int) -> list[Range]:
    """A range as it is, or parted where it has several times the objects that one worker gathers."""
    wanted = known.objects // most
    return [known.part] if wanted < _TOO_MANY else ranges.probed([known.part], source, wanted, most)
