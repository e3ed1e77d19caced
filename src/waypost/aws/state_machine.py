"""The state machine for rebuilds that are too large for one call: started, observed, and its steps done."""

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, NamedTuple

import msgspec
from botocore.exceptions import BotoCoreError, ClientError
from msgspec.structs import replace

from waypost.app.locations import Location
from waypost.aws.function_answers import (
    FinalStepAnswer,
    StartAnswer,
    StepAnswer,
    TaskFile,
    sample_failures,
    sample_keys,
)
from waypost.core.errors import ConfigIssue, ConfigurationError, SourceError
from waypost.core.s3_errors import code_of
from waypost.distributed import RESULT_NAMES, RunArtifacts, RunLimits, StepResult, Steps, is_large
from waypost.ledger.ledger_state import Run
from waypost.ledger.store import Ledger
from waypost.sources.s3_client import aws_session
from waypost.sync.rebuild_options import NO_OPTIONS, RebuildOptions
from waypost.sync.result import RunResult
from waypost.sync.status_answers import RebuildProgress
from waypost.sync.updater import Updater

if TYPE_CHECKING:
    from mypy_boto3_stepfunctions import SFNClient

GONE = "gone"
"""The status of an execution that does not exist: Step Functions keeps one for 90 days after its end."""
_OBJECTS_PER_MEGABYTE = 600
"""The records of so many objects fit in a megabyte of memory while shards are built of them."""
_DEFAULTS = {"WAYPOST_DISTRIBUTE_FROM": 1_000_000, "WAYPOST_WORKERS": 500, "WAYPOST_OBJECTS_PER_WORKER": 100_000}


class StateMachineSettings(NamedTuple):
    """The environment's settings for the state machine: its ARN, and from how many objects on it is used."""

    arn: str
    min_objects: int
    limits: RunLimits


def settings(environment: Mapping[str, str]) -> StateMachineSettings | None:
    """The environment's settings, or None if no state machine is deployed; raises ConfigurationError."""
    if not environment.get("WAYPOST_STATE_MACHINE"):
        return None
    values = {name: environment.get(name) or str(default) for name, default in _DEFAULTS.items()}
    issues = [
        ConfigIssue("environment", name, f"{value!r} is not a number", "1 or more")
        for name, value in values.items()
        if not (value.isdecimal() and int(value))
    ]
    if issues:
        raise ConfigurationError(tuple(issues))
    min_objects, workers, max_objects = (int(values[name]) for name in _DEFAULTS)
    memory = int(environment.get("AWS_LAMBDA_FUNCTION_MEMORY_SIZE", "1769"))
    limits = RunLimits(workers, max_objects, max_segment_objects=_OBJECTS_PER_MEGABYTE * memory)
    return StateMachineSettings(environment["WAYPOST_STATE_MACHINE"], min_objects, limits)


class StartedRebuild(NamedTuple):
    """The answer to a request for a rebuild, and whether a new one has been started, which lists the whole bucket."""

    answer: StartAnswer
    is_new: bool


