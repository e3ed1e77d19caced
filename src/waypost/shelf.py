"""A ledger's records while they are revised: loaded where they are asked for, and opened where they change."""

from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

from msgspec import Struct

from waypost import manifest as manifests
from waypost.manifest import Entry, Manifest
from waypost.model import Document, Page
from waypost.records import Record
from waypost.rules.select import Selection

Load = Callable[[Entry], Sequence[Record]]
"""The records of an entry, from wherever they are kept."""


class Shelf:
    """The records of a manifest, each shard's loaded when it is first asked for; `most` are held at a time."""

    def __init__(self, manifest: Manifest, selection: Selection, load: Load, most: int | None = None) -> None:
        self._selection, self._load, self._most = selection, load, most
        self._entries = manifests.by_group(manifest.entries)
        self._records: dict[str, dict[str, Record]] = {}
        self.opened: list[Entry] = []

    def entries(self, group: str) -> Sequence[Entry]:
        """A group's entries in the order of their keys."""
        return self._entries.get(group, [])

    def records(self, entry: Entry) -> Mapping[str, Record]:
        """An entry's records by their keys."""
        if entry.records not in self._records:
            if self._most is not None and len(self._records) >= self._most:
                del self._records[next(iter(self._records))]
            self._records[entry.records] = {record.key: record for record in self._load(entry)}
            self.opened.append(entry)
        return self._records[entry.records]

    def record(self, key: str) -> Record | None:
        """A key's record, if there is one."""
        entries = self.entries(self._selection.group(key))
        return self.records(entries[manifests.at(entries, key)]).get(key) if entries else None


class Opened(Struct):
    """Neighbouring entries of a group that are made anew from their records: the keys from `begins` up to `ends`.

    `names` are the files that were published of them.
    """

    group: str
    records: dict[str, Record]
    begins: str
    ends: str | None
    names: Sequence[str]
    is_whole: bool

    def takes(self, key: str, group: str) -> bool:
        """Whether a key that is new belongs here."""
        return self.group == group and self.begins <= key and (self.ends is None or key < self.ends)


class Made(NamedTuple):
    """An entry, and what was made for it anew: its records, its documents, and its pages that are news."""

    entry: Entry
    data: bytes | None = None
    documents: Sequence[Document] = ()
    news: Sequence[Page] | None = None
