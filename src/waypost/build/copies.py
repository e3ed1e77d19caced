"""Finds pages that are byte-identical copies of one another."""

from collections import defaultdict
from collections.abc import Iterable, Mapping
from typing import NamedTuple

from waypost.core.hashing import content_digest
from waypost.core.model import Item
from waypost.sources.base import Source


class Readable(NamedTuple):
    """A page that may be a copy: its item, and a checksum that is equal for equal first bytes."""

    item: Item
    checksum: int


def find_copies(pages: Iterable[Readable], source: Source) -> Mapping[str, str]:
    """Each copy by its key, with the key of the page that comes first; only pages with one checksum are read.

    The first is the one in the folder nearest to the root, an index file before others, then in the order of keys. A
    page that cannot be read is no copy.
    """
    candidates: dict[int, list[Item]] = defaultdict(list)
    for page in pages:
        candidates[page.checksum].append(page.item)
    found: dict[str, str] = {}
    for items in candidates.values():
        if len(items) > 1:
            found |= _copies_among(items, source)
    return found


def _rank(item: Item) -> tuple[int, bool, str]:
    return item.key.count("/"), not item.key.rpartition("/")[2].startswith("index."), item.key


def _copies_among(items: Iterable[Item], source: Source) -> dict[str, str]:
    first: dict[str, str] = {}
    found: dict[str, str] = {}
    for item in sorted(items, key=_rank):
        try:
            digest = content_digest(source.read(item).data)
        except OSError:
            continue
        if first.setdefault(digest, item.key) != item.key:
            found[item.key] = first[digest]
    return found
