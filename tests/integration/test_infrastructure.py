"""The deployment template, checked by AWS's linter, by SAM, by two security scanners and by tests of its own."""

from __future__ import annotations

import json
import os
import re
import subprocess
from fnmatch import fnmatchcase
from typing import TYPE_CHECKING, Any

import pytest
from cloudformation import TEMPLATE, load_template, resolve
from stacks import KEYS, ROOT, TOOLS

from waypost.aws.logs import NAMESPACE, Metric
from waypost.aws.redelivery import redelivery_delay

if TYPE_CHECKING:
    from pathlib import Path

REVIEWED = {
    "CKV_AWS_18": "access logs of the ledger's bucket would need another bucket; CloudTrail records accesses",
    "CKV_AWS_27": "SQS encrypts the queues with its own keys",
    "CKV_AWS_115": "MaximumConcurrency and Workers limit it; a reservation would reduce the limit of other functions",
    "CKV_AWS_116": "the queue's redrive policy and the function's OnFailure destination are its dead-letter queues",
    "CKV_AWS_117": "the function uses only AWS APIs; a VPC would need endpoints for them and protect nothing",
    "CKV_AWS_158": "the log contains only public keys; CloudWatch encrypts it with its own key",
}
"""Why each of checkov's findings is accepted."""


@pytest.fixture(scope="module")
def template() -> Any:
    return load_template()


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
def test_cfn_lint_reports_nothing(tmp_path: Path) -> None:
    done = tool("cfn-lint", str(TEMPLATE), home=tmp_path)
    assert (done.returncode, done.stdout) == (0, "")


@pytest.mark.slow
def test_sam_finds_the_template_valid(tmp_path: Path) -> None:
    done = tool("sam", "validate", "--lint", "--template", str(TEMPLATE), "--region", "us-east-1", home=tmp_path)
    assert done.returncode == 0, done.stderr
    assert "is a valid SAM Template" in done.stdout


@pytest.mark.slow
def test_checkov_reports_only_reviewed_findings(tmp_path: Path) -> None:
    done = tool("checkov", "--skip-download", "--quiet", "--compact", "-o", "json", "-f", str(TEMPLATE), home=tmp_path)
    output = json.loads(done.stdout)
    reports = output if isinstance(output, list) else [output]
    failed = {each["check_id"]: each["check_name"] for r in reports for each in r["results"]["failed_checks"]}
    assert {code: name for code, name in failed.items() if code not in REVIEWED} == {}
    assert REVIEWED.keys() == failed.keys()
    assert sum(report["summary"]["passed"] for report in reports) > 10


@pytest.mark.slow
@pytest.mark.parametrize("role", ["FunctionRole", "StateMachineRole"])
def test_parliament_reports_no_mistake_in_the_policies(template: Any, role: str, tmp_path: Path) -> None:
    for policy in resolve(template["Resources"][role]["Properties"]["Policies"]):
        done = tool("parliament", "--json", "--string", json.dumps(policy["PolicyDocument"]), home=tmp_path)
        findings = [json.loads(line) for line in done.stdout.splitlines()]
        assert (done.returncode, bool(findings)) in ((0, False), (1, True)), done.stderr
        assert [each for each in findings if not _is_reviewed(each)] == []


def _is_reviewed(finding: Any) -> bool:
    """Parliament asks for a resource of each type an action supports; no map run or express execution is read."""
    unused_types = {
        "states:ListExecutions": "arn:*:states:*:*:mapRun:",
        "states:DescribeExecution": "arn:*:states:*:*:express:",
    }
    return finding["issue"] == "RESOURCE_MISMATCH" and all(
        each["required_format"].startswith(unused_types.get(each["action"], "none")) for each in finding["detail"]
    )


