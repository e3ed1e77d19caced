"""Scans one worker's range of keys: lists it, reads what is new, and splits its records where segments begin."""

from collections import defaultdict
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from typing import NamedTuple

from msgspec import Struct
from msgspec.structs import replace

from waypost.build.object_reader import read_objects
from waypost.config.schema import Site
from waypost.core.errors import BusyError, SourceError
from waypost.core.model import Item, Page
from waypost.core.reasons import Reason
from waypost.distributed import ranges
from waypost.distributed.artifacts import OpenKey, RunContext, ScanResult, ScanTask
from waypost.ledger import records
from waypost.ledger.classify import PageClassifier
from waypost.ledger.manifest import Manifest, ShardEntry
from waypost.ledger.merge_record import merge_record
from waypost.ledger.record_cache import OrderedRecords
from waypost.ledger.records import Record
from waypost.ledger.shard_builder import count_exclusions
from waypost.rules import page_facts, page_url
from waypost.rules.page_facts import ObjectSnapshot
from waypost.rules.selection import Selection
from waypost.sitemaps.sharding import begins_segment, key_hash
from waypost.sources.parallel_listing import KeyRange
from waypost.sync.listing_chunks import ListingChunk, is_as_recorded, iter_chunks
from waypost.sync.result import RunResult
from waypost.sync.site_warnings import lost_records_warning, page_warnings, unreadable_warning
from waypost.sync.updater import Updater

_CHUNK_ITEMS = 10_000
_REST_PARTS, _REST_OBJECTS = 4, 10_000
"""A worker proposes so many parts, or a few times more, of a rest that seems to have at least so many objects."""
_MAX_FAILED = 20
"""How many of the objects that could not be read are named."""


class ScanOutput(Struct, frozen=True):
    """A scan's result, and the files of records that it names."""

    result: ScanResult
    files: Mapping[str, bytes]


