"""The file in which a publication's changes wait until subscribers are notified: JSON with a format and a version."""

from pathlib import Path
from typing import Literal

import msgspec
from msgspec import Struct

from waypost.core import tree_files
from waypost.core.errors import AnnounceError
from waypost.notify.base import PublishResult

_VERSION = 1


class _Head(Struct, frozen=True):
    """What any version of the file begins with."""

    format: Literal["waypost-changes"]
    version: int


class _File(_Head, frozen=True):
    result: PublishResult


def dump(result: PublishResult) -> bytes:
    """A result as the file's bytes; raises UnicodeEncodeError for text that UTF-8 cannot encode."""
    return msgspec.json.encode(_File("waypost-changes", _VERSION, result)) + b"\n"


def load(data: bytes, where: str) -> PublishResult:
    """The result in a file; raises AnnounceError for another file, and for a newer version."""
    try:
        version = msgspec.json.decode(data, type=_Head).version
        if version > _VERSION:
            raise AnnounceError(f"{where} has the version {version}, which this release cannot read; update Waypost")
        return msgspec.json.decode(data, type=_File).result
    except msgspec.MsgspecError as error:
        raise AnnounceError(f"{where} is no file of changes that Waypost has written: {error}") from error


def write(file: Path, result: PublishResult) -> None:
    """Write a result to a file; raises AnnounceError."""
    try:
        tree_files.write(file, dump(result))
    except OSError as error:
        raise AnnounceError(f"the changes cannot be written to {file}: {error.strerror}") from error


def read(file: Path) -> PublishResult:
    """Read a result from a file; raises AnnounceError."""
    try:
        return load(tree_files.read(file), str(file))
    except OSError as error:
        raise AnnounceError(f"the changes cannot be read from {file}: {error.strerror}") from error