@pytest.mark.parametrize(
    ("name", "valid", "invalid"),
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
        ("AlarmTopic", ["", "arn:aws:sns:eu-west-1:123456789012:alarms"], ["alarms", "me@example.org"]),
    ],
)
def test_the_pattern_of_a_parameter_rejects_mistakes(
    template: Any, name: str, valid: list[str], invalid: list[str]
) -> None:
    pattern = re.compile(template["Parameters"][name]["AllowedPattern"])
    assert [value for value in valid if not pattern.fullmatch(value)] == []
    assert [value for value in invalid if pattern.fullmatch(value)] == []


def test_every_parameter_has_a_description(template: Any) -> None:
    assert all(
        each.get("Description", "").endswith(".") or "URL" in each["Description"]
        for each in template["Parameters"].values()
    )


def test_the_event_queue_s_visibility_timeout_is_the_one_that_lambda_asks_for(template: Any) -> None:
    resources = template["Resources"]
    timeout = template["Globals"]["Function"]["Timeout"]
    window = template["Parameters"]["BatchingWindow"]["MaxValue"]
    assert resources["EventQueue"]["Properties"]["VisibilityTimeout"] >= 6 * timeout + window


def test_failed_messages_are_delivered_again_for_hours_before_they_are_dead_letters(template: Any) -> None:
    queue = template["Resources"]["EventQueue"]["Properties"]
    count = queue["RedrivePolicy"]["maxReceiveCount"]
    hours = sum(redelivery_delay(received) for received in range(1, count)) / 3_600
    assert (count, 3 < hours < queue["MessageRetentionPeriod"] / 3_600) == (20, True)


def test_the_function_may_change_when_messages_of_its_queue_are_delivered_again(template: Any) -> None:
    variables = template["Globals"]["Function"]["Environment"]["Variables"]
    assert variables["WAYPOST_EVENTS_QUEUE"] == {"Ref": "EventQueue"}
    policies = template["Resources"]["FunctionRole"]["Properties"]["Policies"]
    statements = [
        each for policy in policies if "PolicyName" in policy for each in policy["PolicyDocument"]["Statement"]
    ]
    allowed = {
        action
        for each in statements
        if each.get("Resource") == {"GetAtt": "EventQueue.Arn"}
        for action in (each["Action"] if isinstance(each["Action"], list) else [each["Action"]])
    }
    assert {"sqs:ChangeMessageVisibility", "sqs:SendMessage"} <= allowed


def test_the_state_machine_is_deployed_only_on_request(template: Any) -> None:
    assert template["Parameters"]["Distributed"]["Default"] == "false"
    assert template["Conditions"]["IsDistributed"] == {"Equals": [{"Ref": "Distributed"}, "true"]}
    conditions = {name: each["Condition"] for name, each in template["Resources"].items() if "Condition" in each}
    assert conditions == dict.fromkeys(("StateMachine", "StateMachineRole", "FailedRunAlarm"), "IsDistributed")
    assert template["Outputs"]["StateMachineArn"]["Condition"] == "IsDistributed"
    variables = template["Globals"]["Function"]["Environment"]["Variables"]
    conditional = {name: value["If"][0] for name, value in variables.items() if "If" in value}
    distributed = ("STATE_MACHINE", "DISTRIBUTE_FROM", "WORKERS", "OBJECTS_PER_WORKER")
    expected = dict.fromkeys((f"WAYPOST_{name}" for name in distributed), "IsDistributed")
    assert conditional == expected | {"WAYPOST_CONFIG": "HasConfig"}


def test_the_function_and_its_role_name_the_state_machine(template: Any) -> None:
    name = resolve(template["Resources"]["StateMachine"]["Properties"]["Name"])
    variables = resolve(template["Globals"]["Function"]["Environment"]["Variables"])
    assert variables["WAYPOST_STATE_MACHINE"].endswith(f":stateMachine:{name}")
    policies = json.dumps(resolve(template["Resources"]["FunctionRole"]["Properties"]["Policies"]))
    assert f":stateMachine:{name}" in policies
    assert f":execution:{name}:*" in policies


