"""Handles requests, `{"action": …}`, of a person or of the schedule."""

from collections.abc import Callable, Sequence
from typing import Annotated

import msgspec
from msgspec import Meta, Struct
from msgspec.structs import replace

from waypost.aws.call import Call
from waypost.aws.function_answers import ExplainAnswer, FunctionStatus, PartitionAnswer, RefusedAnswer, StartedAnswer
from waypost.aws.logs import log, log_warnings
from waypost.aws.question_handler import QUESTIONS, Questions
from waypost.aws.runner import RebuildOptions, Runner
from waypost.aws.state_machine import StateMachine
from waypost.build import divided_bucket
from waypost.build.bucket import read_adopted
from waypost.build.bucket_check import CheckAnswer
from waypost.build.bucket_explanation import object_key
from waypost.build.bucket_site import BucketResult, BucketSite
from waypost.build.bucket_state import BucketState
from waypost.build.divided_bucket import DividedBucket
from waypost.build.locations import Locations
from waypost.build.run_answer import RunAnswer, run_answer
from waypost.core.errors import EventError, OtherRunError, StateError
from waypost.core.model import SiteWarning

ACTIONS = ("rebuild", "update", *QUESTIONS)
_EXAMPLE = '{"action": …, "keys": ["index.html", …]}'
_RebuildAnswer = RunAnswer | RefusedAnswer | PartitionAnswer | StartedAnswer
RequestAnswer = _RebuildAnswer | FunctionStatus | CheckAnswer | ExplainAnswer


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


class RequestHandler:
    """Handles the requests to one site's function.

    `locations` opens other states, `runner_of` runs one part of the bucket, and `state_machine` all of them.
    `require_suitable_bucket` raises ConfigurationError if the function with an ARN cannot work with the site's bucket.
    """

    def __init__(
        self,
        bucket: DividedBucket,
        locations: Locations,
        runner_of: Callable[[BucketSite], Runner],
        questions: Questions,
        state_machine: StateMachine,
        require_suitable_bucket: Callable[[str], None],
    ) -> None:
        self._divided, self._bucket, self._locations = bucket, bucket.whole, locations
        self._runner_of, self._questions, self._state_machine = runner_of, questions, state_machine
        self._require_suitable_bucket = require_suitable_bucket

    def handle(self, event: object, call: Call) -> RequestAnswer:
        """Do what is requested; raises EventError if the request is not understood, and what the action raises."""
        request = parse(event)
        if request.source == "aws.events" or request.action == "rebuild":
            return self._rebuild(request, call)
        if request.action == "update":
            return self._update(request, call)
        if request.action in QUESTIONS:
            return answer_question(request, self._questions)
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
        options = RebuildOptions(
            request.max_removed, request.lag, request.part, adopted, request.partition is None, tuple(late)
        )
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
        runner.conclude("rebuild", result, call, options=options)
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
        execution = self._state_machine.start(own[:-1], own[-1])
        return StartedAnswer(finished=False, partitions=len(parts), execution=execution)


def _run_answer(site: BucketSite, result: BucketResult, warnings: Sequence[SiteWarning] = ()) -> RunAnswer:
    answer = run_answer(site, result, warnings)
    return replace(answer, note="the time is used up; another call continues") if result.is_unfinished else answer


def answer_question(request: FunctionRequest, questions: Questions) -> FunctionStatus | CheckAnswer | ExplainAnswer:
    """The answer to a request that is one of QUESTIONS; raises EventError if `explain` names no key."""
    if request.action == "status":
        return questions.status()
    return questions.check() if request.action == "check" else questions.explain(_named_keys(request))


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
