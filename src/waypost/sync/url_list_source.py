"""A bucket's objects together with the URLs without an object that a ledger remembers: both have keys and ETags."""

from bisect import bisect_right
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from heapq import merge
from operator import attrgetter

import msgspec
from msgspec.structs import replace

from waypost.config.schema import Site
from waypost.core import reasons
from waypost.core.hashing import short_digest
from waypost.core.model import Body, Item, Skipped, UrlEntry
from waypost.core.reasons import Reason
from waypost.ledger.url_list import UrlList
from waypost.rules.page_url import entry_key
from waypost.rules.url_entries import EntryChoice
from waypost.sources.base import FolderListing, ObjectSource

_BY_KEY = attrgetter("key")
_LONGEST_KEY = 1_024
"""Bytes of a key that a listing of S3 may begin after."""


class UrlListSource:
    """The objects of `source`, and `entries` by their keys; an object that may be a page comes before an entry.

    `may_be_page` says whether an object with a key may be a page.
    """

    def __init__(self, source: ObjectSource, may_be_page: Callable[[str], bool]) -> None:
        self._source, self._may_be_page = source, may_be_page
        self.width, self.has_etags = source.width, source.has_etags
        self.entries = {}

    @property
    def entries(self) -> Mapping[str, UrlEntry]:
        """The URLs without an object, by their keys."""
        return self._entries

    @entries.setter
    def entries(self, entries: Mapping[str, UrlEntry]) -> None:
        self._entries, self._without_object = entries, set[str]()

    def items(self, prunes: Callable[[str], Reason | None]) -> Iterator[Item | Skipped]:
        """All objects."""
        return self._source.items(prunes)

    def list_items(
        self, start_after: str, split_points: Iterable[str], through: str | None = None
    ) -> Iterator[Sequence[Item | Skipped]]:
        """The objects and entries after one key, up to and including another, in order and in chunks."""
        chunks = self._source.list_items(start_after, split_points, through)
        if not self.entries:
            yield from chunks
            return
        listed, start = self._items(start_after, through), 0
        for chunk in chunks:
            stop = bisect_right(listed, chunk[-1].key, start, key=_BY_KEY) if chunk else start
            yield list(self._merged(chunk, listed[start:stop]))
            start = stop
        yield list(self._merged((), listed[start:]))

    def _merged(self, objects: Sequence[Item | Skipped], entries: Sequence[Item]) -> Iterator[Item | Skipped]:
        """Both in order; of an object and an entry with one key, the one that counts.

        What has just been listed without an object need not be looked for when it is read.
        """
        pages = {each.key for each in objects if each.key in self.entries and self._may_be_page(each.key)}
        self._without_object.update(each.key for each in entries if each.key not in pages)
        counting = (each for each in objects if each.key not in self.entries or each.key in pages)
        return merge(counting, (each for each in entries if each.key not in pages), key=_BY_KEY)

    def _items(self, start_after: str, through: str | None) -> list[Item]:
        keys = sorted(key for key in self.entries if key > start_after and (through is None or key <= through))
        return [Item(key, key, 0, entry_etag(self.entries[key])) for key in keys]

    def read(self, item: Item, size: int | None = None) -> Body:
        """An object's bytes, or an entry; raises OSError."""
        entry = self.entries.get(item.key)
        if entry is None:
            return self._source.read(item, size)
        if self._may_be_page(item.key) and item.key not in self._without_object:
            try:
                return self._source.read(item, size)
            except FileNotFoundError:
                pass
        return Body(b"", etag=entry_etag(entry), entry=_without_place(entry))

    def etags(self, keys: Iterable[str]) -> dict[str, str | None]:
        """The ETags of these objects and entries, None where there is neither; raises SourceError."""
        keys = list(keys)
        listed = {key: entry_etag(self.entries[key]) for key in keys if key in self.entries}
        objects = self._source.etags([key for key in keys if key not in listed or self._may_be_page(key)])
        return {key: objects.get(key) or listed.get(key) for key in keys}

    def find(self, key: str) -> bytes | None:
        """The content of an object; raises OSError."""
        return self._source.find(key)

    def list_folder(self, folder: str, limit: int = 1_000) -> FolderListing:
        """The first objects and folders in a folder; raises SourceError."""
        return self._source.list_folder(folder, limit)

    def first_key_after(self, key: str) -> str | None:
        """The first key of an object after another; raises SourceError."""
        return self._source.first_key_after(key)

    def first_keys(self, start_after: str, through: str | None, limit: int = 1_000) -> tuple[Sequence[str], bool]:
        """The first keys of objects after one, up to and including another; raises SourceError."""
        return self._source.first_keys(start_after, through, limit)


def entries_by_key(urls: UrlList, site: Site) -> tuple[Mapping[str, UrlEntry], Mapping[str, int]]:
    """The URLs that a site lists unless it has files for them, by their keys; the others are counted by reason."""
    entries: dict[str, UrlEntry] = {}
    choice, ignored = EntryChoice(site), Counter[str]()
    for entry in (entry for source in urls.sources for entry in source.entries):
        skipped, key = choice.skipped(entry), entry_key(entry.loc, site)
        if skipped or key in entries:
            ignored[str(skipped.reason if skipped else reasons.LISTED_TWICE)] += 1
        elif len(key.encode()) > _LONGEST_KEY:
            ignored[str(reasons.LOC_TOO_LONG)] += 1
        else:
            entries[key] = entry
    return entries, dict(sorted(ignored.items()))


def entry_etag(entry: UrlEntry) -> str:
    """The ETag of a URL without an object: a digest of what its list says of it."""
    return short_digest(msgspec.json.encode(_without_place(entry)))


def _without_place(entry: UrlEntry) -> UrlEntry:
    """The entry without its place in a list, which changes with others."""
    return replace(entry, where="", line=0)
