"""The event for which a workflow runs, from the runner's environment variables and the event's payload."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from waypost.announce.git_target import WorkflowEvent


def workflow_event(environ: Mapping[str, str]) -> WorkflowEvent:
    """The event as far as it decides which branch to push to."""
    return WorkflowEvent(
        name=environ.get("GITHUB_EVENT_NAME", ""),
        ref_type=environ.get("GITHUB_REF_TYPE", "branch"),
        ref_name=environ.get("GITHUB_REF_NAME", ""),
        head_ref=environ.get("GITHUB_HEAD_REF", ""),
        is_from_fork=_is_from_fork(environ),
        sha=environ.get("GITHUB_SHA", ""),
    )


def pull_request_number(environ: Mapping[str, str]) -> int | None:
    """The number of the pull request for which a workflow runs, or None."""
    number = _pull_request(environ).get("number")
    return number if isinstance(number, int) else None


def _is_from_fork(environ: Mapping[str, str]) -> bool:
    """Whether a pull request comes from another repository, one that is deleted, or one that is not known."""
    if not environ.get("GITHUB_EVENT_NAME", "").startswith("pull_request"):
        return False
    try:
        return bool(_pull_request(environ)["head"]["repo"]["full_name"] != environ.get("GITHUB_REPOSITORY"))
    except (KeyError, TypeError):
        return True


def _pull_request(environ: Mapping[str, str]) -> dict[str, Any]:
    try:
        found = json.loads(Path(environ.get("GITHUB_EVENT_PATH", "")).read_bytes())["pull_request"]
    except (OSError, ValueError, KeyError, TypeError):
        return {}
    return found if isinstance(found, dict) else {}
