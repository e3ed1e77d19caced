"""The Lambda function of one site, which events of a bucket, a schedule, or a person's requests invoke.

The template deploys it twice: a function with a short timeout handles events, another one everything else.
"""

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Annotated, Any

import msgspec
from botocore.exceptions import BotoCoreError, ClientError
from msgspec import UNSET, Meta, Struct, UnsetType
from msgspec.structs import asdict, replace

from waypost.aws.call import Call
from waypost.aws.environment import FunctionSite
from waypost.aws.event_handler import MUST_WAIT, EventHandler
from waypost.aws.event_queue import EventQueue
from waypost.aws.function_answers import (
    BatchAnswer,
    ErrorAnswer,
    ExplainAnswer,
    FunctionStatus,
    PartitionAnswer,
    QueueStatus,
    RefusedAnswer,
    StartedAnswer,
)
from waypost.aws.logs import log, log_warnings, read_last_error, save_error
from waypost.aws.runner import Invoke, Runner
from waypost.build import bucket_check, divided_bucket, status
from waypost.build.answers import Problem, Problems, advice, count_noun
from waypost.build.bucket import read_adopted
from waypost.build.bucket_check import CheckAnswer
from waypost.build.bucket_checks import BucketEvents
from waypost.build.bucket_explanation import explain_objects, object_key
from waypost.build.bucket_run import RebuildOptions
from waypost.build.bucket_site import BucketResult, BucketSite
from waypost.build.bucket_state import BucketState
from waypost.build.divided_bucket import DividedBucket
from waypost.build.explanation import Explanation
from waypost.build.partitions import Part
from waypost.build.run_answer import RunAnswer, run_answer
from waypost.build.status import StatusAnswer
from waypost.core.clock import w3c_now
from waypost.core.errors import BusyError, EventError, OtherRunError, RemovalError, StateError
from waypost.core.model import SiteWarning
from waypost.files import s3_events

QUESTIONS = ("status", "explain", "check")
ACTIONS = ("rebuild", "update", *QUESTIONS)
_EXAMPLE = '{"action": …, "keys": ["index.html", …]}'
_ALL_RECEIVED = "up to date with all events received"
StartRebuild = Callable[[Sequence[Mapping[str, object]], Mapping[str, object]], str]
"""Has the state machine rebuild the partitions and the remainder with these requests: see `start_execution`."""
_RebuildAnswer = RunAnswer | RefusedAnswer | PartitionAnswer | StartedAnswer
RequestAnswer = _RebuildAnswer | FunctionStatus | CheckAnswer | ExplainAnswer
FunctionAnswer = BatchAnswer | RequestAnswer | ErrorAnswer


class FunctionRequest(Struct, frozen=True, omit_defaults=True):
    """A request as it is sent; `keys` are keys, URIs or URLs.

    `max_removed` replaces the setting of that name in a rebuild, and `part` is the part of a build that is to go on.
    With a `lag` the rebuild counts the objects whose events were lost: those that should have been reported so many
    seconds ago. The schedule sends one. `adopt` is the location of another state, with whose dates the rebuild
    continues. The state machine of a divided bucket names one `partition`, `""` for the remainder, and the time `since`
    which all are rebuilt.
    """

    action: str = ""
    source: str = ""
    key: str = ""
    keys: str | Sequence[str] = ()
    max_removed: Annotated[int, Meta(ge=0, le=100)] | None = None
    lag: Annotated[float, Meta(ge=0)] | None = None
    part: str = ""
    adopt: str = ""
    partition: str | None = None
    since: str = ""


