"""The deployment's template, held to what AWS and three other readers ask of one."""

from __future__ import annotations

import json
import os
import re
import subprocess
from typing import TYPE_CHECKING, Any

import pytest
import yaml
from stacks import KEYS, ROOT, TOOLS

if TYPE_CHECKING:
    from pathlib import Path

TEMPLATE = ROOT / "infra" / "template.yaml"
REVIEWED = {
    "CKV_AWS_18": "access logs of the ledger's bucket would be another bucket to keep; CloudTrail tells who touched it",
    "CKV_AWS_27": "the queues are encrypted, with SQS's own keys",
    "CKV_AWS_115": "the queue's MaximumConcurrency holds it; a reservation would take from the other functions",
    "CKV_AWS_116": "the queue's redrive and the function's OnFailure destination are its dead-letter queue",
    "CKV_AWS_117": "it speaks to S3 alone; a network of its own would need an endpoint, and gains nothing",
    "CKV_AWS_158": "the log tells keys that are public; CloudWatch's own encryption holds",
    "CKV_AWS_173": "its variables are names and a URL",
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


def test_cfn_lint_has_nothing_to_say(tmp_path: Path) -> None:
    done = tool("cfn-lint", str(TEMPLATE), home=tmp_path)
    assert (done.returncode, done.stdout) == (0, "")


def test_sam_finds_it_valid(tmp_path: Path) -> None:
    done = tool("sam", "validate", "--lint", "--template", str(TEMPLATE), "--region", "us-east-1", home=tmp_path)
    assert done.returncode == 0, done.stderr
    assert "is a valid SAM Template" in done.stdout


def test_checkov_finds_nothing_that_was_not_reviewed(tmp_path: Path) -> None:
    done = tool("checkov", "--skip-download", "--quiet", "--compact", "-o", "json", "-f", str(TEMPLATE), home=tmp_path)
    found = json.loads(done.stdout)
    reports = found if isinstance(found, list) else [found]
    failed = {each["check_id"]: each["check_name"] for r in reports for each in r["results"]["failed_checks"]}
    assert {code: name for code, name in failed.items() if code not in REVIEWED} == {}
    assert REVIEWED.keys() == failed.keys()
    assert sum(report["summary"]["passed"] for report in reports) > 10


def test_parliament_finds_no_fault_in_the_policies(template: Any, tmp_path: Path) -> None:
    for policy in template["Resources"]["Role"]["Properties"]["Policies"]:
        statements = [each["If"][1] if "If" in each else each for each in policy["PolicyDocument"]["Statement"]]
        plain = {"Version": "2012-10-17", "Statement": [_plain(each) for each in statements]}
        done = tool("parliament", "--string", json.dumps(plain), home=tmp_path)
        assert (done.returncode, done.stdout) == (0, ""), done.stdout + done.stderr


def _plain(value: Any) -> Any:
    """A policy as it may come to be when the template is deployed."""
    if isinstance(value, dict) and len(value) == 1 and next(iter(value)) in ("Sub", "GetAtt", "Ref"):
        text = str(next(iter(value.values())))
        known = {"AWS::Partition": "aws", "AWS::Region": "us-east-1", "AWS::AccountId": "123456789012"}
        known |= {"StateBucket.Arn": "arn:aws:s3:::state", "AWS::StackName": "sitemaps", "SitePrefix": "www/"}
        text = re.sub(r"\$\{([^}]+)\}", lambda found: known.get(found[1], "name"), text)
        arns = {"StateBucket.Arn": "arn:aws:s3:::state", "Log.Arn": "arn:aws:logs:us-east-1:123456789012:log-group:x:*"}
        arns |= {f"{queue}.Arn": "arn:aws:sqs:us-east-1:123456789012:queue" for queue in ("Events", "FailedCalls")}
        arns["SiteKeyArn"] = "arn:aws:kms:us-east-1:123456789012:key/00000000-0000-0000-0000-000000000000"
        return arns.get(text, text)
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
    timeout = resources["Function"]["Properties"]["Timeout"]
    window = template["Parameters"]["BatchingWindow"]["MaxValue"]
    assert resources["Events"]["Properties"]["VisibilityTimeout"] >= 6 * timeout + window
    assert resources["Events"]["Properties"]["RedrivePolicy"]["maxReceiveCount"] >= 5
