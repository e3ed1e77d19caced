"""What a ledger remembers of the URLs without a file that settings name; one file holds all of it.

A file's name holds the digest of its content and a random id, and the file is never changed.
"""

from collections.abc import Callable

import msgspec
from msgspec import Struct

from waypost.core.errors import LedgerError
from waypost.core.hashing import short_digest
from waypost.core.model import IndexChild, UrlEntry
from waypost.ledger import stored_files
from waypost.ledger.packed_json import pack
from waypost.ledger.stored_files import UrlListFile


class ListedSource(Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """What one list, or one sitemap of another tool, named last: URLs, or itself as a child of the index."""

    name: str
    entries: tuple[UrlEntry, ...] = ()
    child: IndexChild | None = None


class UrlList(Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """All sources, in the order of the settings."""

    sources: tuple[ListedSource, ...] = ()

    @property
    def children(self) -> tuple[IndexChild, ...]:
        """The sitemaps of other tools that the index lists, each once."""
        found = {each.child.loc: each.child for each in reversed(self.sources) if each.child}
        return tuple(found[loc] for loc in dict.fromkeys(each.child.loc for each in self.sources if each.child))


def _read_v1(payload: bytes) -> UrlList:
    return msgspec.json.decode(payload, type=UrlList)


READERS: stored_files.Readers[UrlList] = {1: _read_v1}


def dump(urls: UrlList) -> bytes:
    """The list as a file's bytes."""
    payload = pack(msgspec.json.encode(urls))
    return msgspec.msgpack.encode(UrlListFile(stored_files.URL_LIST_FORMAT, stored_files.VERSION, payload))


def load(data: bytes | None, where: str) -> UrlList:
    """Read a file; raises LedgerError for one that is missing, damaged or of an unknown version."""
    if data is None:
        raise LedgerError(f"{where} is missing from the ledger; {stored_files.REBUILD_ADVICE}")
    return stored_files.read_url_list(data, where, READERS)


def file_name(data: bytes, known: str, new_id: Callable[[], str]) -> str:
    """The name of a file with this content: the `known` one if that has the same content, else one never used."""
    prefix = f"url-lists/{short_digest(data)}-"
    return known if known.startswith(prefix) else f"{prefix}{new_id()}"
