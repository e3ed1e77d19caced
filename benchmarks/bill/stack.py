"""What the deployment template says about costs: the alarms, and the settings of its resources."""

from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import yaml

TEMPLATE = Path(__file__).parents[2] / "infra" / "template.yaml"


class Stack(NamedTuple):
    """`alarms` are the metrics of all alarms, each of which is billed.

    `memory` is in MB, `window` in seconds, and the rest in days.
    """

    alarms: int
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


@cache
def read_stack(text: str | None = None) -> Stack:
    """Read the template, or another text of one."""
    template = yaml.load(text or TEMPLATE.read_text(encoding="utf-8"), _Loader)
    resources, parameters = template["Resources"], template["Parameters"]
    alarms = [each.get("Properties", {}) for each in resources.values() if each["Type"] == "AWS::CloudWatch::Alarm"]
    rules = resources["StateBucket"]["Properties"]["LifecycleConfiguration"]["Rules"]
    versions = [rule["NoncurrentVersionExpiration"] for rule in rules if "NoncurrentVersionExpiration" in rule]
    return Stack(
        alarms=sum(sum("MetricStat" in each for each in alarm.get("Metrics", ())) or 1 for alarm in alarms),
        memory=parameters["Memory"]["Default"],
        window=parameters["BatchingWindow"]["Default"],
        version_days=max(each["NoncurrentDays"] for each in versions),
        log_days=parameters["LogRetention"]["Default"],
    )
