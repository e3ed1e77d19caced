"""What the functions wrote to their log: lines, metrics in CloudWatch's embedded format, and their alarms."""

from __future__ import annotations

import json
import re
from collections import Counter
from functools import cache
from typing import TYPE_CHECKING, Any

from cloudformation import load_template

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

_EXCEPTION = re.compile(r"[\w.]+(?:Error|Exception): ")
"""The last line of a traceback."""


class Log:
    """The lines of a log since some moment, as JSON objects."""

    def __init__(self, messages: Iterable[str]) -> None:
        texts = list(messages)
        self.lines: Sequence[dict[str, Any]] = [json.loads(each) for each in texts if each.startswith("{")]
        self._raised = [each for each in texts if _EXCEPTION.match(each)]

    def metrics(self) -> dict[str, float]:
        """The sum of each metric."""
        sums: Counter[str] = Counter()
        for line in self.lines:
            for definition in line.get("_aws", {}).get("CloudWatchMetrics", ()):
                sums.update({each["Name"]: line[each["Name"]] for each in definition["Metrics"]})
        return dict(sums)

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


@cache
def alarm_of(metric: str) -> str:
    """The alarm of the template on a metric."""
    names: list[str] = [
        name
        for name, each in load_template()["Resources"].items()
        if each["Type"] == "AWS::CloudWatch::Alarm" and each["Properties"].get("MetricName") == metric
    ]
    return names[0]
