"""A ledger's records while they are revised: loaded where they are asked for, and opened where they change."""

from collections import OrderedDict
from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

from msgspec import Struct

from waypost.core.model import Document, Page
from waypost.ledger import manifest as manifests
from waypost.ledger.manifest import Manifest, ShardEntry
from waypost.ledger.records import Record
from waypost.rules.selection import Selection

Load = Callable[[ShardEntry], Sequence[Record]]
"""The records of an entry, from wherever they are kept."""


class RecordCache:
    """The records of a manifest, each shard's loaded when it is first asked for.

    About `most` are held at a time, the last that were asked for; what a record says of other pages counts as well.
    """

    def __init__(self, manifest: Manifest, selection: Selection, load: Load, most: int | None = None) -> None:
        self._selection, self._load, self._most = selection, load, most
        self._entries = manifests.by_group(manifest.entries)
        self._records: OrderedDict[str, dict[str, Record]] = OrderedDict()
        self._weights: dict[str, int] = {}
        self.loaded_entries: list[ShardEntry] = []

    def entries(self, group: str) -> Sequence[ShardEntry]:
        """A group's entries in the order of their keys."""
        return self._entries.get(group, [])

    def records(self, entry: ShardEntry) -> Mapping[str, Record]:
        """An entry's records by their keys."""
        name = entry.records_file
        if name not in self._records:
            self._records[name] = {record.key: record for record in self._load(entry)}
            self.loaded_entries.append(entry)
            if self._most is not None:
                self._weights[name] = sum(map(_weight, self._records[name].values()))
                self._evict(self._most)
        self._records.move_to_end(name)
        return self._records[name]

    def _evict(self, most: int) -> None:
        while len(self._records) > 1 and sum(self._weights.values()) > most:
            oldest, _ = self._records.popitem(last=False)
            del self._weights[oldest]

    def record(self, key: str) -> Record | None:
        """A key's record, if there is one."""
        entries = self.entries(self._selection.group(key))
        return self.records(entries[manifests.entry_index(entries, key)]).get(key) if entries else None


def _weight(record: Record) -> int:
    return 1 + len(record.facts.head.alternates) + len(record.alternates)


class DirtySegment(Struct):
    """Neighbouring entries of a group that are made anew from their records: the keys from `begins` up to `ends`.

    `names` are the files that were published of them.
    """

    group: str
    records: dict[str, Record]
    first_key: str
    end_key: str | None
    published_names: Sequence[str]
    is_whole_group: bool

    def contains(self, key: str, group: str) -> bool:
        """Whether a key that is new belongs here."""
        return self.group == group and self.first_key <= key and (self.end_key is None or key < self.end_key)


class BuiltShard(NamedTuple):
    """An entry, and what was made for it anew: its records, its documents, and its pages that are news."""

    entry: ShardEntry
    data: bytes | None = None
    documents: Sequence[Document] = ()
    news: Sequence[Page] | None = None
