"""Small files that runs keep for later ones, such as what a generator said before its sitemaps were replaced."""

from typing import TypeVar

import msgspec
from msgspec import Struct

from waypost.files.store import Store


class KeptFile(Struct, frozen=True, forbid_unknown_fields=True):
    """What is kept between runs: its format, and the version of that."""

    format: str
    version: int


_Kept = TypeVar("_Kept", bound=KeptFile)


def read_kept(kept: Store, name: str, empty: _Kept) -> _Kept:
    """What an earlier run kept under this name; `empty` if that cannot be read, or has another format or version."""
    try:
        found = msgspec.json.decode(kept.read(name) or b"", type=type(empty))
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError):
        return empty
    return found if (found.format, found.version) == (empty.format, empty.version) else empty


def keep_file(found: KeptFile, kept: Store, name: str) -> None:
    """Keep something for later runs; the same is not written again. Raises StoreError."""
    content = msgspec.json.encode(found, order="deterministic") + b"\n"
    if kept.read(name) != content:
        kept.write(name, content)
