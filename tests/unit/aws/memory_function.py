"""The parts of a function over a bucket in memory, and what Lambda and Step Functions would be asked for."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, cast

from botocore.exceptions import ClientError
from fake_stores import RENDERER, SimulatedSite
from unit.sample_sites import small_site

from waypost.app.ledger_site import LedgerSite
from waypost.app.locations import Location
from waypost.aws.call import Call
from waypost.aws.environment import FunctionSite
from waypost.aws.function import Function, FunctionAnswer
from waypost.aws.function_answers import StepAnswer, TaskFile
from waypost.aws.last_error import LastErrorFile
from waypost.aws.own_messages import OwnMessages
from waypost.aws.redelivery import Redelivery
from waypost.aws.runner import Runner
from waypost.aws.state_machine import StateMachine, StateMachineSettings
from waypost.distributed.plan import RunLimits
from waypost.sync.updater import Updater

if TYPE_CHECKING:
    from collections.abc import Callable

    import pytest
    from mypy_boto3_stepfunctions import SFNClient

MACHINE_ARN = "arn:aws:states:us-east-1:000000000000:stateMachine:rebuild"
QUEUE_URL = "https://sqs.us-east-1.amazonaws.com/000000000000/events"
PUBLISH_DELAY = 120
NEXT_STEP = {"scan": "plan", "build": "commit", "publish": "finalize"}
"""The step after the workers of another."""
REBUILD_FUNCTION = "arn:aws:lambda:us-east-1:000000000000:function:rebuild"
EXECUTION_ARN = "arn:aws:states:us-east-1:000000000000:execution:rebuild"


@dataclass
class Context:
    """What Lambda passes; each call takes the next of `remaining` milliseconds, and the last is used repeatedly."""

    remaining: list[int] = field(default_factory=lambda: [900_000])
    aws_request_id: str = "request-1"
    invoked_function_arn: str = "arn:aws:lambda:us-east-1:000000000000:function:waypost"

    def get_remaining_time_in_millis(self) -> int:
        return self.remaining.pop(0) if len(self.remaining) > 1 else self.remaining[0]


class StepFunctions:
    """A client of Step Functions whose executions run until they are given another status."""

    def __init__(self) -> None:
        self.statuses: dict[str, str] = {}
        self.inputs: dict[str, Any] = {}
        self.error = ""

    def list_executions(self, **request: Any) -> Any:
        self._admit("ListExecutions")
        running = [arn for arn, status in self.statuses.items() if status == request["statusFilter"]]
        return {"executions": [{"executionArn": arn} for arn in running]}

    def start_execution(self, **request: Any) -> Any:
        self._admit("StartExecution")
        arn = f"{EXECUTION_ARN}:{request['name']}"
        self.statuses[arn] = "RUNNING"
        self.inputs[arn] = json.loads(request["input"])
        return {"executionArn": arn}

    def describe_execution(self, **request: Any) -> Any:
        self._admit("DescribeExecution")
        if request["executionArn"] not in self.statuses:
            raise ClientError({"Error": {"Code": "ExecutionDoesNotExist"}}, "DescribeExecution")
        return {"status": self.statuses[request["executionArn"]]}

    def _admit(self, operation: str) -> None:
        if self.error:
            raise ClientError({"Error": {"Code": self.error}}, operation)


class Queue:
    """A client of SQS: `delays` has the visibility time-out that each message was given, by its receipt handle.

    `sent` has the messages that were sent, each with its delay; `on_send` is called before each.
    """

    def __init__(self) -> None:
        self.on_send: Callable[[], None] = lambda: None
        self.delays: dict[str, int] = {}
        self.sent: list[tuple[str, int]] = []

    def send_message(self, **request: Any) -> Any:
        assert request["QueueUrl"] == QUEUE_URL
        self.on_send()
        self.sent.append((request["MessageBody"], request["DelaySeconds"]))
        return {}

    def change_message_visibility_batch(self, **request: Any) -> Any:
        assert request["QueueUrl"] == QUEUE_URL
        self.delays |= {entry["ReceiptHandle"]: entry["VisibilityTimeout"] for entry in request["Entries"]}
        return {}


class MemoryFunction:
    """The parts of a function over a bucket in memory; `invoked` has the calls that it asked Lambda for.

    With `min_objects`, a state machine rebuilds a bucket of at least so many objects. `rebuild_function` is the ARN of
    the function that rebuilds, if that is another one.
    """

    def __init__(self, min_objects: int = 0, rebuild_function: str = "", **settings: Any) -> None:
        self.site, self._min_objects = SimulatedSite(**settings), min_objects
        self.rebuild_function = rebuild_function
        self.step_functions = StepFunctions()
        self.invoked: list[tuple[str, Any]] = []
        self.queue = Queue()
        self.redelivery = Redelivery(QUEUE_URL, lambda: self.queue)
        self.own_messages = OwnMessages(QUEUE_URL, lambda: self.queue, PUBLISH_DELAY)
        self.last_error = LastErrorFile(self.site.state)
        self.location = Location("s3", "site", "www/")
        self._start()

    def deploy(self, **settings: Any) -> None:
        """Replace the function's process by one with these settings; no two are deployed within a minute."""
        self.site.settings = small_site(**settings)
        self.site.clock.sleep(60)
        self._start()

    def _start(self) -> None:
        updater = self.site.updater()
        self.machine = self._state_machine(updater) if self._min_objects else None
        self.ledger_site = LedgerSite(
            self.site.settings, "s3://site/www/", updater, self.site.updater, self.site.state, RENDERER
        )
        self.runner = Runner(self.ledger_site, self.invoke, self.last_error, self.machine, self.own_messages)

    def handle(self, event: object, context: Context | None = None) -> FunctionAnswer:
        """What the function answers to an event."""
        function = Function(self.function_site, self.invoke, self.redelivery, self.own_messages, self.machine)
        return function.handle(event, Call(context or Context(), self.rebuild_function))

    @property
    def function_site(self) -> FunctionSite:
        state = Location("s3", "private", "ledger/")
        return FunctionSite(self.ledger_site, self.location, state)

    def invoke(self, function_arn: str, payload: bytes) -> None:
        self.invoked.append((function_arn, json.loads(payload)))

    def put_pages(self, *keys: str) -> None:
        for key in keys:
            self.site.put(key, f"<title>{key}</title>")

    def rebuild(self) -> None:
        """Build the ledger and the sitemaps in one call."""
        self.runner.conclude("rebuild", self.runner.rebuild("", call()), call())

    def run_state_machine(self, run: str) -> None:
        """Take all steps of a distributed rebuild."""
        step = "plan"
        while step != "done":
            answer = self.handle({"step": step, "run": run})
            assert isinstance(answer, StepAnswer)
            step = answer.next_step
            if isinstance(answer.tasks, TaskFile):
                for task in json.loads(self.site.state.bodies()[answer.tasks.key.removeprefix("ledger/")]):
                    self.handle(task)
                step = NEXT_STEP[step]

    def sitemap(self) -> str:
        return self.site.outputs.bodies()["sitemap.xml"].decode()

    def _state_machine(self, updater: Updater) -> StateMachine:
        settings = StateMachineSettings(MACHINE_ARN, self._min_objects, RunLimits(workers=2))
        state = Location("s3", "private", "ledger/")
        return StateMachine(settings, updater, state, lambda: cast("SFNClient", self.step_functions))


def call(*remaining: int) -> Call:
    """A call with these answers to how much time remains, in milliseconds; by default there is enough."""
    return Call(Context(list(remaining or (900_000,))))


def log_lines(capsys: pytest.CaptureFixture[str]) -> list[Any]:
    """The lines of the log since the last look."""
    return [json.loads(line) for line in capsys.readouterr().out.splitlines()]
