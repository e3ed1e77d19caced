"""The state machine on MiniStack, with a function that gives the answers that a test has prepared."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import pytest
import quick
from cloudformation import load_definition
from stacks import Cloud, cloud

if TYPE_CHECKING:
    from collections.abc import Iterator


PREPARED_FUNCTION = """
import json, os, boto3

s3, bucket = boto3.client("s3"), os.environ["WAYPOST_STATE"].split("/")[2]

def handler(event, context):
    run, step = event["run"], event["step"]
    calls = f"calls/{run}/{step}/{event.get('number', 0)}/"
    earlier = s3.list_objects_v2(Bucket=bucket, Prefix=calls)["KeyCount"]
    s3.put_object(Bucket=bucket, Key=f"{calls}{earlier}", Body=json.dumps(event).encode())
    if earlier < event.get("failures", 0):
        raise RuntimeError("SlowDown")
    prepared = json.loads(s3.get_object(Bucket=bucket, Key=f"answers/{run}")["Body"].read())
    answers = prepared.get(step, ["plan"])
    answer = answers[min(earlier, len(answers) - 1)]
    if answer == "fail":
        raise RuntimeError("AccessDenied")
    return {"next_step": answer, "tasks": {"bucket": bucket, "key": f"ledger/runs/{run}/{answer}.json"}}
"""
"""It stores each call. `failures` in a task is how often that task fails before it succeeds."""
STEPS_OF_WORKERS = ("scan", "build", "publish")
SPECIAL_KEYS = [
    *("a b.html", "quo\"te's.html", "\U0001f600.html", "$.a", "$$", "ls\u2028x", "back\\slash", "{}", "${Workers}"),
]


@dataclass(frozen=True)
class PreparedStack:
    """A deployed state machine with the prepared function."""

    aws: Cloud
    outputs: dict[str, str]

    def run(
        self, name: str, answers: dict[str, list[str]], tasks: dict[str, list[dict[str, Any]]] | None = None
    ) -> tuple[Any, list[str]]:
        """The execution after its end, and the states that it entered."""
        folder = self.aws.folder / name
        files: dict[str, Any] = {f"answers/{name}": answers}
        for step in STEPS_OF_WORKERS:
            numbered = (tasks or {}).get(step, [{"number": 0}])
            files[f"ledger/runs/{name}/{step}.json"] = [{"step": step, "run": name, **task} for task in numbered]
        for key, value in files.items():
            (folder / key).parent.mkdir(parents=True, exist_ok=True)
            (folder / key).write_text(json.dumps(value))
        self.aws.aws("s3", "cp", "--recursive", "--quiet", str(folder), f"s3://{self._bucket}")
        execution = self.aws.start(self.outputs["StateMachineArn"], name)
        return self.aws.ended(execution), self.aws.states(execution)

    def calls(self, run: str) -> dict[str, Any]:
        """The payloads of all calls in a run, by step, number of the task and attempt."""
        folder = self.aws.folder / run / "calls"
        self.aws.aws("s3", "cp", "--recursive", "--quiet", f"s3://{self._bucket}/calls/{run}", str(folder))
        files = (path for path in folder.rglob("*") if path.is_file())
        return {path.relative_to(folder).as_posix(): json.loads(path.read_text()) for path in files}

    @property
    def _bucket(self) -> str:
        return self.outputs["StateBucketName"]


SUCCESS = {
    "plan": ["scan", "scan", "build"],
    "commit": ["commit", "publish"],
    "finalize": ["finalize", "done"],
}
"""The answers of a run that succeeds, by step and in order."""


@pytest.fixture(scope="module")
def stack(tmp_path_factory: pytest.TempPathFactory) -> Iterator[PreparedStack]:
    code = tmp_path_factory.mktemp("prepared")
    (code / "handler.py").write_text(PREPARED_FUNCTION)
    with cloud(tmp_path_factory.mktemp("cloud"), SFN_WAIT_SCALE="0") as aws:
        aws.aws("s3", "mb", "s3://site")
        outputs = aws.deploy("runs", code, "site", BaseUrl="https://example.org/", Distributed="true")
        yield PreparedStack(aws, outputs)


def test_a_run_follows_the_answers_and_retries_failed_tasks(stack: PreparedStack) -> None:
    scan_tasks: list[dict[str, Any]] = [{"number": 0, "keys": SPECIAL_KEYS}, {"number": 1, "failures": 3}]
    execution, states = stack.run("success", SUCCESS, {"scan": scan_tasks})
    assert (execution["status"], json.loads(execution["output"])["next_step"]) == ("SUCCEEDED", "done")
    assert [name for name in states if name != "Route"] == [
        *("Plan", "Scan", "Plan", "Scan", "Plan", "Build"),
        *("Commit", "Commit", "Publish", "Finalize", "Finalize", "Done"),
    ]
    calls = stack.calls("success")
    assert calls["scan/0/0"] == {"step": "scan", "run": "success", "number": 0, "keys": SPECIAL_KEYS}
    scans = sorted(name.removeprefix("scan/") for name in calls if name.startswith("scan/"))
    assert scans == ["0/0", "0/1", "1/0", "1/1", "1/2", "1/3", "1/4"]
    assert calls["plan/0/0"] == {"step": "plan", "run": "success", "input": {}}
    assert not any(name.startswith("handle-failure/") for name in calls)


def test_a_run_starts_again_or_ends_as_superseded_where_the_function_says_so(stack: PreparedStack) -> None:
    execution, states = stack.run("again", {"plan": ["build"], "commit": ["plan", "superseded"]})
    assert [name for name in states if name != "Route"] == ["Plan", "Build", "Commit"] * 2 + ["Superseded"]
    assert execution["status"] == "SUCCEEDED"


@pytest.mark.parametrize(
    ("name", "answers", "tasks", "last", "failure"),
    quick.every(
        4,
        [
            ("scan", SUCCESS, {"scan": [{"number": 0}, {"number": 1, "failures": 99}]}, "Scan", "Failed"),
            ("commit", SUCCESS | {"commit": ["fail"]}, {}, "Commit", "Failed"),
            ("publish", SUCCESS, {"publish": [{"number": 0, "failures": 99}]}, "Publish", "FailedWhilePublishing"),
            ("finalize", SUCCESS | {"finalize": ["fail"]}, {}, "Finalize", "FailedWhilePublishing"),
            ("handler", {"plan": ["fail"], "handle-failure": ["fail"]}, {}, "Plan", "Failed"),
        ],
        pytest.mark.release,
    ),
)
def test_a_permanent_failure_is_recorded_and_ends_the_run(
    stack: PreparedStack, name: str, answers: Any, tasks: Any, last: str, failure: str
) -> None:
    execution, states = stack.run(name, answers, tasks)
    waits = ["WaitForPublishers"] if failure == "FailedWhilePublishing" else []
    assert states[-4 - len(waits) :] == [last, *waits, "HandleFailure", "IsPublishing", failure]
    assert (execution["status"], execution["cause"]) == ("FAILED", load_definition()["States"][failure]["Cause"])
    error = stack.calls(name)["handle-failure/0/0"]["error"]
    assert execution["error"] == error["Error"]
    assert "AccessDenied" in error["Cause"] or error["Error"] == "States.ExceedToleratedFailureThreshold"


def test_an_unknown_answer_ends_the_run(stack: PreparedStack) -> None:
    execution, states = stack.run("unknown", {"plan": ["dance"]})
    assert (execution["status"], execution["error"]) == ("FAILED", "Waypost.UnknownAnswer")
    assert states[-1] == "UnknownAnswer"
