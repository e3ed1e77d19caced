"""Where a site's items come from: the interface that every source has."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Protocol

from waypost.core.model import Body, Item, Skipped
from waypost.core.reasons import Reason


class Source(Protocol):
    """A site's files or objects, in any order; `width` is how many reads at once pay.

    Where items have ETags, those tell contents that are no text from each other, and they need not be read.
    """

    width: int
    has_etags: bool

    def items(self, prunes: Callable[[str], Reason | None]) -> Iterator[Item | Skipped]:
        """Every item, and whatever can be none; a folder that `prunes` gives a reason for is not entered."""

    def read(self, item: Item, size: int | None = None) -> Body:
        """The item's first `size` bytes or so, or all of them; raises OSError."""

    def find(self, key: str) -> bytes | None:
        """A whole file by its key, or None where there is none; raises OSError."""


class ObjectSource(Source, Protocol):
    """A source whose items are found by their keys and listed in the order of those."""

    def etags(self, keys: Iterable[str]) -> dict[str, str | None]:
        """The ETags of the objects that have these keys now, None where there is none; raises SourceError."""

    def list_items(
        self, after: str, cuts: Iterable[str], upto: str | None = None
    ) -> Iterator[Sequence[Item | Skipped]]:
        """The items behind a key, up to and with another, in order, some at a time.

        `cuts` are keys that part them about evenly.
        """

    def first_key_after(self, key: str) -> str | None:
        """The first key behind another, or None where there is none; raises SourceError."""

    def first_keys(self, after: str, upto: str | None, most: int = 1_000) -> tuple[Sequence[str], bool]:
        """The first keys behind one, up to and with another, as many as one request lists, and whether those are all.

        Raises SourceError.
        """
