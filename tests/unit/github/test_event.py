"""What the payload of a workflow's event says, and the branch that a commit is pushed to."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from waypost.core.errors import AnnounceError
from waypost.github.event import PushTarget, WorkflowEvent, choose_target, pull_request_number, workflow_event

if TYPE_CHECKING:
    from pathlib import Path


ENVIRON = {"GITHUB_EVENT_NAME": "push", "GITHUB_REF_TYPE": "branch", "GITHUB_REF_NAME": "main"}


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
    assert workflow_event({**ENVIRON, "GITHUB_EVENT_PATH": str(payload)}) == WorkflowEvent(
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


PUSH = WorkflowEvent("push", "branch", "main")
TAG = WorkflowEvent("push", "tag", "v1")
PULL_REQUEST = WorkflowEvent("pull_request", "branch", "7/merge", head_ref="feature")
FORK = WorkflowEvent("pull_request", "branch", "7/merge", head_ref="main", is_from_fork=True)


@pytest.mark.parametrize(
    ("event", "push", "asked", "checked_out", "branch", "is_checked_out"),
    [
        (PUSH, "auto", "", "main", "main", True),
        (PUSH, "auto", "", None, "main", True),
        (PUSH, "true", "", "pages", "pages", True),
        (PUSH, "auto", "pages", "main", "pages", False),
        (PUSH, "auto", "main", "main", "main", True),
        (PUSH, "auto", "main", None, "main", False),
        (TAG, "auto", "main", None, "main", False),
        (TAG, "auto", "", "main", "main", True),
        (PULL_REQUEST, "true", "", None, "feature", False),
        (PULL_REQUEST, "true", "", "feature", "feature", True),
        (PULL_REQUEST, "true", "sitemaps", None, "sitemaps", False),
        (FORK, "true", "sitemaps", None, "sitemaps", False),
        (WorkflowEvent("schedule", "branch", "main"), "auto", "", "main", "main", True),
        (WorkflowEvent(), "auto", "", "main", "main", True),
    ],
)
def test_a_commit_goes_to_the_branch_that_is_asked_for_or_checked_out_or_run_for(
    event: WorkflowEvent, push: str, asked: str, checked_out: str | None, branch: str, is_checked_out: bool
) -> None:
    assert choose_target(event, push=push, branch=asked, checked_out=checked_out) == PushTarget(branch, is_checked_out)


@pytest.mark.parametrize(
    ("event", "push"),
    [(PUSH, "false"), (TAG, "false"), (PULL_REQUEST, "auto"), (PULL_REQUEST, "false"), (FORK, "auto")],
)
@pytest.mark.parametrize("asked", ["", "main"])
def test_nothing_may_be_pushed_unless_asked(event: WorkflowEvent, push: str, asked: str) -> None:
    assert choose_target(event, push=push, branch=asked, checked_out=None) == PushTarget(None, may_push=False)


@pytest.mark.parametrize("event", [TAG, WorkflowEvent("workflow_dispatch", "branch", "")])
def test_a_head_on_no_branch_is_not_pushed_and_that_is_said(event: WorkflowEvent) -> None:
    found = choose_target(event, push="auto", branch="", checked_out=None)
    assert (found.branch, found.may_push) == (None, True)
    assert "HEAD is detached" in found.notice


def test_a_fork_is_out_of_reach() -> None:
    with pytest.raises(AnnounceError, match="is from a fork"):
        choose_target(FORK, push="true", branch="", checked_out=None)
