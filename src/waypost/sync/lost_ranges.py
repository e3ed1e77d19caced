"""Reads the ranges of keys again whose records are lost."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import pairwise

from waypost.build.object_reader import Snapshots, read_objects
from waypost.config.schema import Site
from waypost.core.errors import SourceError
from waypost.core.model import Item
from waypost.core.reasons import Reason
from waypost.core.retry import Retry
from waypost.ledger import shard_entries
from waypost.ledger.manifest import Manifest, ShardEntry
from waypost.sources.base import ObjectSource


def read_ranges(
    source: ObjectSource,
    site: Site,
    manifest: Manifest,
    entries: Sequence[ShardEntry],
    exclusion_reason: Callable[[str], Reason | None],
    group: Callable[[str], str],
    retry: Retry,
) -> tuple[Snapshots, Mapping[str, str]]:
    """What the objects in the ranges of these entries are now, and the errors of those that cannot be read, by key.

    Raises SourceError, and BusyError if the bucket throttles or times out: the pages would be missing otherwise.
    """
    ends = _range_ends(manifest)
    items = [
        item
        for entry in entries
        for item in _items(source, entry.first_key, ends[entry.records_file])
        if exclusion_reason(item.key) is None and group(item.key) == entry.group
    ]
    return read_objects(source, site, items, raise_when_busy=True, retry=retry)


def require_few(unreadable: Mapping[str, str], listed: int, max_removed: int) -> None:
    """Raise SourceError if more than `max_removed` percent of so many listed pages cannot be read, and would go.

    One object that cannot be read for good must not stop all runs. Where many cannot, the owner has to permit it.
    """
    if len(unreadable) * 100 > max_removed * listed:
        key, error = next(iter(unreadable.items()))
        count = f"{len(unreadable):,} objects whose records are lost cannot be read, so nothing was written"
        raise SourceError(f"{count}; the first is {key}: {error}")


def _items(source: ObjectSource, first_key: str, end_key: str | None) -> Iterator[Item]:
    """The objects from `first_key` up to `end_key`."""
    if first_key:
        yield Item(first_key, first_key)  # a listing begins after its key
    for some in source.list_items(first_key, (), end_key):
        yield from (each for each in some if isinstance(each, Item) and each.key != end_key)


def _range_ends(manifest: Manifest) -> dict[str, str | None]:
    """The first key after each entry's range, by its file of records."""
    return {
        entry.records_file: following.first_key if following else None
        for members in shard_entries.by_group(manifest.entries).values()
        for entry, following in pairwise((*members, None))
        if entry
    }
