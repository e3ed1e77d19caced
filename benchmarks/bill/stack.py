"""What the deployment template says about costs: the alarms, the functions and the settings of its resources."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple

import yaml

TEMPLATE = Path(__file__).parents[2] / "infra" / "template.yaml"
_FUNCTIONS = {"EventFunction": "events", "RebuildFunction": "rebuild"}


class Stack(NamedTuple):
    """`alarms` are those of every stack, `run_alarms` those that a stack with a state machine has as well.

    `timeouts` are seconds by function, `memory` is in MB, `window` in seconds, and the rest in days.
    """

    alarms: int
    run_alarms: int
    timeouts: Mapping[str, int]
    memory: int
    window: int
    version_days: int
    log_days: int


class _Loader(yaml.SafeLoader):
    """Reads CloudFormation's short functions as what they are applied to."""


def _read_tag(loader: yaml.Loader, _: str, node: yaml.Node) -> Any:
    if isinstance(node, yaml.ScalarNode):
        return loader.construct_scalar(node)
    if isinstance(node, yaml.SequenceNode):
        return loader.construct_sequence(node, deep=True)
    assert isinstance(node, yaml.MappingNode)
    return loader.construct_mapping(node, deep=True)


_Loader.add_multi_constructor("!", _read_tag)


def read_stack(text: str | None = None) -> Stack:
    """Read the template, or another text of one."""
    template = yaml.load(text or TEMPLATE.read_text(encoding="utf-8"), _Loader)
    resources, parameters = template["Resources"], template["Parameters"]
    alarms = [each for each in resources.values() if each["Type"] == "AWS::CloudWatch::Alarm"]
    rules = resources["StateBucket"]["Properties"]["LifecycleConfiguration"]["Rules"]
    versions = [rule["NoncurrentVersionExpiration"] for rule in rules if "NoncurrentVersionExpiration" in rule]
    return Stack(
        alarms=sum("Condition" not in alarm for alarm in alarms),
        run_alarms=sum(alarm.get("Condition") == "IsDistributed" for alarm in alarms),
        timeouts={name: resources[resource]["Properties"]["Timeout"] for resource, name in _FUNCTIONS.items()},
        memory=parameters["Memory"]["Default"],
        window=parameters["BatchingWindow"]["Default"],
        version_days=max(each["NoncurrentDays"] for each in versions),
        log_days=parameters["LogRetention"]["Default"],
    )
