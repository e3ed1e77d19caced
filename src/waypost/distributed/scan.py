"""One worker's range of keys: listed, read where it is new, and cut where its keys say that segments begin."""

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

from msgspec import Struct
from msgspec.structs import replace

from waypost.config.load import Site
from waypost.core.errors import BusyError, SourceError
from waypost.core.model import Page, Reason
from waypost.distributed import ranges
from waypost.distributed.artifacts import Brief, Gathered, Open, Part
from waypost.ledger import records
from waypost.ledger.classify import Judge
from waypost.ledger.manifest import Entry, Manifest
from waypost.ledger.merge_record import recorded
from waypost.ledger.record_cache import Recollection
from waypost.ledger.records import Record
from waypost.ledger.shard_builder import skipped
from waypost.rules import page_facts, page_url
from waypost.rules.page_facts import Observed
from waypost.rules.selection import Selection
from waypost.sitemaps.sharding import begins_segment, key_hash
from waypost.sources.parallel_listing import Range
from waypost.sync.listing_chunks import Stretch, stretches
from waypost.sync.result import Outcome
from waypost.sync.updater import Upkeep, unreadable

_STRETCH = 10_000
_RESTS, _REST = 4, 10_000
"""In so many parts, or a few times more, a worker proposes to go on with what it leaves, if it seems to be so much."""
_FAILED = 20
"""How many of the objects that could not be read are named."""


class Haul(Struct, frozen=True):
    """What was gathered, and the files of records that it names."""

    found: Gathered
    files: Mapping[str, bytes]


class Gathering:
    """Gathers ranges of one site's keys; stops behind `most` objects, or when the time is over."""

    def __init__(self, upkeep: Upkeep, brief: Brief, most: int, is_over: Callable[[], bool]) -> None:
        self._upkeep, self._site, self._brief = upkeep, upkeep.site, brief
        self._most, self._is_over = most, is_over
        self._now = upkeep.clock()
        self._judge = upkeep.revising(Manifest(robots=brief.robots)).judge

    def haul(self, part: Part) -> Haul:
        """What is in a range, as far as there was time; raises SourceError, also where the source is too busy."""
        base = Manifest(entries=part.base)
        remembered = Recollection(base, self._upkeep.ledger.salvaged_records)
        known: dict[str, Record] = {}
        done = Outcome()
        came_to: str | None = part.after
        for stretch in stretches(self._upkeep.source, base, part.after, self._upkeep.reason, part.upto, _STRETCH):
            if came_to != part.after and (self._is_over() or len(known) >= self._most or _is_enough(part, done)):
                break
            try:
                done += self._recorded(stretch, remembered, known)
            except BusyError:
                if came_to == part.after:
                    raise
                break  # what is gathered is handed in, and who gathers the rest waits until the source answers
            came_to = stretch.upto
        unique, opens = settled(known, Range(part.after, came_to), self._site, Selection(self._site))
        fragments = list(self._fragments(unique, part.base))
        files = {entry.records: data for entry, data in fragments}
        listed = frozenset(key for key in opens if self._judge.page(unique[key]))
        open_keys = tuple(Open(key, key in listed) for key in opens)
        entries, cuts = tuple(entry for entry, _ in fragments), self._cuts(came_to, part.upto)
        return Haul(Gathered(part.after, came_to, entries, open_keys, done, cuts), files)

    def _cuts(self, came_to: str | None, upto: str | None) -> tuple[str, ...]:
        """Where the keys of what is left branch: who hands it out again need not find out for all that is left."""
        if came_to is None or came_to == upto or self._brief.is_known:
            return ()
        rest, source = Range(came_to, upto), self._upkeep.source
        try:
            parts = ranges.probed([rest], source, _RESTS, _REST) if ranges.holds(source, _REST, rest) else []
        except SourceError:
            return ()  # what was gathered is worth more
        return tuple(part.upto for part in parts[:-1] if part.upto is not None)

    def _recorded(self, stretch: Stretch, remembered: Recollection, known: dict[str, Record]) -> Outcome:
        """Bring a stretch's objects into the records, and say what was done."""
        before = {record.key: record for record in remembered.between(stretch.after, stretch.upto)}
        is_same = self._brief.reading == page_facts.facts(self._site)
        unread = [item for item in stretch.items if not (is_same and _etag(before.get(item.key)) == item.etag)]
        seen, failed = self._upkeep.look(unread, insists=True)
        for item in stretch.items:
            record = before.get(item.key)
            if item.key in seen:
                observed = seen[item.key]
            elif item.key in failed:
                observed = Observed(record.etag if self._brief.is_whole else "", record.said, "") if record else None
            else:
                observed = Observed(item.etag, before[item.key].said, item.modified)
            if observed:
                is_known = self._brief.is_known
                known[item.key] = recorded(item.key, record, observed, self._site, self._now, is_known=is_known)
        warned = (*self._upkeep.warned(seen), *unreadable(failed))
        some = dict(list(failed.items())[:_FAILED])
        changed = sum(before.get(item.key) != known.get(item.key) for item in stretch.items)
        return Outcome(stretch.listed, len(seen), changed, failed=some, passed_over=stretch.passed_over, warned=warned)

    def _fragments(self, known: Mapping[str, Record], base: Sequence[Entry]) -> Iterator[tuple[Entry, bytes]]:
        """The records of each group, from one boundary to the next, or to where a shard began before."""
        selection = Selection(self._site)
        groups: dict[str, list[Record]] = defaultdict(list)
        for key in sorted(known):
            groups[selection.group(key)].append(known[key])
        for group, members in groups.items():
            before = [entry for entry in base if entry.group == group] if self._brief.is_whole else []
            for id, some, judged in _cut(members, self._judge, {e.begins for e in before}, self._site.limit.urls):
                yield _fragment(group, id, some, judged, before)


