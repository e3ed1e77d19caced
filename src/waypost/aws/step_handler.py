"""Handles the steps of a distributed rebuild, for which the state machine calls the function."""

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

import msgspec
from msgspec import Struct

from waypost.aws.call import Call
from waypost.aws.function_answers import StepAnswer
from waypost.aws.last_error import LastErrorFile
from waypost.aws.logs import StepLine, log
from waypost.aws.runner import Runner
from waypost.sync.status_answers import LastError

if TYPE_CHECKING:
    from waypost.aws.state_machine import StateMachine

_FAILURE_TYPE = "Rebuild"
"""The type of the last error if a distributed rebuild failed."""


class _Failure(Struct, rename="pascal"):
    """What Step Functions passes to a Catch; `cause` is the JSON of the function's exception, or a text."""

    error: str = ""
    cause: str = ""


class _FunctionError(Struct, rename="camel"):
    """The exception of a function as Lambda reports it."""

    error_message: str


class StepHandler:
    """Handles the steps of the rebuilds of one site."""

    def __init__(
        self, state_machine: "StateMachine", runner: Runner, last_error: LastErrorFile, clock: Callable[[], str]
    ) -> None:
        self._state_machine, self._runner, self._last_error, self._clock = state_machine, runner, last_error, clock

    def handle(self, event: Mapping[str, object], call: Call) -> StepAnswer:
        """Do a step; raises EventError for an unknown one, and what the step raises."""
        self._runner.send_publish_message(call)
        answer, result = self._state_machine.take_step(event, call.deadline_reached)
        if event.get("step") == "handle-failure":
            message = answer.note or _failure_message(event.get("error"))
            self._last_error.write(LastError(self._clock(), message, _FAILURE_TYPE, call.request_id))
        message = f"{event['step']}: the next step is {answer.next_step}"
        log(StepLine(level="INFO", message=message, request_id=call.request_id, run=str(event.get("run", ""))))
        if result:
            self._runner.conclude("rebuild", result, call)
        return answer


def _failure_message(error: object) -> str:
    """The message of a failure that Step Functions passes on: the exception's message, if it was one."""
    try:
        failure = msgspec.convert(error, _Failure)
    except msgspec.ValidationError:
        return str(error or "")
    try:
        return msgspec.json.decode(failure.cause, type=_FunctionError).error_message
    except msgspec.MsgspecError:
        return failure.cause or failure.error
