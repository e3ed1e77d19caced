"""A store for dry runs: it keeps changes in memory, and reads everything else from another store."""

from collections.abc import Iterable, Mapping

from waypost.core.errors import ConflictError
from waypost.core.hashing import content_digest
from waypost.files.store import NO_METADATA, ConditionalStore, FileInfo, StoredFile


class DryRunStore(ConditionalStore):
    """Reads from `base`, except for files that were written to this store or removed from it."""

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
