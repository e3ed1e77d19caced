"""What is remembered of a bucket's objects; one file holds the records of one shard.

A file's name holds the digest of its content and a random id, and the file is never changed.
"""

from collections.abc import Callable, Iterable, Sequence
from itertools import repeat
from typing import Any

import msgspec
from msgspec import Struct

from waypost.core.errors import LedgerError
from waypost.core.hashing import short_digest
from waypost.ledger import stored_files
from waypost.ledger.columns import check_lengths, columns_of, columns_type
from waypost.ledger.packed_json import pack
from waypost.ledger.record_rows import RecordRow, dump_rows, load_rows
from waypost.ledger.stored_files import RecordsFile
from waypost.rules.facts import PageFacts
from waypost.rules.html_head import Head
from waypost.rules.media import Media


class Record(Struct, frozen=True, gc=False):
    """An object that may be a page: its ETag, what it says, and since when its content is as it is.

    `duplicate_of` is the key that has the same URL and is listed in its place; `alternates` are the hreflang and
    URL of each version that the page names and that counts: whether one does depends on the record of that version.
    """

    key: str
    etag: str
    facts: PageFacts = PageFacts()
    lastmod: str | None = None
    duplicate_of: str = ""
    alternates: tuple[tuple[str, str], ...] = ()


_RECORD_COLUMNS = columns_of(Record, "facts", "alternates")
_FACTS_COLUMNS = columns_of(PageFacts)
_IN_ROWS = ("head", "media")
_Columns = columns_type("RecordColumns", (*_RECORD_COLUMNS, *columns_of(PageFacts, *_IN_ROWS)))
"""The records in the order of their keys, as columns; what is in rows is stored apart from them."""


def _read_v1(payload: bytes) -> tuple[dict[str, Any], list[RecordRow]]:
    """The columns by name, and the rows, if there are any."""
    first, *lines = payload.split(b"\n")
    columns = msgspec.json.decode(first, type=_Columns)
    check_lengths(columns)
    return msgspec.structs.asdict(columns), load_rows(lines, columns.key)


READERS: stored_files.Readers[tuple[dict[str, Any], list[RecordRow]]] = {1: _read_v1}


def dump(records: Sequence[Record]) -> bytes:
    """The records as a file's bytes; raises UnicodeEncodeError for text that UTF-8 cannot encode."""
    facts = [record.facts for record in records]
    columns = {each.name: each.of(facts) for each in _FACTS_COLUMNS}
    rows = _rows(records, *(columns.pop(name) for name in _IN_ROWS))
    columns |= {each.name: each.of(records) for each in _RECORD_COLUMNS}
    stored = msgspec.json.encode(_Columns(**columns))
    payload = pack(b"\n".join([stored, *dump_rows(rows, columns["key"])]))
    return msgspec.msgpack.encode(RecordsFile(stored_files.RECORDS_FORMAT, stored_files.VERSION, payload))


def _rows(records: Sequence[Record], heads: Sequence[Head | None], media: Sequence[Media | None]) -> list[RecordRow]:
    """What is stored as rows; none if no page says anything."""
    own = [None if each.alternates == each.facts.head.alternates else each.alternates for each in records]
    if not heads and not media and not any(own):
        return []
    return list(map(RecordRow, heads or repeat(None), own, media or repeat(None)))


def load(data: bytes | None, where: str) -> list[Record]:
    """Read a file of records; raises LedgerError for one that is missing, damaged or of an unknown version."""
    if data is None:
        raise LedgerError(f"{where} is missing from the ledger; {stored_files.REBUILD_ADVICE}")
    columns, rows = stored_files.read_records(data, where, READERS)
    count = len(columns["key"])
    columns |= {"head": [row.head for row in rows], "media": [row.media for row in rows]}
    facts = list(map(PageFacts, *(each.values(columns[each.name], count) for each in _FACTS_COLUMNS)))
    values: dict[str, Iterable[Any]] = {each.name: each.values(columns[each.name], count) for each in _RECORD_COLUMNS}
    own = (row.alternates for row in rows) if rows else repeat(None, count)
    alternates = (each.head.alternates if found is None else found for each, found in zip(facts, own, strict=True))
    values |= {"facts": facts, "alternates": alternates}
    return list(map(Record, *(values[name] for name in Record.__struct_fields__)))


def records_name(shard_id: str | None, data: bytes, known: Iterable[str], new_id: Callable[[], str]) -> str:
    """The name of a shard's file of records: a `known` file's name, if its content is the same, else a name never used.

    A name is not used again once no manifest has it: a file that is about to be deleted never comes back.
    """
    same = next((name for name in known if holds(name, data)), "")
    return same or f"shards/{shard_id or 'whole'}-{short_digest(data)}-{new_id()}"


def holds(name: str, data: bytes) -> bool:
    """Whether a file of records, by its name, has this content."""
    return name.split("-")[-2] == short_digest(data)
