"""Writes the JSON Schemas of the answers and of the settings to docs/schemas/.

With --check it writes nothing, and exits with 1 if one of them is out of date.
"""

import sys
from inspect import cleandoc
from pathlib import Path
from typing import Any

import msgspec
from settings_schema import settings_schema

from waypost.aws import function_answers
from waypost.build.bucket_check import CheckAnswer
from waypost.build.build_answer import BuildAnswer
from waypost.build.diff_answer import DiffAnswer
from waypost.build.explanation import Explanation
from waypost.build.notifications import NotifyAnswer
from waypost.build.run_answer import RunAnswer
from waypost.build.sitemap_dates import DateAnswer
from waypost.build.status import StatusAnswer
from waypost.build.submissions import SubmitAnswer
from waypost.cli.audit_command import AuditAnswer
from waypost.cli.report_command import ReportAnswer
from waypost.cli.validate_command import ValidateAnswer
from waypost.live.live_answer import CheckLiveAnswer

FOLDER = Path(__file__).parent / "schemas"
ANSWERS: dict[str, Any] = {
    "build": BuildAnswer,
    "run": RunAnswer,
    "status": StatusAnswer,
    "check": CheckAnswer,
    "explain": list[Explanation],
    "validate": ValidateAnswer,
    "check-live": CheckLiveAnswer,
    "audit": AuditAnswer,
    "date": DateAnswer,
    "diff": DiffAnswer,
    "notify": NotifyAnswer,
    "submit": SubmitAnswer,
    "report": ReportAnswer,
    "function-status": function_answers.FunctionStatus,
    "function-explain": function_answers.ExplainAnswer,
    "function-batch": function_answers.BatchAnswer,
    "function-error": function_answers.ErrorAnswer,
    "function-refused": function_answers.RefusedAnswer,
}
"""The answers by the name of their schema; the function and the command line share `run` and `check`."""


def schema(name: str) -> bytes:
    """The JSON Schema of an answer."""
    found = msgspec.json.schema(ANSWERS[name])
    for definition in found.get("$defs", {}).values():
        if "description" in definition:
            definition["description"] = cleandoc(definition["description"])
    head = {"$schema": "https://json-schema.org/draft/2020-12/schema", "title": f"Waypost: {name}"}
    return _text({**head, **found})


def _text(found: dict[str, Any]) -> bytes:
    return msgspec.json.format(msgspec.json.encode(found), indent=2) + b"\n"


def stale() -> dict[Path, bytes | None]:
    """The files that differ from the schemas, each with its right content, or None if it should not exist."""
    files: dict[Path, bytes | None] = {FOLDER / f"{name}.schema.json": schema(name) for name in ANSWERS}
    files[FOLDER / "settings.schema.json"] = _text(settings_schema())
    files |= dict.fromkeys(set(FOLDER.glob("*.json")) - files.keys())
    return {path: body for path, body in files.items() if (path.read_bytes() if path.exists() else None) != body}


def main() -> int:
    """Write the schemas, or check them."""
    changes = stale()
    if "--check" in sys.argv:
        return int(bool(changes))
    FOLDER.mkdir(exist_ok=True)
    for path, body in changes.items():
        path.unlink() if body is None else path.write_bytes(body)
    return 0


if __name__ == "__main__":
    sys.exit(main())
