"""The deployment template, checked by AWS's linter, by SAM, by two security scanners and by tests of its own."""

from __future__ import annotations

import json
import os
import re
import subprocess
from fnmatch import fnmatchcase
from typing import TYPE_CHECKING, Any

import pytest
from cloudformation import TEMPLATE, load_template, resolve, role_statements
from stacks import KEYS, ROOT, TOOLS

from waypost.aws.event_queue import redelivery_delay
from waypost.aws.logs import NAMESPACE, Metric
from waypost.core import errors

if TYPE_CHECKING:
    from pathlib import Path

REVIEWED = {
    "CKV_AWS_18": "access logs of the state's bucket would need another bucket; CloudTrail records accesses",
    "CKV_AWS_19": "the bucket is encrypted with or without KeyArn; checkov does not evaluate the condition",
    "CKV_AWS_115": "MaximumConcurrency limits it; a reservation would reduce the limit of other functions",
    "CKV_AWS_116": "the queue's redrive policy and the function's OnFailure destination are its dead-letter queues",
    "CKV_AWS_117": "the function uses only AWS APIs; a VPC would need endpoints for them and protect nothing",
    "CKV_AWS_173": "the variables of the environment hold names and URLs, and no secrets",
}
"""Why each of checkov's findings is accepted."""
ROLES = ("EventFunctionRole", "RebuildFunctionRole")
MACHINE_ROLE = "StateMachineRole"
FUNCTIONS = ("EventFunction", "RebuildFunction")


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
@pytest.mark.parametrize("role", [*ROLES, MACHINE_ROLE])
def test_parliament_reports_no_mistake_in_the_policies(role: str, tmp_path: Path) -> None:
    document = {"Version": "2012-10-17", "Statement": role_statements(role)}
    done = tool("parliament", "--json", "--string", json.dumps(document), home=tmp_path)
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
        ("FormerSitemapName", ["", "sitemap", "map.1"], ["site map", "-map", "a/b"]),
        ("DistributionId", ["", "E1ABCDEFGHIJKL"], ["https://d111111abcdef8.cloudfront.net", "e1abcdefghijkl", "*"]),
        (
            "EventBusArn",
            ["", "arn:aws:events:eu-west-1:123456789012:event-bus/default"],
            ["default", "arn:aws:sqs:eu-west-1:123456789012:queue"],
        ),
        ("IndexNowKey", ["", "a1b2c3d4e5f60718"], ["short", "with spaces", "../escape"]),
        ("StateBucketName", ["", "sitemaps-statebucket-1a2b"], ["s3://state", "state/ledgers"]),
        ("Config", ["", "waypost.toml", "s3://bucket/a/waypost.toml"], ["waypost.yaml", "../waypost.toml", "s3://b/a"]),
        ("Schedule", ["cron(17 3 * * ? *)", "rate(1 hour)"], ["daily", "0 3 * * *"]),
        ("SiteKeyArn", ["", "arn:aws:kms:eu-west-1:123456789012:key/0a-1"], ["alias/key", "0a-1"]),
        ("KeyArn", ["", "arn:aws:kms:eu-west-1:123456789012:key/0a-1"], ["alias/key", "0a-1"]),
        (
            "PermissionsBoundary",
            ["", "arn:aws:iam::123456789012:policy/team/boundary", "arn:aws:iam::aws:policy/PowerUserAccess"],
            ["boundary", "arn:aws:iam::123456789012:role/boundary"],
        ),
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


def test_messages_of_a_killed_call_are_delivered_again_within_four_minutes_and_not_while_it_may_work(
    template: Any,
) -> None:
    resources = template["Resources"]
    timeout = resources["EventFunction"]["Properties"]["Timeout"]
    window = template["Parameters"]["BatchingWindow"]["MaxValue"]
    visibility = resources["EventQueue"]["Properties"]["VisibilityTimeout"]
    assert (timeout, visibility) == (120, 240)
    assert visibility >= 1.5 * timeout + window


def test_failed_messages_are_delivered_again_for_hours_before_they_are_dead_letters(template: Any) -> None:
    queue = template["Resources"]["EventQueue"]["Properties"]
    count = queue["RedrivePolicy"]["maxReceiveCount"]
    hours = sum(redelivery_delay(received) for received in range(1, count)) / 3_600
    assert (count, 3 < hours < queue["MessageRetentionPeriod"] / 3_600) == (20, True)


