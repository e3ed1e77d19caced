"""The Lambda function of one site, which events of a bucket, a schedule, or a person's requests invoke.

The template deploys it twice: a function with a short timeout handles events, another one everything else.
"""

from collections.abc import Callable
from typing import TYPE_CHECKING

from waypost.app.bucket_events import BucketEvents
from waypost.aws.call import Call
from waypost.aws.environment import FunctionSite
from waypost.aws.event_handler import EventHandler
from waypost.aws.function_answers import BatchAnswer, ErrorAnswer, RefusedAnswer, StepAnswer
from waypost.aws.last_error import LastErrorFile
from waypost.aws.logs import ErrorLine, LogLine, Metric, log, put_metrics
from waypost.aws.own_messages import OwnMessages
from waypost.aws.question_handler import QuestionHandler
from waypost.aws.queue_status import QueueStatusReader
from waypost.aws.redelivery import Redelivery
from waypost.aws.request_handler import ACTIONS, RequestAnswer, RequestHandler
from waypost.aws.runner import Invoke, Runner
from waypost.aws.step_handler import StepHandler
from waypost.core.errors import (
    BusyError,
    EventError,
    OtherRunError,
    OutdatedSettingsError,
    RebuildNeededError,
    RemovalError,
)
from waypost.sources import s3_events
from waypost.sync.status_answers import LastError

if TYPE_CHECKING:
    from waypost.aws.state_machine import StateMachine

FunctionAnswer = BatchAnswer | StepAnswer | RequestAnswer | RefusedAnswer | ErrorAnswer


class Function:
    """The function of one site; `machine` does rebuilds that are too large for one call, if it is deployed.

    `queue` reads the state of its queue of events, and `bucket_events` whether its bucket sends them, if it has a
    queue. `require_suitable_bucket` is RequestHandler's.
    """

    def __init__(
        self,
        site: FunctionSite,
        invoke: Invoke,
        redelivery: Redelivery,
        own_messages: OwnMessages,
        machine: "StateMachine | None" = None,
        queue: QueueStatusReader | None = None,
        bucket_events: Callable[[], BucketEvents] | None = None,
        require_suitable_bucket: Callable[[str], None] = lambda function_arn: None,
    ) -> None:
        ledger_site = site.ledger_site
        self._clock, self._site_uri = ledger_site.updater.clock, ledger_site.site_uri
        self._last_error = LastErrorFile(ledger_site.state)
        runner = Runner(ledger_site, invoke, self._last_error, machine, own_messages)
        self._events = EventHandler(ledger_site, site.location, runner, redelivery)
        questions = QuestionHandler(ledger_site, self._last_error, machine, queue, bucket_events)
        self._requests = RequestHandler(ledger_site, runner, machine, questions, require_suitable_bucket)
        self._steps = StepHandler(machine, runner, self._last_error, self._clock) if machine else None

    def handle(self, event: object, call: Call) -> FunctionAnswer:
        """Handle an event. A failure is saved, and raised.

        A request that is not understood, or that asks for a rebuild that is refused, has an answer.
        """
        is_step = isinstance(event, dict) and "step" in event
        try:
            return self._dispatch(event, call)
        except (
            BusyError,
            OtherRunError,
            OutdatedSettingsError,
            RebuildNeededError,
        ) as error:  # the sender, SQS or Step Functions, repeats it after a pause
            log(LogLine(level="WARNING", message=str(error), request_id=call.request_id))
            raise
        except RemovalError as error:
            put_metrics(self._site_uri, {Metric.REBUILDS_REFUSED: 1})
            self._save_error(error, call)
            if is_step:
                raise
            return RefusedAnswer(finished=False, refused=str(error))
        except EventError as error:
            log(LogLine(level="ERROR", message=str(error), request_id=call.request_id))
            if is_step:
                raise  # the state machine would take an answer for a successful step
            return ErrorAnswer(str(error), ACTIONS)
        except Exception as error:
            self._save_error(error, call)
            raise

    def _dispatch(self, event: object, call: Call) -> FunctionAnswer:
        if isinstance(event, dict) and s3_events.is_object_event(event):
            return self._events.handle(event, call)
        if call.is_for_events:
            raise EventError(f"this function handles only events; send this to {call.rebuild_function}")
        if self._steps and isinstance(event, dict) and "step" in event:
            return self._steps.handle(event, call)
        return self._requests.handle(event, call)

    def _save_error(self, error: Exception, call: Call) -> None:
        error_type = type(error).__name__
        log(ErrorLine(level="ERROR", message=str(error), request_id=call.request_id, error_type=error_type))
        self._last_error.write(LastError(self._clock(), str(error), error_type, call.request_id))
