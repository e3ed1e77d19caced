"""One worker's range of keys: listed, read where it is new, and cut where its keys say that segments begin."""

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

from msgspec import Struct
from msgspec.structs import replace

from waypost.config.load import Site
from waypost.core.errors import BusyError, SourceError
from waypost.core.model import Page
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
from waypost.sync.listing_chunks import ListingChunk, iter_chunks
from waypost.sync.result import RunResult
from waypost.sync.updater import Updater, unreadable_warning

_STRETCH = 10_000
_RESTS, _REST = 4, 10_000
"""In so many parts, or a few times more, a worker proposes to go on with what it leaves, if it seems to be so much."""
_FAILED = 20
"""How many of the objects that could not be read are named."""


class ScanOutput(Struct, frozen=True):
    """What was gathered, and the files of records that it names."""

    result: ScanResult
    files: Mapping[str, bytes]


class RangeScanner:
    """Gathers ranges of one site's keys; stops behind `most` objects, or when the time is over."""

    def __init__(self, updater: Updater, context: RunContext, most: int, deadline_reached: Callable[[], bool]) -> None:
        self._updater, self._site, self._context = updater, updater.site, context
        self._most, self._deadline_reached = most, deadline_reached
        self._now = updater.clock()
        self._classifier = updater.manifest_updater(Manifest(robots_rules=context.robots_rules)).classifier

    def scan(self, part: ScanTask) -> ScanOutput:
        """What is in a range, as far as there was time; raises SourceError, also where the source is too busy."""
        base = Manifest(entries=part.base)
        remembered = OrderedRecords(base, self._updater.ledger.records_or_none)
        known: dict[str, Record] = {}
        done = RunResult()
        came_to: str | None = part.start_after
        for chunk in iter_chunks(
            self._updater.source, base, part.start_after, self._updater.exclusion_reason, part.through, _STRETCH
        ):
            if came_to != part.start_after and (
                self._deadline_reached() or len(known) >= self._most or _max_reads_reached(part, done)
            ):
                break
            try:
                done += self._record_chunk(chunk, remembered, known)
            except BusyError:
                if came_to == part.start_after:
                    raise
                break  # what is gathered is handed in, and who gathers the rest waits until the source answers
            came_to = chunk.through
        unique, opens = resolve_duplicates(
            known, KeyRange(part.start_after, came_to), self._site, Selection(self._site)
        )
        fragments = list(self._fragments(unique, part.base))
        files = {entry.records_file: data for entry, data in fragments}
        listed = frozenset(key for key in opens if self._classifier.page(unique[key]))
        open_keys = tuple(OpenKey(key, key in listed) for key in opens)
        entries, cuts = tuple(entry for entry, _ in fragments), self._split_points(came_to, part.through)
        return ScanOutput(ScanResult(part.start_after, came_to, entries, open_keys, done, cuts), files)

    def _split_points(self, came_to: str | None, upto: str | None) -> tuple[str, ...]:
        """Where the keys of what is left branch: who hands it out again need not find out for all that is left."""
        if came_to is None or came_to == upto or self._context.has_base:
            return ()
        rest, source = KeyRange(came_to, upto), self._updater.source
        try:
            parts = (
                ranges.split_by_probing([rest], source, _RESTS, _REST)
                if ranges.estimate_exceeds(source, _REST, rest)
                else []
            )
        except SourceError:
            return ()  # what was gathered is worth more
        return tuple(part.through for part in parts[:-1] if part.through is not None)

    def _record_chunk(self, chunk: ListingChunk, remembered: OrderedRecords, known: dict[str, Record]) -> RunResult:
        """Bring a stretch's objects into the records, and say what was done."""
        before = {record.key: record for record in remembered.between(chunk.start_after, chunk.through)}
        is_same = self._context.recorded_facts == page_facts.recorded_facts(self._site)
        unread = [item for item in chunk.items if not (is_same and _etag(before.get(item.key)) == item.etag)]
        seen, failed = self._updater.read_objects(unread, raise_when_busy=True)
        for item in chunk.items:
            record = before.get(item.key)
            if item.key in seen:
                snapshot = seen[item.key]
            elif item.key in failed:
                snapshot = (
                    ObjectSnapshot(record.etag if self._context.base_is_current else "", record.facts, "")
                    if record
                    else None
                )
            else:
                snapshot = ObjectSnapshot(item.etag, before[item.key].facts, item.modified)
            if snapshot:
                is_known = self._context.has_base
                known[item.key] = merge_record(item.key, record, snapshot, self._site, self._now, is_known=is_known)
        warned = (*self._updater.page_warnings(seen), *unreadable_warning(failed))
        some = dict(list(failed.items())[:_FAILED])
        changed = sum(before.get(item.key) != known.get(item.key) for item in chunk.items)
        return RunResult(chunk.objects_listed, len(seen), changed, failed=some, ignored=chunk.ignored, warnings=warned)

    def _fragments(self, known: Mapping[str, Record], base: Sequence[ShardEntry]) -> Iterator[tuple[ShardEntry, bytes]]:
        """The records of each group, from one boundary to the next, or to where a shard began before."""
        selection = Selection(self._site)
        groups: dict[str, list[Record]] = defaultdict(list)
        for key in sorted(known):
            groups[selection.group(key)].append(known[key])
        for group, members in groups.items():
            before = [entry for entry in base if entry.group == group] if self._context.base_is_current else []
            for id, some, judged in _split_at_boundaries(
                members, self._classifier, {e.first_key for e in before}, self._site.file_limits.urls
            ):
                yield _fragment(group, id, some, judged, before)


