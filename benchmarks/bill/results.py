"""The file of what was measured."""

from collections.abc import Mapping
from pathlib import Path

import msgspec
from msgspec import Struct

from bill.usage import MeasuredSite

FILE = Path(__file__).parents[1] / "results" / "month.json"


class Results(Struct, frozen=True):
    """The measured sites by their names, and boto3's processor time for each kind of request (seconds)."""

    request_seconds: Mapping[str, float] = {}
    sites: Mapping[str, MeasuredSite] = {}


def read_results() -> Results:
    """What was measured, or nothing yet."""
    return msgspec.json.decode(FILE.read_bytes(), type=Results) if FILE.exists() else Results()


def write_results(results: Results) -> None:
    """Keep what was measured."""
    FILE.write_bytes(msgspec.json.format(msgspec.json.encode(results), indent=1) + b"\n")