def _statements(template: Any) -> list[Any]:
    policies = resolve(template["Resources"]["FunctionRole"]["Properties"]["Policies"])
    return [statement for policy in policies for statement in policy["PolicyDocument"]["Statement"]]


def _is_allowed(template: Any, action: str, resource: str) -> bool:
    """Whether the function's role allows an action, its conditions apart."""
    return any(
        action in _list(each["Action"]) and any(fnmatchcase(resource, pattern) for pattern in _list(each["Resource"]))
        for each in _statements(template)
    )


def _list(value: str | list[str]) -> list[str]:
    return [value] if isinstance(value, str) else value


PUBLISHED_NAMES = (
    *("name.xml", "name.xml.gz", "name-1.xml", "name-1.xml.gz", "name-news.xml", "name.txt", "name-1.txt.gz"),
    *("name.html", "name-1.html", "name.css"),
)


@pytest.mark.parametrize("name", PUBLISHED_NAMES)
def test_the_function_may_read_write_and_delete_the_files_that_it_publishes(template: Any, name: str) -> None:
    resource = f"arn:aws:s3:::name/www/{name}"
    assert all(_is_allowed(template, f"s3:{action}Object", resource) for action in ("Get", "Put", "Delete"))


def test_the_function_may_write_robots_txt_and_read_but_not_write_or_delete_anything_else_of_the_site(
    template: Any,
) -> None:
    may = {
        (name, action)
        for name in ("robots.txt", "index.html", "other.xml")
        for action in ("Get", "Put", "Delete")
        if _is_allowed(template, f"s3:{action}Object", f"arn:aws:s3:::name/www/{name}")
    }
    reads = {(name, "Get") for name in ("robots.txt", "index.html", "other.xml")}
    assert may == {*reads, ("robots.txt", "Put")}


@pytest.mark.parametrize(
    "name",
    ["manifest.json", "shards/a", "manifests/a", "runs/a", "unreferenced.json", "last-error.json", "report.html"],
)
def test_the_function_may_read_write_and_delete_the_ledger_s_files(template: Any, name: str) -> None:
    resource = f"arn:aws:s3:::state/ledger/{name}"
    assert all(_is_allowed(template, f"s3:{action}Object", resource) for action in ("Get", "Put", "Delete"))


def test_the_function_may_invoke_itself(template: Any) -> None:
    name = resolve(template["Resources"]["Function"]["Properties"]["FunctionName"])
    arn = f"arn:aws:lambda:us-east-1:123456789012:function:{name}"
    assert _is_allowed(template, "lambda:InvokeFunction", arn)


def test_the_alarms_use_metrics_of_this_site_that_the_function_writes(template: Any) -> None:
    alarms = {name: each["Properties"] for name, each in _alarms(template).items()}
    own = {name: each for name, each in alarms.items() if each["Namespace"] == NAMESPACE}
    assert {name: each["MetricName"] for name, each in own.items()} == {
        "RefusedRebuildAlarm": Metric.REBUILDS_REFUSED,
        "LostRecordsAlarm": Metric.RECORDS_LOST,
        "PublishLatencyAlarm": Metric.PUBLISH_LATENCY,
    }
    site = resolve(template["Globals"]["Function"]["Environment"]["Variables"])["WAYPOST_SOURCE"]
    assert all(resolve(each["Dimensions"]) == [{"Name": "Site", "Value": site}] for each in own.values())
    assert all(each["TreatMissingData"] == "notBreaching" for each in alarms.values())


def test_the_documentation_explains_each_alarm_and_each_metric(template: Any) -> None:
    page = (ROOT / "docs" / "function.md").read_text()
    assert [name for name in (*_alarms(template), *Metric) if f"\n| `{name}` |" not in page] == []


def _alarms(template: Any) -> dict[str, Any]:
    return {name: each for name, each in template["Resources"].items() if each["Type"] == "AWS::CloudWatch::Alarm"}
