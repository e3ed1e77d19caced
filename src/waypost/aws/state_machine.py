"""The state machine that rebuilds what is too large for one call: started, watched, and its steps answered."""

from collections.abc import Callable, Mapping
from contextlib import suppress
from typing import TYPE_CHECKING, Any, NamedTuple

from botocore.exceptions import BotoCoreError, ClientError

from waypost.app.bucket import S3Location
from waypost.core.errors import ConfigIssue, ConfigurationError, SourceError
from waypost.distributed.plan import RunLimits, is_large
from waypost.distributed.progress import progress
from waypost.distributed.steps import StepResult, Steps
from waypost.ledger.ledger_state import Run
from waypost.sync.result import RunResult
from waypost.sync.updater import Updater

if TYPE_CHECKING:
    from mypy_boto3_stepfunctions import SFNClient

_SHOWN = 20
_HELD = 600
"""Of how many objects a megabyte holds the records, while shards are made of them."""


class StateMachineSettings(NamedTuple):
    """What the environment says of the state machine: its ARN, and from how many objects on it is used."""

    arn: str
    min_objects: int
    limits: RunLimits


def settings(environment: Mapping[str, str]) -> StateMachineSettings | None:
    """The environment's settings, or None where no state machine was deployed; raises ConfigurationError."""
    if not environment.get("WAYPOST_STATE_MACHINE"):
        return None
    numbers = {"WAYPOST_DISTRIBUTE_FROM": 1_000_000, "WAYPOST_WORKERS": 500, "WAYPOST_OBJECTS_PER_WORKER": 100_000}
    found = {name: environment.get(name) or str(default) for name, default in numbers.items()}
    issues = [
        ConfigIssue("environment", name, f"{value!r} is not a number", "1 or more")
        for name, value in found.items()
        if not (value.isdecimal() and int(value))
    ]
    if issues:
        raise ConfigurationError(tuple(issues))
    return StateMachineSettings(
        environment["WAYPOST_STATE_MACHINE"],
        int(found["WAYPOST_DISTRIBUTE_FROM"]),
        RunLimits(
            int(found["WAYPOST_WORKERS"]),
            int(found["WAYPOST_OBJECTS_PER_WORKER"]),
            max_segment_objects=_HELD * int(environment.get("AWS_LAMBDA_FUNCTION_MEMORY_SIZE", "1769")),
        ),
    )


class Started(NamedTuple):
    """What to answer to who wants a rebuild, and whether one begins now that looks at all there is in the bucket."""

    answer: dict[str, Any]
    is_new: bool


class StateMachine:
    """One bucket's state machine; `client` makes a client of Step Functions, `state` is where the ledger is."""

    def __init__(
        self,
        given: StateMachineSettings,
        updater: Updater,
        state: S3Location,
        client: Callable[[], "SFNClient"],
    ) -> None:
        self._given, self._updater, self._state, self._client = given, updater, state, client
        self._steps = Steps(updater, given.limits)

    def is_needed(self) -> bool:
        """Whether the bucket is too large for one call to be rebuilt; raises SourceError."""
        return is_large(self._updater, self._given.min_objects)

    def start(self, name: str) -> Started:
        """Start a rebuild, unless one runs already, and tell how to watch it; raises SourceError."""
        try:
            client = self._client()
            running = client.list_executions(stateMachineArn=self._given.arn, statusFilter="RUNNING", maxResults=1)
            if running["executions"]:
                arn, note = running["executions"][0]["executionArn"], "a rebuild by many workers is under way already"
                return Started(_told(arn, note), is_new=False)
            arn = client.start_execution(stateMachineArn=self._given.arn, name=name, input="{}")["executionArn"]
        except (ClientError, BotoCoreError) as error:
            raise SourceError(f"the state machine {self._given.arn} cannot be started: {error}") from error
        note = "many workers rebuild it; what is published stands until they are done"
        return Started(_told(arn, note), is_new=True)

    def take_step(
        self, asked: Mapping[str, Any], deadline_reached: Callable[[], bool]
    ) -> tuple[dict[str, Any], RunResult | None]:
        """Take a step of a run: the answer, and what was done once the run is."""
        found = self._steps.take_step(asked, deadline_reached)
        return self._answer(found), found.result

    def describe_run(self, run: Run) -> dict[str, Any]:
        """How far a run has come, and what Step Functions says of it."""
        arn = f"{self._given.arn.replace(':stateMachine:', ':execution:')}:{run.owner}"
        about = {**progress(self._updater.ledger, run), "execution": arn, "status": "unknown"}
        with suppress(ClientError, BotoCoreError):
            about["status"] = self._client().describe_execution(executionArn=arn)["status"]
        return about

    def _answer(self, found: StepResult) -> dict[str, Any]:
        answer: dict[str, Any] = {"next_step": found.next_step}
        if found.tasks:
            answer["tasks"] = {"bucket": self._state.bucket, "key": self._state.prefix + found.tasks}
            answer["task_count"] = found.task_count
        if found.note:
            answer["note"] = found.note
        if found.result:
            answer |= _summary(found.result)
        return answer


def _told(arn: str, note: str) -> dict[str, Any]:
    watch = f"aws stepfunctions describe-execution --execution-arn {arn}"
    return {
        "finished": False,
        "execution": arn,
        "watch": watch,
        "note": f'{note}; {{"action": "status"}} tells how far',
    }


def _summary(result: RunResult) -> dict[str, Any]:
    """What a run did, in a few kilobytes: the most that an execution's output may have is 256."""
    manifest = result.manifest
    return {
        "finished": True,
        "pages_listed": manifest.page_count if manifest else 0,
        "generation": manifest.generation if manifest else 0,
        "objects_listed": result.objects_listed,
        "objects_read": result.objects_read,
        "records_changed": result.records_changed,
        "conflicts": result.conflicts,
        "written": {"count": len(result.written), "first": list(result.written[:_SHOWN])},
        "removed": {"count": len(result.removed), "first": list(result.removed[:_SHOWN])},
        "failed": {"count": _unreadable(result), "first": dict(list(result.failed.items())[:_SHOWN])},
        "passed_over": dict(result.ignored),
    }


def _unreadable(result: RunResult) -> int:
    """How many objects could not be read, of which workers name the first."""
    counts = (warned.count for warned in result.warnings if warned.code == "unreadable")
    return max(len(result.failed), next(counts, 0))


def state_machine(environment: Mapping[str, str], updater: Updater, state: S3Location) -> StateMachine | None:
    """The state machine that the environment tells of, if it does; raises ConfigurationError."""
    given = settings(environment)
    if given is None:
        return None
    return StateMachine(given, updater, state, _client)


def _client() -> "SFNClient":
    import boto3  # most calls need none

    return boto3.client("stepfunctions")
