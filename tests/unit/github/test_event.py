"""What the payload of a workflow's event says."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from waypost.github.event import WorkflowEvent, pull_request_number, workflow_event

if TYPE_CHECKING:
    from pathlib import Path

PUSH = {"GITHUB_EVENT_NAME": "push", "GITHUB_REF_TYPE": "branch", "GITHUB_REF_NAME": "main"}


def test_a_pull_request_is_from_a_fork_if_its_head_is_in_another_repository_or_in_none(tmp_path: Path) -> None:
    payload = tmp_path / "event.json"
    environ = {
        "GITHUB_EVENT_NAME": "pull_request",
        "GITHUB_HEAD_REF": "feature",
        "GITHUB_REPOSITORY": "owner/site",
        "GITHUB_EVENT_PATH": str(payload),
    }
    for repository, is_from_fork in (
        ({"full_name": "owner/site"}, False),
        ({"full_name": "x/site"}, True),
        (None, True),
        ("x", True),
    ):
        payload.write_text(json.dumps({"pull_request": {"head": {"repo": repository}}}))
        assert workflow_event(environ) == WorkflowEvent("pull_request", "branch", "", "feature", is_from_fork)


@pytest.mark.parametrize("content", ["", "{", "[]", '{"ref": "refs/heads/main"}'])
def test_a_payload_without_a_pull_request_is_not_from_a_fork(tmp_path: Path, content: str) -> None:
    payload = tmp_path / "event.json"
    payload.write_text(content)
    assert workflow_event({**PUSH, "GITHUB_EVENT_PATH": str(payload)}) == WorkflowEvent(
        "push", "branch", "main", "", False
    )
    assert workflow_event({}).is_from_fork is False
    for name in ("pull_request", "pull_request_target"):
        assert workflow_event({"GITHUB_EVENT_NAME": name, "GITHUB_EVENT_PATH": str(payload)}).is_from_fork
    assert pull_request_number({"GITHUB_EVENT_PATH": str(payload)}) is None
    assert pull_request_number({}) is None


def test_the_number_of_a_pull_request_is_known(tmp_path: Path) -> None:
    payload = tmp_path / "event.json"
    payload.write_text(json.dumps({"number": 12, "pull_request": {"number": 12}}))
    assert pull_request_number({"GITHUB_EVENT_PATH": str(payload)}) == 12


@pytest.mark.parametrize(
    ("name", "is_own"),
    [
        ("push", True),
        ("schedule", True),
        ("workflow_dispatch", True),
        ("pull_request", False),
        ("deployment_status", False),
        ("workflow_run", False),
    ],
)
def test_only_some_events_have_a_commit_of_the_repository_itself(name: str, is_own: bool) -> None:
    assert WorkflowEvent(name).is_of_own_commit == is_own
