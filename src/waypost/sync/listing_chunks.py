"""Lists a bucket in chunks of keys, reduced to the objects that may be pages."""

from bisect import bisect_right
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import NamedTuple

from msgspec import Struct

from waypost.core.dates import format_unix_time
from waypost.core.model import Item, Skipped
from waypost.core.reasons import Reason
from waypost.ledger.manifest import Manifest
from waypost.ledger.record_cache import OrderedRecords
from waypost.ledger.records import Record
from waypost.sources.base import ObjectSource

_MAX_ITEMS = 25_000
_MAX_LISTED = 100_000
_MAX_BYTES = 1_000_000_000
"""A chunk ends after this number of possible pages, of objects, or of bytes that may have to be read."""
_MAX_SHARDS = 16
_CLOCK_DIFFERENCE = 5
"""Seconds by which the clocks of S3 and of this process may differ."""


class ListingChunk(Struct, frozen=True):
    """The objects after `start_after`, through `through` (None: to the end), that may be pages, in order.

    `objects_listed` counts all objects, `ignored` those that cannot be pages, by reason.
    """

    start_after: str
    through: str | None
    items: Sequence[Item]
    objects_listed: int
    ignored: Mapping[str, int]

    def holds(self, key: str) -> bool:
        """Whether a key is in the range of the chunk."""
        return key > self.start_after and (self.through is None or key <= self.through)


def iter_chunks(
    source: ObjectSource,
    manifest: Manifest,
    start_after: str,
    exclusion_reason: Callable[[str], Reason | None],
    through: str | None = None,
    max_items: int = _MAX_ITEMS,
) -> Iterator[ListingChunk]:
    """The bucket after a key, up to and including another, in chunks that follow one another without a gap."""
    split_points = sorted({entry.first_key for entry in manifest.entries if entry.first_key})
    items: list[Item] = []
    ignored: Counter[str] = Counter()
    listed, last = 0, start_after
    for listing_page in source.list_items(start_after, split_points, through):
        for found in listing_page:
            reason = found.reason if isinstance(found, Skipped) else exclusion_reason(found.key)
            if reason:
                ignored[str(reason)] += 1
            elif isinstance(found, Item):
                items.append(found)
        listed, last = listed + len(listing_page), listing_page[-1].key if listing_page else last
        size = sum(item.size for item in items)
        if len(items) >= max_items or listed >= _MAX_LISTED or size >= _MAX_BYTES:
            yield ListingChunk(start_after, last, items, listed, ignored)
            items, ignored, listed, start_after = [], Counter(), 0, last
    yield ListingChunk(start_after, through, items, listed, ignored)


def split_chunk(chunk: ListingChunk, manifest: Manifest, max_shards: int = _MAX_SHARDS) -> Iterator[ListingChunk]:
    """A chunk in parts of at most so many shards: where many objects are gone, a few span many shards."""
    first_keys = (entry.first_key for entry in manifest.entries if entry.first_key > chunk.start_after)
    inside = sorted({key for key in first_keys if chunk.through is None or key < chunk.through})
    items, start_after = chunk.items, chunk.start_after
    for through in (*inside[max_shards - 1 :: max_shards], chunk.through):
        end = len(items) if through is None else bisect_right(items, through, key=lambda item: item.key)
        yield ListingChunk(start_after, through, items[:end], 0, {})
        items, start_after = items[end:], through or start_after


class Comparison(NamedTuple):
    """The keys of a range in which a listing and the records differ.

    `changed` objects have other bytes than their records, `unverified` ones perhaps other metadata; `missing` ones are
    recorded and not listed. `unnamed` are recorded URLs without an object that no list names any more. The records of
    `dependent` keys name other files: alternates, or one with the same URL.
    """

    new: set[str]
    changed: set[str]
    unverified: set[str]
    missing: set[str]
    unnamed: set[str]
    dependent: set[str]


def compare_with_records(
    records: OrderedRecords,
    chunk: ListingChunk,
    listed_since: float | None = None,
    is_expired: Callable[[Record], bool] = lambda record: False,
) -> Comparison:
    """How a chunk differs from the records; without `listed_since` (see `Manifest`) nothing is unverified.

    Pages that must not be shown any more (`is_expired`) are unverified, too.
    """
    known = {record.key: record for record in records.between(chunk.start_after, chunk.through)}
    listed = {item.key: item for item in chunk.items}
    both = known.keys() & listed.keys()
    changed = {key for key in both if known[key].etag != listed[key].etag}
    unverified = {key for key in both - changed if not is_as_recorded(known[key], listed[key], listed_since)}
    unverified |= {key for key in both - changed if is_expired(known[key])}
    dependent = {key for key, record in known.items() if record.duplicate_of or record.alternates}
    gone = known.keys() - listed.keys()
    unnamed = {key for key in gone if known[key].facts.entry}
    return Comparison(listed.keys() - known.keys(), changed, unverified, gone - unnamed, unnamed, dependent)


def is_as_recorded(record: Record, item: Item, listed_since: float | None) -> bool:
    """Whether an object is the one that was recorded: the same bytes, and no upload that nobody may have looked at.

    An upload of the same bytes may have other metadata, such as a noindex. `listed_since` None means that this is not
    asked for.
    """
    if record.etag != item.etag or listed_since is None:
        return record.etag == item.etag
    is_new = item.modified > format_unix_time(max(0, int(listed_since) - _CLOCK_DIFFERENCE))
    return not is_new or item.modified == record.lastmod