class Function:
    """The function of one site.

    `queue` has its events, and `bucket_events` reads whether its bucket sends them, if it has a queue. `start_rebuild`
    rebuilds all parts of a divided bucket. `require_suitable_bucket` raises ConfigurationError if the function with an
    ARN cannot work with the site's bucket.
    """

    def __init__(
        self,
        site: FunctionSite,
        invoke: Invoke,
        queue: EventQueue,
        start_rebuild: StartRebuild,
        bucket_events: Callable[[], BucketEvents] | None = None,
        require_suitable_bucket: Callable[[str], None] = lambda function_arn: None,
    ) -> None:
        self._bucket, self._locations = site.bucket, site.locations
        self._divided, runners = DividedBucket(site.bucket), dict[Part, Runner]()

        def runner_of(own: BucketSite) -> Runner:
            if own.part not in runners:
                runners[own.part] = Runner(self._divided, own, invoke, queue, site.removed_limit)
            return runners[own.part]

        self._runner_of, self._start_rebuild = runner_of, start_rebuild
        self._require_suitable_bucket = require_suitable_bucket
        self._events = EventHandler(self._divided, site.location, runner_of, queue)
        self._status = partial(function_status, self._divided, queue, bucket_events, site.removed_limit)

    def handle(self, event: object, call: Call) -> FunctionAnswer:
        """Handle an event. A failure is saved, and raised.

        A request that is not understood, or that asks for a rebuild that is refused, has an answer.
        """
        try:
            return self._dispatch(event, call)
        except (BusyError, *MUST_WAIT) as error:  # the sender, such as SQS, repeats it after a pause
            log("WARNING", str(error), call.request_id)
            raise
        except RemovalError as error:
            self._runner_of(self._bucket).refuse(error, call)
            if call.is_for_events or (isinstance(event, dict) and "partition" in event):
                raise
            return RefusedAnswer(finished=False, refused=str(error))
        except EventError as error:
            log("ERROR", str(error), call.request_id)
            return ErrorAnswer(str(error), ACTIONS)
        except Exception as error:
            save_error(self._bucket.state.store, error, call.request_id, w3c_now(self._bucket.clock))
            raise

    def _dispatch(self, event: object, call: Call) -> FunctionAnswer:
        if isinstance(event, dict) and s3_events.is_object_event(event):
            return self._events.handle(event, call)
        if call.is_for_events:
            raise EventError(f"this function handles only events; send this to {call.rebuild_function}")
        request = parse(event)
        if request.source == "aws.events" or request.action == "rebuild":
            return self._rebuild(request, call)
        if request.action == "update":
            return self._update(request, call)
        if request.action in QUESTIONS:
            return answer_question(
                request,
                self._status,
                lambda: bucket_check.check(self._divided),
                lambda names: explain_objects(self._divided, names),
            )
        if request.action:
            actions = ", ".join(ACTIONS)
            raise EventError(f'{request.action!r} is not an action; send {{"action": …}} with one of {actions}')
        raise EventError(f"this is not an event that Waypost knows: {str(event)[:200]}")

    def _update(self, request: FunctionRequest, call: Call) -> RunAnswer:
        keys = [object_key(name, self._bucket.site, self._bucket.site_uri) for name in _named_keys(request)]
        division, results = self._divided.division(), list[BucketResult]()
        for site, some in self._divided.by_site(keys, division):
            results.append(self._runner_of(site).update(some, call))
            self._runner_of(site).conclude("update", results[-1], call)
        return _run_answer(site, divided_bucket.combined(results))

    def _rebuild(self, request: FunctionRequest, call: Call) -> _RebuildAnswer:
        """Rebuild the bucket, or the named partition of it; a divided one is rebuilt by the state machine."""
        division = self._divided.division()
        if request.partition is None and division.partitions:
            return self._start(request)
        site = self._divided.site_named(request.partition or "", division)
        adopted, warnings = self._adopted(request, site, call)
        is_last = request.partition == ""
        late = divided_bucket.not_rebuilt(self._divided, division, request.since) if is_last else ()
        options = RebuildOptions(request.max_removed, request.lag, request.part, adopted)
        runner = self._runner_of(site)
        try:
            result = runner.rebuild(call, options)
        except OtherRunError as error:  # a part of a build that was called twice is done once
            if request.partition is not None:
                raise
            log("INFO", str(error), call.request_id)
            return RefusedAnswer(finished=False, refused=str(error))
        if request.partition is None and self._divided.division().partitions:
            return self._start(request)  # it was divided just now
        is_repeated = request.partition is None  # else the state machine repeats it
        runner.conclude(
            "rebuild", result, call, max_removed=request.max_removed, is_repeated=is_repeated, is_whole=not late
        )
        if request.partition is None:
            return _run_answer(site, result, warnings)
        if late and not result.is_unfinished:
            raise StateError(f"{', '.join(late)} could not be rebuilt; the log says why")
        build = result.head.build if result.head else None
        return PartitionAnswer(finished=not result.is_unfinished, part=build.part if build else "")

    def _adopted(
        self, request: FunctionRequest, site: BucketSite, call: Call
    ) -> tuple[BucketState | None, tuple[SiteWarning, ...]]:
        """The state that is to be adopted, if one is; a first build needs a suitable bucket."""
        head = None if request.part else site.state.usable_head()
        if not request.part and (head is None or not head.built_at):
            self._require_suitable_bucket(call.rebuild_function)
        if not request.adopt:
            return None, ()
        adopted, warnings = read_adopted(self._bucket, self._locations, request.adopt, "request", "adopt")
        log_warnings(warnings, call.request_id)
        return adopted, warnings

    def _start(self, request: FunctionRequest) -> StartedAnswer:
        """Have the state machine rebuild all partitions, and then the remainder."""
        parts = self._divided.division().parts
        options = {"max_removed": request.max_removed, "lag": request.lag}
        options = {name: value for name, value in options.items() if value is not None}
        own = [{"action": "rebuild", "partition": each.name, **options} for each in parts]
        execution = self._start_rebuild(own[:-1], own[-1])
        return StartedAnswer(finished=False, partitions=len(parts), execution=execution)


