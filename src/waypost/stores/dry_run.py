"""A store over another, in which writing changes nothing but what is read afterwards: for a run that only tells."""

from collections.abc import Iterable, Sequence

from waypost.core.errors import ConflictError
from waypost.core.hashing import content_digest
from waypost.stores.base import NO_METADATA, ConditionalStore, FileInfo, ListedFile, PublishMetadata, StoredFile


class DryRunStore:
    """What is written stays in memory; None stands for a file that was removed."""

    def __init__(self, below: ConditionalStore) -> None:
        self._below, self.width = below, below.width
        self._files: dict[str, tuple[bytes, PublishMetadata] | None] = {}

    def names(self, stem: str = "") -> Iterable[str]:
        """The names that stand or would stand, and begin with `stem`."""
        names = {*self._below.names(stem), *(name for name in self._files if name.startswith(stem))}
        return sorted(name for name in names if self._files.get(name, True))

    def read(self, name: str) -> bytes | None:
        """A file's bytes as they would be, or None where it would not stand."""
        stored = self.get(name)
        return stored.content if stored else None

    def write(self, name: str, content: bytes) -> None:
        """Keep what a file would be."""
        self._files[name] = content, NO_METADATA

    def remove(self, name: str) -> None:
        """Keep that a file would be gone."""
        self._files[name] = None

    def get(self, name: str) -> StoredFile | None:
        """A file's bytes as they would be, with an ETag."""
        if name not in self._files:
            return self._below.get(name)
        found = self._files[name]
        return StoredFile(found[0], content_digest(found[0])) if found else None

    def head(self, name: str) -> FileInfo | None:
        """What could be told of a file without reading it."""
        if name not in self._files:
            return self._below.head(name)
        found = self._files[name]
        return FileInfo(content_digest(found[0]), found[1]) if found else None

    def put_if_match(self, name: str, content: bytes, etag: str | None, metadata: PublishMetadata = NO_METADATA) -> str:
        """Keep what a file that has this ETag would be."""
        self._expect(name, etag)
        self._files[name] = content, metadata
        return content_digest(content)

    def delete_if_match(self, name: str, etag: str) -> None:
        """Keep that a file that has this ETag would be gone."""
        self._expect(name, etag)
        self._files[name] = None

    def delete_many(self, names: Sequence[str]) -> None:
        """Keep that files would be gone."""
        self._files |= dict.fromkeys(names)

    def list_files(self, stem: str) -> Iterable[ListedFile]:
        """The files below; what only would stand has no age."""
        return self._below.list_files(stem)

    def _expect(self, name: str, etag: str | None) -> None:
        info = self.head(name)
        if (info.etag if info else None) != etag:
            raise ConflictError(f"{name} was changed by another run")
