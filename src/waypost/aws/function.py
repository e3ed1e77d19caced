"""The entry point of the Lambda functions, which events of a bucket, a schedule, or a person's requests invoke.

The template deploys it twice: a function with a short timeout handles events, another one everything else.
"""

import os
from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from functools import lru_cache
from typing import TYPE_CHECKING, Any

import boto3  # imported with the module, because Lambda gives its initialization more CPU time than a call
import msgspec
from botocore.config import Config

from waypost.app.answers import BatchAnswer, ErrorAnswer, RefusedAnswer, StepAnswer
from waypost.app.locations import Location, Locations
from waypost.aws import environment
from waypost.aws.call import Call, Context
from waypost.aws.environment import FunctionSite
from waypost.aws.event_handler import EventHandler
from waypost.aws.last_error import LastErrorFile
from waypost.aws.logs import ErrorLine, LogLine, Metric, log, put_metrics
from waypost.aws.own_messages import OwnMessages
from waypost.aws.queue_status import QueueStatusReader
from waypost.aws.redelivery import CONCURRENT_REQUESTS, QueueClient, Redelivery
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
    WaypostError,
)
from waypost.sources import s3_events
from waypost.sync.answers import LastError

if TYPE_CHECKING:
    from waypost.aws.state_machine import StateMachine

FunctionAnswer = BatchAnswer | StepAnswer | RequestAnswer | RefusedAnswer | ErrorAnswer


def handler(event: object, context: Context) -> object:
    """The handler that Lambda calls; it returns plain values, which Lambda encodes as JSON.

    If it raises, a whole batch of messages has failed. SQS delivers them again soon.
    """
    try:
        return msgspec.to_builtins(function().handle(event, context))
    except Exception as error:
        retry_after = error.retry_after if isinstance(error, WaypostError) else None
        if isinstance(event, dict) and s3_events.is_object_event(event):
            redelivery().schedule(s3_events.parse_messages(event), context.aws_request_id, retry_after)
        raise


def function() -> "Function":
    """The function of this process; it is created anew only when its settings file in S3 has changed."""
    return _function(environment.read_remote_settings(os.environ, _locations()))


@lru_cache(maxsize=1)
def _locations() -> Locations:
    return Locations()


@lru_cache(maxsize=1)
def _function(remote_settings: bytes | None) -> "Function":
    site = environment.prepare(os.environ, _locations(), remote_settings)
    machine, queue = _state_machine(site), queue_status(os.environ)
    return Function(site, _invoke, redelivery(), _own_messages(site), machine, queue, _suitable_bucket(site.location))


def _suitable_bucket(location: Location) -> Callable[[str], None]:
    """What raises ConfigurationError if the function with an ARN cannot work with a bucket."""

    def require(function_arn: str) -> None:
        from waypost.app import bucket_checks  # only the first rebuild needs it

        bucket_checks.require_suitable(
            boto3.client("s3", config=_quick()), location.bucket, bucket_checks.place_of(function_arn)
        )

    return require


def redelivery() -> Redelivery:
    """What has failed messages of the queue in the environment delivered again soon."""
    return Redelivery(os.environ.get("WAYPOST_EVENTS_QUEUE", ""), _queue_client)


def _own_messages(site: FunctionSite) -> OwnMessages:
    timing = site.ledger_site.updater.timing
    return OwnMessages(os.environ.get("WAYPOST_EVENTS_QUEUE", ""), _queue_client, timing.lease + timing.margin)


def queue_status(environment: Mapping[str, str]) -> QueueStatusReader | None:
    """What reads the state of the queue in the environment, or None if there is none."""
    url = environment.get("WAYPOST_EVENTS_QUEUE")
    if not url:
        return None
    return QueueStatusReader(
        url,
        lambda: boto3.client("sqs", config=_quick()),
        lambda: boto3.client("cloudwatch", config=_quick()),
        lambda: datetime.now(UTC),
    )


def _queue_client() -> QueueClient:
    client: QueueClient = boto3.client("sqs", config=_quick())
    return client


def _quick() -> Config:
    """The configuration of a client that does not use up a call's last minute if the service does not answer."""
    retries: Any = {"mode": "standard", "total_max_attempts": 2}
    return Config(connect_timeout=3, read_timeout=5, retries=retries, max_pool_connections=CONCURRENT_REQUESTS)


def _state_machine(site: FunctionSite) -> "StateMachine | None":
    if not os.environ.get("WAYPOST_STATE_MACHINE"):
        return None
    from waypost.aws import state_machine  # most deployments have none, and start faster without it

    return state_machine.state_machine(os.environ, site.ledger_site.updater, site.state_location)


def _invoke(function_arn: str, payload: bytes) -> None:
    boto3.client("lambda").invoke(FunctionName=function_arn, InvocationType="Event", Payload=payload)


class Function:
    """The function of one site; `machine` does rebuilds that are too large for one call, if it is deployed.

    `queue` reads the state of its queue of events, if it has one. `require_suitable_bucket` is that of RequestHandler.
    """

    def __init__(
        self,
        site: FunctionSite,
        invoke: Invoke,
        redelivery: Redelivery,
        own_messages: OwnMessages,
        machine: "StateMachine | None" = None,
        queue: QueueStatusReader | None = None,
        require_suitable_bucket: Callable[[str], None] = lambda function_arn: None,
    ) -> None:
        ledger_site = site.ledger_site
        self._clock, self._site_uri = ledger_site.updater.clock, ledger_site.site_uri
        self._rebuild_function = site.rebuild_function
        self._last_error = LastErrorFile(ledger_site.state)
        runner = Runner(ledger_site, invoke, self._last_error, machine, own_messages)
        self._events = EventHandler(ledger_site, site.location, runner, redelivery)
        self._requests = RequestHandler(ledger_site, runner, self._last_error, machine, queue, require_suitable_bucket)
        self._steps = StepHandler(machine, runner, self._last_error, self._clock) if machine else None

    def handle(self, event: object, context: Context) -> FunctionAnswer:
        """Handle an event. A failure is saved, and raised.

        A request that is not understood, or that asks for a rebuild that is refused, has an answer.
        """
        call = Call(context, self._rebuild_function)
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
