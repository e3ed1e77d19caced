"""What is remembered of a bucket's objects; one file holds the records of one shard.

A file's name holds the digest of its content and a random id, and the file is never changed.
"""

from collections.abc import Callable, Iterable, Sequence

import msgspec
from msgspec import Struct

from waypost.core.errors import LedgerError
from waypost.core.hashing import short_digest
from waypost.ledger import migrations, schema_v1
from waypost.ledger.columns import column, column_values
from waypost.ledger.packed_json import pack
from waypost.ledger.schema_v1 import RecordsFileV1, RecordsV1
from waypost.rules.facts import PageFacts


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


_RECORD_FIELDS, _FACTS_FIELDS = msgspec.structs.fields(Record), msgspec.structs.fields(PageFacts)


def dump(records: Sequence[Record]) -> bytes:
    """The records as a file's bytes; raises UnicodeEncodeError for text that UTF-8 cannot encode."""
    columns = {each.name: column(records, each) for each in _RECORD_FIELDS if each.name != "facts"}
    facts = [record.facts for record in records]
    columns |= {each.name: column(facts, each) for each in _FACTS_FIELDS}
    stored = msgspec.convert(columns, RecordsV1, from_attributes=True)
    payload = pack(msgspec.json.encode(stored))
    return msgspec.msgpack.encode(RecordsFileV1(schema_v1.RECORDS_FORMAT, schema_v1.VERSION, payload))


def load(data: bytes | None, where: str) -> list[Record]:
    """Read a file of records; raises LedgerError for one that is missing, damaged or of an unknown version."""
    if data is None:
        raise LedgerError(f"{where} is missing from the ledger; {migrations.REBUILD_ADVICE}")
    stored = migrations.read_records(data, where)
    facts = map(PageFacts, *(column_values(stored, each) for each in _FACTS_FIELDS))
    fields = (facts if each.name == "facts" else column_values(stored, each) for each in _RECORD_FIELDS)
    return list(map(Record, *fields))


def records_name(shard_id: str | None, data: bytes, known: Iterable[str], new_id: Callable[[], str]) -> str:
    """The name of a shard's file of records: that of a `known` file with the same content, else one never used before.

    A name is not used again once no manifest has it: a file that is about to be deleted never comes back.
    """
    same = next((name for name in known if holds(name, data)), "")
    return same or f"shards/{shard_id or 'whole'}-{short_digest(data)}-{new_id()}"


def holds(name: str, data: bytes) -> bool:
    """Whether a file of records, by its name, has this content."""
    return name.split("-")[-2] == short_digest(data)
