"""The Lambda function of one site, which events of a bucket, a schedule, or a person's requests invoke.

The template deploys it twice: a function with a short timeout handles events, another one everything else.
"""

from collections.abc import Callable
from functools import partial

from waypost.aws.call import Call
from waypost.aws.environment import FunctionSite
from waypost.aws.event_handler import MUST_WAIT, EventHandler
from waypost.aws.event_queue import EventQueue
from waypost.aws.function_answers import BatchAnswer, ErrorAnswer, RefusedAnswer
from waypost.aws.logs import log, save_error
from waypost.aws.request_handler import ACTIONS, RequestAnswer, RequestHandler, StartRebuild, function_status
from waypost.aws.runner import Invoke, Runner
from waypost.build.bucket_checks import BucketEvents
from waypost.build.bucket_site import BucketSite
from waypost.build.divided_bucket import DividedBucket
from waypost.build.partitions import Part
from waypost.core.clock import w3c_now
from waypost.core.errors import BusyError, EventError, RemovalError
from waypost.files import s3_events

FunctionAnswer = BatchAnswer | RequestAnswer | RefusedAnswer | ErrorAnswer


class Function:
    """The function of one site.

    `queue` has its events, and `bucket_events` reads whether its bucket sends them, if it has a queue. `start_rebuild`
    and `require_suitable_bucket` are RequestHandler's.
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
        bucket, limit = site.bucket, site.removed_limit
        self._bucket = bucket
        divided, runners = DividedBucket(bucket), dict[Part, Runner]()

        def runner_of(own: BucketSite) -> Runner:
            if own.part not in runners:
                runners[own.part] = Runner(divided, own, invoke, queue, limit)
            return runners[own.part]

        self._whole = runner_of(bucket)
        self._events = EventHandler(divided, site.location, runner_of, queue)
        status = partial(function_status, divided, queue, bucket_events, limit)
        self._requests = RequestHandler(
            divided, site.locations, runner_of, status, start_rebuild, require_suitable_bucket
        )

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
            self._whole.refuse(error, call)
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
        return self._requests.handle(event, call)
