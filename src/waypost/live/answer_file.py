"""A file of answers that is kept from one run to the next: a SQLite database with a mark of its own."""

import sqlite3
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TypeVar

import msgspec

from waypost.core.errors import StoreError

_VERSION = 1
_RECORDS_PER_COMMIT = 50
R = TypeVar("R")


class AnswerFile:
    """An open file with the mark `application_id`, and for this run alone without a path.

    A new one begins with the statements of `tables`; `pragmas` are for each time that it is opened. Errors name the
    `command` that writes such files, and what they are for. Raises StoreError for a file of another kind, and for one
    that cannot be used.
    """

    def __init__(
        self,
        path: Path | None,
        application_id: int,
        tables: Sequence[str],
        *,
        command: str,
        use: str,
        pragmas: Sequence[str] = (),
    ) -> None:
        self._name, self._use, self._unsaved = str(path or ""), use, 0
        self._records = list[Sequence[object]]()
        self._record_statement = ""
        try:
            self._database = sqlite3.connect(self._name, isolation_level=None, timeout=0)
        except sqlite3.Error as error:
            raise self._store_error(error) from error
        mark = (application_id, _VERSION)
        is_new = not self.execute("select 1 from sqlite_master").fetchone()
        present = self.execute("pragma application_id").fetchone() + self.execute("pragma user_version").fetchone()
        if not is_new and present != mark:
            raise StoreError(f"{self._name} was not written by this version of `{command}`; name another file")
        marks = (f"pragma application_id = {mark[0]}", f"pragma user_version = {mark[1]}")
        for statement in (*pragmas, "begin immediate", *((*tables, *marks) if is_new else ())):
            self.execute(statement)

    def _store_error(self, error: sqlite3.Error) -> StoreError:
        return StoreError(f"{self._name} cannot be used {self._use}: {error}")

    def execute(self, statement: str, values: Sequence[object] = ()) -> sqlite3.Cursor:
        """Run a statement, after those of all records; raises StoreError."""
        self._write_records()
        try:
            return self._database.execute(statement, values)
        except sqlite3.Error as error:
            raise self._store_error(error) from error

    def execute_many(self, statement: str, rows: Iterable[Sequence[object]]) -> None:
        """Run a statement for each row; raises StoreError."""
        try:
            self._database.executemany(statement, rows)
        except sqlite3.Error as error:
            raise self._store_error(error) from error

    def record(self, statement: str, values: Sequence[object]) -> None:
        """Add a record by a statement, which is the same for all; a number of them is written and saved at a time.

        Each statement that runs lets other threads in, and these make it wait: one for each answer took a quarter of
        the time of a check.
        """
        self._record_statement = statement
        self._records.append(values)
        self._unsaved += 1
        if self._unsaved >= _RECORDS_PER_COMMIT:
            self.save()

    def _write_records(self) -> None:
        records, self._records = self._records, []
        if records:
            self.execute_many(self._record_statement, records)

    def save(self) -> None:
        """Write what was recorded to the disk."""
        self.execute("commit")
        self.execute("begin immediate")
        self._unsaved = 0

    def close(self) -> None:
        """Save what was recorded, and close the file."""
        try:
            self.execute("commit")
        finally:
            self._database.close()


def decoded(data: bytes | None, kind: type[R]) -> R | None:
    """A record as it was kept; None if there is none, or it is damaged."""
    try:
        return msgspec.msgpack.decode(data, type=kind) if data else None
    except msgspec.DecodeError:
        return None
