"""The event for which a workflow runs, and the branch to which a commit is then pushed."""

import json
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from msgspec import Struct

from waypost.core.errors import AnnounceError

_OF_OWN_COMMITS = ("push", "schedule", "workflow_dispatch")
"""GitHub starts a workflow for these only with a commit of a branch or tag of the repository itself."""
_PULL_REQUESTS = "pull_request"
"""What the names of the events about one pull request begin with."""
_BRANCH = re.compile(
    r"(?!HEAD\Z)(?!.*(?:\.\.|//|@\{|/\.|\.lock(?:/|$)))[^\s\x00-\x20~^:?*\[\\./-][^\x00-\x20\x7f~^:?*\[\\]*(?<![./])"
)


class WorkflowEvent(Struct, frozen=True):
    """The event that started a workflow, with the names of GitHub's variables (GITHUB_EVENT_NAME, GITHUB_REF_TYPE…).

    `is_from_fork` says that a pull request's branch is in another repository. `sha` is the commit that the event is
    about.
    """

    name: str = ""
    ref_type: str = ""
    ref_name: str = ""
    head_ref: str = ""
    is_from_fork: bool = False
    sha: str = ""

    @property
    def is_of_own_branch(self) -> bool:
        """Whether the event is about a pull request of a branch of the repository itself."""
        return self.name.startswith(_PULL_REQUESTS) and not self.is_from_fork

    @property
    def is_of_own_commit(self) -> bool:
        """Whether its commit was one of a branch or a tag of the repository itself when the event happened."""
        return self.name in _OF_OWN_COMMITS

    @property
    def is_pull_request(self) -> bool:
        """Whether the event is about a pull request, or about several in a merge queue, that are not merged yet."""
        return self.name.startswith(_PULL_REQUESTS) or self.name == "merge_group"

    @property
    def ref(self) -> str:
        """The branch or tag that the workflow runs for, by its whole name, or `""`; of a pull request it is none."""
        if not self.ref_name or self.is_pull_request:
            return ""
        return f"refs/{'tags' if self.ref_type == 'tag' else 'heads'}/{self.ref_name}"


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
    if not environ.get("GITHUB_EVENT_NAME", "").startswith(_PULL_REQUESTS):
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
    if event.is_pull_request and event.is_from_fork:
        raise AnnounceError(
            "this pull request is from a fork, and the workflow cannot push to its branch; "
            "set `push` to auto, and the sitemaps are committed when the pull request is merged"
        )
    if event.is_pull_request:  # usually its merge commit is checked out, which must not be pushed
        return PushTarget(event.head_ref, event.head_ref == checked_out)
    if checked_out:
        return PushTarget(checked_out)
    if event.ref_type == "branch" and event.ref_name:
        return PushTarget(event.ref_name)
    return PushTarget(notice="the commit is not pushed, because HEAD is detached; set `branch` to push to a branch")
