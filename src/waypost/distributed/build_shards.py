"""Segments of fragments into shards: one worker's batch."""

from collections.abc import Iterator, Mapping, Sequence

from msgspec import Struct
from msgspec.structs import replace

from waypost.core import concurrency
from waypost.distributed.artifacts import Joined, Segment, Shaped
from waypost.distributed.merge import as_entries
from waypost.ledger.hreflang_clusters import Families
from waypost.ledger.manifest import Entry, Manifest
from waypost.ledger.manifest_update import Revising
from waypost.ledger.records import Record
from waypost.ledger.shard_cache import Opened, Shelf
from waypost.rules.hreflang import Doubt
from waypost.rules.selection import Selection
from waypost.sync.result import Outcome
from waypost.sync.updater import Upkeep, doubted

_PAGES, _SEGMENTS = 100_000, 16
_HELD = 250_000
"""How many records, and versions that they tell of, are held at a time in search of others."""
_TOGETHER = 25_000
"""Of how many versions of pages it is settled together which they are."""


class Shape(Struct, frozen=True):
    """What was shaped, and the files of records that it names."""

    found: Shaped
    files: Mapping[str, bytes]


def batches(segments: Sequence[Segment], *, has_families: bool) -> list[list[Segment]]:
    """The segments that must be shaped, so many together as one worker surely does.

    Where pages may be versions of pages elsewhere, all are looked through.
    """
    found: list[list[Segment]] = []
    pages = _PAGES
    for segment in segments:
        if segment.is_kept and not has_families:
            continue
        if pages >= _PAGES or len(found[-1]) >= _SEGMENTS:
            found.append([])
            pages = 0
        found[-1].append(segment)
        pages += segment.objects
    return found


def shaped(segments: Sequence[Segment], upkeep: Upkeep, revising: Revising, joined: Joined | None) -> Shape:
    """The shards of segments; `joined` is all there is, where pages may be versions of others."""
    relations = _Relations(upkeep, revising, joined) if joined else None
    entries: list[tuple[Entry, ...]] = []
    files: dict[str, bytes] = {}
    told = Outcome()
    for segment in segments:
        known = _records(segment, upkeep)
        changed, outcome = relations.changed(known) if relations else ({}, Outcome())
        told += outcome
        if segment.is_kept and not changed:
            entries.append(segment.parts)
            continue
        opened = Opened(segment.group, known | changed, segment.begins, segment.ends, (), segment.is_whole)
        made = list(revising.shaping().made(opened, {}))
        entries.append(tuple(each.entry for each in made))
        files |= {each.entry.records: each.data for each in made if each.data is not None}
    return Shape(Shaped(tuple(entries), told), files)


def _records(segment: Segment, upkeep: Upkeep) -> dict[str, Record]:
    some = concurrency.each(upkeep.ledger.records, segment.parts, upkeep.ledger.store.width)
    return {each.key: _settled(each, segment.duplicates) for part in some for each in part}


def _settled(record: Record, duplicates: Mapping[str, str]) -> Record:
    first = duplicates.get(record.key)
    return replace(record, duplicate_of=first) if first else record


class _Relations:
    """The versions of pages in other languages, wherever they are."""

    def __init__(self, upkeep: Upkeep, revising: Revising, joined: Joined) -> None:
        duplicates = joined.duplicates
        self._families = Families(upkeep.site, revising.judge.page)
        self._shelf = Shelf(
            Manifest(entries=as_entries(joined.segments)),
            Selection(upkeep.site),
            lambda entry: [_settled(record, duplicates) for record in upkeep.ledger.records(entry)],
            most=_HELD,
        )

    def changed(self, known: Mapping[str, Record]) -> tuple[dict[str, Record], Outcome]:
        """Those of the records whose alternates are others now, and what was doubtful."""
        changed: dict[str, Record] = {}
        doubts: list[Doubt] = []
        for some in _together(known):
            found, doubtful = self._families.of(some, self._shelf)
            changed |= found
            doubts += doubtful
        return changed, Outcome(warned=doubted(doubts))


def _together(known: Mapping[str, Record]) -> Iterator[dict[str, Record]]:
    """Records in the order of their keys, so many at a time that there is memory for all of their versions."""
    some: dict[str, Record] = {}
    versions = 0
    for key in sorted(known):
        some[key] = known[key]
        versions += 1 + len(known[key].said.head.alternates)
        if versions >= _TOGETHER:
            yield some
            some, versions = {}, 0
    if some:
        yield some
