"""Lets threads read a source's items at the same time, but use what they have read one after another."""

from collections.abc import Callable, Iterator
from threading import Lock

from waypost.core.model import Body, Item, Skipped
from waypost.core.reasons import Reason
from waypost.files.source import Source


class OneAtATime:
    """A source, and a context manager that one thread at a time is in; while a thread reads, another may be.

    What a parser makes of a page takes up to 45 times its memory, and threads cannot parse at the same time anyway.
    """

    def __init__(self, source: Source) -> None:
        self._source, self._lock = source, Lock()
        self.width, self.has_etags = source.width, source.has_etags

    def __enter__(self) -> "OneAtATime":
        self._lock.acquire()
        return self

    def __exit__(self, *_: object) -> None:
        self._lock.release()

    def items(self, prunes: Callable[[str], Reason | None]) -> Iterator[Item | Skipped]:
        """The items of the source."""
        return self._source.items(prunes)

    def read(self, item: Item, size: int | None = None) -> Body:
        """Read an item, for which the thread leaves the context; raises OSError."""
        self._lock.release()
        try:
            return self._source.read(item, size)
        finally:
            self._lock.acquire()

    def find(self, key: str) -> bytes | None:
        """The content of a file."""
        return self._source.find(key)