def test_only_the_function_for_events_receives_them_and_may_change_when_they_are_delivered_again(
    template: Any,
) -> None:
    resources, queue = template["Resources"], resolve({"GetAtt": "EventQueue.Arn"})
    sources = {name: [each["Type"] for each in resources[name]["Properties"]["Events"].values()] for name in FUNCTIONS}
    assert sources == {"EventFunction": ["SQS"], "RebuildFunction": ["Schedule"]}
    actions = ("ReceiveMessage", "DeleteMessage", "ChangeMessageVisibility", "SendMessage")
    allowed = {role: [each for each in actions if _is_allowed(role, f"sqs:{each}", queue)] for role in ROLES}
    assert allowed == {"EventFunctionRole": list(actions), "RebuildFunctionRole": [actions[3]]}
    variables = template["Globals"]["Function"]["Environment"]["Variables"]
    assert variables["WAYPOST_EVENTS_QUEUE"] == {"Ref": "EventQueue"}


def test_one_rule_passes_the_events_of_the_site_s_objects_alone(template: Any) -> None:
    rules = [each["Properties"] for each in template["Resources"].values() if each["Type"] == "AWS::Events::Rule"]
    (pattern,) = (resolve(rule["EventPattern"]) for rule in rules)
    assert pattern == {
        "source": ["aws.s3"],
        "detail-type": ["Object Created", "Object Deleted"],
        "detail": {"bucket": {"name": ["SiteBucket"]}, "object": {"key": [{"prefix": "www/"}]}},
    }


def test_aws_chooses_the_names_of_what_the_length_of_the_stack_s_name_could_make_too_long(template: Any) -> None:
    limited = ("Function", "Queue", "Role", "Bucket", "Rule", "Alarm")
    named = [
        name
        for name, each in template["Resources"].items()
        if f"{each['Type'].rpartition('::')[2]}Name" in each["Properties"] and each["Type"].endswith(limited)
    ]
    assert named == []


def test_each_output_that_names_a_queue_or_function_also_has_its_arn(template: Any) -> None:
    outputs = template["Outputs"]
    functions = [name for name in FUNCTIONS if not {f"{name}Name", f"{name}Arn"} <= outputs.keys()]
    queues = ("EventQueue", "DeadLetterQueue", "FailedInvocationQueue")
    assert [*functions, *(name for name in queues if not {f"{name}Url", f"{name}Arn"} <= outputs.keys())] == []


def test_the_function_for_rebuilds_names_the_state_machine_which_may_call_only_it(template: Any) -> None:
    machine, rebuild = (template["Resources"][name]["Properties"] for name in ("StateMachine", "RebuildFunction"))
    name, function = resolve(machine["Name"]), resolve({"GetAtt": "RebuildFunction.Arn"})
    variables = resolve(rebuild["Environment"]["Variables"])
    assert variables["WAYPOST_STATE_MACHINE"].endswith(f":stateMachine:{name}")
    assert len(name) <= 80
    assert machine["DefinitionSubstitutions"]["Function"] == {"GetAtt": "RebuildFunction.Arn"}
    arn = resolve({"Ref": "StateMachine"})
    assert _is_allowed("RebuildFunctionRole", "states:StartExecution", arn)
    assert not _is_allowed("EventFunctionRole", "states:StartExecution", arn)
    execution = arn.replace(":stateMachine:", ":execution:")
    allowed = [(action, resource) for each in role_statements(MACHINE_ROLE) for action, resource in _pairs(each)]
    assert sorted(allowed) == [
        ("lambda:InvokeFunction", function),
        *((f"states:{action}", f"{execution}{end}") for action in ("DescribeExecution",) for end in ("/*", ":*")),
        ("states:StartExecution", arn),
        *((f"states:{action}", f"{execution}{end}") for action in ("StopExecution",) for end in ("/*", ":*")),
    ]


