"""Remembers the answers for links to other sites, in a file, from one run to the next."""

from collections.abc import Iterable
from pathlib import Path

import msgspec
from msgspec import Struct

from waypost.live.answer import MISSING, Answer
from waypost.live.answer_file import AnswerFile, decoded

_APPLICATION_ID = 0x57_50_4C_4D
"""Marks a file as one of this module ("WPLM")."""
_TABLES = ("create table answers (url text primary key, known blob)",)
_DAY = 86_400


class KnownAnswer(Struct, frozen=True):
    """The last answer for a URL, when it was given, and since when the URL is missing, or None; in Unix seconds."""

    asked: float
    answer: Answer
    missing_since: float | None = None

    @property
    def is_missing_for_days(self) -> bool:
        """Whether the URL was missing on two different days, and was not seen between them."""
        return self.missing_since is not None and int(self.missing_since // _DAY) < int(self.asked // _DAY)


class LinkMemory(AnswerFile):
    """The answers in a file, or those of this run alone without one; raises StoreError for a file of another kind."""

    def __init__(self, path: Path | None) -> None:
        super().__init__(path, _APPLICATION_ID, _TABLES, command="waypost audit", use="for answers")

    def of(self, url: str) -> KnownAnswer | None:
        """What is known of a URL; None if nothing is, or it is damaged."""
        row = self.execute("select known from answers where url = ?", (url,)).fetchone()
        return decoded(row[0], KnownAnswer) if row else None

    def remember(self, url: str, answer: Answer, now: float) -> KnownAnswer:
        """Keep an answer; what is known then."""
        before = self.of(url)
        since = (before.missing_since if before else None) or now
        known = KnownAnswer(now, answer, since if answer.status in MISSING else None)
        self.record("insert or replace into answers values (?, ?)", (url, msgspec.msgpack.encode(known)))
        return known

    def keep_only(self, urls: Iterable[str]) -> None:
        """Forget all other URLs: no page names them any more."""
        self.execute("create temp table named (url text primary key)")
        self.execute_many("insert or ignore into named values (?)", ((url,) for url in urls))
        self.execute("delete from answers where url not in (select url from named)")
        self.execute("drop table named")