class RangeScanner:
    """Scans ranges of one site's keys; it stops after `max_objects` objects, or when the deadline is reached."""

    def __init__(
        self, updater: Updater, context: RunContext, max_objects: int, deadline_reached: Callable[[], bool]
    ) -> None:
        self._updater, self._site, self._context = updater, updater.site_of(context.url_form), context
        self._max_objects, self._deadline_reached = max_objects, deadline_reached
        self._now = updater.clock()
        self._classifier = updater.manifest_updater(context.manifest).classifier

    def scan(self, task: ScanTask) -> ScanOutput:
        """The records of a range, or of its beginning if there is no time for more.

        Raises SourceError, and BusyError if the source throttles before anything is scanned.
        """
        known: dict[str, Record] = {}
        recorded = OrderedRecords(Manifest(entries=task.base), self._updater.ledger.records_or_none)
        with self._updater.urls_of(self._context.manifest):
            position, done = self._record_range(task, recorded, known)
            scanned = KeyRange(task.start_after, position)
            resolved, open_keys = resolve_duplicates(known, scanned, self._site, self._updater.exclusion_reason)
        lost = recorded.lost_entries
        done += RunResult(warnings=lost_records_warning([each for each in lost if _begins_in(each, scanned)]))
        fragments = list(self._fragments(resolved, [entry for entry in task.base if entry not in lost]))
        result = ScanResult(
            task.start_after,
            position,
            tuple(entry for entry, _ in fragments),
            tuple(self._open_key(resolved[key]) for key in open_keys),
            done,
            self._split_points(position, task.through),
        )
        return ScanOutput(result, {entry.records_file: data for entry, data in fragments if data is not None})

    def _open_key(self, record: Record) -> OpenKey:
        loc = str(page_url.recorded_url(record.key, self._site, record.facts))
        return OpenKey(record.key, self._classifier.page(record) is not None, loc, bool(record.facts.entry))

    def _record_range(
        self, task: ScanTask, recorded: OrderedRecords, known: dict[str, Record]
    ) -> tuple[str | None, RunResult]:
        """Fill `known` with records; returns the last key that was scanned (None: the end), and what was done."""
        base = Manifest(entries=task.base)
        reason, source = self._updater.exclusion_reason, self._updater.source
        position: str | None = task.start_after
        done = RunResult()
        for chunk in iter_chunks(source, base, task.start_after, reason, task.through, _CHUNK_ITEMS):
            is_first = position == task.start_after
            if not is_first and self._should_stop(task, done, len(known)):
                break
            try:
                done += self._record_chunk(chunk, recorded, known)
            except BusyError:
                if is_first:
                    raise
                break  # what was scanned counts; the worker that scans the rest waits for the source
            position = chunk.through
        return position, done

    def _should_stop(self, task: ScanTask, done: RunResult, objects: int) -> bool:
        has_read_enough = task.max_reads is not None and done.objects_read >= task.max_reads
        return self._deadline_reached() or objects >= self._max_objects or has_read_enough

    def _split_points(self, position: str | None, through: str | None) -> tuple[str, ...]:
        """Keys at which the rest can be split, so that the planner need not probe the source for all rests."""
        if position is None or position == through or self._context.has_base:
            return ()
        rest, source = KeyRange(position, through), self._updater.source
        try:
            if not ranges.estimate_exceeds(source, _REST_OBJECTS, rest):
                return ()
            parts = ranges.split_by_probing([rest], source, _REST_PARTS, _REST_OBJECTS)
        except SourceError:
            return ()  # what was scanned is worth more
        return tuple(part.through for part in parts[:-1] if part.through is not None)

    def _record_chunk(self, chunk: ListingChunk, recorded: OrderedRecords, known: dict[str, Record]) -> RunResult:
        """Add the records of a chunk's objects to `known`; only objects that changed are read."""
        # First: which objects differ from their records. After other settings the facts of all must be read again.
        before = {record.key: record for record in recorded.between(chunk.start_after, chunk.through)}
        lost = {item.key for item in chunk.items if recorded.is_lost(item.key)}
        has_same_facts = self._context.recorded_facts == page_facts.recorded_facts(self._site)
        unread = [item for item in chunk.items if not (has_same_facts and self._is_as_recorded(before, item))]
        seen, failed = read_objects(self._updater.source, self._site, unread, raise_when_busy=True)
        # Second: a record for each object: of what was read, else as it was. What cannot be read keeps its record.
        unknown = failed.keys() | lost
        for item in chunk.items:
            record = before.get(item.key)
            if item.key in seen:
                snapshot = seen[item.key]
            elif item.key in failed:
                snapshot = self._recorded_snapshot(record)
            else:
                snapshot = ObjectSnapshot(item.etag, before[item.key].facts, item.modified)
            if snapshot:
                is_known = self._context.has_base and item.key not in lost
                known[item.key] = merge_record(item.key, record, snapshot, self._site, self._now, is_known=is_known)
        return RunResult(
            chunk.objects_listed,
            len(seen),
            sum(before.get(item.key) != known.get(item.key) for item in chunk.items),
            failed=dict(list(failed.items())[:_MAX_FAILED]),
            ignored=chunk.ignored,
            drift=sum(self._is_unreported(before, item) for item in unread if item.key not in unknown),
            warnings=(*page_warnings(seen, self._site, self._now), *unreadable_warning(failed)),
            unreadable=len(failed),
        )

    def _is_unreported(self, before: Mapping[str, Record], item: Item) -> bool:
        """Whether an event should have reported this upload, and did not; no event reports a URL without an object."""
        record = before.get(item.key)
        return "" < item.modified < self._context.reported_before and (record is None or record.etag != item.etag)

    def _is_as_recorded(self, before: Mapping[str, Record], item: Item) -> bool:
        record = before.get(item.key)
        return record is not None and is_as_recorded(record, item, self._context.listed_since)

    def _recorded_snapshot(self, record: Record | None) -> ObjectSnapshot | None:
        """What is recorded of an object that cannot be read now; its ETag is kept only if its facts are current."""
        if record is None:
            return None
        return ObjectSnapshot(record.etag if self._context.base_is_current else "", record.facts, "")

    def _fragments(
        self, known: Mapping[str, Record], base: Sequence[ShardEntry]
    ) -> Iterator[tuple[ShardEntry, bytes | None]]:
        """The records of each group, from each boundary and each first key of a present shard to the next."""
        selection = Selection(self._site)
        groups: dict[str, list[Record]] = defaultdict(list)
        for key in sorted(known):
            groups[selection.group(key)].append(known[key])
        limit = self._site.file_limits.urls
        for group, members in groups.items():
            present = [entry for entry in base if entry.group == group] if self._context.base_is_current else []
            first_keys = {entry.first_key for entry in present}
            for fragment in _split_at_boundaries(members, self._classifier, first_keys, limit):
                yield _entry(group, fragment, present, self._updater.ledger.new_id)