def test_the_state_machine_calls_the_function_until_each_partition_is_rebuilt(template: Any) -> None:
    given = resolve(template["Resources"]["StateMachine"]["Properties"]["DefinitionSubstitutions"])
    text = (ROOT / "infra" / "rebuild.asl.json").read_text()
    assert set(re.findall(r"\$\{(\w+)\}", text)) == given.keys()
    states = json.loads(text)["States"]
    each = states["RebuildPartitions"]["ItemProcessor"]["States"]
    for found, task, choice, again in (
        (each, "RebuildPartition", "IsPartitionFinished", "ContinuePartition"),
        (states, "RebuildRemainder", "IsRemainderFinished", "ContinueRemainder"),
    ):
        assert (found[task]["Next"], found[choice]["Default"], found[again]["Next"]) == (choice, again, task)
        (not_repeated, *_) = found[task]["Retry"]
        assert not_repeated["MaxAttempts"] == 0
        assert all(issubclass(getattr(errors, name), errors.WaypostError) for name in not_repeated["ErrorEquals"])


def _pairs(statement: Any) -> list[tuple[str, str]]:
    return [(action, resource) for action in _list(statement["Action"]) for resource in _list(statement["Resource"])]


def test_a_permissions_boundary_applies_to_every_role(template: Any) -> None:
    roles = {
        name: each["Properties"] for name, each in template["Resources"].items() if each["Type"].endswith("::Role")
    }
    assert set(roles) == {*ROLES, MACHINE_ROLE}
    assert {json.dumps(each["PermissionsBoundary"]) for each in roles.values()} == {
        json.dumps({"If": ["HasBoundary", {"Ref": "PermissionsBoundary"}, {"Ref": "AWS::NoValue"}]})
    }


def test_a_customer_s_key_encrypts_the_bucket_the_queues_and_the_logs_and_each_role_may_use_it(template: Any) -> None:
    key = resolve({"Ref": "KeyArn"})
    encrypted = {
        name
        for name, each in template["Resources"].items()
        if each["Type"].split("::")[1] in ("S3", "SQS", "Logs") and key in json.dumps(resolve(each["Properties"]))
    }
    queues = {"EventQueue", "DeadLetterQueue", "FailedInvocationQueue"}
    assert encrypted == {"StateBucket", "LogGroup", *queues}
    assert all(_is_allowed(role, f"kms:{action}", key) for role in ROLES for action in ("Decrypt", "GenerateDataKey"))


def _is_allowed(role: str, action: str, resource: str) -> bool:
    """Whether a role allows an action, its conditions apart."""
    return any(
        action in _list(each["Action"]) and any(fnmatchcase(resource, pattern) for pattern in _list(each["Resource"]))
        for each in role_statements(role)
    )


def _list(value: str | list[str]) -> list[str]:
    return [value] if isinstance(value, str) else value


PUBLISHED_NAMES = (
    *("name.xml", "name.xml.gz", "name-1.xml", "name-1.xml.gz", "name-news.xml", "name.txt", "name-1.txt.gz"),
    *("name.html", "name-1.html", "name.css"),
)


READ, WRITE, DELETE = "Get", "Put", "Delete"
OBJECTS = {
    **{f"name/www/{name}": ({READ, WRITE}, {READ, WRITE, DELETE}) for name in PUBLISHED_NAMES},
    **{f"name/www/{name.replace('name', 'former')}": ({READ}, {READ, DELETE}) for name in PUBLISHED_NAMES},
    **{
        f"name/www/{name}": ({READ, WRITE}, {READ, WRITE, DELETE}) for name in ("llms.txt", "llms-0123456789abcdef.txt")
    },
    **{f"name/www/{name}": ({READ, WRITE}, {READ, WRITE}) for name in ("robots.txt", "a1b2c3d4e5f60718.txt")},
    **{f"name/www/{name}": ({READ}, {READ}) for name in ("index.html", "other.xml", "names.txt", "names-of-pages.txt")},
    **{
        f"state/states/name/www/state/{name}": ({READ, WRITE}, {READ, WRITE, DELETE})
        for name in ("state", "state-2026-03-01", "last-error.json", "report.html")
    },
    "state/config/waypost.toml": ({READ}, {READ}),
}
"""What the function for events and the one for rebuilds may do with each object: only rebuilds delete files, also those
of a former name, and old copies of the state; both write what they publish, robots.txt, and IndexNow's key."""


@pytest.mark.parametrize("name", OBJECTS)
def test_each_function_may_read_and_write_and_delete_what_it_needs_and_no_other_object(name: str) -> None:
    for role, actions in zip(ROLES, OBJECTS[name], strict=True):
        resource = f"arn:aws:s3:::{name}"
        assert {each for each in (READ, WRITE, DELETE) if _is_allowed(role, f"s3:{each}Object", resource)} == actions


