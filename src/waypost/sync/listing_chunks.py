"""A listing of a bucket in ranges of keys, reduced to what may be pages."""

from bisect import bisect_right
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence

from msgspec import Struct

from waypost.core.model import Item, Skipped
from waypost.core.reasons import Reason
from waypost.ledger.manifest import Manifest
from waypost.ledger.record_cache import OrderedRecords
from waypost.sources.base import ObjectSource

_ITEMS = 25_000
_LISTED = 100_000
_BYTES = 1_000_000_000
"""A range ends after so many objects, pages or not, and after so much that may have to be read."""


class ListingChunk(Struct, frozen=True):
    """The objects behind `after` up to and with `upto` (None: no end) that may be pages, in order.

    `listed` counts all of them, `passed_over` those that are no pages by the reason.
    """

    start_after: str
    through: str | None
    items: Sequence[Item]
    objects_listed: int
    ignored: Mapping[str, int]


def iter_chunks(
    source: ObjectSource,
    manifest: Manifest,
    after: str,
    reason: Callable[[str], Reason | None],
    upto: str | None = None,
    most: int = _ITEMS,
) -> Iterator[ListingChunk]:
    """The bucket behind a key, up to and with another, in ranges that follow each other without a gap.

    A range ends after `most` possible pages or so.
    """
    cuts = sorted({entry.first_key for entry in manifest.entries if entry.first_key})
    items: list[Item] = []
    passed_over: Counter[str] = Counter()
    listed, last = 0, after
    for some in source.list_items(after, cuts, upto):
        for found in some:
            why = found.reason if isinstance(found, Skipped) else reason(found.key)
            if why:
                passed_over[str(why)] += 1
            elif isinstance(found, Item):
                items.append(found)
        listed, last = listed + len(some), some[-1].key if some else last
        size = sum(item.size for item in items)
        if len(items) >= most or listed >= _LISTED or size >= _BYTES:
            yield ListingChunk(after, last, items, listed, passed_over)
            items, passed_over, listed, after = [], Counter(), 0, last
    yield ListingChunk(after, upto, items, listed, passed_over)


def split_chunk(chunk: ListingChunk, manifest: Manifest, most: int = 16) -> Iterator[ListingChunk]:
    """A range in parts over so many shards at most: where much is gone, a few objects span the records of many."""
    inside = (entry.first_key for entry in manifest.entries if entry.first_key > chunk.start_after)
    cuts = sorted({begin for begin in inside if chunk.through is None or begin < chunk.through})[most - 1 :: most]
    items, after = chunk.items, chunk.start_after
    for upto in (*cuts, chunk.through):
        end = len(items) if upto is None else bisect_right(items, upto, key=lambda item: item.key)
        yield ListingChunk(after, upto, items[:end], 0, {})
        items, after = items[end:], upto or after


def compare_with_records(remembered: OrderedRecords, chunk: ListingChunk) -> tuple[set[str], set[str], set[str]]:
    """The keys of a range that are new, those whose ETag is another, and those that are gone."""
    known = {record.key: record.etag for record in remembered.between(chunk.start_after, chunk.through)}
    listed = {item.key: item.etag for item in chunk.items}
    changed = {key for key in known.keys() & listed.keys() if known[key] != listed[key]}
    return listed.keys() - known.keys(), changed, known.keys() - listed.keys()