class StateMachine:
    """The state machine of one bucket, whose ledger is at `state`; `client` creates a client of Step Functions."""

    def __init__(
        self, settings: StateMachineSettings, updater: Updater, state: Location, client: Callable[[], "SFNClient"]
    ) -> None:
        self._settings, self._updater, self._state, self._client = settings, updater, state, client
        self._steps = Steps(updater, settings.limits)

    def is_needed(self) -> bool:
        """Whether the bucket is too large to be rebuilt by one call; raises SourceError."""
        return is_large(self._updater, self._settings.min_objects)

    def start(self, name: str, options: RebuildOptions = NO_OPTIONS) -> StartedRebuild:
        """Start a rebuild, unless one is running; raises SourceError.

        The options are the execution's input, which its first and its last steps get.
        """
        arn = self._settings.arn
        accepted = msgspec.json.encode(options).decode()
        try:
            client = self._client()
            running = client.list_executions(stateMachineArn=arn, statusFilter="RUNNING", maxResults=1)["executions"]
            if running:
                note = "a distributed rebuild is in progress already"
                return StartedRebuild(_start_answer(running[0]["executionArn"], note), is_new=False)
            execution = client.start_execution(stateMachineArn=arn, name=name, input=accepted)["executionArn"]
        except (ClientError, BotoCoreError) as error:
            raise SourceError(f"the state machine {arn} cannot be started: {error}") from error
        note = "a distributed rebuild has started; the published files are left unchanged until it publishes"
        return StartedRebuild(_start_answer(execution, note), is_new=True)

    def take_step(
        self, event: Mapping[str, object], deadline_reached: Callable[[], bool]
    ) -> tuple[StepAnswer, RunResult | None]:
        """Do a step of a rebuild: the answer, and after the last step also what the rebuild did."""
        result = self._steps.take_step(event, deadline_reached)
        return self._answer(result), result.result

    def progress(self, run: Run) -> RebuildProgress:
        """How far a rebuild is, and its status in Step Functions; raises StoreError."""
        execution = f"{self._settings.arn.replace(':stateMachine:', ':execution:')}:{run.owner}"
        found = replace(progress(self._updater.ledger, run), execution=execution)
        try:
            return replace(found, status=self._client().describe_execution(executionArn=execution)["status"])
        except (ClientError, BotoCoreError) as error:
            if code_of(error) == "ExecutionDoesNotExist":
                return replace(found, status=GONE)
            return replace(found, status="unknown", problem=f"the execution cannot be read: {error}")

    def _answer(self, step: StepResult) -> StepAnswer:
        if step.result:
            return _final_answer(step, step.result)
        if not step.tasks:
            return StepAnswer(next_step=step.next_step, note=step.note)
        tasks = TaskFile(self._state.bucket, self._state.prefix + step.tasks)
        return StepAnswer(next_step=step.next_step, tasks=tasks, task_count=step.task_count, note=step.note)


def _start_answer(execution: str, note: str) -> StartAnswer:
    return StartAnswer(
        finished=False,
        execution=execution,
        watch=f"aws stepfunctions describe-execution --execution-arn {execution}",
        note=f'{note}; {{"action": "status"}} returns its progress',
    )


def _final_answer(step: StepResult, result: RunResult) -> FinalStepAnswer:
    return FinalStepAnswer(
        next_step=step.next_step,
        note=step.note,
        finished=True,
        url_count=result.manifest.page_count if result.manifest else 0,
        generation=result.manifest.generation if result.manifest else 0,
        objects_listed=result.objects_listed,
        objects_read=result.objects_read,
        records_changed=result.records_changed,
        conflicts=result.conflicts,
        written=sample_keys(result.written),
        removed=sample_keys(result.removed),
        failed=sample_failures(result.failed, _failure_count(result)),
        ignored=result.ignored,
    )


def _failure_count(result: RunResult) -> int:
    """How many objects could not be read; each worker names only the first of its own."""
    counts = (warning.count for warning in result.warnings if warning.code == "unreadable")
    return max(len(result.failed), next(counts, 0))


def state_machine(environment: Mapping[str, str], updater: Updater, state: Location) -> StateMachine | None:
    """The state machine that the environment names, or None if it names none; raises ConfigurationError."""
    machine_settings = settings(environment)
    return StateMachine(machine_settings, updater, state, _client) if machine_settings else None


def _client() -> "SFNClient":
    return aws_session().client("stepfunctions")


def progress(ledger: Ledger, run: Run) -> RebuildProgress:
    """The stage that a run is in, and how many of its tasks are done; raises StoreError."""
    artifacts = RunArtifacts(ledger.store, run)
    for stage, result_name in reversed(RESULT_NAMES.items()):
        task_count = artifacts.task_count(stage)
        if task_count:
            return RebuildProgress(run.owner, stage, len(artifacts.names(f"{result_name}-")), task_count)
    return RebuildProgress(run.owner, "plan", 0, 0)