@pytest.mark.parametrize("role", ROLES)
def test_a_function_may_notify_the_subscribers_of_the_parameters(role: str) -> None:
    distribution = "arn:aws:cloudfront::123456789012:distribution/E1ABCDEFGHIJKL"
    assert _is_allowed(role, "cloudfront:CreateInvalidation", distribution)
    assert not _is_allowed(role, "cloudfront:CreateInvalidation", f"{distribution}2")
    assert _is_allowed(role, "events:PutEvents", "arn:aws:events:us-east-1:123456789012:event-bus/default")


@pytest.mark.parametrize("role", ROLES)
@pytest.mark.parametrize("key", ["states/name/blog/state/state", "config/other.toml", "states/name/x"])
def test_a_function_may_neither_read_nor_change_the_state_of_another_site(role: str, key: str) -> None:
    actions = ("Get", "Put", "Delete")
    assert [each for each in actions if _is_allowed(role, f"s3:{each}Object", f"arn:aws:s3:::state/{key}")] == []


def test_no_folder_of_a_state_is_one_of_another_site_s_state_too(template: Any) -> None:
    state = template["Globals"]["Function"]["Environment"]["Variables"]["WAYPOST_STATE"]["Sub"][0]
    path = state.removeprefix("s3://${State}/")
    prefixes = ("", "www/", "state/", "state/state/")
    folders = [path.replace("${SiteBucket}", "name").replace("${SitePrefix}", prefix) for prefix in prefixes]
    files = [f"{folder}{name}" for folder in folders for name in ("state", "report.html")]
    assert len(set(files)) == len(files)
    assert template["Outputs"]["StatePrefix"]["Value"] == {"Sub": path}


def test_a_state_bucket_that_is_given_is_used_instead_of_a_new_one(template: Any) -> None:
    assert template["Conditions"]["CreatesStateBucket"] == {"Equals": [{"Ref": "StateBucketName"}, ""]}
    conditional = [
        name for name, each in template["Resources"].items() if each.get("Condition") == "CreatesStateBucket"
    ]
    assert conditional == ["StateBucket", "StateBucketPolicy"]
    assert {template["Resources"][name]["DeletionPolicy"] for name in conditional} == {"Retain"}
    others = {name: each for name, each in template.items() if name != "Resources"}
    others["Resources"] = {name: each for name, each in template["Resources"].items() if name not in conditional}
    assert set(_references(others, "StateBucket")) == {"CreatesStateBucket"}


def _references(value: Any, name: str, condition: str = "") -> list[str]:
    """The condition under which each reference to a resource counts; `""` if there is none."""
    if isinstance(value, list):
        return [found for each in value for found in _references(each, name, condition)]
    if not isinstance(value, dict):
        return []
    if "If" in value:
        return _references(value["If"][1], name, value["If"][0]) + _references(value["If"][2], name, condition)
    text = json.dumps(value)
    if value.keys() <= {"Ref", "GetAtt"} and len(value) == 1:
        return [condition] if text.split('"')[3].split(".")[0] == name else []
    return [found for each in value.values() for found in _references(each, name, condition)]


def test_the_acl_of_published_files_is_set_only_where_the_parameter_asks_for_it(template: Any) -> None:
    variables = template["Globals"]["Function"]["Environment"]["Variables"]
    assert variables["WAYPOST_ACL"] == {"If": ["HasAcl", {"Ref": "Acl"}, {"Ref": "AWS::NoValue"}]}
    statements = template["Resources"]["FunctionPolicy"]["Properties"]["PolicyDocument"]["Statement"]
    assert json.dumps(statements).count("PutObjectAcl") == 4
    assert json.dumps(statements).count('{"If": ["HasAcl", "s3:PutObjectAcl", {"Ref": "AWS::NoValue"}]}') == 4


def test_both_functions_may_invoke_the_one_for_rebuilds(template: Any) -> None:
    arn = resolve({"GetAtt": "RebuildFunction.Arn"})
    assert all(_is_allowed(role, "lambda:InvokeFunction", arn) for role in ROLES)
    variables = template["Resources"]["EventFunction"]["Properties"]["Environment"]["Variables"]
    assert variables == {"WAYPOST_REBUILD_FUNCTION": {"GetAtt": "RebuildFunction.Arn"}}