def _run_answer(site: BucketSite, result: BucketResult, warnings: Sequence[SiteWarning] = ()) -> RunAnswer:
    answer = run_answer(site, result, warnings)
    return replace(answer, note="the time is used up; another call continues") if result.is_unfinished else answer


def answer_question(
    request: FunctionRequest,
    status: Callable[[], FunctionStatus],
    check: Callable[[], CheckAnswer],
    explain: Callable[[Sequence[str]], Sequence[Explanation]],
) -> FunctionStatus | CheckAnswer | ExplainAnswer:
    """The answer to a request that is one of QUESTIONS; raises EventError if `explain` names no key."""
    if request.action == "status":
        return status()
    return check() if request.action == "check" else ExplainAnswer(explain(_named_keys(request)))


def start_execution(
    arn: str, client: Callable[[], Any], partitions: Sequence[Mapping[str, object]], remainder: Mapping[str, object]
) -> str:
    """Have the state machine rebuild with these requests, unless it does already; returns the ARN of the execution.

    `client` creates a client of Step Functions (API reference, "ListExecutions" and "StartExecution"). Raises
    StateError, also if `arn` is empty.
    """
    if not arn:
        raise StateError("the bucket is divided, and WAYPOST_STATE_MACHINE names nothing that can rebuild it")
    try:
        found = client()
        for execution in found.list_executions(stateMachineArn=arn, statusFilter="RUNNING", maxResults=1)["executions"]:
            return str(execution["executionArn"])
        payload = msgspec.json.encode({"partitions": partitions, "remainder": remainder}).decode()
        return str(found.start_execution(stateMachineArn=arn, input=payload)["executionArn"])
    except (ClientError, BotoCoreError) as error:
        raise StateError(f"the state machine {arn} cannot be started: {error}") from error


def function_status(
    bucket: DividedBucket,
    queue: EventQueue | None = None,
    bucket_events: Callable[[], BucketEvents] | None = None,
    removed_limit: float = status.REMOVED_PERCENT,
) -> FunctionStatus:
    """The status of a bucket and its events, and the last error.

    `queue` reads the state of its queue of events, and `bucket_events` whether the bucket sends them, if there is a
    queue. `removed_limit` is from how many percent of removed pages on that is a problem.
    """
    problems = Problems()
    found = with_events(status.status(bucket, removed_limit), queue, bucket_events)
    state = bucket.whole.state
    last_error = problems.attempt(state.where, lambda: read_last_error(state.store))
    return replace(found, last_error=last_error, problems=[*found.problems, *problems.found])


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


def _named_keys(request: FunctionRequest) -> list[str]:
    """The keys, URIs and URLs in a request; raises EventError if there is none."""
    keys = [request.keys] if isinstance(request.keys, str) else request.keys
    names = list(filter(None, [*keys, request.key]))
    if not names:
        raise EventError(f"the request names no key: {_EXAMPLE}")
    return names


def parse(event: object) -> FunctionRequest:
    """The request in an event; raises EventError if it is not understood."""
    if not isinstance(event, dict):
        raise EventError(f"this is not an event that Waypost knows: {str(event)[:200]}")
    unknown = sorted(map(str, event.keys() - set(FunctionRequest.__struct_fields__))) if "action" in event else []
    if unknown:
        raise EventError(
            f"a request has no field {unknown[0]!r}; it may have {', '.join(FunctionRequest.__struct_fields__)}"
        )
    try:
        return msgspec.convert(event, FunctionRequest)
    except msgspec.ValidationError as error:
        raise EventError(f"the request is not valid: {error}") from None
