"""Checks listed URLs: asks those without an answer, and reports what is wrong with the answers."""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from itertools import takewhile

from waypost.core.clock import Clock
from waypost.live.answer import OUT_OF_TIME, Answer, NotAskedError
from waypost.live.host import PAUSED
from waypost.live.judgement import named_problems, named_urls, problems
from waypost.live.robots_rules import made_up_url, origin_of
from waypost.live.run_file import ListedUrl, RunFile
from waypost.live.workers import as_completed
from waypost.validate import FindingReport

DISALLOWED = "robots.txt disallows it"


Ask = Callable[[str, Answer | None], Answer]
"""Gives the answer for a URL, or the one of an earlier run if that has not changed; raises NotAskedError."""


@dataclass
class Totals:
    """How many URLs are listed and chosen for the check, how many were asked, with which statuses, and why not all.

    `named` counts the URLs that pages name as canonical or as alternates, and that were asked although they are not
    listed. Status 0 is no answer. The status of a redirect is its first answer's status.
    """

    listed: int = 0
    chosen: int = 0
    asked: int = 0
    named: int = 0
    by_status: Counter[int] = field(default_factory=Counter)
    unasked_by_reason: Counter[str] = field(default_factory=Counter)

    def add(self, answer: Answer) -> None:
        """Count an answer."""
        if answer.disallowed_for:
            self.unasked_by_reason[DISALLOWED] += 1
        else:
            self.asked += 1
            self.by_status[answer.hops[0].status if answer.hops else answer.status] += 1

    @property
    def unasked(self) -> int:
        """How many of the chosen URLs were not asked."""
        return self.chosen - self.asked


class LiveCheck:
    """A check of the URLs in a run file, or of a sample of so many.

    `width` requests are under way at a time, and none begins at `deadline` or later, in Unix seconds.
    """

    def __init__(
        self, run_file: RunFile, ask: Ask, clock: Clock, width: int, deadline: float, sample: int | None
    ) -> None:
        self._run_file, self._ask, self._clock = run_file, ask, clock
        self._width, self._deadline, self._sample = width, deadline, sample
        self._unasked: Counter[str] = Counter()

    def run(self, report: FindingReport, progress: Callable[[str, int, int | None], None]) -> Totals:
        """Ask the URLs, and report what is wrong with all answers of this run; any error leaves the answers kept."""
        listed = self._run_file.count()
        chosen = listed if self._sample is None else min(listed, self._sample)
        done = self._run_file.answered_count(self._sample)
        progress("URLs asked", done, chosen)
        try:
            for number, answer in enumerate(self._answers(self._run_file.unanswered(self._sample)), done + 1):
                if isinstance(answer, str):
                    self._unasked[answer] += 1
                progress("URLs asked", number, chosen)
            named = self._ask_named(progress)
        finally:
            self._run_file.save()
        totals = self._judge(report, Totals(listed, chosen, named=named))
        if not totals.unasked_by_reason.keys() & {OUT_OF_TIME, PAUSED}:
            self._run_file.finish()
        return totals

    def _ask_named(self, progress: Callable[[str, int, int | None], None]) -> int:
        """Ask each URL once that a page names as canonical or as an alternate, and that has no answer in this run."""
        answers = self._run_file.answers(self._sample)
        self._run_file.name(each for url, answer in answers if answer for each in named_urls(url.loc, answer))
        count = 0
        for answer in self._answers(self._run_file.named()):
            if isinstance(answer, Answer):
                count += 1
                progress("canonical URLs and alternates asked", count, None)
        return count

    def _answers(self, urls: Iterable[tuple[ListedUrl, Answer | None]]) -> Iterator[Answer | str]:
        """What is answered for these URLs before the deadline, which is kept, or why one was not asked."""
        waiting = takewhile(lambda _: self._clock.time() < self._deadline, urls)
        for (url, _), answer in as_completed(self._answer, waiting, self._width):
            if isinstance(answer, Answer):
                self._run_file.keep(url.loc, answer)
            yield answer

    def _answer(self, waiting: tuple[ListedUrl, Answer | None]) -> Answer | str:
        """The answer for a URL, or the reason for which it was not asked."""
        url, earlier = waiting
        try:
            return self._ask(url.loc, earlier)
        except NotAskedError as error:
            return str(error)

    def _judge(self, report: FindingReport, totals: Totals) -> Totals:
        always_200 = set[str]()
        for url, answer in self._run_file.answers(self._sample):
            if answer:
                totals.add(answer)
                if answer.like_missing == "status" and (origin := origin_of(url.loc)) not in always_200:
                    always_200.add(origin)
                    report.add("live-no-404", url.file, url.line, made_up_url(origin))
                named = list(named_problems(url.loc, answer, self._run_file.answer_of))
                # A canonical page that does not exist cannot be listed in the place of this one.
                has_none = any(code == "live-canonical-missing" for code, _ in named)
                own = problems(url.loc, url.lastmod, answer)
                for code, details in (*own, *named):
                    if not (has_none and code == "live-not-canonical"):
                        report.add(code, url.file, url.line, url.loc, **details)
        totals.unasked_by_reason += self._unasked
        if rest := totals.unasked - totals.unasked_by_reason.total():
            totals.unasked_by_reason[OUT_OF_TIME] += rest
        return totals
