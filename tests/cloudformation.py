"""The deployment template, with its values as a deployment would set them."""

from __future__ import annotations

import re
from copy import deepcopy
from functools import cache
from typing import Any

import yaml
from stacks import ROOT

TEMPLATE = ROOT / "infra" / "template.yaml"
_ARN = "arn:aws:{}:us-east-1:123456789012:{}"
_VALUES = {
    "AWS::Partition": "aws",
    "AWS::Region": "us-east-1",
    "AWS::AccountId": "123456789012",
    "AWS::StackName": "sitemaps",
    "AWS::StackId": _ARN.format("cloudformation", "stack/sitemaps/51af3dc0-da77-11e4-872e-1234567db123"),
    "SitePrefix": "www/",
    "Config": "s3://state/config/waypost.toml",
    "SiteKeyArn": _ARN.format("kms", "key/00000000-0000-0000-0000-000000000000"),
    "KeyArn": _ARN.format("kms", "key/11111111-1111-1111-1111-111111111111"),
    "FormerSitemapName": "former",
    "DistributionId": "E1ABCDEFGHIJKL",
    "EventBusArn": _ARN.format("events", "event-bus/default"),
    "IndexNowKey": "a1b2c3d4e5f60718",
    "StateBucket": "state",
    "LogGroup.Arn": _ARN.format("logs", "log-group:x:*"),
    "EventQueue.Arn": _ARN.format("sqs", "queue"),
    "FailedInvocationQueue.Arn": _ARN.format("sqs", "failed-invocations"),
    "RebuildFunction.Arn": _ARN.format("lambda", "function:rebuild"),
    "StateMachine": _ARN.format("states", "stateMachine:machine"),
    "StateMachine.Name": "machine",
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
    return deepcopy(_template())


@cache
def _template() -> Any:
    return yaml.load(TEMPLATE.read_text(), _ShortFunctions)


@cache
def role_statements(role: str) -> list[Any]:
    """The statements of all policies of a role, its own and those that are attached to it."""
    resources = _template()["Resources"]
    documents = [each["PolicyDocument"] for each in resources[role]["Properties"]["Policies"]]
    attached = [each["Properties"] for each in resources.values() if each["Type"] == "AWS::IAM::Policy"]
    documents += [each["PolicyDocument"] for each in attached if {"Ref": role} in each["Roles"]]
    return [statement for document in resolve(documents) for statement in document["Statement"]]


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
        text, own = value["Sub"] if isinstance(value["Sub"], list) else (value["Sub"], {})
        values = {**_VALUES, **resolve(own)}
        return re.sub(r"\$\{([^}]+)\}", lambda found: values.get(found[1], "name"), text)
    if value.keys() == {"Split"}:
        separator, text = resolve(value["Split"])
        return text.split(separator)
    if value.keys() == {"Select"}:
        index, values = resolve(value["Select"])
        return values[index]
    return {key: resolve(each) for key, each in value.items()}
