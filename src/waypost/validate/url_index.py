"""Remembers which URL is listed where, over any number of files, with little memory: most of it is on disk."""

import sqlite3
from array import array
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from io import SEEK_END
from itertools import pairwise
from tempfile import SpooledTemporaryFile, TemporaryFile
from typing import IO, NamedTuple

import msgspec

from waypost.validate.sitemap_entry import SitemapEntry
from waypost.validate.url_checks import normal_spelling, normal_spellings

_PARTITIONS = 64
"""Hashes are kept in so many ranges of values and compared range by range: equal ones are in the same range."""
_PARTITION_EDGES = [(n << 58) - (1 << 63) for n in range(1, _PARTITIONS)]
_PARTITION_BYTES_IN_MEMORY = 500_000
"""Hashes have 8 bytes each; those of a larger range are on disk."""
_DATABASE_CACHE = "pragma cache_size = -16000"  # KiB
_PAGES, _NEWS, _TEXT = 0, 0x5BD1_E995_9E37_79B9, 0x27D4_EB2F_1656_67C5
"""Different values for the kinds of lists that may list the same page: sitemaps, news sitemaps, text sitemaps."""


class ListedAt(NamedTuple):
    """A place at which a loc is listed: the number of a file, and a line."""

    file: int
    line: int
    loc: str


class _Batch(msgspec.Struct, array_like=True):
    """Locs that were added together; `list_kind` is one of the three values above."""

    file: int
    list_kind: int
    lines: list[int]
    locs: list[str]


class UrlIndex:
    """The locs and alternates of many files, which are first compared by their hashes; `close` deletes them."""

    def __init__(self) -> None:
        self._batch_file: IO[bytes] = TemporaryFile()  # noqa: SIM115 (closed by `close`)
        self._hash_files = [SpooledTemporaryFile(_PARTITION_BYTES_IN_MEMORY) for _ in range(_PARTITIONS)]  # noqa: SIM115
        self._links: sqlite3.Connection | None = None

    def add(self, file: int, entries: Sequence[SitemapEntry], *, is_text: bool = False) -> None:
        """Add entries of a file, with their alternates; a text sitemap may list what other sitemaps list."""
        with_extensions = [entry for entry in entries if entry.extensions]
        news = {id(entry) for entry in with_extensions if entry.is_news}
        pages = [entry for entry in entries if id(entry) not in news] if news else entries
        self._add_locs(file, _TEXT if is_text else _PAGES, pages)
        self._add_locs(file, _NEWS, [entry for entry in with_extensions if id(entry) in news])
        for entry in with_extensions:
            self._add_links(file, entry)

    def _add_locs(self, file: int, list_kind: int, entries: Sequence[SitemapEntry]) -> None:
        with_loc = [entry for entry in entries if entry.loc]
        if not with_loc:
            return
        batch = _Batch(file, list_kind, [entry.line for entry in with_loc], [entry.loc or "" for entry in with_loc])
        data = msgspec.msgpack.encode(batch)
        self._batch_file.seek(0, SEEK_END)
        self._batch_file.write(len(data).to_bytes(8, "little") + data)
        hashes = sorted(_hashes(batch))
        edges = [0, *(bisect_left(hashes, edge) for edge in _PARTITION_EDGES), len(hashes)]
        for hash_file, (start, stop) in zip(self._hash_files, pairwise(edges), strict=True):
            hash_file.write(array("q", hashes[start:stop]).tobytes())

    def duplicates(self) -> Iterator[tuple[ListedAt, ListedAt]]:
        """The first place of each loc that is listed again, in any spelling, with each other place of it."""
        repeated = self._repeated_hashes()
        first_places: dict[tuple[int, str], ListedAt] = {}
        for batch in self._batches() if repeated else ():
            for n, loc_hash in enumerate(_hashes(batch)):
                if loc_hash in repeated:
                    place = ListedAt(batch.file, batch.lines[n], batch.locs[n])
                    first = first_places.setdefault((batch.list_kind, normal_spelling(place.loc)), place)
                    if first is not place:
                        yield first, place

    def _repeated_hashes(self) -> set[int]:
        repeated: set[int] = set()
        for hash_file in self._hash_files:
            hash_file.seek(0)
            hashes = sorted(array("q", hash_file.read()))
            repeated.update(one for one, following in pairwise(hashes) if one == following)
        return repeated

    def places(self) -> Iterator[ListedAt]:
        """Every place of every loc, in the order in which they were added."""
        for batch in self._batches():
            yield from map(ListedAt, [batch.file] * len(batch.locs), batch.lines, batch.locs)

    def _batches(self) -> Iterator[_Batch]:
        self._batch_file.seek(0)
        while header := self._batch_file.read(8):
            yield msgspec.msgpack.decode(self._batch_file.read(int.from_bytes(header, "little")), type=_Batch)

    def _add_links(self, file: int, entry: SitemapEntry) -> None:
        source = normal_spelling(entry.loc or "")
        rows = [
            (source, target, file, node.line, entry.loc, node.attributes["hreflang"], href)
            for node in entry.elements("link")
            if "hreflang" in node.attributes and "media" not in node.attributes and not node.is_app_link
            if (target := normal_spelling(href := node.attributes.get("href", ""))) != source
        ]
        if rows:
            self._links = self._links or _link_database()
            self._links.executemany("insert into links values (?, ?, ?, ?, ?, ?, ?)", rows)

    def missing_return_links(self) -> Iterator[tuple[bool, int, int, str, str, str]]:
        """Links to alternates that do not link back: whether a file lists them, then file, line, loc, hreflang, href.

        Alternates on hosts of which no file lists a page are unknown, and not included. An `x-default`, such as a page
        where visitors choose a language, need not link back.
        """
        if self._links is None:
            return
        self._links.execute("create index ends on links (source, target)")
        self._links.execute("create table listed (loc text primary key)")
        hosts = set[str]()
        for batch in self._batches():
            locs = normal_spellings(batch.locs)
            hosts.update(map(_host, locs))
            self._links.executemany("insert or ignore into listed values (?)", ((loc,) for loc in locs))
        found = self._links.execute(
            "select exists (select 1 from listed where listed.loc = a.target), target, file, line, loc, hreflang, href "
            "from links a where lower(hreflang) != 'x-default' "
            "and not exists (select 1 from links b where b.source = a.target and b.target = a.source) order by rowid"
        )
        yield from (
            (bool(is_listed), *rest) for is_listed, target, *rest in found if is_listed or _host(target) in hosts
        )

    def close(self) -> None:
        """Delete the temporary files."""
        for file in (self._batch_file, *self._hash_files):
            file.close()
        if self._links:
            self._links.close()


def _host(loc: str) -> str:
    """The beginning of a URL with its scheme and its host."""
    return loc[: loc.find("/", loc.find("//") + 2)]


def _hashes(batch: _Batch) -> list[int]:
    hashes = map(hash, normal_spellings(batch.locs))
    return [loc_hash ^ batch.list_kind for loc_hash in hashes] if batch.list_kind else list(hashes)


def _link_database() -> sqlite3.Connection:
    """An empty temporary database, which SQLite keeps in memory while it is small."""
    database = sqlite3.connect("", isolation_level=None)
    for statement in (
        "pragma journal_mode = off",
        "pragma synchronous = off",
        _DATABASE_CACHE,
        "create table links (source text, target text, file integer, line integer, loc text, hreflang text, href text)",
        "begin",
    ):
        database.execute(statement)
    return database
