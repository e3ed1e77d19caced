"""The deployment's template and its state machine, held to what AWS and four other readers ask of them."""

from __future__ import annotations

import json
import os
import re
import subprocess
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import pytest
import yaml
from stacks import DEFINITION, KEYS, ROOT, TOOLS, Cloud, cloud

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

TEMPLATE = ROOT / "infra" / "template.yaml"
REVIEWED = {
    "CKV_AWS_18": "access logs of the ledger's bucket would be another bucket to keep; CloudTrail tells who touched it",
    "CKV_AWS_27": "the queues are encrypted, with SQS's own keys",
    "CKV_AWS_115": "MaximumConcurrency and Workers hold it; a reservation would take from the other functions",
    "CKV_AWS_116": "the queue's redrive and the function's OnFailure destination are its dead-letter queue",
    "CKV_AWS_117": "it speaks to S3 alone; a network of its own would need an endpoint, and gains nothing",
    "CKV_AWS_158": "the log tells keys that are public; CloudWatch's own encryption holds",
}


class _Tags(yaml.SafeLoader):
    """Reads CloudFormation's short functions as `{tag: value}`."""


def _tagged(loader: yaml.Loader, suffix: str, node: yaml.Node) -> Any:
    if isinstance(node, yaml.ScalarNode):
        return {suffix: loader.construct_scalar(node)}
    if isinstance(node, yaml.SequenceNode):
        return {suffix: loader.construct_sequence(node, deep=True)}
    assert isinstance(node, yaml.MappingNode)
    return {suffix: loader.construct_mapping(node, deep=True)}


_Tags.add_multi_constructor("!", _tagged)


@pytest.fixture(scope="module")
def template() -> Any:
    return yaml.load(TEMPLATE.read_text(), _Tags)


def tool(*command: str, home: Path) -> subprocess.CompletedProcess[str]:
    environment = {
        **os.environ,
        **KEYS,
        "HOME": str(home),
        "SAM_CLI_TELEMETRY": "0",
        "PATH": f"{TOOLS}:{os.environ['PATH']}",
    }
    return subprocess.run(command, capture_output=True, text=True, check=False, env=environment, cwd=home)


@pytest.mark.slow
def test_cfn_lint_has_nothing_to_say(tmp_path: Path) -> None:
    done = tool("cfn-lint", str(TEMPLATE), home=tmp_path)
    assert (done.returncode, done.stdout) == (0, "")


@pytest.mark.slow
def test_sam_finds_it_valid(tmp_path: Path) -> None:
    done = tool("sam", "validate", "--lint", "--template", str(TEMPLATE), "--region", "us-east-1", home=tmp_path)
    assert done.returncode == 0, done.stderr
    assert "is a valid SAM Template" in done.stdout


@pytest.mark.slow
def test_checkov_finds_nothing_that_was_not_reviewed(tmp_path: Path) -> None:
    done = tool("checkov", "--skip-download", "--quiet", "--compact", "-o", "json", "-f", str(TEMPLATE), home=tmp_path)
    found = json.loads(done.stdout)
    reports = found if isinstance(found, list) else [found]
    failed = {each["check_id"]: each["check_name"] for r in reports for each in r["results"]["failed_checks"]}
    assert {code: name for code, name in failed.items() if code not in REVIEWED} == {}
    assert REVIEWED.keys() == failed.keys()
    assert sum(report["summary"]["passed"] for report in reports) > 10


@pytest.mark.slow
@pytest.mark.parametrize("role", ["Role", "RebuildRole"])
def test_parliament_finds_no_fault_in_the_policies(template: Any, role: str, tmp_path: Path) -> None:
    for policy in _plain(template["Resources"][role]["Properties"]["Policies"]):
        done = tool("parliament", "--json", "--string", json.dumps(policy["PolicyDocument"]), home=tmp_path)
        found = [json.loads(line) for line in done.stdout.splitlines()]
        assert (done.returncode, bool(found)) in ((0, False), (1, True)), done.stderr
        assert [each for each in found if not _is_reviewed(each)] == []


def _is_reviewed(finding: Any) -> bool:
    """It asks for a resource of each kind that an action knows: neither map runs nor express runs are asked about."""
    kinds = {
        "states:ListExecutions": "arn:*:states:*:*:mapRun:",
        "states:DescribeExecution": "arn:*:states:*:*:express:",
    }
    return finding["issue"] == "RESOURCE_MISMATCH" and all(
        each["required_format"].startswith(kinds.get(each["action"], "none")) for each in finding["detail"]
    )


