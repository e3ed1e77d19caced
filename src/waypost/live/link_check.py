"""Asks for links to other sites, but not for those of which a recent answer is remembered in a file."""

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from itertools import takewhile
from pathlib import Path
from typing import NamedTuple

import msgspec
from msgspec import Struct

from waypost.core.clock import Clock
from waypost.core.hashing import short_digest
from waypost.live.answer import MISSING, OUT_OF_TIME, Answer, NoAnswerError, NotAskedError
from waypost.live.answer_file import AnswerFile, decoded
from waypost.live.check import DISALLOWED, Ask
from waypost.live.judgement import status_text
from waypost.live.workers import as_completed

_APPLICATION_ID = 0x57_50_4C_4D
"""Marks a file as one of this module ("WPLM")."""
_TABLES = ("create table answers (url text primary key, known blob)",)
_DAY = 86_400
_FAILURES = range(500, 600)


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

    def keep(self, url: str, answer: Answer, now: float) -> KnownAnswer:
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


class LinkProblem(NamedTuple):
    """Why a link leads nowhere: the code of a rule of audits, and what the server answered."""

    code: str
    text: str


class LinkAnswers(Struct, frozen=True):
    """The links that lead nowhere; how many were `asked` in this run or `known` before; the others by the reason."""

    problems: Mapping[str, LinkProblem]
    asked: int
    known: int
    unasked_by_reason: Mapping[str, int]


class LinkCheck:
    """A check of links; an answer that is at most `max_age` days old is believed.

    `width` requests are under way at a time, and none begins at `deadline` or later, in Unix seconds.
    """

    def __init__(self, memory: LinkMemory, ask: Ask, clock: Clock, width: int, max_age: float, deadline: float) -> None:
        self._memory, self._ask, self._clock = memory, ask, clock
        self._width, self._max_age, self._deadline = width, max_age * _DAY, deadline

    def run(self, urls: Sequence[str], progress: Callable[[str, int, int | None], None]) -> LinkAnswers:
        """Ask for what is not known, in an order that mixes the hosts; any error leaves the answers kept."""
        known = {url: recent for url in urls if (recent := self._recent(url))}
        waiting = sorted((url for url in urls if url not in known), key=lambda url: short_digest(url.encode()))
        found: dict[str, KnownAnswer | str] = {**known, **dict.fromkeys(waiting, OUT_OF_TIME)}
        progress("links to other sites", 0, len(waiting))
        try:
            in_time = takewhile(lambda _: self._clock.time() < self._deadline, waiting)
            answers = as_completed(self._answer, in_time, self._width)
            for n, (url, answer) in enumerate(answers, 1):
                found[url] = answer if isinstance(answer, str) else self._memory.keep(url, answer, self._clock.time())
                progress("links to other sites", n, len(waiting))
            self._memory.keep_only(urls)
        finally:
            self._memory.save()
        return _answers(found, known)

    def _recent(self, url: str) -> KnownAnswer | None:
        known = self._memory.of(url)
        return known if known and 0 <= self._clock.time() - known.asked <= self._max_age else None

    def _answer(self, url: str) -> Answer | str:
        """The answer for a URL, or the reason for which it was not asked."""
        try:
            return self._ask(url, None)
        except NoAnswerError as error:
            return Answer(why=error.why)
        except NotAskedError as error:
            return str(error)


def _answers(found: Mapping[str, KnownAnswer | str], known: Collection[str]) -> LinkAnswers:
    """What the answers say; those for `known` URLs were known before."""
    judged = {url: each if isinstance(each, str) else judge(each) for url, each in found.items()}
    problems = {url: each for url, each in judged.items() if isinstance(each, LinkProblem)}
    unasked = Counter(each for each in judged.values() if isinstance(each, str))
    answered = [url for url, each in found.items() if isinstance(each, KnownAnswer) and not each.answer.disallowed_for]
    known_count = sum(url in known for url in answered)
    return LinkAnswers(problems, len(answered) - known_count, known_count, dict(unasked.most_common()))


def judge(known: KnownAnswer) -> LinkProblem | str | None:
    """What is wrong with the answer for a link, None if nothing is, or why it says nothing of the page.

    A server may refuse a program what it shows to people, so 401, 403 and the like are no problem.
    """
    answer = known.answer
    if answer.disallowed_for:
        return DISALLOWED
    if answer.unasked:
        return f"it redirects to what was not asked: {answer.unasked}"
    if answer.is_loop:
        return LinkProblem("external-unreachable", "redirects in a circle, or too often")
    if not answer.status:
        return LinkProblem("external-unreachable", answer.why)
    end = f", after a redirect to {answer.hops[-1].to}" if answer.hops else ""
    text = f"{status_text(answer.status)}{end}"
    if answer.status in MISSING:
        return LinkProblem("external-gone" if known.is_missing_for_days else "external-missing", text)
    if answer.status in _FAILURES:
        return LinkProblem("external-unreachable", text)
    return f"its server refuses programs ({answer.status})" if answer.status >= 400 else None
