"""The file that a report is written to: never over anything else."""

from pathlib import Path

from waypost.core.errors import StoreError

_MARK = b'<meta name="generator" content="Waypost report">'


def check(target: Path) -> None:
    """Raise StoreError where a report would be written over what is none."""
    if not target.exists():
        return
    if not target.is_file():
        raise StoreError(f"{target} is no file; name one for the report")
    try:
        with target.open("rb") as file:
            is_report = _MARK in file.read(4_096)
    except OSError as error:
        raise StoreError(f"cannot write {target}: {error.strerror}") from error
    if not is_report:
        raise StoreError(f"{target} is there and is no report; name another file")


def write(target: Path, page: bytes) -> None:
    """Write a report; raises StoreError."""
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(page)
    except OSError as error:
        raise StoreError(f"cannot write the report {target}: {error.strerror}") from error
