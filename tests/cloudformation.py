"""The deployment template and the state machine's definition, with their values as a deployment would set them."""

from __future__ import annotations

import json
import re
from typing import Any

import yaml
from stacks import DEFINITION, ROOT

TEMPLATE = ROOT / "infra" / "template.yaml"
_ARN = "arn:aws:{}:us-east-1:123456789012:{}"
_VALUES = {
    "AWS::Partition": "aws",
    "AWS::Region": "us-east-1",
    "AWS::AccountId": "123456789012",
    "AWS::StackName": "sitemaps",
    "SitePrefix": "www/",
    "SiteKeyArn": _ARN.format("kms", "key/00000000-0000-0000-0000-000000000000"),
    "StateBucket.Arn": "arn:aws:s3:::state",
    "LogGroup.Arn": _ARN.format("logs", "log-group:x:*"),
    "EventQueue.Arn": _ARN.format("sqs", "queue"),
    "FailedInvocationQueue.Arn": _ARN.format("sqs", "queue"),
    "Function.Arn": _ARN.format("lambda", "function:Function"),
}


class _ShortFunctions(yaml.SafeLoader):
    """Reads CloudFormation's short functions as `{tag: value}`."""


def _read_tag(loader: yaml.Loader, suffix: str, node: yaml.Node) -> Any:
    if isinstance(node, yaml.ScalarNode):
        return {suffix: loader.construct_scalar(node)}
    if isinstance(node, yaml.SequenceNode):
        return {suffix: loader.construct_sequence(node, deep=True)}
    assert isinstance(node, yaml.MappingNode)
    return {suffix: loader.construct_mapping(node, deep=True)}


_ShortFunctions.add_multi_constructor("!", _read_tag)


def load_template() -> Any:
    return yaml.load(TEMPLATE.read_text(), _ShortFunctions)


def load_definition() -> Any:
    """The state machine's definition after the template's substitutions."""
    template = load_template()
    values = resolve(template["Resources"]["StateMachine"]["Properties"]["DefinitionSubstitutions"])
    values |= {"Workers": str(template["Parameters"]["Workers"]["Default"]), "StateBucket": "state"}
    text = DEFINITION.read_text()
    assert set(re.findall(r"\$\{(\w+)\}", text)) == values.keys()
    return json.loads(re.sub(r"\$\{(\w+)\}", lambda found: values[found[1]], text))


def resolve(value: Any) -> Any:
    """A part of the template with each function replaced by a possible value; all conditions are true."""
    if isinstance(value, list):
        return [resolve(each) for each in value]
    if not isinstance(value, dict):
        return value
    if "If" in value:
        return resolve(value["If"][1])
    if len(value) == 1 and value.keys() <= {"Ref", "GetAtt"}:
        (name,) = value.values()
        return _VALUES.get(name, name)
    if value.keys() == {"Sub"}:
        return re.sub(r"\$\{([^}]+)\}", lambda found: _VALUES.get(found[1], "name"), value["Sub"])
    return {key: resolve(each) for key, each in value.items()}
