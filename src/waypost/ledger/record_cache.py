"""A manifest's records by key, loaded shard by shard when they are first needed."""

from collections import OrderedDict
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence

from waypost.ledger import shard_entries
from waypost.ledger.manifest import Manifest, ShardEntry
from waypost.ledger.records import Record
from waypost.rules.selection import Selection

Load = Callable[[ShardEntry], Sequence[Record] | None]
"""Returns the records of an entry, or None if they are lost."""


class RecordCache:
    """The records of a manifest by key, as the current settings group them.

    With `max_records`, the shards that were used last stay in memory, up to about as many records; the alternates
    of a record count as well.
    """

    def __init__(self, manifest: Manifest, selection: Selection, load: Load, max_records: int | None = None) -> None:
        self._selection, self._load, self._max_records = selection, load, max_records
        self._entries = shard_entries.by_group(manifest.entries)
        self._records: OrderedDict[str, dict[str, Record]] = OrderedDict()
        self._weights: dict[str, int] = {}
        self.lost_entries: list[ShardEntry] = []

    def entries(self, group: str) -> Sequence[ShardEntry]:
        """A group's entries in the order of their keys."""
        return self._entries.get(group, [])

    def records(self, entry: ShardEntry) -> Mapping[str, Record]:
        """An entry's records by their keys."""
        name = entry.records_file
        if name not in self._records:
            self._records[name] = self._loaded(entry)
            if self._max_records is not None:
                self._weights[name] = sum(map(_weight, self._records[name].values()))
                self._evict(self._max_records)
        self._records.move_to_end(name)
        return self._records[name]

    def _loaded(self, entry: ShardEntry) -> dict[str, Record]:
        found = self._load(entry)
        if found is None:
            self.lost_entries.append(entry)
        return {record.key: record for record in found or ()}

    def is_lost(self, key: str) -> bool:
        """Whether a key's record may have been in a file that is lost."""
        entries = self.entries(self._selection.group(key))
        return bool(entries) and entries[shard_entries.entry_index(entries, key)] in self.lost_entries

    def newly_lost(self, known: Collection[ShardEntry]) -> tuple[ShardEntry, ...]:
        """The entries that were found to be lost, but for the known ones."""
        return tuple(entry for entry in self.lost_entries if entry not in known)

    def _evict(self, max_records: int) -> None:
        while len(self._records) > 1 and sum(self._weights.values()) > max_records:
            oldest, _ = self._records.popitem(last=False)
            del self._weights[oldest]

    def record(self, key: str) -> Record | None:
        """A key's record, if there is one."""
        entries = self.entries(self._selection.group(key))
        return self.records(entries[shard_entries.entry_index(entries, key)]).get(key) if entries else None


class OrderedRecords:
    """The records of a manifest for a walk over the keys in their order; a few shards are in memory at a time.

    A key is found in whichever group it was recorded, since the settings may have grouped it otherwise then.
    `lost_entries` are those whose records were needed and are lost.
    """

    def __init__(self, manifest: Manifest, load: Load) -> None:
        self._load = load
        self._groups = shard_entries.by_group(manifest.entries)
        self._loaded: OrderedDict[str, Mapping[str, Record]] = OrderedDict()
        self.lost_entries: list[ShardEntry] = []

    def is_lost(self, key: str) -> bool:
        """Whether a key's record may have been in a file that is lost; known once the key has been looked for."""
        at_key = (entries[shard_entries.entry_index(entries, key)] for entries in self._groups.values())
        return any(entry in self.lost_entries for entry in at_key)

    def record(self, key: str) -> Record | None:
        """A key's record, if there is one."""
        at_key = (entries[shard_entries.entry_index(entries, key)] for entries in self._groups.values())
        return next((record for entry in at_key if (record := self._records(entry).get(key))), None)

    def entry(self, key: str, group: str) -> ShardEntry | None:
        """The entry of a group whose range holds a key."""
        entries = self._groups.get(group)
        return entries[shard_entries.entry_index(entries, key)] if entries else None

    def between(self, start_after: str, through: str | None) -> Iterator[Record]:
        """The records of the keys after `start_after`, through `through` (None: to the end)."""
        for entries in self._groups.values():
            for entry in entries[shard_entries.entry_index(entries, start_after) :]:
                if through is not None and entry.first_key > through:
                    break
                for key, record in self._records(entry).items():
                    if key > start_after and (through is None or key <= through):
                        yield record

    def _records(self, entry: ShardEntry) -> Mapping[str, Record]:
        if entry.records_file not in self._loaded:
            found = self._load(entry)
            if found is None and entry not in self.lost_entries:
                self.lost_entries.append(entry)
            self._loaded[entry.records_file] = {record.key: record for record in found or ()}
            if len(self._loaded) > 2 * len(self._groups):
                self._loaded.popitem(last=False)
        self._loaded.move_to_end(entry.records_file)
        return self._loaded[entry.records_file]


def _weight(record: Record) -> int:
    return 1 + len(record.facts.head.alternates) + len(record.alternates)
