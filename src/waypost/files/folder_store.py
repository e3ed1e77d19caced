"""Stores files in a folder."""

import os
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path

from waypost.core import tree_files
from waypost.core.errors import ConflictError, StoreError
from waypost.core.gzip import decompress_if_gzip
from waypost.core.hashing import content_digest
from waypost.files.store import DIGEST, NO_METADATA, ConditionalStore, FileInfo, StoredFile

_LOCK = f"{tree_files.PREFIX}lock"


class FolderStore(ConditionalStore):
    """The files directly in a folder, which the first write creates; none is read that has more than `most` bytes.

    No link leads out of `root`, by default the folder.
    """

    width = 1

    def __init__(self, folder: Path, most: int = tree_files.MOST_BYTES, root: Path | None = None) -> None:
        self.folder, self._most, self._root = folder, most, root or folder
        self._is_tidy = False

    def names(self, name_prefix: str = "") -> Iterable[str]:
        """The names of the files that begin with `name_prefix`; none if there is no folder."""
        with _store_errors(f"list {self.folder}"), suppress(FileNotFoundError):
            return sorted(
                entry.name
                for entry in os.scandir(self.folder)
                if entry.name.startswith(name_prefix)
                and not entry.name.startswith(tree_files.PREFIX)
                and tree_files.is_file(self.folder / entry.name, self._root)
            )
        return []

    def read(self, name: str) -> bytes | None:
        """A file's bytes, or None if it does not exist."""
        with _store_errors(f"read {self.folder / name}"), suppress(FileNotFoundError):
            return tree_files.read(self.folder / name, self._root, most=self._most)
        return None

    def write(self, name: str, content: bytes) -> None:
        """Create or replace a file by renaming a temporary file; an existing file keeps its permissions.

        What runs before have left of such files, because they were killed, is removed.
        """
        with _store_errors(f"write {self.folder / name}"):
            if not self._is_tidy:
                tree_files.remove_abandoned(self.folder)
                self._is_tidy = True
            tree_files.write(self.folder / name, content, self._root)

    def remove(self, name: str) -> None:
        """Remove a file; it need not exist."""
        path = self.folder / name
        with _store_errors(f"remove {path}"):
            (tree_files.real_path(path.parent, self._root) / path.name).unlink(missing_ok=True)

    def get(self, name: str) -> StoredFile | None:
        """A file's bytes, with their digest as the ETag, or None if it does not exist."""
        content = self.read(name)
        return None if content is None else StoredFile(content, content_digest(content))

    def head(self, name: str) -> FileInfo | None:
        """The digest of a file as its ETag, and the digest of its uncompressed bytes; None if it does not exist."""
        content = self.read(name)
        if content is None:
            return None
        return FileInfo(content_digest(content), {DIGEST: content_digest(decompress_if_gzip(name, content))})

    def put_if_match(
        self, name: str, content: bytes, etag: str | None, metadata: Mapping[str, str] = NO_METADATA
    ) -> str:
        """Replace the file if it has this ETag (None: if it does not exist); a file cannot keep the metadata."""
        del metadata
        with self._locked():
            self._check_etag(name, etag)
            self.write(name, content)
        return content_digest(content)

    def delete_if_match(self, name: str, etag: str) -> None:
        """Remove the file if it has this ETag."""
        with self._locked():
            self._check_etag(name, etag)
            self.remove(name)

    def list_files(self, name_prefix: str) -> Iterable[str]:
        """The names that begin with `name_prefix`, a folder included; not the files in its subfolders."""
        folder, _, start = name_prefix.rpartition("/")
        return [(Path(folder) / name).as_posix() for name in FolderStore(self.folder / folder).names(start)]

    def _check_etag(self, name: str, etag: str | None) -> None:
        stored = self.get(name)
        if (stored.etag if stored else None) != etag:
            raise ConflictError(f"{self.folder / name} was changed by another run")

    @contextmanager
    def _locked(self) -> Iterator[None]:
        """Lock the folder for other processes on this machine; the lock ends with this process at the latest."""
        try:
            import fcntl  # Windows has no such module, but can write sitemaps to a folder
        except ImportError as error:
            raise StoreError(
                "this system has no flock(2), which a state in a folder needs; keep the state in a bucket"
            ) from error
        with _store_errors(f"lock {self.folder}"):
            self.folder.mkdir(parents=True, exist_ok=True)
            handle = os.open(self.folder / _LOCK, os.O_RDWR | os.O_CREAT, 0o666)
        try:
            fcntl.flock(handle, fcntl.LOCK_EX)
            yield
        finally:
            os.close(handle)


@contextmanager
def _store_errors(doing: str) -> Iterator[None]:
    """Turn an error of the file system into a StoreError."""
    try:
        yield
    except OSError as error:
        raise StoreError(f"cannot {doing}: {error.strerror}") from error
