"""Handles requests, `{"action": …}`, of a person or of the schedule."""

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

import msgspec
from msgspec.structs import replace

from waypost.app.ledger_site import LedgerSite
from waypost.app.run_answer import RunAnswer, run_answer
from waypost.aws.call import Call
from waypost.aws.function_answers import ExplainAnswer, FunctionStatus, StartAnswer
from waypost.aws.logs import log_warnings
from waypost.aws.question_handler import QUESTIONS, Questions
from waypost.aws.runner import Runner, execution_name
from waypost.core.errors import EventError
from waypost.core.model import SiteWarning
from waypost.ledger.ledger_state import LedgerState
from waypost.sync.rebuild_options import NO_OPTIONS, RebuildOptions
from waypost.sync.result import RunResult
from waypost.sync.status_answers import CheckAnswer

if TYPE_CHECKING:
    from waypost.aws.state_machine import StateMachine

ACTIONS = ("rebuild", "update", *QUESTIONS)
_EXAMPLE = '{"action": …, "keys": ["index.html", …]}'
RequestAnswer = RunAnswer | StartAnswer | FunctionStatus | CheckAnswer | ExplainAnswer


class Request(RebuildOptions, frozen=True):
    """A request as it is sent; `keys` are keys, URIs or URLs, and a rebuild begins after the key `after`.

    `stopped_at` is when the call ended that the rebuild continues (Unix seconds). `adopt` is the location of another
    ledger, with whose dates the rebuild continues.
    """

    action: str = ""
    source: str = ""
    key: str = ""
    keys: str | Sequence[str] = ()
    after: str = ""
    stopped_at: float | None = None
    adopt: str = ""


class RequestHandler:
    """Handles the requests to one site's function.

    `require_suitable_bucket` raises ConfigurationError if the function with an ARN cannot work with the site's bucket.
    """

    def __init__(
        self,
        site: LedgerSite,
        runner: Runner,
        state_machine: "StateMachine | None",
        questions: Questions,
        require_suitable_bucket: Callable[[str], None] = lambda function_arn: None,
    ) -> None:
        self._site, self._runner, self._state_machine, self._questions = site, runner, state_machine, questions
        self._require_suitable_bucket = require_suitable_bucket

    def handle(self, event: object, call: Call) -> RequestAnswer:
        """Do what is requested; raises EventError if the request is not understood, and what the action raises."""
        request = parse(event)
        if request.source == "aws.events" or request.action == "rebuild":
            return self._rebuild(request, call)
        if request.action == "update":
            keys = [self._site.key(name) for name in _named_keys(request)]
            return self._run_answer("update", self._runner.update(keys, call), call)
        if request.action in QUESTIONS:
            return answer_question(request, self._questions)
        if request.action:
            actions = ", ".join(ACTIONS)
            raise EventError(f'{request.action!r} is not an action; send {{"action": …}} with one of {actions}')
        raise EventError(f"this is not an event that Waypost knows: {str(event)[:200]}")

    def _rebuild(self, request: Request, call: Call) -> RunAnswer | StartAnswer:
        if not (request.after or self._site.updater.ledger.read_or_recover().manifest.built_at):
            self._require_suitable_bucket(call.rebuild_function)
        warnings = self._adopt(request.adopt, call) if request.adopt else ()
        options = RebuildOptions(request.max_removed, request.lag)
        if self._state_machine and not request.after and self._state_machine.is_needed():
            return self._state_machine.start(execution_name(call), options).answer
        result = self._runner.rebuild(request.after, call, options, request.stopped_at)
        return self._run_answer("rebuild", RunResult(warnings=warnings) + result, call, options)

    def _adopt(self, uri: str, call: Call) -> tuple[SiteWarning, ...]:
        """Take over the dates of another ledger; the log names the files that it leaves at another location."""
        warnings = self._site.adopt(self._site.updater, uri, "request", "adopt")
        log_warnings(warnings, call.request_id)
        return warnings

    def _run_answer(
        self, action: str, result: RunResult, call: Call, options: RebuildOptions = NO_OPTIONS
    ) -> RunAnswer:
        self._runner.conclude(action, result, call, options=options)
        answer = run_answer(self._site.updater, result)
        if result.resume_after is not None:
            return replace(answer, note="the time is used up; another call continues")
        if action == "update" and result.manifest and result.manifest.state == LedgerState.SCANNING:
            return replace(answer, note="a rebuild is in progress, which reads these keys before it commits")
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