def resolve_duplicates(
    known: Mapping[str, Record], part: KeyRange, site: Site, selection: Selection
) -> tuple[dict[str, Record], list[str]]:
    """A range's records with who gives each loc settled among them, and the keys whose rivals may lie beyond it."""
    clusters: dict[str, list[str]] = defaultdict(list)
    opens: list[str] = []
    for key in known:
        clusters[str(page_url.page_url(key, site))].append(key)
        if any(
            not _is_in(each, part) and selection.exclusion_reason(each) is None
            for each in page_url.same_url_keys(key, site)
        ):
            opens.append(key)
    found: dict[str, Record] = {}
    for family in clusters.values():
        first = min(family, key=lambda key: page_url.duplicate_rank(key, site)) if len(family) > 1 else family[0]
        for key in family:
            duplicate_of = "" if key == first else first
            record = known[key]
            found[key] = record if record.duplicate_of == duplicate_of else replace(record, duplicate_of=duplicate_of)
    return found, opens


_Fragment = tuple[str | None, Sequence[Record], Sequence[Page | Reason]]


def _split_at_boundaries(
    known: Sequence[Record], classifier: PageClassifier, shards: Iterable[str], limit: int
) -> Iterator[_Fragment]:
    """Records in order, cut at boundaries, whose hashes go with what they begin, and where shards began before."""
    starts, id = set(shards), None
    some: list[Record] = []
    judged: list[Page | Reason] = []
    for record in known:
        decision = classifier.classify(record)
        is_boundary = isinstance(decision, Page) and begins_segment(record.key, limit)
        if some and (is_boundary or record.key in starts):
            yield id, some, judged
            id, some, judged = None, [], []
        if is_boundary:
            id = f"{key_hash(record.key):016x}"
        some.append(record)
        judged.append(decision)
    if some:
        yield id, some, judged


def _fragment(
    group: str, shard: str | None, some: Sequence[Record], judged: Sequence[Page | Reason], before: Sequence[ShardEntry]
) -> tuple[ShardEntry, bytes]:
    """A fragment's entry, or the one that it has had where its records are the same; and its records."""
    data = records.dump(some)
    same = next((entry for entry in before if entry.records_file == records.records_name(entry.shard_id, data)), None)
    if same:
        return same, data
    pages = sum(isinstance(each, Page) for each in judged)
    return ShardEntry(
        group, shard, some[0].key, pages, records.records_name(shard, data), (), count_exclusions(judged)
    ), data


def _max_reads_reached(part: ScanTask, done: RunResult) -> bool:
    return part.max_reads is not None and done.objects_read >= part.max_reads


def _etag(record: Record | None) -> str | None:
    return record.etag if record else None


def _is_in(key: str, part: KeyRange) -> bool:
    return key > part.start_after and (part.through is None or key <= part.through)
