"""Divides keys into portions that an update reads and commits together: whole segments, as many as fit in memory.

Each file of records is then read and written in one portion only.
"""

from bisect import bisect_right
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence

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


def portions(
    keys: Iterable[str], manifest: Manifest, group: Callable[[str], str], max_urls: int
) -> Iterator[Sequence[str]]:
    """Keys, which are in order, in portions; `max_urls` is how many URLs a sitemap may have."""
    starts: dict[str, list[str]] = defaultdict(list)
    for entry in manifest.entries:
        if begins_segment(entry.first_key, max_urls):
            starts[entry.group].append(entry.first_key)
    portion: list[str] = []
    segments: set[tuple[str, int]] = set()
    for key in keys:
        segment = group(key), bisect_right(starts[group(key)], key)
        if len(portion) == _MAX_KEYS or len(segments | {segment}) > MAX_SEGMENTS:
            yield portion
            portion, segments = [], set()
        portion.append(key)
        segments.add(segment)
    if portion:
        yield portion
