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
from waypost.ledger import migrations, schema_v1
from waypost.ledger.columns import columns_of
from waypost.ledger.packed_json import pack
from waypost.ledger.record_rows import dump_rows
from waypost.ledger.schema_v1 import RecordRowV1, RecordsFileV1, RecordsV1
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


def dump(records: Sequence[Record]) -> bytes:
    """The records as a file's bytes; raises UnicodeEncodeError for text that UTF-8 cannot encode."""
    facts = [record.facts for record in records]
    columns = {each.name: each.of(facts) for each in _FACTS_COLUMNS}
    rows = _rows(records, columns.pop("head"), columns.pop("media"))
    columns |= {each.name: each.of(records) for each in _RECORD_COLUMNS}
    stored = msgspec.json.encode(msgspec.convert(columns, RecordsV1))
    payload = pack(b"\n".join([stored, *dump_rows(rows, columns["key"])]))
    return msgspec.msgpack.encode(RecordsFileV1(schema_v1.RECORDS_FORMAT, schema_v1.VERSION, payload))


def _rows(records: Sequence[Record], heads: Sequence[Head | None], media: Sequence[Media | None]) -> list[RecordRowV1]:
    """What is stored as rows; none if no page says anything."""
    own = [None if each.alternates == each.facts.head.alternates else each.alternates for each in records]
    if not heads and not media and not any(own):
        return []
    rows = zip(heads or repeat(None), own, media or repeat(None), strict=False)
    return msgspec.convert(list(rows), list[RecordRowV1], from_attributes=True)


def load(data: bytes | None, where: str) -> list[Record]:
    """Read a file of records; raises LedgerError for one that is missing, damaged or of an unknown version."""
    if data is None:
        raise LedgerError(f"{where} is missing from the ledger; {migrations.REBUILD_ADVICE}")
    stored, rows = migrations.read_records(data, where)
    count, columns = len(stored.key), msgspec.structs.asdict(stored)
    columns |= {"head": [row.head for row in rows], "media": [row.media for row in rows]}
    facts = list(map(PageFacts, *(each.values(columns[each.name], count) for each in _FACTS_COLUMNS)))
    values: dict[str, Iterable[Any]] = {each.name: each.values(columns[each.name], count) for each in _RECORD_COLUMNS}
    own = (row.alternates for row in rows) if rows else repeat(None, count)
    alternates = (each.head.alternates if found is None else found for each, found in zip(facts, own, strict=True))
    values |= {"facts": facts, "alternates": alternates}
    return list(map(Record, *(values[name] for name in Record.__struct_fields__)))


def records_name(shard_id: str | None, data: bytes, known: Iterable[str], new_id: Callable[[], str]) -> str:
    """The name of a shard's file of records: that of a `known` file with the same content, else one never used before.

    A name is not used again once no manifest has it: a file that is about to be deleted never comes back.
    """
    same = next((name for name in known if holds(name, data)), "")
    return same or f"shards/{shard_id or 'whole'}-{short_digest(data)}-{new_id()}"


def holds(name: str, data: bytes) -> bool:
    """Whether a file of records, by its name, has this content."""
    return name.split("-")[-2] == short_digest(data)
