"""Handles the actions that only answer a question: status, check and explain."""

from collections.abc import Callable, Sequence

from msgspec import UNSET, UnsetType
from msgspec.structs import asdict, replace

from waypost.aws.event_queue import EventQueue
from waypost.aws.function_answers import ExplainAnswer, FunctionStatus, QueueStatus
from waypost.aws.last_error import LastErrorFile
from waypost.build import bucket_check, bucket_explanation, divided_answers, status
from waypost.build.answers import Problem, Problems, advice, count_noun, problems_of
from waypost.build.bucket_check import CheckAnswer
from waypost.build.bucket_checks import BucketEvents
from waypost.build.divided_bucket import DividedBucket
from waypost.build.status import StatusAnswer
from waypost.core.errors import WaypostError

QUESTIONS = ("status", "explain", "check")
_ALL_RECEIVED = "up to date with all events received"


class QuestionHandler:
    """Answers questions about one bucket.

    `queue` reads the state of its queue of events, and `bucket_events` whether its bucket sends them, if it has a
    queue. `removed_limit` is from how many percent of removed pages on that is a problem.
    """

    def __init__(
        self,
        bucket: DividedBucket,
        last_error: LastErrorFile,
        queue: EventQueue | None = None,
        bucket_events: Callable[[], BucketEvents] | None = None,
        removed_limit: float = status.REMOVED_PERCENT,
    ) -> None:
        self._bucket, self._last_error, self._removed_limit = bucket, last_error, removed_limit
        self._queue, self._bucket_events = queue, bucket_events

    def status(self) -> FunctionStatus:
        """The status of the bucket and its events, and the last error."""
        problems = Problems()
        found = with_events(divided_answers.status(self._bucket, self._removed_limit), self._queue, self._bucket_events)
        last_error = problems.attempt(self._bucket.whole.state.where, self._last_error.read)
        return replace(found, last_error=last_error, problems=[*found.problems, *problems.found])

    def check(self) -> CheckAnswer:
        """A comparison of bucket, state and published files."""
        return divided_answers.check(self._bucket)

    def explain(self, names: Sequence[str]) -> ExplainAnswer:
        """Why files are listed or not."""
        return ExplainAnswer(divided_answers.explain_objects(self._bucket, names))


class WithoutSettings:
    """Answers questions to a function whose settings cannot be used, because of an error.

    `fallback` is what the variables of the environment alone describe, if these are right: its status is still known.
    """

    def __init__(
        self,
        error: WaypostError,
        base_url: str | None,
        fallback: QuestionHandler | None,
        queue: EventQueue | None,
    ) -> None:
        self._error, self._base_url, self._fallback, self._queue = error, base_url, fallback, queue

    def status(self) -> FunctionStatus:
        """The settings' problems, and the counts of the state that the variables name."""
        if self._fallback:
            found = self._fallback.status()
            problems = [*problems_of("settings", self._error), *found.problems]
            return replace(found, state=status.UNUSABLE_SETTINGS, problems=problems)
        return with_events(status.status_without_settings(self._base_url, self._error), self._queue, None)

    def check(self) -> CheckAnswer:
        """The settings' problems: nothing can be compared."""
        return bucket_check.check_without_settings(self._error)

    def explain(self, names: Sequence[str]) -> ExplainAnswer:
        """The settings' problems, for each file."""
        return ExplainAnswer(bucket_explanation.explain_without_settings(names, self._error))


Questions = QuestionHandler | WithoutSettings


def with_events(
    found: StatusAnswer, queue: EventQueue | None, bucket_events: Callable[[], BucketEvents] | None
) -> FunctionStatus:
    """A status with the state of the queue of events, and whether the bucket sends them.

    Nothing says "up to date" while messages wait: what failed is delivered again, and is in the queue until then.
    """
    queue_status = queue.status() if queue and queue.url else UNSET
    events = bucket_events() if bucket_events else UNSET
    problems = list(found.problems)
    if not isinstance(queue_status, UnsetType) and queue_status.problem:
        problems.append(_problem("queue", "the queue of events", queue_status.problem))
    if not isinstance(events, UnsetType):
        problems += _problems_of_events(events)
    values = asdict(found) | {"problems": problems, "state": _state(found.state, queue_status)}
    return FunctionStatus(**values, queue=queue_status, bucket_events=events)


def _state(text: str, queue: QueueStatus | UnsetType) -> str:
    """What a state is good for, given what waits in the queue of events."""
    if text != status.UP_TO_DATE or isinstance(queue, UnsetType) or isinstance(queue.waiting, UnsetType):
        return text
    waiting = queue.waiting + (queue.in_flight or 0)
    return f"{count_noun(waiting, 'message')} of events wait, or are handled" if waiting else _ALL_RECEIVED


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
