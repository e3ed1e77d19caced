"""Where outputs are kept: the interface that every store has."""

from collections.abc import Iterable
from typing import Protocol


class Store(Protocol):
    """A flat set of named files; every method raises StoreError where the store fails."""

    def names(self, stem: str = "") -> Iterable[str]:
        """The names that stand and begin with `stem`."""

    def read(self, name: str) -> bytes | None:
        """A file's bytes, or None where it does not stand."""

    def write(self, name: str, content: bytes) -> None:
        """Replace a file whole: a reader sees the old bytes or the new ones."""

    def remove(self, name: str) -> None:
        """Remove a file; one that does not stand is removed already."""
