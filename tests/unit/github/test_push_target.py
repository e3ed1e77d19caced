import pytest

from waypost.core.errors import AnnounceError
from waypost.github.event import WorkflowEvent
from waypost.github.push_target import PushTarget, choose_target

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
