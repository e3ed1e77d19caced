"""The entry point of the Lambda functions: one process of Lambda, with its clients and its function."""

import os
import time
from collections.abc import Callable, Mapping
from functools import lru_cache, partial
from typing import Any

import msgspec
from botocore.config import Config
from msgspec.structs import replace

from waypost.aws import environment as settings
from waypost.aws import function as functions
from waypost.aws.call import Call, Context
from waypost.aws.environment import FunctionSite
from waypost.aws.event_queue import CONCURRENT_REQUESTS, EventQueue
from waypost.aws.function import Function, FunctionAnswer
from waypost.aws.function_answers import ErrorAnswer, FunctionStatus
from waypost.aws.logs import log_error
from waypost.build import bucket_check, bucket_checks, bucket_explanation, status
from waypost.build.answers import problems_of
from waypost.build.bucket_checks import BucketEvents
from waypost.build.divided_bucket import DividedBucket
from waypost.build.locations import Location, Locations
from waypost.core.clock import Retry
from waypost.core.errors import EventError, WaypostError
from waypost.files import s3_events
from waypost.files.s3_client import aws_session  # imports boto3 in Lambda's initialization, which has more CPU time


def handler(event: object, context: Context) -> object:
    """The handler that Lambda calls; it returns plain values, which Lambda encodes as JSON.

    If it raises, a whole batch of messages has failed. SQS delivers them again soon.
    """
    return msgspec.to_builtins(_process().handle(event, context))


@lru_cache(maxsize=1)
def _process() -> "Process":
    return Process(os.environ)


class Process:
    """A process with these variables of the environment; `pause` waits before a request to S3 is repeated."""

    def __init__(self, environment: Mapping[str, str], pause: Callable[[float], object] = time.sleep) -> None:
        self._environment = environment
        self._deadline_reached: Callable[[], bool] = lambda: True
        self._locations = Locations(Retry(lambda: self._deadline_reached(), pause))
        self._function: tuple[bytes | None, Function] | None = None
        queue = environment.get("WAYPOST_EVENTS_QUEUE", "")
        self.queue = EventQueue(queue, partial(_client, "sqs"), partial(_client, "cloudwatch"))

    def handle(self, event: object, context: Context) -> FunctionAnswer:
        """Handle an event; messages of a batch that fails are delivered again soon.

        A question has an answer even if the settings cannot be used. Its requests to S3 are not repeated: a person
        waits for the answer, and the AWS CLI only for a minute.
        """
        call = Call(context, self._environment.get("WAYPOST_REBUILD_FUNCTION", ""))
        self._deadline_reached = (lambda: True) if _is_question(event) else call.deadline_reached
        try:
            return self._answer(event, call)
        except Exception as error:
            retry_after = error.retry_after if isinstance(error, WaypostError) else None
            if isinstance(event, dict) and s3_events.is_object_event(event):
                self.queue.deliver_again(s3_events.parse_messages(event), call.request_id, retry_after)
            raise

    def _answer(self, event: object, call: Call) -> FunctionAnswer:
        try:
            function = self.function()
        except WaypostError as error:
            if call.is_for_events or not _is_question(event):
                raise
            log_error(error, call.request_id)
            return self._answer_without_settings(event, error)
        return function.handle(event, call)

    def _answer_without_settings(self, event: object, error: WaypostError) -> FunctionAnswer:
        """The settings' problems are the answer: nothing can be compared or explained."""
        try:
            return functions.answer_question(
                functions.parse(event),
                lambda: self._status_without_settings(error),
                lambda: bucket_check.check_without_settings(error),
                lambda names: bucket_explanation.explain_without_settings(names, error),
            )
        except EventError as problem:
            return ErrorAnswer(str(problem), functions.ACTIONS)

    def _status_without_settings(self, error: WaypostError) -> FunctionStatus:
        """The settings' problems, and the counts of the state that the variables alone name, if these are right."""
        try:
            site = settings.prepare({**self._environment, settings.CONFIG: ""}, self._locations, None)
        except WaypostError:  # the first error is the answer
            base_url = self._environment.get("WAYPOST_BASE_URL")
            return functions.with_events(status.status_without_settings(base_url, error), self.queue, None)
        bucket, events = DividedBucket(site.bucket), self._bucket_events(site)
        found = functions.function_status(bucket, self.queue, events, site.removed_limit)
        problems = [*problems_of("settings", error), *found.problems]
        return replace(found, state=status.UNUSABLE_SETTINGS, problems=problems)

    def function(self) -> Function:
        """The function; it is created again only when its settings file in S3 has changed. Raises WaypostError."""
        remote_settings = settings.read_remote_settings(self._environment, self._locations)
        if self._function is None or self._function[0] != remote_settings:
            self._function = remote_settings, self._make_function(remote_settings)
        return self._function[1]

    def _make_function(self, remote_settings: bytes | None) -> Function:
        site = settings.prepare(self._environment, self._locations, remote_settings)
        events, suitable = self._bucket_events(site), partial(_require_suitable, site.location)
        arn = self._environment.get("WAYPOST_STATE_MACHINE", "")
        start_rebuild = partial(functions.start_execution, arn, partial(_client, "stepfunctions"))
        return Function(site, _invoke, self.queue, start_rebuild, events, suitable)

    def _bucket_events(self, site: FunctionSite) -> Callable[[], BucketEvents] | None:
        """What reads whether the site's bucket sends its events, or None if there is no queue for them."""
        if not self.queue.url:
            return None
        return lambda: bucket_checks.read_events(partial(_client, "s3"), site.location.bucket)


def _is_question(event: object) -> bool:
    """Whether an event is a request that is answered whatever is wrong with the settings."""
    return isinstance(event, dict) and event.get("action") in functions.QUESTIONS


def _require_suitable(location: Location, function_arn: str) -> None:
    """Raise ConfigurationError if the function with an ARN cannot work with a bucket."""
    region, account = function_arn.split(":")[3:5]
    bucket_checks.require_suitable(_client("s3"), location.bucket, region, account)


def _client(service: str) -> Any:
    """A client that does not use up a call's last minute if the service does not answer."""
    retries: Any = {"mode": "standard", "total_max_attempts": 2}
    config = Config(connect_timeout=3, read_timeout=5, retries=retries, max_pool_connections=CONCURRENT_REQUESTS)
    create: Any = aws_session().client
    return create(service, config=config)


def _invoke(function_arn: str, payload: bytes) -> None:
    _client("lambda").invoke(FunctionName=function_arn, InvocationType="Event", Payload=payload)
