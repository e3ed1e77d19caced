"""Which URL was seen where, across any number of files, in memory that hardly grows: what is seen waits on disk."""

import sqlite3
from array import array
from bisect import bisect_left
from collections.abc import Callable, Iterator, Sequence
from itertools import pairwise
from os import SEEK_END
from tempfile import TemporaryFile
from typing import IO, NamedTuple

import msgspec

from waypost.validate.sitemap_entry import NEWS_NAMESPACE, XHTML_NAMESPACE, SitemapEntry

_PARTS = 64
"""Hashes are sorted a part at a time, of as many as these; whatever is equal is in one part."""
_EDGES = [(n << 58) - (1 << 63) for n in range(1, _PARTS)]
_HELD = 4_000_000
"""So many hashes, of 8 bytes each, are held in memory; more wait on disk."""
_CACHE = "pragma cache_size = -16000"  # KiB
_PLAIN, _OF_NEWS, _OF_TEXT = 0, 0x5BD1_E995_9E37_79B9, 0x27D4_EB2F_1656_67C5
"""What sets the hashes of lists apart that may each list a page: of pages, of news, and the text of either."""


class ListedAt(NamedTuple):
    """Where a loc is listed: a file by its number, and a line."""

    file: int
    line: int
    loc: str


class MissingReturnLink(NamedTuple):
    """A page that names an alternate which does not name it back."""

    file: int
    line: int
    loc: str
    hreflang: str
    href: str


class _Batch(msgspec.Struct, array_like=True):
    """What was seen at a time; `salt` tells which kind of list it was seen in."""

    file: int
    salt: int
    lines: list[int]
    locs: list[str]


class UrlIndex:
    """What was seen; closed, it leaves nothing behind.

    URLs are told apart by what is `hashed` of them first, of which `held` numbers stay in memory.
    """

    def __init__(self, hashed: Callable[[str], int] = hash, stored: int = _HELD) -> None:
        self._hashed, self._most = hashed, stored
        self._spool: IO[bytes] = TemporaryFile()  # noqa: SIM115 (closed with all of this)
        self._hashes = [array("q") for _ in range(_PARTS)]
        self._files: list[IO[bytes]] = []
        self._stored = 0
        self._links: sqlite3.Connection | None = None

    def add(self, file: int, entries: Sequence[SitemapEntry], *, is_text: bool = False) -> None:
        """Take the entries of a file down, with their alternates; the same list as text is another list."""
        described = [entry for entry in entries if entry.extensions]
        news = {id(entry) for entry in described if next(entry.elements(NEWS_NAMESPACE, "news"), None)}
        others = [entry for entry in entries if id(entry) not in news] if news else entries
        self._take(file, _OF_TEXT if is_text else _PLAIN, others)
        self._take(file, _OF_NEWS, [entry for entry in described if id(entry) in news])
        for entry in described:
            self._link(file, entry)

    def _take(self, file: int, salt: int, entries: Sequence[SitemapEntry]) -> None:
        listed = [entry for entry in entries if entry.loc]
        if not listed:
            return
        batch = _Batch(file, salt, [entry.line for entry in listed], [entry.loc or "" for entry in listed])
        data = msgspec.msgpack.encode(batch)
        self._spool.seek(0, SEEK_END)
        self._spool.write(len(data).to_bytes(8, "little") + data)
        self._keep(sorted(self._numbers(batch)))

    def _keep(self, hashes: Sequence[int]) -> None:
        edges = [0, *(bisect_left(hashes, edge) for edge in _EDGES), len(hashes)]
        for part, (start, stop) in zip(self._hashes, pairwise(edges), strict=True):
            if start < stop:
                part.extend(hashes[start:stop])
        self._stored += len(hashes)
        if self._stored > self._most:
            self._files = self._files or [TemporaryFile() for _ in range(_PARTS)]  # noqa: SIM115
            for part, kept in zip(self._hashes, self._files, strict=True):
                part.tofile(kept)
                del part[:]
            self._stored = 0

    def repeated(self) -> Iterator[tuple[ListedAt, ListedAt]]:
        """Each sighting of a loc but its first, with that one; hashes that meet by chance are told apart."""
        repeated = self._repeated()
        first: dict[tuple[int, str], ListedAt] = {}
        for batch in self._batches() if repeated else ():
            for n, number in enumerate(self._numbers(batch)):
                if number in repeated:
                    seen = ListedAt(batch.file, batch.lines[n], batch.locs[n])
                    before = first.setdefault((batch.salt, seen.loc), seen)
                    if before is not seen:
                        yield before, seen

    def _repeated(self) -> set[int]:
        """The hashes that were seen more than once."""
        found: set[int] = set()
        for n, part in enumerate(self._hashes):
            numbers = sorted((*part, *self._kept(n)))
            found.update(one for one, other in pairwise(numbers) if one == other)
        return found

    def _kept(self, n: int) -> "array[int]":
        kept = array("q")
        if self._files:
            self._files[n].seek(0)
            kept.frombytes(self._files[n].read())
        return kept

    def locs(self) -> Iterator[ListedAt]:
        """Every sighting, in the order in which they were made."""
        for batch in self._batches():
            yield from map(ListedAt, [batch.file] * len(batch.locs), batch.lines, batch.locs)

    def _batches(self) -> Iterator[_Batch]:
        self._spool.seek(0)
        while header := self._spool.read(8):
            yield msgspec.msgpack.decode(self._spool.read(int.from_bytes(header, "little")), type=_Batch)

    def _numbers(self, batch: _Batch) -> list[int]:
        numbers = map(self._hashed, batch.locs)
        return [number ^ batch.salt for number in numbers] if batch.salt else list(numbers)

    def _link(self, file: int, entry: SitemapEntry) -> None:
        rows = [
            (entry.loc, node.attributes.get("href", ""), node.attributes.get("hreflang", ""), file, node.line)
            for node in entry.elements(XHTML_NAMESPACE, "link")
            if "hreflang" in node.attributes and node.attributes.get("href") != entry.loc
        ]
        if rows:
            self._links = self._links or _database()
            self._links.executemany("insert into links values (?, ?, ?, ?, ?)", rows)

    def unreturned(self) -> Iterator[MissingReturnLink]:
        """Links to pages that are listed too and do not link back; of what is not listed nothing is known."""
        if self._links is None:
            return
        self._links.execute("create index ends on links (source, target)")
        self._links.execute("create table listed (loc text primary key)")
        for batch in self._batches():
            self._links.executemany("insert or ignore into listed values (?)", ((loc,) for loc in batch.locs))
        rows = self._links.execute(
            "select file, line, source, hreflang, target from links a where exists (select 1 from listed where loc = "
            "a.target) and not exists (select 1 from links b where b.source = a.target and b.target = a.source) "
            "order by rowid"
        )
        yield from map(MissingReturnLink._make, rows)

    def close(self) -> None:
        """Forget it all."""
        for kept in (self._spool, *self._files):
            kept.close()
        if self._links:
            self._links.close()


def _database() -> sqlite3.Connection:
    """A database of its own, on disk where it grows."""
    made = sqlite3.connect("", isolation_level=None)
    for statement in (
        "pragma journal_mode = off",
        "pragma synchronous = off",
        _CACHE,
        "create table links (source text, target text, hreflang text, file integer, line integer)",
        "begin",
    ):
        made.execute(statement)
    return made
