"""Where a run's commit goes: decided from what the workflow asks for and what made it run."""

from msgspec import Struct

from waypost.core.errors import AnnounceError


class WorkflowEvent(Struct, frozen=True):
    """What a workflow runs for, in GitHub's words ("Variables": GITHUB_EVENT_NAME, GITHUB_REF_TYPE and so on).

    `is_from_fork` is of a pull request whose branch lies in another repository.
    """

    name: str = ""
    ref_type: str = ""
    ref_name: str = ""
    head_ref: str = ""
    is_from_fork: bool = False

    @property
    def is_pull_request(self) -> bool:
        """Whether it is about a change that is not merged yet."""
        return self.name.startswith("pull_request")


class PushTarget(Struct, frozen=True):
    """The branch to push to; None where the commit stays in the checkout, `notice` says why if nobody asked for it.

    `is_checked_out` where the commit continues HEAD; `may_push` where anything at all may be pushed.
    """

    branch: str | None = None
    is_checked_out: bool = True
    may_push: bool = True
    notice: str = ""


def choose_target(event: WorkflowEvent, *, push: str, branch: str, checked_out: str | None) -> PushTarget:
    """Choose the branch; `checked_out` is HEAD's, None where HEAD is detached.

    `push` is `auto` (not from pull requests), `true` or `false`; `branch` is the one asked for, if any.
    Raises AnnounceError for a pull request from a fork, whose branch is out of reach.
    """
    if push == "false" or (push == "auto" and event.is_pull_request):
        return PushTarget(may_push=False)
    if branch:
        return PushTarget(branch, branch == checked_out)
    if event.is_pull_request:
        return _head_of(event, checked_out)
    if checked_out:
        return PushTarget(checked_out)
    if event.ref_type == "branch" and event.ref_name:
        return PushTarget(event.ref_name)
    return PushTarget(notice="the commit is not pushed: HEAD is on no branch; set `branch` to push to one")


def _head_of(event: WorkflowEvent, checked_out: str | None) -> PushTarget:
    """A pull request's own branch; what is checked out is usually its merge, which must not be pushed."""
    if event.is_from_fork:
        raise AnnounceError(
            "this pull request comes from a fork, whose branch this workflow cannot push to; "
            "leave `push` at auto, and the sitemaps are committed when it is merged"
        )
    return PushTarget(event.head_ref, event.head_ref == checked_out)
