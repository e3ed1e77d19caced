"""Files of a bucket with the same URL: which of them is listed, and which files an update must look at for that."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import NamedTuple

from msgspec.structs import replace

from waypost.config.schema import Site
from waypost.ledger import shard_entries
from waypost.ledger.classify import PageClassifier
from waypost.ledger.manifest import ShardEntry
from waypost.ledger.record_cache import RecordCache
from waypost.ledger.record_changes import Edits
from waypost.ledger.records import Record
from waypost.rules import page_url


class MovedKeys(NamedTuple):
    """Keys that may become listed or unlisted, and keys that only change.

    `same_url` has, for each key that was created or removed or has another loc, the known keys of its family.
    """

    moving: set[str]
    unmoved: set[str]
    same_url: dict[str, list[str]]


class SameUrls:
    """What edits of one site's records change about files with the same URL."""

    def __init__(self, site: Site, classifier: PageClassifier) -> None:
        self._site, self._classifier, self._selection = site, classifier, classifier.selection
        self._reason = classifier.exclusion_reason

    def moved_keys(self, edits: Edits, cache: RecordCache) -> MovedKeys:
        """Only objects that are created or removed, or that have another loc, affect the keys with the same URL.

        An object that takes the key of a URL without one is created.
        """
        moving: set[str] = set()
        same_url: dict[str, list[str]] = {}
        for key, record in edits.items():
            before = cache.record(key)
            locs = {self._loc(before), self._loc(record)}
            if len(locs) > 1 or _is_entry(before) != _is_entry(record):
                names = set[str]().union(*(page_url.same_url_keys(key, loc, self._site) for loc in locs - {None}))
                known = (each for each in sorted(names) if each in edits or cache.record(each))
                same_url[key] = [each for each in known if each != key]
                moving |= {key, *same_url[key]}
            elif before and record and self._reason(before) != self._reason(record):
                moving.add(key)
        return MovedKeys(moving, set(edits.keys() - moving), same_url)

    def _loc(self, record: Record | None) -> str | None:
        return str(page_url.recorded_url(record.key, self._site, record.facts)) if record else None

    def resolved_duplicates(
        self, edits: Edits, same_url: Mapping[str, Sequence[str]], cache: RecordCache
    ) -> dict[str, Record]:
        """The records that change in the families of keys with new locs: another file with a URL is listed now."""
        resolved: dict[str, Record] = {}
        for key, others in same_url.items():
            if not others and (alone := edits.get(key)) and not alone.duplicate_of:
                continue  # no other file has its URL, which is how most are
            known = {each: edits[each] if each in edits else cache.record(each) for each in (key, *others)}
            present = {each: record for each, record in known.items() if record}
            locs = {each: str(self._loc(record)) for each, record in present.items()}
            entries = {each for each, record in present.items() if _is_entry(record)}
            duplicates = page_url.duplicates(locs, self._site, entries)
            for each, record in present.items():
                if record.duplicate_of != (duplicate_of := duplicates.get(each, "")):
                    resolved[each] = replace(record, duplicate_of=duplicate_of)
        return resolved

    def outdated_duplicates(self, keys: Iterable[str], edits: Edits, cache: RecordCache) -> dict[str, Record]:
        """The records of the families of these keys that are duplicates of other files now than they say, or of none.

        Nobody knows which files with the same URL were among lost records, and are gone.
        """
        families = {
            key: [each for each in page_url.same_url_keys(key, self._loc(cache.record(key)), self._site) if each != key]
            for key in keys
        }
        resolved = self.resolved_duplicates(edits, families, cache)
        return {key: record for key, record in resolved.items() if key not in edits}

    def files_of_moved_urls(self, edits: Edits, cache: RecordCache, entries: Iterable[ShardEntry]) -> frozenset[str]:
        """The files that URLs move into and out of, because another one of the keys with a URL is listed now."""
        old = self._keys_by_loc(edits, cache.record)
        new = self._keys_by_loc(edits, edits.get) if old else {}
        moved = [(old[loc], new[loc]) for loc in old.keys() & new.keys() if old[loc] != new[loc]]
        after = shard_entries.by_group(entries) if moved else {}
        names = set[str]()
        for old_key, new_key in moved:
            names |= self._files_of(old_key, cache.entries(self._selection.group(old_key)))
            names |= self._files_of(new_key, after.get(self._selection.group(new_key), ()))
        return frozenset(names)

    def _keys_by_loc(self, edits: Edits, record_of: Callable[[str], Record | None]) -> dict[str, str]:
        records = [record for key in edits if (record := record_of(key))]
        return {page.loc: page.key for record in records if (page := self._classifier.page(record))}

    @staticmethod
    def _files_of(key: str, entries: Sequence[ShardEntry]) -> set[str]:
        return {file.name for file in entries[shard_entries.entry_index(entries, key)].files} if entries else set()


def _is_entry(record: Record | None) -> bool:
    """Whether a record is that of a URL without an object."""
    return record is not None and record.facts.entry is not None
