"""Chooses the branch that a run's commit is pushed to, by the workflow's inputs and its event."""

import re

from msgspec import Struct

from waypost.core.errors import AnnounceError
from waypost.github.event import WorkflowEvent

_BRANCH = re.compile(
    r"(?!HEAD\Z)(?!.*(?:\.\.|//|@\{|/\.|\.lock(?:/|$)))[^\s\x00-\x20~^:?*\[\\./-][^\x00-\x20\x7f~^:?*\[\\]*(?<![./])"
)


def is_branch_name(name: str) -> bool:
    """Whether `git check-ref-format --branch` accepts a name: one that begins with `-`, and `HEAD`, are none."""
    return _BRANCH.fullmatch(name) is not None


class PushTarget(Struct, frozen=True):
    """The branch to push to; if it is None, the commit is not pushed, and `notice` says why unless the user chose that.

    `is_checked_out` says that the branch is HEAD's, and `may_push` that pushing is allowed at all.
    """

    branch: str | None = None
    is_checked_out: bool = True
    may_push: bool = True
    notice: str = ""


def choose_target(event: WorkflowEvent, *, push: str, branch: str, checked_out: str | None) -> PushTarget:
    """Choose the branch; `checked_out` is HEAD's branch, or None if HEAD is detached.

    `push` is `auto` (do not push for pull requests), `true` or `false`; `branch` is the one that the user set, or `""`.
    Raises AnnounceError for a pull request from a fork, because the workflow cannot push to its branch, and for a name
    that is none of a branch.
    """
    if push == "false" or (push == "auto" and event.is_pull_request):
        return PushTarget(may_push=False)
    target = _wanted_target(event, branch, checked_out)
    if target.branch is not None and not is_branch_name(target.branch):
        raise AnnounceError(f"{target.branch!r} is not a branch name, so nothing can be pushed to it; set `branch`")
    return target


def _wanted_target(event: WorkflowEvent, branch: str, checked_out: str | None) -> PushTarget:
    if branch:
        return PushTarget(branch, branch == checked_out)
    if event.is_pull_request:
        return _pull_request_target(event, checked_out)
    if checked_out:
        return PushTarget(checked_out)
    if event.ref_type == "branch" and event.ref_name:
        return PushTarget(event.ref_name)
    return PushTarget(notice="the commit is not pushed, because HEAD is detached; set `branch` to push to a branch")


def _pull_request_target(event: WorkflowEvent, checked_out: str | None) -> PushTarget:
    """A pull request's own branch; usually its merge commit is checked out, which must not be pushed."""
    if event.is_from_fork:
        raise AnnounceError(
            "this pull request is from a fork, and the workflow cannot push to its branch; "
            "set `push` to auto, and the sitemaps are committed when the pull request is merged"
        )
    return PushTarget(event.head_ref, event.head_ref == checked_out)
