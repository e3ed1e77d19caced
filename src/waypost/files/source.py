"""The interfaces of sources: where a site's files or objects come from."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Protocol

from waypost.core.model import Body, Item, Skipped
from waypost.core.reasons import Reason


class ItemChangedError(OSError):
    """The object no longer has the ETag that a read requires."""


class Source(Protocol):
    """A site's files or objects.

    `width` is how many reads to run at the same time. If `has_etags`, an item's ETag identifies its content, so items
    that are not text need not be read.
    """

    width: int
    has_etags: bool

    def items(self, prunes: Callable[[str], Reason | None]) -> Iterator[Item | Skipped]:
        """All items, and what is excluded, in any order; a folder for which `prunes` gives a reason is not entered."""

    def read(self, item: Item, size: int | None = None) -> Body:
        """The item's first `size` bytes or a few more, or all of them; raises OSError.

        Raises ItemChangedError if the item has a `required_etag`, and the object has another one.
        """

    def find(self, key: str) -> bytes | None:
        """The content of a file, or None if there is none; raises OSError."""


class ObjectSource(Source, Protocol):
    """A source whose items are listed in the order of their keys."""

    def etags(self, keys: Iterable[str]) -> dict[str, str | None]:
        """The current ETags of the objects with these keys, None for one that does not exist; raises SourceError."""

    def list_items(
        self, start_after: str, split_points: Iterable[str], through: str | None = None
    ) -> Iterator[Sequence[Item | Skipped]]:
        """The items after one key, up to and including another, in order and in chunks.

        `split_points` are keys that divide them into parts of about the same size.
        """

    def first_key_after(self, key: str) -> str | None:
        """The first key after another, or None if there is none; raises SourceError."""