def settled(
    known: Mapping[str, Record], part: Range, site: Site, selection: Selection
) -> tuple[dict[str, Record], list[str]]:
    """A range's records with who gives each loc settled among them, and the keys whose rivals may lie beyond it."""
    families: dict[str, list[str]] = defaultdict(list)
    opens: list[str] = []
    for key in known:
        families[str(page_url.loc(key, site))].append(key)
        if any(not _is_in(each, part) and selection.reason(each) is None for each in page_url.rivals(key, site)):
            opens.append(key)
    found: dict[str, Record] = {}
    for family in families.values():
        first = min(family, key=lambda key: page_url.precedence(key, site)) if len(family) > 1 else family[0]
        for key in family:
            duplicate_of = "" if key == first else first
            record = known[key]
            found[key] = record if record.duplicate_of == duplicate_of else replace(record, duplicate_of=duplicate_of)
    return found, opens


_Cut = tuple[str | None, Sequence[Record], Sequence[Page | Reason]]


def _cut(known: Sequence[Record], judge: Judge, shards: Iterable[str], limit: int) -> Iterator[_Cut]:
    """Records in order, cut at boundaries, whose hashes go with what they begin, and where shards began before."""
    starts, id = set(shards), None
    some: list[Record] = []
    judged: list[Page | Reason] = []
    for record in known:
        verdict = judge.judged(record)
        is_boundary = isinstance(verdict, Page) and begins_segment(record.key, limit)
        if some and (is_boundary or record.key in starts):
            yield id, some, judged
            id, some, judged = None, [], []
        if is_boundary:
            id = f"{key_hash(record.key):016x}"
        some.append(record)
        judged.append(verdict)
    if some:
        yield id, some, judged


def _fragment(
    group: str, shard: str | None, some: Sequence[Record], judged: Sequence[Page | Reason], before: Sequence[Entry]
) -> tuple[Entry, bytes]:
    """A fragment's entry, or the one that it has had where its records are the same; and its records."""
    data = records.dump(some)
    same = next((entry for entry in before if entry.records == records.name(entry.id, data)), None)
    if same:
        return same, data
    pages = sum(isinstance(each, Page) for each in judged)
    return Entry(group, shard, some[0].key, pages, records.name(shard, data), (), skipped(judged)), data


def _is_enough(part: Part, done: Outcome) -> bool:
    return part.reads is not None and done.looked >= part.reads


def _etag(record: Record | None) -> str | None:
    return record.etag if record else None


def _is_in(key: str, part: Range) -> bool:
    return key > part.after and (part.upto is None or key <= part.upto)
