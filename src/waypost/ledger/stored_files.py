"""What each file of the ledger begins with: its format and its version decide whether it can be read.

The files hold the ledger's own types, the largest as columns. Once a release has written a type, its fields are never
renamed, retyped or given another meaning: the types as they were are then copied into a module of that version, with a
reader that returns the current ones, and a golden ledger. A field that is not declared is an error, and nothing is ever
decoded into defaults.
"""

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple, TypeVar

import msgspec

from waypost.core.errors import LedgerError, NewerVersionError, UnreleasedFormatError
from waypost.ledger.packed_json import unpack

VERSION = 1
MANIFEST_FORMAT = "waypost-ledger/manifest"
RECORDS_FORMAT = "waypost-ledger/records"
URL_LIST_FORMAT = "waypost-ledger/url-list"
REBUILD_ADVICE = "a rebuild writes it again; until then the published files are left unchanged"
_UNRELEASED = ("waypost-manifest", "waypost-records", "waypost/manifest", "waypost/records")
"""The formats of development versions, which are refused."""
_DAMAGE = (msgspec.MsgspecError, ValueError, RecursionError)
T = TypeVar("T")
Readers = Mapping[int, Callable[[bytes], T]]
"""What reads the content of a file of each version; raises ValueError or MsgspecError."""


class Header(msgspec.Struct, frozen=True):
    """What each of the ledger's files begins with."""

    format: str
    version: int


class _ArrayHeader(Header, frozen=True, array_like=True):
    """The same in an array."""


class ManifestFile(Header, frozen=True, forbid_unknown_fields=True):
    """`manifest.json`: JSON, with format and version; `payload` is the manifest as `packed_json`, in base64."""

    payload: bytes


class RecordsFile(Header, frozen=True, array_like=True, forbid_unknown_fields=True):
    """A file of records: MessagePack, an array of format, version, and the records as `packed_json`."""

    payload: bytes


class UrlListFile(Header, frozen=True, array_like=True, forbid_unknown_fields=True):
    """A file of URLs without an object: MessagePack, an array of format, version, and the list as `packed_json`."""

    payload: bytes


class _Kind(NamedTuple):
    """A kind of file: its format, what decodes it, and the types of its beginning and of all of it."""

    format: str
    decode: Callable[..., Any]
    header: type[Header]
    file: type[ManifestFile | RecordsFile | UrlListFile]


_MANIFEST = _Kind(MANIFEST_FORMAT, msgspec.json.decode, Header, ManifestFile)
_RECORDS = _Kind(RECORDS_FORMAT, msgspec.msgpack.decode, _ArrayHeader, RecordsFile)
_URL_LIST = _Kind(URL_LIST_FORMAT, msgspec.msgpack.decode, _ArrayHeader, UrlListFile)


def read_manifest(data: bytes, where: str, readers: Readers[T]) -> T:
    """Decode a manifest of any supported version; raises LedgerError, named after the file `where`."""
    return _read(_MANIFEST, data, where, readers)


def read_records(data: bytes, where: str, readers: Readers[T]) -> T:
    """Decode a file of records of any supported version; raises LedgerError, named after the file `where`."""
    return _read(_RECORDS, data, where, readers)


def read_url_list(data: bytes, where: str, readers: Readers[T]) -> T:
    """Decode a list of URLs of any supported version; raises LedgerError, named after the file `where`."""
    return _read(_URL_LIST, data, where, readers)


def _read(kind: _Kind, data: bytes, where: str, readers: Readers[T]) -> T:
    try:
        header = kind.decode(data, type=kind.header)
        check_header(header, kind.format, where)
        return readers[header.version](unpack(kind.decode(data, type=kind.file).payload))
    except _DAMAGE as error:
        raise damaged(where, error) from None


def check_header(found: Header, expected_format: str, where: str) -> None:
    """Raise the LedgerError that fits a file of another format or of a version without a reader."""
    if found.format in _UNRELEASED:
        raise UnreleasedFormatError(
            f"{where} was written by a development version of Waypost, before the first release, and cannot be read; "
            "delete the ledger (all files below `state`) and rebuild: pages then have no date until they change"
        )
    if found.format != expected_format:
        raise LedgerError(f"{where} is not in the format {expected_format!r}; {REBUILD_ADVICE}")
    if found.version > VERSION:
        raise NewerVersionError(
            f"{where} has version {found.version}, and this program reads versions up to {VERSION}; update Waypost"
        )
    if found.version < 1:
        raise LedgerError(f"{where} has version {found.version}, which does not exist; {REBUILD_ADVICE}")


def damaged(where: str, error: Exception) -> LedgerError:
    """The error for a file that cannot be decoded."""
    return LedgerError(f"{where} is damaged ({error}); {REBUILD_ADVICE}")