class _Fragment(NamedTuple):
    """Records that follow one another, what they are classified as, and the id of the segment that they begin."""

    shard_id: str | None
    records: list[Record]
    classified: list[Page | Reason]


def resolve_duplicates(
    known: Mapping[str, Record], scanned: KeyRange, site: Site, exclusion_reason: Callable[[str], Reason | None]
) -> tuple[dict[str, Record], list[str]]:
    """The records of a range with duplicates resolved among them, and the keys that may have duplicates beyond it."""
    locs = {key: str(page_url.recorded_url(key, site, record.facts)) for key, record in known.items()}
    entries = {key for key, record in known.items() if record.facts.entry}
    duplicates = page_url.duplicates(locs, site, entries)
    resolved: dict[str, Record] = {}
    open_keys: list[str] = []
    for key, record in known.items():
        first = duplicates.get(key, "")
        resolved[key] = record if record.duplicate_of == first else replace(record, duplicate_of=first)
        beyond = (each for each in page_url.same_url_keys(key, locs[key], site) if not _is_in(each, scanned))
        if any(exclusion_reason(each) is None for each in beyond):
            open_keys.append(key)
    return resolved, open_keys


def _split_at_boundaries(
    records_in_order: Sequence[Record], classifier: PageClassifier, first_keys: Collection[str], limit: int
) -> Iterator[_Fragment]:
    """Records split at boundaries, and at the first keys of present shards."""
    fragment = _Fragment(None, [], [])
    for record in records_in_order:
        classified = classifier.classify(record)
        is_boundary = isinstance(classified, Page) and begins_segment(record.key, limit)
        if fragment.records and (is_boundary or record.key in first_keys):
            yield fragment
            fragment = _Fragment(None, [], [])
        if is_boundary:
            fragment = fragment._replace(shard_id=f"{key_hash(record.key):016x}")
        fragment.records.append(record)
        fragment.classified.append(classified)
    if fragment.records:
        yield fragment


def _entry(
    group: str, fragment: _Fragment, present: Sequence[ShardEntry], new_id: Callable[[], str]
) -> tuple[ShardEntry, bytes | None]:
    """A fragment's entry and its records; of the current entry, whose file exists, if the records are the same.

    A shard's entry may begin before its first record, where other workers may have found new keys.
    """
    data = records.dump(fragment.records)
    if same := next((entry for entry in present if records.holds(entry.records_file, data)), None):
        return replace(same, first_key=fragment.records[0].key), None
    pages = sum(isinstance(each, Page) for each in fragment.classified)
    excluded = count_exclusions(fragment.classified)
    name = records.records_name(fragment.shard_id, data, (), new_id)
    return ShardEntry(group, fragment.shard_id, fragment.records[0].key, pages, name, (), excluded), data


def _begins_in(entry: ShardEntry, key_range: KeyRange) -> bool:
    """Whether a shard's first key is in a range; a group's first shard has the first key `""`."""
    return _is_in(entry.first_key, key_range) or not (entry.first_key or key_range.start_after)


def _is_in(key: str, key_range: KeyRange) -> bool:
    return key > key_range.start_after and (key_range.through is None or key <= key_range.through)
