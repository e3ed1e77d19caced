"""Where outputs and what is remembered are kept: the interfaces that stores have."""

from collections.abc import Iterable, Sequence
from typing import Protocol

from msgspec import Struct


class StoredFile(Struct, frozen=True):
    """A file's bytes, and the ETag that changes whenever they do."""

    content: bytes
    etag: str


class PublishMetadata(Struct, frozen=True):
    """What goes with a published file: the digest of its uncompressed bytes, and the generation that wrote it."""

    digest: str = ""
    generation: int = 0


NO_METADATA = PublishMetadata()


class FileInfo(Struct, frozen=True):
    """What can be told of a file without reading it."""

    etag: str
    metadata: PublishMetadata = NO_METADATA


class ListedFile(Struct, frozen=True):
    """A file in a list: its name, and when it was written, in Unix seconds."""

    name: str
    modified: float


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


class ConditionalStore(Store, Protocol):
    """A store that also replaces a file on condition: only while it still is what was seen of it.

    `swap` and `drop` raise ConflictError where it is not, and nothing has changed. `width` is how many requests
    at once pay.
    """

    width: int

    def get(self, name: str) -> StoredFile | None:
        """A file's bytes with their ETag, or None where it does not stand."""

    def head(self, name: str) -> FileInfo | None:
        """What can be told of a file without reading it, or None where it does not stand."""

    def put_if_match(self, name: str, content: bytes, etag: str | None, metadata: PublishMetadata = NO_METADATA) -> str:
        """Replace the file that has this ETag (None: that does not stand yet); returns the new one."""

    def delete_if_match(self, name: str, etag: str) -> None:
        """Remove the file that has this ETag."""

    def delete_many(self, names: Sequence[str]) -> None:
        """Remove files, whatever they are; those that do not stand are removed already."""

    def list_files(self, stem: str) -> Iterable[ListedFile]:
        """The files whose names begin with `stem`, a folder's with its `/`, and when each was written."""
