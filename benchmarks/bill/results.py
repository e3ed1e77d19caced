"""The file of what was measured."""

from collections.abc import Mapping
from pathlib import Path

import msgspec

from bill.usage import MeasuredSite

FILE = Path(__file__).parents[1] / "results" / "month.json"


def read_results() -> Mapping[str, MeasuredSite]:
    """The measured sites by their names."""
    return msgspec.json.decode(FILE.read_bytes(), type=dict[str, MeasuredSite]) if FILE.exists() else {}


def write_results(results: Mapping[str, MeasuredSite]) -> None:
    """Keep what was measured."""
    FILE.write_bytes(msgspec.json.format(msgspec.json.encode(results), indent=1) + b"\n")
