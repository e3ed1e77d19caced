"""Stores, which keep the published files and the state: their interfaces, one for dry runs, and small kept files."""

from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple, Protocol, TypeVar

import msgspec
from msgspec import Struct

from waypost.core.errors import ConflictError
from waypost.core.hashing import content_digest


class StoredFile(Struct, frozen=True):
    """A file's bytes, and its ETag, which changes when they change."""

    content: bytes
    etag: str


NO_METADATA: Mapping[str, str] = {}
DIGEST = "waypost-digest"
"""The metadata that every published file has: the digest of its uncompressed bytes."""


class WriteHeaders(NamedTuple):
    """What every file of a store in a bucket is written with: its Cache-Control header and its canned ACL, if any."""

    cache_control: str = ""
    acl: str = ""


NO_HEADERS = WriteHeaders()


class FileInfo(Struct, frozen=True):
    """What a HEAD request says about a file: its ETag, and the metadata that it was written with."""

    etag: str
    metadata: Mapping[str, str] = NO_METADATA


class Store(Protocol):
    """Files with names; every method raises StoreError if the store fails.

    A write, or a removal, that had no answer raises UncertainError: it may have taken effect, or may still do so.
    """

    def names(self, name_prefix: str = "") -> Iterable[str]:
        """The names of the files that begin with `name_prefix`."""

    def read(self, name: str) -> bytes | None:
        """A file's bytes, or None if it does not exist."""

    def write(self, name: str, content: bytes) -> None:
        """Create or replace a file at once: readers see either the old bytes or the new ones."""

    def remove(self, name: str) -> None:
        """Remove a file; it need not exist."""


class ConditionalStore(Store, Protocol):
    """A store that can also replace or remove a file only if it has a certain ETag.

    If it does not, `put_if_match` and `delete_if_match` change nothing and raise ConflictError. `width` is how many
    requests to send at the same time.
    """

    width: int

    def read(self, name: str) -> bytes | None:
        """A file's bytes, or None if it does not exist."""
        stored = self.get(name)
        return stored.content if stored else None

    def get(self, name: str) -> StoredFile | None:
        """A file's bytes and ETag, or None if it does not exist."""

    def get_start(self, name: str, size: int) -> bytes | None:
        """The first `size` bytes of a file, or None if it does not exist."""
        content = self.read(name)
        return None if content is None else content[:size]

    def head(self, name: str) -> FileInfo | None:
        """A file's ETag and metadata, or None if it does not exist."""

    def put_if_match(
        self, name: str, content: bytes, etag: str | None, metadata: Mapping[str, str] = NO_METADATA
    ) -> str:
        """Replace the file if it has this ETag (None: if it does not exist); returns the new ETag."""

    def delete_if_match(self, name: str, etag: str) -> None:
        """Remove the file if it has this ETag."""

    def delete_many(self, names: Sequence[str]) -> None:
        """Remove files unconditionally; they need not exist."""
        for name in names:
            self.remove(name)

    def list_files(self, name_prefix: str) -> Iterable[str]:
        """The names that begin with `name_prefix`, a folder included; not the files in its subfolders."""


class DryRunStore(ConditionalStore):
    """A store for dry runs: it keeps changes in memory, and reads everything else from `base`."""

    def __init__(self, base: ConditionalStore) -> None:
        self._base, self.width = base, base.width
        self._changes: dict[str, tuple[bytes, Mapping[str, str]] | None] = {}  # None: removed

    def names(self, name_prefix: str = "") -> Iterable[str]:
        """The names of the files that begin with `name_prefix`."""
        names = {*self._base.names(name_prefix), *(name for name in self._changes if name.startswith(name_prefix))}
        return sorted(name for name in names if self._changes.get(name, True))

    def write(self, name: str, content: bytes) -> None:
        """Create or replace a file in memory."""
        self._changes[name] = content, NO_METADATA

    def remove(self, name: str) -> None:
        """Remove a file in memory."""
        self._changes[name] = None

    def get(self, name: str) -> StoredFile | None:
        """A file's bytes and ETag, or None if it does not exist."""
        if name not in self._changes:
            return self._base.get(name)
        change = self._changes[name]
        return StoredFile(change[0], content_digest(change[0])) if change else None

    def head(self, name: str) -> FileInfo | None:
        """A file's ETag and metadata, or None if it does not exist."""
        if name not in self._changes:
            return self._base.head(name)
        change = self._changes[name]
        return FileInfo(content_digest(change[0]), change[1]) if change else None

    def put_if_match(
        self, name: str, content: bytes, etag: str | None, metadata: Mapping[str, str] = NO_METADATA
    ) -> str:
        """Replace the file in memory if it has this ETag."""
        self._check_etag(name, etag)
        self._changes[name] = content, metadata
        return content_digest(content)

    def delete_if_match(self, name: str, etag: str) -> None:
        """Remove the file in memory if it has this ETag."""
        self._check_etag(name, etag)
        self._changes[name] = None

    def list_files(self, name_prefix: str) -> Iterable[str]:
        """The names of the base's files; those that only this store has are not included."""
        return self._base.list_files(name_prefix)

    def _check_etag(self, name: str, etag: str | None) -> None:
        info = self.head(name)
        if (info.etag if info else None) != etag:
            raise ConflictError(f"{name} was changed by another run")


class KeptFile(Struct, frozen=True, forbid_unknown_fields=True):
    """What is kept between runs: its format, and the version of that."""

    format: str
    version: int


_Kept = TypeVar("_Kept", bound=KeptFile)


def read_kept(store: Store, name: str, empty: _Kept) -> _Kept:
    """What an earlier run kept under this name; `empty` if that cannot be read, or has another format or version."""
    try:
        kept = msgspec.json.decode(store.read(name) or b"", type=type(empty))
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError):
        return empty
    return kept if (kept.format, kept.version) == (empty.format, empty.version) else empty


def keep_file(kept: KeptFile, store: Store, name: str) -> None:
    """Keep something for later runs; the same is not written again. Raises StoreError."""
    content = msgspec.json.encode(kept, order="deterministic") + b"\n"
    if store.read(name) != content:
        store.write(name, content)
