"""Divides keys into portions that an update reads and commits together: whole segments, as many as fit in memory.

Each file of records is then read and written in one portion only.
"""

from bisect import bisect_right
from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence

from waypost.ledger.manifest import Manifest
from waypost.sitemaps.sharding import begins_segment

_MAX_KEYS, MAX_SEGMENTS = 25_000, 16
"""How many keys, and segments that hold them, a portion has at most."""


def in_order(keys: Iterable[str], group: Callable[[str], str], after: str | None = None) -> list[str]:
    """Keys in the order in which portions are taken from them, by group and key; perhaps only those `after` one."""

    def position(key: str) -> tuple[str, str]:
        return group(key), key

    last = None if after is None else position(after)
    return sorted((key for key in keys if last is None or position(key) > last), key=position)


def first_portion(keys: Sequence[str], manifest: Manifest, group: Callable[[str], str], max_urls: int) -> Sequence[str]:
    """The first portion of some keys in order; `max_urls` is how many URLs a sitemap may have."""
    starts: dict[str, list[str]] = defaultdict(list)
    for entry in manifest.entries:
        if begins_segment(entry.first_key, max_urls):
            starts[entry.group].append(entry.first_key)
    found: set[tuple[str, int]] = set()
    for n, key in enumerate(keys[:_MAX_KEYS]):
        found.add((group(key), bisect_right(starts[group(key)], key)))
        if len(found) > MAX_SEGMENTS:
            return keys[:n]
    return keys[:_MAX_KEYS]
