"""Decides whether a file of the ledger can be read: by the format and version that it begins with.

A version that is older than the present one gets a row in `MANIFEST_READERS` and `RECORDS_READERS` that
returns the present schema's types. Nothing is ever decoded into defaults.
"""

from collections.abc import Callable, Sequence
from typing import NamedTuple

import msgspec

from waypost.core.errors import LedgerError, NewerVersionError, UnreleasedFormatError
from waypost.ledger import schema_v1
from waypost.ledger.columns import check_lengths, value_count
from waypost.ledger.packed_json import unpack
from waypost.ledger.record_rows import load_rows
from waypost.ledger.schema_v1 import ManifestV1, RecordRowV1, RecordsV1

REBUILD_ADVICE = "a rebuild writes it again; until then the published files are left unchanged"
_UNRELEASED = ("waypost-manifest", "waypost-records", "waypost/manifest", "waypost/records")
"""The formats of development versions, which are refused."""


class Header(NamedTuple):
    """What each of the ledger's files begins with."""

    format: str
    version: int


class StoredRecords(NamedTuple):
    """The records of a shard: their columns, and their rows, if there are any."""

    columns: RecordsV1
    rows: Sequence[RecordRowV1]


def _manifest_v1(data: bytes) -> ManifestV1:
    file = msgspec.json.decode(data, type=schema_v1.ManifestFileV1)
    manifest = msgspec.json.decode(unpack(file.payload), type=ManifestV1)
    if entries := manifest.entries:
        check_lengths(entries, except_for="files")
        check_lengths(entries.files)
        if sum(entries.file_count) != value_count(entries.files) or min(entries.file_count, default=0) < 0:
            raise ValueError("its shards have another number of files")
    return manifest


def _records_v1(data: bytes) -> StoredRecords:
    file = msgspec.msgpack.decode(data, type=schema_v1.RecordsFileV1)
    first, *lines = unpack(file.payload).split(b"\n")
    columns = msgspec.json.decode(first, type=RecordsV1)
    check_lengths(columns)
    return StoredRecords(columns, load_rows(lines, columns.key))


MANIFEST_READERS: dict[int, Callable[[bytes], ManifestV1]] = {1: _manifest_v1}
RECORDS_READERS: dict[int, Callable[[bytes], StoredRecords]] = {1: _records_v1}
_DAMAGE = (msgspec.MsgspecError, ValueError, RecursionError)


def read_manifest(data: bytes, where: str) -> ManifestV1:
    """Decode a manifest of any supported version; raises LedgerError, named after the file `where`."""
    try:
        header = msgspec.json.decode(data, type=_JsonHeader)
        check_header(Header(header.format, header.version), schema_v1.MANIFEST_FORMAT, where)
        return MANIFEST_READERS[header.version](data)
    except _DAMAGE as error:
        raise damaged(where, error) from None


def read_records(data: bytes, where: str) -> StoredRecords:
    """Decode a file of records of any supported version; raises LedgerError, named after the file `where`."""
    try:
        header = msgspec.msgpack.decode(data, type=_ArrayHeader)
        check_header(Header(header.format, header.version), schema_v1.RECORDS_FORMAT, where)
        return RECORDS_READERS[header.version](data)
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
    if found.version > schema_v1.VERSION:
        raise NewerVersionError(
            f"{where} has version {found.version}, and this program reads versions up to {schema_v1.VERSION}; "
            "update Waypost"
        )
    if found.version not in MANIFEST_READERS:
        raise LedgerError(f"{where} has version {found.version}, which does not exist; {REBUILD_ADVICE}")


def damaged(where: str, error: Exception) -> LedgerError:
    """The error for a file that cannot be decoded."""
    return LedgerError(f"{where} is damaged ({error}); {REBUILD_ADVICE}")


class _JsonHeader(msgspec.Struct):
    format: str
    version: int


class _ArrayHeader(msgspec.Struct, array_like=True):
    format: str
    version: int
