"""A folder as a store."""

import os
import tempfile
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path

from waypost.errors import StoreError


class Files:
    """The files directly in a folder, which the first write makes."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def names(self, stem: str = "") -> Iterable[str]:
        """The names that stand and begin with `stem`; none where there is no folder."""
        try:
            return sorted(
                entry.name for entry in os.scandir(self.folder) if entry.name.startswith(stem) and _is_file(entry)
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
            self.folder.mkdir(parents=True, exist_ok=True)
            mode = target.stat().st_mode & 0o777 if target.exists() else 0o666 & ~_umask()
            handle, temporary = tempfile.mkstemp(prefix=".waypost-", dir=self.folder)
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


def _is_file(entry: os.DirEntry[str]) -> bool:
    try:
        return entry.is_file()
    except OSError:  # a link that leads to itself
        return False


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask
