"""A folder as a store."""

import os
import tempfile
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path

from waypost.core.errors import ConflictError, StoreError
from waypost.core.gzip import decompress_if_gzip
from waypost.core.hashing import content_digest
from waypost.stores.base import NO_METADATA, FileInfo, ListedFile, PublishMetadata, StoredFile

_OWN = ".waypost-"
"""What the names of files begin with that are the store's own: a lock, and files that are not whole yet."""
_LOCK = f"{_OWN}lock"


class FolderStore:
    """The files directly in a folder, which the first write makes."""

    width = 1

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def names(self, stem: str = "") -> Iterable[str]:
        """The names that stand and begin with `stem`; none where there is no folder."""
        try:
            return sorted(
                entry.name
                for entry in os.scandir(self.folder)
                if entry.name.startswith(stem) and not entry.name.startswith(_OWN) and _is_file(entry)
            )
        except FileNotFoundError:
            return []
        except OSError as error:
            raise StoreError(f"cannot list {self.folder}: {error.strerror}") from error

    def read(self, name: str) -> bytes | None:
        """A file's bytes, or None where it does not stand."""
        try:
            return (self.folder / name).read_bytes()
        except FileNotFoundError:
            return None
        except OSError as error:
            raise StoreError(f"cannot read {self.folder / name}: {error.strerror}") from error

    def write(self, name: str, content: bytes) -> None:
        """Replace a file by renaming a new one over it; its permissions stay."""
        target = self.folder / name
        try:
            target.parent.mkdir(parents=True, exist_ok=True)
            mode = target.stat().st_mode & 0o777 if target.exists() else 0o666 & ~_umask()
            handle, temporary = tempfile.mkstemp(prefix=_OWN, dir=target.parent)
            try:
                with os.fdopen(handle, "wb") as file:
                    file.write(content)
                Path(temporary).chmod(mode)
                Path(temporary).replace(target)
            except BaseException:
                with suppress(OSError):
                    Path(temporary).unlink()
                raise
        except OSError as error:
            raise StoreError(f"cannot write {target}: {error.strerror}") from error

    def remove(self, name: str) -> None:
        """Remove a file; one that does not stand is removed already."""
        try:
            (self.folder / name).unlink(missing_ok=True)
        except OSError as error:
            raise StoreError(f"cannot remove {self.folder / name}: {error.strerror}") from error

    def get(self, name: str) -> StoredFile | None:
        """A file's bytes, whose digest is their ETag, or None where it does not stand."""
        content = self.read(name)
        return None if content is None else StoredFile(content, content_digest(content))

    def head(self, name: str) -> FileInfo | None:
        """The digests of a file, as it is and uncompressed, or None where it does not stand."""
        content = self.read(name)
        return (
            None
            if content is None
            else FileInfo(content_digest(content), PublishMetadata(content_digest(decompress_if_gzip(name, content))))
        )

    def put_if_match(self, name: str, content: bytes, etag: str | None, metadata: PublishMetadata = NO_METADATA) -> str:
        """Replace a file that has this ETag (None: that does not stand yet); a file has no room for the stamp."""
        del metadata
        with self._locked():
            self._expect(name, etag)
            self.write(name, content)
        return content_digest(content)

    def delete_if_match(self, name: str, etag: str) -> None:
        """Remove a file that has this ETag."""
        with self._locked():
            self._expect(name, etag)
            self.remove(name)

    def delete_many(self, names: Sequence[str]) -> None:
        """Remove files; those that do not stand are removed already."""
        for name in names:
            self.remove(name)

    def list_files(self, stem: str) -> Iterable[ListedFile]:
        """The files whose names begin with `stem`, a folder's with its `/`, and when each was written."""
        folder, _, start = stem.rpartition("/")
        for name in FolderStore(self.folder / folder).names(start):
            path = Path(folder) / name
            with suppress(FileNotFoundError):
                yield ListedFile(path.as_posix(), (self.folder / path).stat().st_mtime)

    def _expect(self, name: str, etag: str | None) -> None:
        stored = self.get(name)
        if (stored.etag if stored else None) != etag:
            raise ConflictError(f"{self.folder / name} was changed by another run")

    @contextmanager
    def _locked(self) -> Iterator[None]:
        """Alone among all writers of this folder on this machine; the lock goes with the process that holds it."""
        try:
            import fcntl  # a folder's sitemaps are written on Windows too, where there is none
        except ImportError as error:
            raise StoreError("a ledger in a folder needs a system with flock(2); keep it in a bucket") from error
        try:
            self.folder.mkdir(parents=True, exist_ok=True)
            handle = os.open(self.folder / _LOCK, os.O_RDWR | os.O_CREAT, 0o666)
        except OSError as error:
            raise StoreError(f"cannot lock {self.folder}: {error.strerror}") from error
        try:
            fcntl.flock(handle, fcntl.LOCK_EX)
            yield
        finally:
            os.close(handle)


def _is_file(entry: os.DirEntry[str]) -> bool:
    try:
        return entry.is_file()
    except OSError:  # a link that leads to itself
        return False


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask
