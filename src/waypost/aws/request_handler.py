"""Handles requests, `{"action": …}`, of a person or of the schedule."""

from collections.abc import Callable, Sequence
from typing import Annotated

import msgspec
from msgspec import Meta, Struct
from msgspec.structs import replace

from waypost.app.bucket import read_adopted
from waypost.app.bucket_check import CheckAnswer
from waypost.app.locations import Locations
from waypost.app.object_keys import object_key
from waypost.app.run_answer import RunAnswer, run_answer
from waypost.aws.call import Call
from waypost.aws.function_answers import ExplainAnswer, FunctionStatus, RefusedAnswer
from waypost.aws.logs import LogLine, log, log_warnings
from waypost.aws.question_handler import QUESTIONS, Questions
from waypost.aws.runner import NO_OPTIONS, RebuildOptions, Runner
from waypost.build.bucket_site import BucketResult, BucketSite
from waypost.core.errors import EventError, OtherRunError
from waypost.core.model import SiteWarning

ACTIONS = ("rebuild", "update", *QUESTIONS)
_EXAMPLE = '{"action": …, "keys": ["index.html", …]}'
RequestAnswer = RunAnswer | RefusedAnswer | FunctionStatus | CheckAnswer | ExplainAnswer


class Request(Struct, frozen=True, omit_defaults=True):
    """A request as it is sent; `keys` are keys, URIs or URLs.

    `max_removed` replaces the setting of that name in a rebuild, and `part` is the part of a build that is to go on.
    With a `lag` the rebuild counts the objects whose events were lost: those that should have been reported so many
    seconds ago. The schedule sends one. `adopt` is the location of another state, with whose dates the rebuild
    continues.
    """

    action: str = ""
    source: str = ""
    key: str = ""
    keys: str | Sequence[str] = ()
    max_removed: Annotated[int, Meta(ge=0, le=100)] | None = None
    lag: Annotated[float, Meta(ge=0)] | None = None
    part: str = ""
    adopt: str = ""


class RequestHandler:
    """Handles the requests to one site's function.

    `locations` opens other states, and `require_suitable_bucket` raises ConfigurationError if the function with an ARN
    cannot work with the site's bucket.
    """

    def __init__(
        self,
        bucket: BucketSite,
        locations: Locations,
        runner: Runner,
        questions: Questions,
        require_suitable_bucket: Callable[[str], None] = lambda function_arn: None,
    ) -> None:
        self._bucket, self._locations, self._runner, self._questions = bucket, locations, runner, questions
        self._require_suitable_bucket = require_suitable_bucket

    def handle(self, event: object, call: Call) -> RequestAnswer:
        """Do what is requested; raises EventError if the request is not understood, and what the action raises."""
        request = parse(event)
        if request.source == "aws.events" or request.action == "rebuild":
            return self._rebuild(request, call)
        if request.action == "update":
            keys = [object_key(name, self._bucket.site, self._bucket.site_uri) for name in _named_keys(request)]
            return self._run_answer("update", self._runner.update(keys, call), call)
        if request.action in QUESTIONS:
            return answer_question(request, self._questions)
        if request.action:
            actions = ", ".join(ACTIONS)
            raise EventError(f'{request.action!r} is not an action; send {{"action": …}} with one of {actions}')
        raise EventError(f"this is not an event that Waypost knows: {str(event)[:200]}")

    def _rebuild(self, request: Request, call: Call) -> RunAnswer | RefusedAnswer:
        head = None if request.part else self._bucket.state.usable_head()
        if not request.part and (head is None or not head.built_at):
            self._require_suitable_bucket(call.rebuild_function)
        adopted, warnings = (
            read_adopted(self._bucket, self._locations, request.adopt, "request", "adopt")
            if request.adopt
            else (None, ())
        )
        log_warnings(warnings, call.request_id)
        options = RebuildOptions(request.max_removed, request.lag, request.part, adopted)
        try:
            result = self._runner.rebuild(call, options)
        except OtherRunError as error:  # a part of a build that was called twice is done once
            log(LogLine(level="INFO", message=str(error), request_id=call.request_id))
            return RefusedAnswer(finished=False, refused=str(error))
        return self._run_answer("rebuild", result, call, options, warnings)

    def _run_answer(
        self,
        action: str,
        result: BucketResult,
        call: Call,
        options: RebuildOptions = NO_OPTIONS,
        warnings: Sequence[SiteWarning] = (),
    ) -> RunAnswer:
        self._runner.conclude(action, result, call, options=options)
        answer = run_answer(self._bucket, result, warnings)
        if result.is_unfinished:
            return replace(answer, note="the time is used up; another call continues")
        return answer


def answer_question(request: Request, questions: Questions) -> FunctionStatus | CheckAnswer | ExplainAnswer:
    """The answer to a request that is one of QUESTIONS; raises EventError if `explain` names no key."""
    if request.action == "status":
        return questions.status()
    return questions.check() if request.action == "check" else questions.explain(_named_keys(request))


def _named_keys(request: Request) -> list[str]:
    """The keys, URIs and URLs in a request; raises EventError if there is none."""
    keys = [request.keys] if isinstance(request.keys, str) else request.keys
    names = list(filter(None, [*keys, request.key]))
    if not names:
        raise EventError(f"the request names no key: {_EXAMPLE}")
    return names


def parse(event: object) -> Request:
    """The request in an event; raises EventError if it is not understood."""
    if not isinstance(event, dict):
        raise EventError(f"this is not an event that Waypost knows: {str(event)[:200]}")
    unknown = sorted(map(str, event.keys() - set(Request.__struct_fields__))) if "action" in event else []
    if unknown:
        raise EventError(f"a request has no field {unknown[0]!r}; it may have {', '.join(Request.__struct_fields__)}")
    try:
        return msgspec.convert(event, Request)
    except msgspec.ValidationError as error:
        raise EventError(f"the request is not valid: {error}") from None
