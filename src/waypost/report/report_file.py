"""Writes the file of a report, which replaces nothing but an earlier report."""

from pathlib import Path

from waypost.core import tree_files
from waypost.core.errors import StoreError
from waypost.files import FolderStore

_MARK = b'<meta name="generator" content="Waypost report">'


def check(target: Path) -> None:
    """Raise StoreError if the target exists and is not a report."""
    if not target.exists():
        return
    if not target.is_file():
        raise StoreError(f"{target} is not a file; name a file for the report")
    try:
        is_report = _MARK in tree_files.read_start(target, size=4_096)
    except OSError as error:
        raise StoreError(f"cannot write {target}: {error.strerror}") from error
    if not is_report:
        raise StoreError(f"{target} exists and is not a report; name another file")


def write(target: Path, page: bytes) -> None:
    """Write a report as a whole, or nothing; raises StoreError."""
    FolderStore(target.parent).write(target.name, page)
