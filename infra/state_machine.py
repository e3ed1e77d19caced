"""Generates rebuild.asl.json: the Step Functions state machine of a distributed rebuild.

Run `python infra/state_machine.py` after each change. The template replaces ${Partition}, ${Function}, ${StateBucket}
and ${Workers} when it is deployed.
"""

import json
from pathlib import Path
from typing import Any

State = dict[str, Any]
"""An object of the Amazon States Language."""

DEFINITION = Path(__file__).with_name("rebuild.asl.json")
NEXT_STATES = {
    "plan": "Plan",
    "scan": "Scan",
    "build": "Build",
    "commit": "Commit",
    "publish": "Publish",
    "finalize": "Finalize",
    "done": "Done",
    "superseded": "Superseded",
}
"""The state for each `next_step` that the function answers."""
_NEXT_STEP = "$.answer.next_step"
_RUN_TIMEOUT = 7 * 86_400
"""Seconds: more than three times the longest run that was computed, 50 hours for 1,000,000,000 objects."""
_TASK_TIMEOUT = 960
"""Seconds: the timeout of RebuildFunction (900), and a minute for its error to arrive."""
_TIMEOUTS_AND_EXITS = ("States.Timeout", "Sandbox.Timedout", "Lambda.Unknown", "Runtime.ExitError")
_NO_ANSWERS = (
    *_TIMEOUTS_AND_EXITS,
    "Lambda.ServiceException",
    "Lambda.AWSLambdaException",
    "Lambda.SdkClientException",
    "Lambda.ClientExecutionTimeoutException",
)
"""Errors after which a call of the function may still be at work."""
_PUBLISHERS = ("Publish", "Finalize")
"""The steps that write sitemaps."""
_WHAT_TO_DO = (
    'The step that failed gives the reason; for a map, the child that failed does. {"action":"status"} gives it too. '
    'Fix the problem and send the function {"action":"rebuild"}, or wait for the schedule.'
)


def main() -> None:
    """Write the definition."""
    DEFINITION.write_text(definition_json(), encoding="utf-8")


def definition_json() -> str:
    """The text of rebuild.asl.json."""
    return json.dumps(definition(), indent=2) + "\n"


def definition() -> State:
    """The whole state machine."""
    return {
        "Comment": "Rebuilds the sitemaps of a large bucket with many concurrent calls of the function. The answer of "
        "each step names the next one; the data of the steps is in the state bucket. Step Functions ends a run after "
        "25,000 events, which is about 2,000 rounds.",
        "TimeoutSeconds": _RUN_TIMEOUT,
        "StartAt": "Plan",
        "States": {
            "Plan": step(
                "plan",
                "Finds the ranges of keys that no worker has scanned yet.",
                "Route",
                **{"input.$": "$$.Execution.Input"},
            ),
            "Route": route(),
            "Scan": workers("Scan", "Lists the objects of a range and reads those that changed.", "Plan"),
            "Build": workers("Build", "Builds the shards of a range.", "Commit"),
            "Commit": step(
                "commit",
                "Replaces the ledger's manifest by one conditional write.",
                "Route",
                **{"input.$": "$$.Execution.Input"},
            ),
            "Publish": workers("Publish", "Writes sitemaps of a few shards.", "Finalize"),
            "Finalize": step(
                "finalize",
                "Writes the indexes, deletes sitemaps that are no longer used, and reports the run.",
                "Route",
            ),
            **endings(),
        },
    }


def step(name: str, comment: str, following: str, **more: str) -> State:
    """A step that one call of the function takes; its payload has `more` fields."""
    return {
        "Type": "Task",
        "Comment": comment,
        **invoke({"Payload": {"step": name, "run.$": "$$.Execution.Name", **more}}),
        "ResultSelector": {"answer.$": "$.Payload", "workers.$": "States.StringToJson('${Workers}')"},
        "Retry": retries(name.capitalize()),
        "Catch": catch_all(name.capitalize()),
        "Next": following,
    }


def route() -> State:
    """Goes to the state that the answer names."""
    choices = [{"Variable": _NEXT_STEP, "StringEquals": step, "Next": state} for step, state in NEXT_STATES.items()]
    missing = {"Variable": _NEXT_STEP, "IsPresent": False, "Next": "UnknownAnswer"}
    return {"Type": "Choice", "Choices": [missing, *choices], "Default": "UnknownAnswer"}


def workers(name: str, comment: str, following: str) -> State:
    """A step with one call of the function for each task that the last answer's file lists."""
    return {
        "Type": "Map",
        "Comment": comment,
        "Label": name.lower(),
        "ItemReader": {
            "Resource": "arn:${Partition}:states:::s3:getObject",
            "ReaderConfig": {"InputType": "JSON"},
            "Parameters": {"Bucket.$": "$.answer.tasks.bucket", "Key.$": "$.answer.tasks.key"},
        },
        "MaxConcurrencyPath": "$.workers",
        "ToleratedFailureCount": 0,
        "ItemProcessor": {
            "ProcessorConfig": {"Mode": "DISTRIBUTED", "ExecutionType": "STANDARD"},
            "StartAt": f"{name}Task",
            "States": {f"{name}Task": worker(name)},
        },
        "ResultWriter": {
            "Resource": "arn:${Partition}:states:::s3:putObject",
            "Parameters": {"Bucket": "${StateBucket}", "Prefix": "runs-results"},
        },
        "ResultPath": None,
        "Retry": [retry("States.ItemReaderFailed", "States.ResultWriterFailed", interval=5, max_delay=60, attempts=3)],
        "Catch": catch_all(name),
        "Next": following,
    }