def _plain(value: Any) -> Any:
    """A piece of the template as it may come to be when it is deployed with everything on."""
    if isinstance(value, dict) and "If" in value:
        return _plain(value["If"][1])
    if isinstance(value, dict) and len(value) == 1 and next(iter(value)) in ("Sub", "GetAtt", "Ref"):
        (given,) = value.values()
        text = given if isinstance(given, str) else given[0]
        known = {"AWS::Partition": "aws", "AWS::Region": "us-east-1", "AWS::AccountId": "123456789012"}
        known |= {"StateBucket.Arn": "arn:aws:s3:::state", "AWS::StackName": "sitemaps", "SitePrefix": "www/"}
        text = re.sub(r"\$\{([^}]+)\}", lambda found: known.get(found[1], "name"), text)
        arns = {"StateBucket.Arn": "arn:aws:s3:::state", "Log.Arn": "arn:aws:logs:us-east-1:123456789012:log-group:x:*"}
        arns |= {f"{queue}.Arn": "arn:aws:sqs:us-east-1:123456789012:queue" for queue in ("Events", "FailedCalls")}
        functions = ("Function", "Sorter")
        arns |= {f"{name}.Arn": f"arn:aws:lambda:us-east-1:123456789012:function:{name}" for name in functions}
        arns["SiteKeyArn"] = "arn:aws:kms:us-east-1:123456789012:key/00000000-0000-0000-0000-000000000000"
        return arns.get(text, known.get(text, text))
    if isinstance(value, dict):
        return {key: _plain(each) for key, each in value.items()}
    return [_plain(each) for each in value] if isinstance(value, list) else value


@pytest.mark.parametrize(
    ("name", "right", "wrong"),
    [
        ("SiteBucket", ["my-site", "www.example.org"], ["s3://my-site", "my-site/www", "My-Site", "ab/"]),
        ("SitePrefix", ["", "www/", "sites/garden/"], ["www", "/www/", "/", "w*/"]),
        (
            "BaseUrl",
            ["https://example.org/", "http://127.0.0.1:8000/a/"],
            ["example.org", "https://example.org/?a", "ftp://x/"],
        ),
        ("SitemapName", ["sitemap", "map.1"], ["", "site map", "-map", "a/b"]),
        ("Config", ["", "waypost.toml", "s3://bucket/a/waypost.toml"], ["waypost.yaml", "../waypost.toml", "s3://b/a"]),
        ("Schedule", ["cron(17 3 * * ? *)", "rate(1 hour)"], ["daily", "0 3 * * *"]),
        ("SiteKeyArn", ["", "arn:aws:kms:eu-west-1:123456789012:key/0a-1"], ["alias/key", "0a-1"]),
        (
            "Inventory",
            ["", "s3://lists/my-site/daily/", "s3://lists/of/sites/my-site/daily/"],
            ["s3://lists/", "s3://lists/daily/", "s3://lists/my-site/daily", "lists/my-site/daily/", "s3://l/*/daily/"],
        ),
        (
            "InventoryLayer",
            ["", "arn:aws:lambda:eu-west-1:123456789012:layer:duckdb:3"],
            ["duckdb", "arn:aws:lambda:eu-west-1:123456789012:layer:duckdb"],
        ),
        ("AlarmTopic", ["", "arn:aws:sns:eu-west-1:123456789012:alarms"], ["alarms", "me@example.org"]),
    ],
)
def test_a_parameter_s_pattern_catches_mistakes(template: Any, name: str, right: list[str], wrong: list[str]) -> None:
    pattern = re.compile(template["Parameters"][name]["AllowedPattern"])
    assert [value for value in right if not pattern.fullmatch(value)] == []
    assert [value for value in wrong if pattern.fullmatch(value)] == []


def test_every_parameter_says_what_it_is_for(template: Any) -> None:
    assert all(
        each.get("Description", "").endswith(".") or "URL" in each["Description"]
        for each in template["Parameters"].values()
    )


