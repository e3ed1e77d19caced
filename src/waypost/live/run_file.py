"""Remembers which URLs are listed and what was answered, in a file, so that a check can be interrupted and repeated."""

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import NamedTuple

import msgspec

from waypost.core.hashing import short_digest
from waypost.live.answer import Answer
from waypost.live.answer_file import AnswerFile, decoded

_APPLICATION_ID = 0x57_50_4C_43
"""Marks a file as one of this module ("WPLC")."""
_TABLES = (
    "create table listed (id integer primary key, digest text, loc text unique, lastmod text, file text, line integer)",
    "create index listed_by_digest on listed (digest, id)",
    "create table answers (loc text primary key, run integer, answer blob)",
    "create table run (number integer, options text, started real, is_finished integer)",
    "insert into run values (0, '', 0, 1)",
)
_PRAGMAS = (
    "pragma cache_size = -8000",
    "pragma synchronous = off",  # a crash of the machine may cost the file, one of the process may not
)
_MAX_AGE = 7 * 86_400
_PAGE = 1_000


class ListedUrl(NamedTuple):
    """A URL where it is listed first; `lastmod` is as written, or `""`."""

    loc: str
    lastmod: str
    file: str
    line: int


class RunFile(AnswerFile):
    """The URLs that are listed now, and all answers of this run and of earlier ones.

    A run that was interrupted continues for a week; after one that has finished, or one with other `options`, a new
    one begins. `now` is in Unix seconds. Without a path, nothing is kept after `close`. Raises StoreError for a file
    that is not its own.
    """

    def __init__(self, path: Path | None, options: str, now: float) -> None:
        super().__init__(
            path, _APPLICATION_ID, _TABLES, command="waypost check-live", use="to resume", pragmas=_PRAGMAS
        )
        self.execute("delete from listed")
        self.execute(
            "update run set number = number + 1, options = ?, started = ?, is_finished = 0 "
            "where is_finished or options != ? or started < ?",
            (options, now, options, now - _MAX_AGE),
        )
        (self._run,) = self.execute("select number from run").fetchone()

    def list(self, urls: Iterable[ListedUrl]) -> None:
        """Add listed URLs; of those that are listed twice, the first counts."""
        self.execute_many(
            "insert or ignore into listed (digest, loc, lastmod, file, line) values (?, ?, ?, ?, ?)",
            ((short_digest(url.loc.encode("utf-8", "replace")), *url) for url in urls),
        )

    def count(self) -> int:
        """How many URLs are listed."""
        (count,) = self.execute("select count(*) from listed").fetchone()
        return int(count)

    def answered_count(self, sample: int | None) -> int:
        """How many of the URLs in the sample have an answer in this run."""
        (count,) = self.execute(
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
            rows = self.execute(
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
                    yield ListedUrl(loc, lastmod, file, line), decoded(answer, Answer)

    def keep(self, loc: str, answer: Answer) -> None:
        """Keep the answer for a URL."""
        values = (loc, self._run, msgspec.msgpack.encode(answer))
        self.record("insert or replace into answers values (?, ?, ?)", values)

    def answers(self, sample: int | None) -> Iterator[tuple[ListedUrl, Answer | None]]:
        """The listed URLs in the sample with their answers of this run, in the order in which they are listed."""
        rows = self.execute(
            "select listed.loc, lastmod, file, line, answer from listed "
            "left join answers on answers.loc = listed.loc and run = ? where (digest, id) <= (?, ?) order by id",
            (self._run, *self._end_of(sample)),
        )
        for *listed, answer in rows:
            yield ListedUrl(*listed), decoded(answer, Answer)

    def name(self, urls: Iterable[str]) -> None:
        """Remember URLs that pages name, each once; those of an earlier call are forgotten."""
        self.execute("create temp table if not exists named (id integer primary key, loc text unique)")
        self.execute("delete from named")
        self.execute_many("insert or ignore into named (loc) values (?)", ((url,) for url in urls))

    def named(self) -> Iterator[tuple[ListedUrl, Answer | None]]:
        """The named URLs without an answer in this run, as `unanswered` gives those that are listed."""
        last = 0
        while True:
            rows = self.execute(
                "select id, named.loc, run from named left join answers on answers.loc = named.loc "
                "where id > ? order by id limit ?",
                (last, _PAGE),
            ).fetchall()
            if not rows:
                return
            last = rows[-1][0]
            yield from ((ListedUrl(loc, "", "", 0), None) for _, loc, run in rows if run != self._run)

    def answer_of(self, loc: str) -> Answer | None:
        """The answer for a URL in this run; None if there is none."""
        row = self.execute("select answer from answers where loc = ? and run = ?", (loc, self._run)).fetchone()
        return decoded(row[0], Answer) if row else None

    def _end_of(self, sample: int | None) -> tuple[str, int]:
        """The digest and number of the last URL in the sample."""
        query = "select digest, id from listed order by digest, id limit 1 offset ?"
        found = self.execute(query, (max(0, sample - 1),)).fetchone() if sample is not None else None
        return found or ("~", 0)

    def finish(self) -> None:
        """End the run, so that the next one asks all URLs again."""
        self.execute("update run set is_finished = 1")
