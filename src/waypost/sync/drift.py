"""Finds out which of the differences that a rebuild repairs events should have reported: such events were lost.

The event of a recent upload may still be under way, so that is no drift. Nobody knows when an object was deleted, so
its key is looked at again later: if it is still recorded by then, its event was lost.
"""

from collections.abc import Callable, Sequence
from typing import NamedTuple

from waypost.ledger.manifest import Manifest, ShardEntry
from waypost.ledger.record_cache import OrderedRecords
from waypost.ledger.records import Record
from waypost.ledger.store import Ledger
from waypost.rules.indexing import ended_since
from waypost.sync.listing_chunks import ListingChunk, compare_with_records

MAX_MISSING = 1_000
"""How many missing objects of one rebuild are looked at again later; others are removed at once, and are drift."""


class Differences(NamedTuple):
    """What a ledger does not describe of a range: keys to read, and keys whose objects are `missing`.

    `uploads` has the time of upload of each object that is new or has other bytes, unless its record may be lost; a
    URL without an object has no such time.
    `lost` are the entries in the range whose records are lost. The records of `dependent` keys may name files that are
    gone and whose records were lost.
    """

    unread: list[str]
    missing: list[str]
    uploads: dict[str, str]
    lost: list[ShardEntry]
    dependent: list[str]

    @property
    def keys(self) -> list[str]:
        """All keys that differ."""
        return sorted([*self.unread, *self.missing])


def differences(ledger: Ledger, manifest: Manifest, chunk: ListingChunk, now: str) -> Differences:
    """How the objects of a range differ from their records at the time `now` (W3C)."""
    records = OrderedRecords(manifest, ledger.records_or_none)

    def is_expired(record: Record) -> bool:
        return ended_since(record.facts.head.unavailable_after, manifest.built_at, now)

    found = compare_with_records(records, chunk, manifest.listed_since, is_expired)
    unreported = found.new | found.changed
    uploads = {
        item.key: item.modified
        for item in chunk.items
        if item.modified and item.key in unreported and not records.is_lost(item.key)
    }
    dependent = sorted(found.dependent) if manifest.records_lost_at else []
    unread, missing = sorted(unreported | found.unverified | found.unnamed), sorted(found.missing)
    return Differences(unread, missing, uploads, records.lost_entries, dependent)


class Judgement(NamedTuple):
    """The keys to bring up to date at once, and those among them whose events were lost."""

    keys: list[str]
    drift: list[str]


class DriftCheck:
    """Judges the differences that one rebuild finds.

    What was uploaded `before` a W3C time should have been reported. `look_again` has missing keys looked at when events
    of their deletion must have come, and returns False if that is not possible.
    """

    def __init__(self, before: str, look_again: Callable[[Sequence[str]], bool]) -> None:
        self._before, self._look_again, self._left = before, look_again, MAX_MISSING

    def judge(self, found: Differences) -> Judgement:
        """What to do at once, and what is drift."""
        late = [key for key, uploaded in found.uploads.items() if uploaded < self._before]
        if not 0 < len(found.missing) <= self._left or not self._look_again(found.missing):
            return Judgement(found.keys, [*late, *found.missing])
        self._left -= len(found.missing)
        return Judgement(found.unread, late)
