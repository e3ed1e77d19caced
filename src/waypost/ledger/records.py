"""What is remembered of a bucket's objects, a shard's worth to a file.

The file is MessagePack: a header, `["waypost-records", version]`, then an array of records in the
order of their keys. It is named by its content and never changed.
"""

from collections.abc import Sequence

import msgspec
from msgspec import Struct

from waypost.core.errors import LedgerError
from waypost.core.hashing import content_digest
from waypost.ledger import stored_format
from waypost.rules.facts import PageFacts

VERSION = 1
_FORMAT = "waypost-records"


class Record(Struct, frozen=True, gc=False, omit_defaults=True):
    """An object that may be a page: its ETag, what it said, and since when its content is what it is.

    `duplicate_of` is the key that gives the same URL and goes before it; `alternates` are the versions of the page that
    were settled with those pages.
    """

    key: str
    etag: str
    facts: PageFacts = PageFacts()
    lastmod: str | None = None
    duplicate_of: str = ""
    alternates: tuple[tuple[str, str], ...] = ()


class _File(Struct, array_like=True):
    format: str
    version: int
    records: list[Record]


class _Header(Struct, array_like=True):
    format: str
    version: int


def dump(records: Sequence[Record]) -> bytes:
    """The records as a file's bytes; the same records give the same bytes."""
    return msgspec.msgpack.encode(_File(_FORMAT, VERSION, list(records)))


def load(data: bytes | None, where: str) -> list[Record]:
    """Read a file of records; raises LedgerError where it is missing, damaged or newer than this program."""
    if data is None:
        raise LedgerError(f"{where} is missing from the ledger; {stored_format.REMEDY}")
    try:
        header = msgspec.msgpack.decode(data, type=_Header)
        stored_format.check((header.format, header.version), (_FORMAT, VERSION), where, "holds no records of Waypost's")
        return msgspec.msgpack.decode(data, type=_File).records
    except (msgspec.MsgspecError, UnicodeDecodeError) as error:
        raise stored_format.damaged(where, error) from None


def records_name(shard: str | None, data: bytes) -> str:
    """The name of a shard's file of records: what it holds decides it."""
    return f"shards/{shard or 'whole'}-{content_digest(data)}"
