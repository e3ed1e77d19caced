"""Where a site's items come from: the interface that every source has."""

from collections.abc import Callable, Iterator
from typing import Protocol

from waypost.model import Body, Item, Reason, Skipped


class Source(Protocol):
    """A site's files or objects, in any order; `width` is how many reads at once pay."""

    width: int

    def items(self, prunes: Callable[[str], Reason | None]) -> Iterator[Item | Skipped]:
        """Every item, and whatever can be none; a folder that `prunes` gives a reason for is not entered."""

    def read(self, item: Item, size: int | None = None) -> Body:
        """The item's first `size` bytes or so, or all of them; raises OSError."""

    def find(self, key: str) -> bytes | None:
        """A whole file by its key, or None where there is none; raises OSError."""