def worker(name: str) -> State:
    """The call of the function for one task of this map."""
    return {
        "Type": "Task",
        **invoke({"Payload.$": "$"}),
        "OutputPath": "$.Payload",
        "Retry": retries(name),
        "End": True,
    }


def invoke(payload: State) -> State:
    """What each call of the function has in common."""
    return {
        "Resource": "arn:${Partition}:states:::lambda:invoke",
        "Parameters": {"FunctionName": "${Function}", **payload},
        "TimeoutSeconds": _TASK_TIMEOUT,
    }


def retries(state: str) -> list[State]:
    """Whether and how a failed call of the function in this state is retried, by its error."""
    return [
        # Only other settings can help.
        {"ErrorEquals": ["SegmentTooLargeError", "RemovalError"], "MaxAttempts": 0},
        # More than eight hours: an account may allow only ten concurrent calls.
        retry("Lambda.TooManyRequestsException", "BusyError", interval=2, max_delay=300, attempts=200),
        retry_once_it_has_ended()
        if state in _PUBLISHERS
        # Each attempt may take 15 minutes.
        else retry(*_TIMEOUTS_AND_EXITS, interval=5, max_delay=60, attempts=3),
        # More than 20 minutes: S3 may take that long to scale to a higher request rate.
        retry("States.ALL", interval=5, max_delay=300, attempts=10),
    ]


def retry(*errors: str, interval: int, max_delay: int, attempts: int) -> State:
    """A retry policy with exponential backoff and full jitter; `interval` and `max_delay` are seconds."""
    return {
        "ErrorEquals": list(errors),
        "IntervalSeconds": interval,
        "BackoffRate": 2,
        "MaxDelaySeconds": max_delay,
        "MaxAttempts": attempts,
        "JitterStrategy": "FULL",
    }


def retry_once_it_has_ended() -> State:
    """A retry policy for a call that writes sitemaps: two at once could undo each other's work."""
    return {
        "ErrorEquals": list(_NO_ANSWERS),
        "IntervalSeconds": _TASK_TIMEOUT,
        "BackoffRate": 1,
        "MaxAttempts": 3,
    }


def catch_all(state: str) -> list[State]:
    """What follows if this state fails for good; calls that write sitemaps may still be at work then."""
    following = "WaitForPublishers" if state in _PUBLISHERS else "HandleFailure"
    return [{"ErrorEquals": ["States.ALL"], "ResultPath": "$.error", "Next": following}]


def endings() -> dict[str, State]:
    """The states in which a run ends, and those that handle its failure."""
    return {
        "Done": {"Type": "Succeed", "OutputPath": "$.answer"},
        "Superseded": {
            "Type": "Succeed",
            "Comment": "Another run has started, or has already done the work.",
            "OutputPath": "$.answer",
        },
        "WaitForPublishers": {
            "Type": "Wait",
            "Comment": "Until no call is at work any more; after that others may publish.",
            "Seconds": _TASK_TIMEOUT,
            "Next": "HandleFailure",
        },
        "HandleFailure": handle_failure(),
        "IsPublishing": is_publishing(),
        "Failed": failure(f"The published files are unchanged. {_WHAT_TO_DO}"),
        "FailedWhilePublishing": failure(
            f"The ledger has the new sitemaps, but some of them may not be published. {_WHAT_TO_DO} "
            "Either publishes the remaining ones, and so does the next event."
        ),
        "UnknownAnswer": {
            "Type": "Fail",
            "Error": "Waypost.UnknownAnswer",
            "Cause": "The function's answer names no step that this state machine knows, so the run ended. Deploy the "
            'package and the template of the same version, and send the function {"action":"rebuild"}.',
        },
    }


def handle_failure() -> State:
    """Has the function record the error; if that fails too, the run still ends with the first error."""
    return {
        "Type": "Task",
        "Comment": "Has the function record why the run failed. If that fails too, the run reports the first error.",
        **invoke({"Payload": {"step": "handle-failure", "run.$": "$$.Execution.Name", "error.$": "$.error"}}),
        "ResultPath": None,
        "Retry": [retry("States.ALL", interval=2, max_delay=30, attempts=4)],
        "Catch": [{"ErrorEquals": ["States.ALL"], "ResultPath": None, "Next": "IsPublishing"}],
        "Next": "IsPublishing",
    }


def is_publishing() -> State:
    """Distinguishes a failure after the commit from one before it."""
    after_commit = [{"Variable": _NEXT_STEP, "StringEquals": step} for step in ("publish", "finalize")]
    choice = {"And": [{"Variable": _NEXT_STEP, "IsPresent": True}, {"Or": after_commit}]}
    return {"Type": "Choice", "Choices": [{**choice, "Next": "FailedWhilePublishing"}], "Default": "Failed"}


def failure(cause: str) -> State:
    """The end of a failed run, with the error of the step that failed."""
    return {"Type": "Fail", "ErrorPath": "$.error.Error", "Cause": cause}


if __name__ == "__main__":
    main()
