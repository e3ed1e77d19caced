"""Schedules that are kept, because each goes through a line of the protocol that random ones seldom reach.

They are in `recorded.json`, by what would be wrong without that line.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from unit.sample_sites import small_site

from schedules.actions import Action
from schedules.generator import Schedule
from schedules.processes import Fault
from schedules.simulation import Conditions

FILE = Path(__file__).with_name("recorded.json")
_FLAGS = ("has_content_etags", "has_publish_messages", "has_output_events", "has_daily_passes", "has_subscriber")


def names() -> list[str]:
    """The names of all recorded schedules."""
    return sorted(_read())


def recorded(name: str) -> Schedule:
    """The schedule of this name."""
    found = _read()[name]
    versions = tuple(map(tuple, found["settings"]))
    flags = {flag: flag in found["flags"] for flag in _FLAGS}
    conditions = Conditions(
        versions,
        tuple(tuple(small_site(**each) for each in ledger) for ledger in versions),
        tuple(found["offsets"]),
        page_size=found["page_size"],
        bytes_for_one=found["bytes_for_one"],
        hidden=found["hidden"],
        **flags,
    )
    return Schedule(
        conditions, tuple(Action(verb, tuple(map(_read_value, values))) for verb, *values in found["actions"])
    )


def record(name: str, schedule: Schedule) -> None:
    """Keep a schedule under a name."""
    conditions = schedule.conditions
    kept = {
        "settings": conditions.versions,
        "offsets": conditions.offsets,
        "page_size": conditions.page_size,
        "bytes_for_one": conditions.bytes_for_one,
        "hidden": conditions.hidden,
        "flags": [flag for flag in _FLAGS if getattr(conditions, flag)],
        "actions": [[each.verb, *map(_written_value, each.values)] for each in schedule.actions],
    }
    found = dict(sorted({**_read(), name: kept}.items()))
    FILE.write_text(_text(found), "utf-8")


def _text(found: dict[str, Any]) -> str:
    """JSON with a line for each action."""
    parts = []
    for name, each in found.items():
        actions = ",\n   ".join(json.dumps(action) for action in each["actions"])
        rest = json.dumps({key: value for key, value in each.items() if key != "actions"})[1:-1]
        parts.append(f' {json.dumps(name)}: {{{rest},\n  "actions": [\n   {actions}]}}')
    return "{\n" + ",\n".join(parts) + "\n}\n"


def _read() -> dict[str, Any]:
    return json.loads(FILE.read_text("utf-8")) if FILE.exists() else {}


def _read_value(value: Any) -> Any:
    if isinstance(value, dict):
        return Fault[value["fault"]] if "fault" in value else value["bytes"].encode()
    return value


def _written_value(value: Any) -> Any:
    if isinstance(value, Fault):
        return {"fault": value.name}
    return {"bytes": value.decode()} if isinstance(value, bytes) else value