def test_a_message_waits_as_long_as_lambda_asks(template: Any) -> None:
    resources = template["Resources"]
    timeout = template["Globals"]["Function"]["Timeout"]
    window = template["Parameters"]["BatchingWindow"]["MaxValue"]
    assert resources["Events"]["Properties"]["VisibilityTimeout"] >= 6 * timeout + window
    assert resources["Events"]["Properties"]["RedrivePolicy"]["maxReceiveCount"] >= 5


TODOS = {"sort", "scan", "build", "commit", "publish", "finalize", "plan", "done", "superseded"}
"""What a step's answer may ask for next."""
MAPS = {"Sort": "Plan", "Gather": "Plan", "Shape": "Commit", "Publish": "Conclude"}
"""The steps that many calls share, and what comes after each."""
STEPS = ("Plan", "Commit", "Conclude")


@pytest.fixture(scope="module")
def machine(template: Any) -> Any:
    """The state machine's definition as it is deployed."""
    given = _plain(template["Resources"]["Rebuild"]["Properties"]["DefinitionSubstitutions"])
    given |= {"Workers": str(template["Parameters"]["Workers"]["Default"]), "StateBucket": "state"}
    text = DEFINITION.read_text()
    assert set(re.findall(r"\$\{(\w+)\}", text)) == given.keys()
    return json.loads(re.sub(r"\$\{(\w+)\}", lambda found: given[found[1]], text))


def _tasks(machine: Any) -> dict[str, Any]:
    """Every Task, and by its map's name the one that a map's children are."""
    states = machine["States"]
    inner = {f"{name} in {each}": task for each in MAPS for name, task in _inner(states[each]).items()}
    return {name: state for name, state in states.items() if state["Type"] == "Task"} | inner


def _inner(state: Any) -> dict[str, Any]:
    states: dict[str, Any] = state["ItemProcessor"]["States"]
    return states


@pytest.mark.slow
def test_asl_validator_finds_the_definition_valid(machine: Any, tmp_path: Path) -> None:
    (tmp_path / "machine.json").write_text(json.dumps(machine))
    program = TOOLS.parent / "asl" / "node_modules" / "asl-validator" / "dist" / "bin" / "asl-validator.js"
    assert program.is_file(), "`make test-all` installs it"
    done = tool(str(TOOLS / "node"), str(program), "--json-path", "machine.json", home=tmp_path)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "is valid" in done.stdout


def test_a_step_s_every_answer_has_a_route(machine: Any) -> None:
    route = machine["States"]["Route"]
    unknown, *choices = route["Choices"]
    assert {choice["StringEquals"]: choice["Next"] for choice in choices} == {todo: todo.capitalize() for todo in TODOS}
    assert {choice["Variable"] for choice in route["Choices"]} == {"$.answer.next_step"}
    assert (unknown["IsPresent"], unknown["Next"], route["Default"]) == (False, "Misunderstood", "Misunderstood")
    assert {machine["States"][name]["Next"] for name in STEPS} == {"Route"}
    assert {name: machine["States"][name]["Next"] for name in MAPS} == MAPS


def test_each_state_is_there_and_is_come_to(machine: Any) -> None:
    def follows(state: Any) -> set[str]:
        others = [*state.get("Choices", ()), *state.get("Catch", ()), {"Next": state.get("Default")}, state]
        return {each["Next"] for each in others if each.get("Next")}

    reached: set[str] = set()
    waiting = {machine["StartAt"]}
    while waiting:
        reached |= waiting
        waiting = {name for each in waiting for name in follows(machine["States"][each])} - reached
    assert reached == machine["States"].keys()


def test_a_step_is_called_by_its_name_with_the_run_s(machine: Any) -> None:
    for name in STEPS:
        payload = machine["States"][name]["Parameters"]["Payload"]
        assert payload == {"step": name.lower(), "run.$": "$$.Execution.Name"}
    abandon = machine["States"]["Abandon"]["Parameters"]["Payload"]
    assert abandon == {"step": "handle-failure", "run.$": "$$.Execution.Name", "error.$": "$.error"}


