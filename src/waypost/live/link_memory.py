"""Remembers the answers for links to other sites, in a file, from one run to the next."""

import sqlite3
from collections.abc import Iterable, Sequence
from pathlib import Path

import msgspec
from msgspec import Struct

from waypost.core.errors import StoreError
from waypost.live.answer import MISSING, Answer

_APPLICATION_ID, _VERSION = 0x57_50_4C_4D, 1
"""Marks a file as one of this module ("WPLM")."""
_DAY = 86_400
_RECORDS_PER_COMMIT = 50


class KnownAnswer(Struct, frozen=True):
    """The last answer for a URL, when it was given, and since when the URL is missing, or None; in Unix seconds."""

    asked: float
    answer: Answer
    missing_since: float | None = None

    @property
    def is_missing_for_days(self) -> bool:
        """Whether the URL was missing on two different days, and was not seen between them."""
        return self.missing_since is not None and int(self.missing_since // _DAY) < int(self.asked // _DAY)


class LinkMemory:
    """The answers in a file, or those of this run alone without one; raises StoreError for a file of another kind."""

    def __init__(self, path: Path | None) -> None:
        self._name, self._uncommitted = str(path or ""), 0
        try:
            self._database = sqlite3.connect(self._name, isolation_level=None, timeout=0)
            self._open()
        except sqlite3.Error as error:
            raise self._store_error(error) from error

    def _store_error(self, error: sqlite3.Error) -> StoreError:
        return StoreError(f"{self._name} cannot be used for answers: {error}")

    def _run(self, statement: str, values: Sequence[object] = ()) -> sqlite3.Cursor:
        try:
            return self._database.execute(statement, values)
        except sqlite3.Error as error:
            raise self._store_error(error) from error

    def _open(self) -> None:
        run = self._database.execute
        is_new = not run("select 1 from sqlite_master").fetchone()
        marks = run("pragma application_id").fetchone() + run("pragma user_version").fetchone()
        if not is_new and marks != (_APPLICATION_ID, _VERSION):
            raise StoreError(f"{self._name} was not written by this version of `waypost audit`; name another file")
        run("begin immediate")
        if is_new:
            run("create table answers (url text primary key, known blob)")
            run(f"pragma application_id = {_APPLICATION_ID}")
            run(f"pragma user_version = {_VERSION}")

    def of(self, url: str) -> KnownAnswer | None:
        """What is known of a URL; None if nothing is, or it is damaged."""
        row = self._run("select known from answers where url = ?", (url,)).fetchone()
        try:
            return msgspec.msgpack.decode(row[0], type=KnownAnswer) if row else None
        except msgspec.DecodeError:
            return None

    def record(self, url: str, answer: Answer, now: float) -> KnownAnswer:
        """Keep an answer; what is known then."""
        before = self.of(url)
        since = (before.missing_since if before else None) or now
        known = KnownAnswer(now, answer, since if answer.status in MISSING else None)
        self._run("insert or replace into answers values (?, ?)", (url, msgspec.msgpack.encode(known)))
        self._uncommitted += 1
        if self._uncommitted >= _RECORDS_PER_COMMIT:
            self.save()
        return known

    def keep_only(self, urls: Iterable[str]) -> None:
        """Forget all other URLs: no page names them any more."""
        self._run("create temp table named (url text primary key)")
        self._database.executemany("insert or ignore into named values (?)", ((url,) for url in urls))
        self._run("delete from answers where url not in (select url from named)")
        self._run("drop table named")

    def save(self) -> None:
        """Write what was recorded to the disk."""
        self._run("commit")
        self._run("begin immediate")
        self._uncommitted = 0

    def close(self) -> None:
        """Save what was recorded, and close the file."""
        try:
            self._run("commit")
        finally:
            self._database.close()
