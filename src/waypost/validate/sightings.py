"""Which URL was seen where, across any number of files, in memory that does not grow: a database of its own on disk."""

import sqlite3
from collections.abc import Iterator, Sequence
from itertools import repeat
from typing import NamedTuple

from waypost.validate.entry import XHTML, Entry

_CACHE = "pragma cache_size = -16000"  # KiB


class Sighting(NamedTuple):
    """Where a loc is listed: a file by its number, and a line."""

    file: int
    line: int
    loc: str


class Unreturned(NamedTuple):
    """A page that names an alternate which does not name it back."""

    file: int
    line: int
    loc: str
    hreflang: str
    href: str


class Sightings:
    """What was seen; closed, it leaves nothing behind."""

    def __init__(self) -> None:
        self._database = sqlite3.connect("", isolation_level=None)
        for statement in (
            "pragma journal_mode = off",
            "pragma synchronous = off",
            _CACHE,
            "create table seen (hash integer, file integer, line integer, loc text)",
            "create table links (source text, target text, hreflang text, file integer, line integer)",
            "begin",
        ):
            self._database.execute(statement)

    def add(self, file: int, entries: Sequence[Entry]) -> None:
        """Take the entries of a file down, with their alternates."""
        listed = [(entry.loc, entry.line) for entry in entries if entry.loc]
        locs, lines = zip(*listed, strict=True) if listed else ((), ())
        rows = zip(map(hash, locs), repeat(file), lines, locs, strict=False)
        self._database.executemany("insert into seen values (?, ?, ?, ?)", rows)
        for entry in entries:
            if entry.extensions:
                self._link(file, entry)

    def _link(self, file: int, entry: Entry) -> None:
        rows = [
            (entry.loc, node.attributes.get("href", ""), node.attributes.get("hreflang", ""), file, node.line)
            for node in entry.of(XHTML, "link")
            if "hreflang" in node.attributes and node.attributes.get("href") != entry.loc
        ]
        self._database.executemany("insert into links values (?, ?, ?, ?, ?)", rows)

    def repeated(self) -> Iterator[tuple[Sighting, Sighting]]:
        """Each sighting of a loc but its first, with that one; hashes that meet by chance are told apart."""
        rows = self._database.execute(
            "select * from (select file, line, loc, first_value(file) over same, first_value(line) over same, "
            "row_number() over same as n, rowid as at from seen "
            "where hash in (select hash from seen group by hash having count(*) > 1) "
            "window same as (partition by loc order by rowid)) where n > 1 order by at"
        )
        for file, line, loc, first_file, first_line, _, _ in rows:
            yield Sighting(first_file, first_line, loc), Sighting(file, line, loc)

    def unreturned(self) -> Iterator[Unreturned]:
        """Links to pages that are listed too and do not link back; of what is not listed nothing is known."""
        if not self._database.execute("select exists (select 1 from links)").fetchone()[0]:
            return
        self._database.execute("create index ends on links (source, target)")
        self._database.execute("create index locs on seen (loc)")
        rows = self._database.execute(
            "select file, line, source, hreflang, target from links a where exists (select 1 from seen where loc = "
            "a.target) and not exists (select 1 from links b where b.source = a.target and b.target = a.source) "
            "order by rowid"
        )
        yield from map(Unreturned._make, rows)

    def locs(self) -> Iterator[Sighting]:
        """Every sighting, in the order in which they were made."""
        return map(Sighting._make, self._database.execute("select file, line, loc from seen order by rowid"))

    def lists(self, loc: str) -> bool:
        """Whether a loc was seen."""
        self._database.execute("create index if not exists hashes on seen (hash)")
        row = self._database.execute("select exists (select 1 from seen where hash = ? and loc = ?)", (hash(loc), loc))
        return bool(row.fetchone()[0])

    def close(self) -> None:
        """Forget it all."""
        self._database.close()
