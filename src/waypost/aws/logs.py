"""What the function writes to its log: a JSON object a line, and metrics in CloudWatch's embedded format.

Source: "Embedded metric format specification" (CloudWatch User Guide).
"""

import time
from collections.abc import Mapping
from typing import Any

import msgspec

NAMESPACE = "Waypost"
_UNITS = {"SecondsToPublished": "Seconds"}


def log(level: str, message: str, **about: Any) -> None:
    """One line of the log."""
    _print({"level": level, "message": message, **about})


def metrics(site: str, values: Mapping[str, float], **dimensions: str) -> None:
    """Metrics of a site, all with the same further dimensions."""
    about = {"Site": site, **dimensions}
    listed = [{"Name": name, "Unit": _UNITS.get(name, "Count")} for name in values]
    definition = {"Namespace": NAMESPACE, "Dimensions": [list(about)], "Metrics": listed}
    _print({"_aws": {"Timestamp": int(time.time() * 1_000), "CloudWatchMetrics": [definition]}, **about, **values})


def _print(line: Mapping[str, Any]) -> None:
    print(msgspec.json.encode(line).decode(), flush=True)