@pytest.mark.parametrize("name", MAPS)
def test_a_map_takes_batches_as_they_are_and_tolerates_no_failure(machine: Any, name: str) -> None:
    state = machine["States"][name]
    assert (state["ToleratedFailureCount"], "ToleratedFailurePercentage" in state) == (0, False)
    assert state["ItemReader"]["Parameters"] == {"Bucket.$": "$.answer.tasks.bucket", "Key.$": "$.answer.tasks.key"}
    assert "ItemSelector" not in state
    assert "ItemBatcher" not in state
    (task,) = _inner(state).values()
    assert (task["Parameters"]["Payload.$"], task["End"], "Catch" in task) == ("$", True, False)
    assert state["ItemProcessor"]["ProcessorConfig"] == {"Mode": "DISTRIBUTED", "ExecutionType": "STANDARD"}
    assert (state["MaxConcurrencyPath"], "MaxConcurrency" in state) == ("$.workers", False)
    assert state["ResultPath"] is None  # what follows is decided by the step's answer, which stays
    assert state["ResultWriter"]["Parameters"] == {"Bucket": "state", "Prefix": "runs-results"}
    assert state["Label"] == name.lower()


def test_the_sorter_alone_is_another_function(machine: Any) -> None:
    called = {name: task["Parameters"]["FunctionName"].rpartition(":")[2] for name, task in _tasks(machine).items()}
    assert {name for name, function in called.items() if function == "Sorter"} == {"SortBatch in Sort"}
    assert set(called.values()) == {"Function", "Sorter"}


def test_each_task_is_tried_again_at_random_moments_that_grow_apart(template: Any, machine: Any) -> None:
    timeout = template["Globals"]["Function"]["Timeout"]
    for name, task in _tasks(machine).items():
        never, *retriers = task["Retry"] if name != "Abandon" else [None, *task["Retry"]]
        assert never in (None, {"ErrorEquals": ["ExtentError", "ReportError"], "MaxAttempts": 0}), name
        assert all(each["JitterStrategy"] == "FULL" for each in retriers), name
        assert all(each["BackoffRate"] > 1 and each["MaxDelaySeconds"] <= 300 for each in retriers), name
        assert retriers[-1]["ErrorEquals"] == ["States.ALL"], name
        assert timeout < task["TimeoutSeconds"] <= timeout + 60, name
        if name == "Abandon":
            continue
        throttled, over, others = retriers
        assert throttled["ErrorEquals"] == ["Lambda.TooManyRequestsException", "BusyError"], name
        assert {"States.Timeout", "Sandbox.Timedout"} <= set(over["ErrorEquals"]), name
        assert throttled["MaxAttempts"] > others["MaxAttempts"] > over["MaxAttempts"] > 1, name
        assert _longest_wait(others) > 20 * 60, name  # S3 may take that long to bear more requests
        assert _longest_wait(throttled) > 8 * 3600, name  # an account may allow ten calls at once


def _longest_wait(retrier: Any) -> float:
    waits = (retrier["IntervalSeconds"] * retrier["BackoffRate"] ** n for n in range(retrier["MaxAttempts"]))
    return float(sum(min(wait, retrier["MaxDelaySeconds"]) for wait in waits))


def test_a_failure_is_noted_and_ends_the_run_with_what_to_do(machine: Any) -> None:
    states = machine["States"]
    noted = [{"ErrorEquals": ["States.ALL"], "ResultPath": "$.error", "Next": "Abandon"}]
    assert all(states[name]["Catch"] == noted for name in (*STEPS, *MAPS))
    abandon = states["Abandon"]
    assert abandon["ResultPath"] is None
    assert abandon["Catch"] == [{"ErrorEquals": ["States.ALL"], "ResultPath": None, "Next": abandon["Next"]}]
    failures = {name: state for name, state in states.items() if state["Type"] == "Fail"}
    assert failures.keys() == {"Failed", "FailedWhilePublishing", "Misunderstood"}
    assert all('{"action":"rebuild"}' in state["Cause"] for state in failures.values())
    assert {state.get("ErrorPath") for state in failures.values()} == {"$.error.Error", None}


def test_nothing_of_it_is_there_unless_asked_for(template: Any) -> None:
    assert template["Parameters"]["Distributed"]["Default"] == "false"
    conditions = {name: each["Condition"] for name, each in template["Resources"].items() if "Condition" in each}
    ours = dict.fromkeys(("Rebuild", "RebuildRole", "FailedRunAlarm"), "IsDistributed")
    assert conditions == ours | {"Sorter": "KnowsInventory"}
    assert template["Conditions"]["IsDistributed"] == {"Equals": [{"Ref": "Distributed"}, "true"]}
    assert template["Conditions"]["KnowsInventory"]["And"][0] == {"Condition": "IsDistributed"}
    assert template["Outputs"]["StateMachineArn"]["Condition"] == "IsDistributed"
    variables = template["Globals"]["Function"]["Environment"]["Variables"]
    conditional = {name: value["If"][0] for name, value in variables.items() if "If" in value}
    names = ("STATE_MACHINE", "DISTRIBUTE_FROM", "WORKERS", "OBJECTS_PER_WORKER")
    own = [f"WAYPOST_{name}" for name in names]
    expected = {"WAYPOST_CONFIG": "HasConfig", "WAYPOST_INVENTORY": "KnowsInventory"}
    assert conditional == expected | dict.fromkeys(own, "IsDistributed")


