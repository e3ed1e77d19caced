"""Decides which records change, given what objects are now and what was recorded of them."""

from collections.abc import Callable, Iterator, Mapping, Sequence

from msgspec import Struct
from msgspec.structs import replace

from waypost.config.schema import Site
from waypost.ledger.manifest import Manifest, PublishedFile, ShardEntry
from waypost.ledger.merge_record import merge_record
from waypost.ledger.record_cache import RecordCache
from waypost.ledger.records import Record
from waypost.rules.indexing import ended_since
from waypost.rules.page_facts import ObjectSnapshot

Edits = Mapping[str, Record | None]
"""Changed records by key; None means a record that is removed."""


def _no_record(key: str) -> Record | None:
    """No record, of any key."""


def _nothing_is_lost(key: str) -> bool:
    """Whether a key's record is lost: never."""
    return not key


class PreviousLedger(Struct, frozen=True):
    """The ledger that a build replaces: its published files, its records by key, and the facts that they hold.

    `is_lost` says whether a key's record may be lost; `lost_entries` has the entries whose records were found to be
    lost. `page_count` is how many pages it lists, and `listed_since` is `Manifest`'s.
    """

    files: Mapping[str, PublishedFile] = {}
    record: Callable[[str], Record | None] = _no_record
    is_lost: Callable[[str], bool] = _nothing_is_lost
    lost_entries: Sequence[ShardEntry] = ()
    recorded_facts: str = ""
    page_count: int = 0
    listed_since: float = 0.0


class RecordChanges:
    """The changes of one manifest's records."""

    def __init__(
        self, before: Manifest, cache: RecordCache, site: Site, now: str, previous: PreviousLedger | None
    ) -> None:
        self._cache, self._site, self._now = cache, site, now
        self._previous = previous or PreviousLedger()
        self._built_at = before.built_at
        self._has_previous = previous is not None

    def of(
        self, seen: Mapping[str, ObjectSnapshot | None], *, refresh_etags: bool
    ) -> Iterator[tuple[str, Record | None]]:
        """The records that differ from what was seen; with `refresh_etags` also those whose ETag alone differs.

        Only a rebuild, which sets `refresh_etags`, removes a URL that has no object: events know nothing of these. A
        record of a page that has expired stays as it is, but is not listed any more.
        """
        for key, snapshot in seen.items():
            record = self._cache.record(key)
            if snapshot is None:
                if record and (refresh_etags or not record.facts.entry):
                    yield key, None
                continue
            has_new_facts = record is None or record.facts != snapshot.facts
            has_new_etag = record is not None and refresh_etags and record.etag != snapshot.etag
            if has_new_facts or has_new_etag:
                known = record or self._previous.record(key)
                after = merge_record(key, known, snapshot, self._site, self._now, is_known=self._is_known(key))
                if after != record:
                    yield key, after
            elif record and ended_since(record.facts.head.unavailable_after, self._built_at, self._now):
                yield key, record

    def _is_known(self, key: str) -> bool:
        """Whether a page without a record is new; else it may only be unknown, and has no date yet."""
        is_lost = self._cache.is_lost(key) or self._previous.is_lost(key)
        return (self._has_previous or bool(self._built_at)) and not is_lost

    def since_events(
        self, seen: Mapping[str, ObjectSnapshot | None], event_records: Callable[[str], Record | None]
    ) -> Iterator[tuple[str, Record | None]]:
        """The same where updates recorded keys while a build was reading: their records know the date of a content."""
        for key, snapshot in seen.items():
            record, known = self._cache.record(key), event_records(key)
            if record and known:
                known = replace(known, duplicate_of=record.duplicate_of, alternates=record.alternates)
            after: Record | None = None
            if snapshot:
                is_known = self._is_known(key)
                after = merge_record(key, known or record, snapshot, self._site, self._now, is_known=is_known)
            if after != record:
                yield key, after