def test_the_alarms_use_metrics_of_this_site_that_the_function_writes(template: Any) -> None:
    alarms = {name: each["Properties"] for name, each in _alarms(template).items()}
    own = {name: each for name, each in alarms.items() if each.get("Namespace") == NAMESPACE}
    assert {name: each["MetricName"] for name, each in own.items()} == {
        "DriftAlarm": Metric.DRIFT,
        "RebuildAgeAlarm": Metric.REBUILDS_COMPLETED,
        "RefusedRebuildAlarm": Metric.REBUILDS_REFUSED,
        "ProblemAlarm": Metric.PROBLEMS,
        "RemovedPagesAlarm": Metric.REMOVED_PERCENT,
    }
    site = resolve(template["Globals"]["Function"]["Environment"]["Variables"])["WAYPOST_SOURCE"]
    assert all(resolve(each["Dimensions"]) == [{"Name": "Site", "Value": site}] for each in own.values())
    assert len(alarms) == 8


def test_failures_of_both_functions_and_messages_of_both_queues_raise_one_alarm_each(template: Any) -> None:
    metrics = {name: _alarms(template)[name]["Properties"]["Metrics"] for name in ("DeadLetterAlarm", "ErrorAlarm")}
    for total, *parts in metrics.values():
        assert total["Expression"] == " + ".join(each["Id"] for each in parts)
        assert [each["ReturnData"] for each in parts] == [False, False]
    named = {
        name: [each["MetricStat"]["Metric"]["Dimensions"][0]["Value"] for each in parts]
        for name, (_, *parts) in metrics.items()
    }
    assert named == {
        "DeadLetterAlarm": [{"GetAtt": f"{name}.QueueName"} for name in ("DeadLetterQueue", "FailedInvocationQueue")],
        "ErrorAlarm": [{"Ref": name} for name in FUNCTIONS],
    }


def test_an_alarm_is_raised_if_no_rebuild_has_completed_for_longer_than_the_parameter_says(template: Any) -> None:
    parameter = template["Parameters"]["RebuildMaxAgeHours"]
    alarms = {name: each["Properties"] for name, each in _alarms(template).items()}
    age = alarms.pop("RebuildAgeAlarm")
    assert (age["Period"], age["EvaluationPeriods"]) == (3_600, {"Ref": "RebuildMaxAgeHours"})
    assert (age["Statistic"], age["Threshold"], age["ComparisonOperator"]) == ("Sum", 1, "LessThanThreshold")
    assert age["TreatMissingData"] == "breaching"
    # Periods of an hour or more may add up to seven days (CloudWatch API reference, "PutMetricAlarm").
    assert (parameter["Default"], parameter["MaxValue"] * age["Period"]) == (26, 7 * 86_400)
    assert {each["TreatMissingData"] for each in alarms.values()} == {"notBreaching"}


def test_the_topic_receives_each_alarm_and_its_end(template: Any) -> None:
    topic = {"If": ["HasAlarmTopic", [{"Ref": "AlarmTopic"}], {"Ref": "AWS::NoValue"}]}
    alarms = [each["Properties"] for each in _alarms(template).values()]
    assert all(each["AlarmActions"] == each["OKActions"] == topic for each in alarms)


def test_the_runbook_has_a_section_with_a_command_or_a_link_to_one_for_each_alarm(template: Any) -> None:
    sections = (ROOT / "docs" / "runbook.md").read_text().split("\n## ")[2:]
    by_name = {section.partition("\n")[0]: section for section in sections}
    assert set(by_name) == set(_alarms(template))
    assert [name for name, text in by_name.items() if "\n$ " not in text and "](#" not in text] == []


def test_the_documentation_names_only_outputs_that_exist_and_all_of_them(template: Any) -> None:
    pages = [path.read_text() for path in (ROOT / "docs").glob("*.md")]
    used = {name for page in pages for name in re.findall(r"\$\(output (\w+)\)", page)}
    assert used <= template["Outputs"].keys()
    assert [
        name for name in template["Outputs"] if f"`{name}`" not in (ROOT / "docs" / "function.md").read_text()
    ] == []


def test_the_documentation_explains_each_alarm_and_each_metric(template: Any) -> None:
    page = (ROOT / "docs" / "function.md").read_text()
    assert [name for name in (*_alarms(template), *Metric) if f"\n| `{name}` |" not in page] == []


def _alarms(template: Any) -> dict[str, Any]:
    return {name: each for name, each in template["Resources"].items() if each["Type"] == "AWS::CloudWatch::Alarm"}