def test_the_function_is_told_of_the_machine_by_its_name(template: Any) -> None:
    named = template["Resources"]["Rebuild"]["Properties"]["Name"]["Sub"]
    told = template["Globals"]["Function"]["Environment"]["Variables"]["WAYPOST_STATE_MACHINE"]["If"][1]["Sub"]
    assert told.endswith(f":stateMachine:{named}")
    policies = json.dumps(_plain(template["Resources"]["Role"]["Properties"]["Policies"]))
    assert ":stateMachine:sitemaps-waypost" in policies
    assert ":execution:sitemaps-waypost:*" in policies


def test_the_sorter_differs_by_what_an_inventory_needs_alone(template: Any) -> None:
    function, sorter = (template["Resources"][name]["Properties"] for name in ("Function", "Sorter"))
    assert all(sorter[name] == function[name] for name in ("CodeUri", "Role"))
    own = {"FunctionName", "Description", "CodeUri", "Role", "MemorySize", "EphemeralStorage", "Layers"}
    assert sorter.keys() == own
    assert "Layers" not in function


SCRIPTED = """
import json, os, time, boto3

s3, bucket = boto3.client("s3"), os.environ["WAYPOST_STATE"].split("/")[2]

def handler(event, context):
    run, step = event["run"], event["step"]
    calls = f"calls/{run}/{step}/{event.get('batch', 0)}/"
    tries = s3.list_objects_v2(Bucket=bucket, Prefix=calls)["KeyCount"]
    s3.put_object(Bucket=bucket, Key=f"{calls}{tries}", Body=json.dumps(event).encode())
    if tries < event.get("fails", 0):
        raise RuntimeError("SlowDown")
    script = json.loads(s3.get_object(Bucket=bucket, Key=f"scripts/{run}")["Body"].read())
    answers = script.get(step, ["nothing"])
    todo = answers[min(tries, len(answers) - 1)]
    if todo == "fail":
        raise RuntimeError("AccessDenied")
    return {"next_step": todo, "calls": tries + 1, "tasks": {"bucket": bucket, "key": f"ledger/runs/{run}/{todo}.json"}}
"""
"""A function that answers what a test wants of it, and remembers what it was called with."""
ODD = ["a b.html", "quo\"te's.html", "\U0001f600.html", "$.a", "$$", "ls\u2028x", "back\\slash", "{}", "${Workers}"]


@dataclass(frozen=True)
class Runs:
    """A deployed state machine, whose function does as it is told."""

    aws: Cloud
    outputs: dict[str, str]

    def run(self, name: str, script: dict[str, list[str]], **items: list[dict[str, Any]]) -> tuple[Any, list[str]]:
        """What became of a run, and the states it came through."""
        folder = self.aws.folder / name
        given: dict[str, Any] = {f"scripts/{name}": script}
        for step in map(str.lower, MAPS):
            batches = items.get(step, [{"batch": 0}])
            given[f"ledger/runs/{name}/{step}.json"] = [{"step": step, "run": name, **batch} for batch in batches]
        for key, value in given.items():
            (folder / key).parent.mkdir(parents=True, exist_ok=True)
            (folder / key).write_text(json.dumps(value))
        self.aws.aws("s3", "cp", "--recursive", "--quiet", str(folder), f"s3://{self._bucket}")
        run = self.aws.start(self.outputs["StateMachineArn"], name)
        return self.aws.ended(run), self.aws.states(run)

    def calls(self, name: str) -> dict[str, Any]:
        """What the function was called with in a run, by step, batch and try."""
        folder = self.aws.folder / name / "calls"
        self.aws.aws("s3", "cp", "--recursive", "--quiet", f"s3://{self._bucket}/calls/{name}", str(folder))
        found = (path for path in folder.rglob("*") if path.is_file())
        return {path.relative_to(folder).as_posix(): json.loads(path.read_text()) for path in found}

    @property
    def _bucket(self) -> str:
        return self.outputs["StateBucketName"]


