"""Remembers which URLs are listed and what was answered, in a file, so that a check can be interrupted and repeated."""

import sqlite3
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import NamedTuple

import msgspec

from waypost.core.errors import StoreError
from waypost.core.hashing import short_digest
from waypost.live.answer import Answer

_APPLICATION_ID, _VERSION = 0x57_50_4C_43, 1
"""Marks a file as one of this module ("WPLC")."""
_MAX_AGE = 7 * 86_400
_PAGE = 1_000
_RECORDS_PER_COMMIT = 50
_TABLES = (
    "create table listed (id integer primary key, digest text, loc text unique, lastmod text, file text, line integer)",
    "create index listed_by_digest on listed (digest, id)",
    "create table answers (loc text primary key, run integer, answer blob)",
    "create table run (number integer, options text, started real, is_finished integer)",
    "insert into run values (0, '', 0, 1)",
)


class ListedUrl(NamedTuple):
    """A URL where it is listed first; `lastmod` is as written, or `""`."""

    loc: str
    lastmod: str
    file: str
    line: int


class RunFile:
    """The URLs that are listed now, and all answers of this run and of earlier ones.

    A run that was interrupted continues for a week; after one that has finished, or one with other `options`, a new
    one begins. `now` is in Unix seconds. Without a path, nothing is kept after `close`. Raises StoreError for a file
    that is not its own.
    """

    def __init__(self, path: Path | None, options: str, now: float) -> None:
        self._name = str(path or "")
        self._uncommitted = 0
        try:
            self._database = sqlite3.connect(self._name, isolation_level=None, timeout=0)
            self._open(options, now)
        except sqlite3.Error as error:
            raise StoreError(f"{self._name} cannot be used to resume: {error}") from error

    def _open(self, options: str, now: float) -> None:
        run = self._database.execute
        (known,), (version,) = run("pragma application_id").fetchone(), run("pragma user_version").fetchone()
        is_new = not run("select 1 from sqlite_master").fetchone()
        if not is_new and (known, version) != (_APPLICATION_ID, _VERSION):
            raise StoreError(f"{self._name} was not written by this version of `waypost check-live`; name another file")
        run("pragma cache_size = -8000")
        run("pragma synchronous = off")  # a crash of the machine may cost the file, one of the process may not
        run("begin immediate")
        for statement in _TABLES if is_new else ():
            run(statement)
        run(f"pragma application_id = {_APPLICATION_ID}")
        run(f"pragma user_version = {_VERSION}")
        run("delete from listed")
        run(
            "update run set number = number + 1, options = ?, started = ?, is_finished = 0 "
            "where is_finished or options != ? or started < ?",
            (options, now, options, now - _MAX_AGE),
        )
        (self._run,) = run("select number from run").fetchone()

    def list(self, urls: Iterable[ListedUrl]) -> None:
        """Add listed URLs; of those that are listed twice, the first counts."""
        self._database.executemany(
            "insert or ignore into listed (digest, loc, lastmod, file, line) values (?, ?, ?, ?, ?)",
            ((short_digest(url.loc.encode("utf-8", "replace")), *url) for url in urls),
        )

    def count(self) -> int:
        """How many URLs are listed."""
        (count,) = self._database.execute("select count(*) from listed").fetchone()
        return int(count)

    def answered_count(self, sample: int | None) -> int:
        """How many of the URLs in the sample have an answer in this run."""
        (count,) = self._database.execute(
            "select count(*) from listed join answers on answers.loc = listed.loc "
            "where run = ? and (digest, id) <= (?, ?)",
            (self._run, *self._end_of(sample)),
        ).fetchone()
        return int(count)

    def unanswered(self, sample: int | None) -> Iterator[tuple[ListedUrl, Answer | None]]:
        """The URLs without an answer in this run, each with its answer in an earlier run, in the order of a hash.

        Only the first `sample` URLs in that order count, so the same URLs are chosen again.
        """
        end, last = self._end_of(sample), ("", 0)
        while True:
            rows = self._database.execute(
                "select digest, id, listed.loc, lastmod, file, line, run, answer from listed "
                "left join answers on answers.loc = listed.loc where (digest, id) > (?, ?) and (digest, id) <= (?, ?) "
                "order by digest, id limit ?",
                (*last, *end, _PAGE),
            ).fetchall()
            if not rows:
                return
            last = rows[-1][:2]
            for *_, loc, lastmod, file, line, run, answer in rows:
                if run != self._run:
                    yield ListedUrl(loc, lastmod, file, line), _decoded(answer)

    def record(self, loc: str, answer: Answer) -> None:
        """Keep the answer for a URL."""
        data = msgspec.msgpack.encode(answer)
        self._database.execute("insert or replace into answers values (?, ?, ?)", (loc, self._run, data))
        self._uncommitted += 1
        if self._uncommitted >= _RECORDS_PER_COMMIT:
            self.save()

    def save(self) -> None:
        """Write what was recorded to the disk."""
        self._database.execute("commit")
        self._database.execute("begin immediate")
        self._uncommitted = 0

    def answers(self, sample: int | None) -> Iterator[tuple[ListedUrl, Answer | None]]:
        """The listed URLs in the sample with their answers of this run, in the order in which they are listed."""
        rows = self._database.execute(
            "select listed.loc, lastmod, file, line, answer from listed "
            "left join answers on answers.loc = listed.loc and run = ? where (digest, id) <= (?, ?) order by id",
            (self._run, *self._end_of(sample)),
        )
        for *listed, answer in rows:
            yield ListedUrl(*listed), _decoded(answer)

    def _end_of(self, sample: int | None) -> tuple[str, int]:
        """The digest and number of the last URL in the sample."""
        query = "select digest, id from listed order by digest, id limit 1 offset ?"
        found = self._database.execute(query, (max(0, sample - 1),)).fetchone() if sample is not None else None
        return found or ("~", 0)

    def finish(self) -> None:
        """End the run, so that the next one asks all URLs again."""
        self._database.execute("update run set is_finished = 1")

    def close(self) -> None:
        """Save what was recorded, and close the file."""
        self._database.execute("commit")
        self._database.close()


def _decoded(data: bytes | None) -> Answer | None:
    """An answer as it was recorded; None if there is none, or it is damaged."""
    try:
        return msgspec.msgpack.decode(data, type=Answer) if data else None
    except msgspec.DecodeError:
        return None
