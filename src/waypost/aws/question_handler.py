"""Handles the actions that only answer a question: status, check and explain."""

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from msgspec import UNSET, UnsetType
from msgspec.structs import asdict, replace

from waypost.app import ledger_answers
from waypost.app.bucket_events import BucketEvents
from waypost.app.ledger_site import LedgerSite
from waypost.aws.function_answers import ExplainAnswer, FunctionStatus
from waypost.aws.last_error import LastErrorFile
from waypost.aws.queue_status import QueueStatusReader
from waypost.core.errors import WaypostError
from waypost.sync import inspect
from waypost.sync.problems import Problems, advice, problems_of
from waypost.sync.status_answers import CheckAnswer, Problem, StatusAnswer

if TYPE_CHECKING:
    from waypost.aws.state_machine import StateMachine

QUESTIONS = ("status", "explain", "check")
_ENDED_STATUSES = ("ABORTED", "FAILED", "TIMED_OUT", "gone")
_NEW_REBUILD = '{"action": "rebuild"} starts a new one'


class QuestionHandler:
    """Answers questions about one site.

    `queue` reads the state of its queue of events, and `bucket_events` whether its bucket sends them, if it has a
    queue.
    """

    def __init__(
        self,
        site: LedgerSite,
        last_error: LastErrorFile,
        state_machine: "StateMachine | None" = None,
        queue: QueueStatusReader | None = None,
        bucket_events: Callable[[], BucketEvents] | None = None,
    ) -> None:
        self._site, self._last_error, self._state_machine = site, last_error, state_machine
        self._queue, self._bucket_events = queue, bucket_events

    def status(self) -> FunctionStatus:
        """The status of the ledger and its events, the last error, and the distributed rebuild that is not complete."""
        problems = Problems()
        found = with_events(inspect.status(self._site.updater), self._queue, self._bucket_events)
        last_error = problems.attempt(f"{self._site.site.state}", self._last_error.read)
        answer = self._with_rebuild(replace(found, last_error=last_error), problems)
        return replace(answer, problems=[*answer.problems, *problems.found])

    def _with_rebuild(self, answer: FunctionStatus, problems: Problems) -> FunctionStatus:
        """The status with the distributed rebuild that the manifest names, if it does."""
        machine, ledger = self._state_machine, self._site.updater.ledger
        if machine is None or answer.generation is None:
            return answer
        run = problems.attempt("the ledger", lambda: ledger.read().manifest.run)
        progress = problems.attempt("the ledger", lambda: machine.progress(run)) if run else None
        if progress is None:
            return answer
        answer = replace(answer, rebuild=progress)
        if progress.problem:
            problems.found.append(_problem("state-machine", progress.execution, progress.problem))
        if progress.status not in _ENDED_STATUSES:
            return answer
        is_gone = progress.status == "gone"
        ended = "does not exist any more" if is_gone else f"ended as {progress.status}"
        return replace(answer, state=f"the distributed rebuild {ended}; {_NEW_REBUILD}")

    def check(self) -> CheckAnswer:
        """A comparison of bucket, ledger and published files."""
        return inspect.check(self._site.updater)

    def explain(self, names: Sequence[str]) -> ExplainAnswer:
        """Why files are listed or not."""
        return ExplainAnswer(ledger_answers.explain(self._site, names))


class WithoutSettings:
    """Answers questions to a function whose settings cannot be used, because of an error.

    `fallback` is what the variables of the environment alone describe, if these are right: its status is still known.
    """

    def __init__(
        self,
        error: WaypostError,
        base_url: str | None,
        fallback: QuestionHandler | None,
        queue: QueueStatusReader | None,
    ) -> None:
        self._error, self._base_url, self._fallback, self._queue = error, base_url, fallback, queue

    def status(self) -> FunctionStatus:
        """The settings' problems, and the counts of the ledger that the variables name."""
        if self._fallback:
            found = self._fallback.status()
            problems = [*problems_of("settings", self._error), *found.problems]
            return replace(found, state=ledger_answers.UNUSABLE_SETTINGS, problems=problems)
        return with_events(ledger_answers.status_without_settings(self._base_url, self._error), self._queue, None)

    def check(self) -> CheckAnswer:
        """The settings' problems: nothing can be compared."""
        return ledger_answers.check_without_settings(self._error)

    def explain(self, names: Sequence[str]) -> ExplainAnswer:
        """The settings' problems, for each file."""
        return ExplainAnswer(ledger_answers.explain_without_settings(names, self._error))


Questions = QuestionHandler | WithoutSettings


def with_events(
    status: StatusAnswer, queue: QueueStatusReader | None, bucket_events: Callable[[], BucketEvents] | None
) -> FunctionStatus:
    """A status with the state of the queue of events, and whether the bucket sends them."""
    queue_status = queue.read() if queue else UNSET
    events = bucket_events() if bucket_events else UNSET
    problems = list(status.problems)
    if not isinstance(queue_status, UnsetType) and queue_status.problem:
        problems.append(_problem("queue", "the queue of events", queue_status.problem))
    if not isinstance(events, UnsetType):
        problems += _problems_of_events(events)
    values = asdict(status) | {"problems": problems}
    return FunctionStatus(**values, queue=queue_status, bucket_events=events)


def _problems_of_events(events: BucketEvents) -> list[Problem]:
    where = f"the notifications of {events.bucket}"
    if events.problem:
        return [_problem("events", where, events.problem)]
    if events.eventbridge is not False:
        return []
    problem = "the bucket does not send its events to EventBridge, so that no upload or deletion is noticed"
    advice_text = f"run `waypost aws connect {events.bucket}`, or enable EventBridge where the bucket is managed"
    return [Problem("events", where, problem, advice_text)]


def _problem(kind: str, where: str | UnsetType, text: str) -> Problem:
    return Problem(kind, str(where), text, advice(text) or "ask again later")