GOOD = {
    "plan": ["sort", "scan", "scan", "build"],
    "commit": ["commit", "publish"],
    "finalize": ["finalize", "done"],
}
runs = pytest.mark.xdist_group("runs")


@pytest.fixture(scope="module")
def deployed(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Runs]:
    code = tmp_path_factory.mktemp("scripted")
    (code / "handler.py").write_text(SCRIPTED)
    with cloud(tmp_path_factory.mktemp("cloud"), SFN_WAIT_SCALE="0") as aws:
        aws.aws("s3", "mb", "s3://site")
        outputs = aws.deploy("runs", code, "site", BaseUrl="https://example.org/", Distributed="true")
        yield Runs(aws, outputs)


@pytest.mark.slow
@runs
def test_a_run_goes_from_step_to_step_and_passes_over_what_passes(deployed: Runs) -> None:
    batches: list[dict[str, Any]] = [{"batch": 0, "keys": ODD}, {"batch": 1, "fails": 3}]
    told, states = deployed.run("good", GOOD, gather=batches)
    assert (told["status"], json.loads(told["output"])["next_step"]) == ("SUCCEEDED", "done")
    assert [name for name in states if name != "Route"] == [
        *("Plan", "Sort", "Plan", "Gather", "Plan", "Gather", "Plan", "Shape"),
        *("Commit", "Commit", "Publish", "Conclude", "Conclude", "Done"),
    ]
    calls = deployed.calls("good")
    assert calls["scan/0/0"] == {"step": "scan", "run": "good", "batch": 0, "keys": ODD}
    gathered = sorted(name.removeprefix("scan/") for name in calls if name.startswith("scan/"))
    assert gathered == ["0/0", "0/1", "1/0", "1/1", "1/2", "1/3", "1/4"]
    assert calls["plan/0/0"] == {"step": "plan", "run": "good"}
    assert not any(name.startswith("handle-failure/") for name in calls)


@pytest.mark.slow
@runs
def test_a_run_begins_again_or_gives_way_where_the_function_says_so(deployed: Runs) -> None:
    told, states = deployed.run("again", {"plan": ["build"], "commit": ["plan", "superseded"]})
    assert [name for name in states if name != "Route"] == ["Plan", "Shape", "Commit"] * 2 + ["Superseded"]
    assert told["status"] == "SUCCEEDED"


@pytest.mark.slow
@runs
@pytest.mark.parametrize(
    ("name", "script", "tasks", "last", "error"),
    [
        ("range", GOOD, {"scan": [{"batch": 0}, {"batch": 1, "fails": 99}]}, "Gather", "Failed"),
        ("commit", GOOD | {"commit": ["fail"]}, {}, "Commit", "Failed"),
        ("page", GOOD, {"publish": [{"batch": 0, "fails": 99}]}, "Publish", "FailedWhilePublishing"),
        ("finalize", GOOD | {"finalize": ["fail"]}, {}, "Conclude", "FailedWhilePublishing"),
        ("both", {"plan": ["fail"], "handle-failure": ["fail"]}, {}, "Plan", "Failed"),
    ],
)
def test_what_fails_for_good_fails_the_run_and_nothing_follows(
    deployed: Runs, machine: Any, name: str, script: Any, items: Any, last: str, error: str
) -> None:
    told, states = deployed.run(name, script, **items)
    assert states[-4:] == [last, "Abandon", "HowFar", error]
    assert (told["status"], told["cause"]) == ("FAILED", machine["States"][error]["Cause"])
    noted = deployed.calls(name)["handle-failure/0/0"]["error"]
    assert told["error"] == noted["Error"]
    assert "AccessDenied" in noted["Cause"] or noted["Error"] == "States.ExceedToleratedFailureThreshold"


@pytest.mark.slow
@runs
def test_an_answer_that_nobody_knows_ends_the_run(deployed: Runs) -> None:
    told, states = deployed.run("unknown", {"plan": ["dance"]})
    assert (told["status"], told["error"], states[-1]) == ("FAILED", "Waypost.Misunderstood", "Misunderstood")
