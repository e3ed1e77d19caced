"""What the functions wrote to their log: lines, metrics in CloudWatch's embedded format, and their alarms."""

from __future__ import annotations

import json
import math
import re
from functools import cache
from typing import TYPE_CHECKING, Any, NamedTuple

from cloudformation import load_template

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

_GAUGES = ("Problems", "RemovedPercent")
"""Metrics that say how something is, and not how often something happened."""
_EXCEPTION = re.compile(r"[\w.]+(?:Error|Exception): ")
"""The last line of a traceback."""


class Log:
    """The lines of a log since some moment, as JSON objects."""

    def __init__(self, messages: Iterable[str]) -> None:
        texts = list(messages)
        self.lines: Sequence[dict[str, Any]] = [json.loads(each) for each in texts if each.startswith("{")]
        self._raised = [each for each in texts if _EXCEPTION.match(each)]

    def metrics(self) -> dict[str, float]:
        """The sum of each metric, or the highest value of one that says how something is."""
        found: dict[str, float] = {}
        for name, value in self._values():
            before = found.get(name, 0)
            found[name] = max(before, value) if name in _GAUGES else before + value
        return found

    def _values(self) -> Iterator[tuple[str, float]]:
        for line in self.lines:
            for definition in line.get("_aws", {}).get("CloudWatchMetrics", ()):
                for each in definition["Metrics"]:
                    yield each["Name"], line[each["Name"]]

    def alarms(self) -> dict[str, str]:
        """The alarms that metrics raise, each with the metric and its value."""
        values = self.metrics()
        alarms = {name: alarm_of(name) for name in values}
        raised = {
            each.name: f"{name} = {values[name]:.0f}" for name, each in alarms.items() if each.is_raised(values[name])
        }
        return dict(sorted(raised.items()))

    def messages(self, level: str) -> list[str]:
        """The different messages of a level, in the order of their first lines."""
        return list(dict.fromkeys(line["message"] for line in self.lines if line.get("level") == level))

    def raised(self) -> list[str]:
        """The different exceptions that ended calls."""
        return list(dict.fromkeys(self._raised))

    def failed(self) -> dict[str, str]:
        """The objects that runs could not read, with the reasons, in lines of the level ERROR."""
        lines = (line["failed"] for line in self.lines if line.get("level") == "ERROR" and "failed" in line)
        return {key: reason for failed in lines for key, reason in failed.items()}

    def warnings(self) -> list[str]:
        """The different codes of the warnings of runs."""
        return list(dict.fromkeys(code for line in self.lines for code in line.get("warnings", ())))


class Alarm(NamedTuple):
    """An alarm of the template, and from which value of its metric on it is raised."""

    name: str
    threshold: float

    def is_raised(self, value: float) -> bool:
        """Whether a value of the metric raises it."""
        return value > self.threshold


@cache
def alarm_of(metric: str) -> Alarm:
    """The alarm of the template on a metric; RebuildsCompleted raises one by its absence, and so never here."""
    template = load_template()
    name, properties = next(
        (name, each["Properties"])
        for name, each in template["Resources"].items()
        if each["Type"] == "AWS::CloudWatch::Alarm" and each["Properties"].get("MetricName") == metric
    )
    if properties["ComparisonOperator"] != "GreaterThanThreshold":
        return Alarm(name, math.inf)
    threshold = properties["Threshold"]
    if isinstance(threshold, dict):
        threshold = template["Parameters"][threshold["Ref"]]["Default"]
    return Alarm(name, float(threshold))
