"""The records of a manifest as a walk over the keys in their order meets them, a few shards in memory at a time."""

from collections import OrderedDict
from collections.abc import Callable, Iterator, Mapping, Sequence

from waypost.ledger import manifest as manifests
from waypost.ledger.manifest import Manifest, ShardEntry
from waypost.ledger.records import Record


class OrderedRecords:
    """Records by key, wherever groups had them: groups may have been others when they were written."""

    def __init__(self, manifest: Manifest, load: Callable[[ShardEntry], Sequence[Record]]) -> None:
        self._load = load
        self._groups = manifests.by_group(manifest.entries)
        self._loaded: OrderedDict[str, Mapping[str, Record]] = OrderedDict()

    def record(self, key: str) -> Record | None:
        """A key's record, if there is one."""
        at_key = (entries[manifests.entry_index(entries, key)] for entries in self._groups.values())
        return next((record for entry in at_key if (record := self._records(entry).get(key))), None)

    def entry(self, key: str, group: str) -> ShardEntry | None:
        """The shard of a group that is responsible for a key."""
        entries = self._groups.get(group)
        return entries[manifests.entry_index(entries, key)] if entries else None

    def between(self, after: str, upto: str | None) -> Iterator[Record]:
        """The records of the keys behind `after`, up to and with `upto` (None: no end)."""
        for entries in self._groups.values():
            first = manifests.entry_index(entries, after)
            for entry in entries[first:]:
                if upto is not None and entry.first_key > upto:
                    break
                for key, record in self._records(entry).items():
                    if key > after and (upto is None or key <= upto):
                        yield record

    def _records(self, entry: ShardEntry) -> Mapping[str, Record]:
        if entry.records_file not in self._loaded:
            self._loaded[entry.records_file] = {record.key: record for record in self._load(entry)}
            if len(self._loaded) > 2 * len(self._groups):
                self._loaded.popitem(last=False)
        self._loaded.move_to_end(entry.records_file)
        return self._loaded[entry.records_file]
