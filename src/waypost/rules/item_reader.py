"""Reads the beginning of an item in growing steps, never of two uploads of the same object."""

import sys
from collections.abc import Callable
from typing import TypeVar

from msgspec.structs import replace

from waypost.core.model import Body, Item
from waypost.sources.base import ItemChangedError, Source

T = TypeVar("T")
_MAX_ATTEMPTS = 3


class ItemReader:
    """The first bytes of an item; more of them are read when they are needed.

    Each further read requires the ETag of the first, so all bytes are of one upload. Raises OSError, and
    ItemChangedError if the object was replaced since the first read.
    """

    def __init__(self, source: Source, item: Item, size: int | None) -> None:
        self._source, self._item = source, item
        self.first = self._longest = source.read(item, size)
        self._size = sys.maxsize if size is None else size

    def at_least(self, size: int) -> Body:
        """The item's first `size` bytes or more, or all of them if there are fewer."""
        if not self._longest.is_whole and self._size < size:
            same_upload = replace(self._item, required_etag=self.first.etag)
            self._longest, self._size = self._source.read(same_upload, size), size
        return self._longest


def read_unchanged(read: Callable[[], T]) -> T:
    """What `read` returns; it is called again if the object was replaced meanwhile.

    Raises OSError, and ItemChangedError if the object was replaced during each attempt.
    """
    for _ in range(_MAX_ATTEMPTS - 1):
        try:
            return read()
        except ItemChangedError:
            continue
    return read()
