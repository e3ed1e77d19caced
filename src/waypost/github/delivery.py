"""Brings a commit to GitHub: to a branch, or to a pull request."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import NamedTuple

from waypost.core.errors import AnnounceError, UnsignedError
from waypost.git import FileChanges, GitCheckout
from waypost.github.pull_request import PullRequests
from waypost.github.verified_commit import VerifiedCommits


class MadeCommit(NamedTuple):
    """A commit that was made in the checkout on top of `parent`; `summary` is what a pull request says of it."""

    id: str
    parent: str | None
    message: str
    summary: str


class Delivered(NamedTuple):
    """The ID of a commit on GitHub, and what became of it, in words; `url` is its pull request's URL."""

    commit: str
    text: str
    url: str = ""


@dataclass(frozen=True, slots=True)
class BranchDelivery:
    """Pushes to a branch; without one, commits stay in the checkout.

    `verified` is `true`, `false`, or `auto`: the commit is made through the API where the branch refuses others. With
    `requires_parent`, the newest commit of the branch must be the commit's parent.
    """

    checkout: GitCheckout
    branch: str | None
    verified: str
    commits: VerifiedCommits | None
    requires_parent: bool = False

    def deliver(self, made: MadeCommit) -> Delivered:
        """Push the commit, or make one with the same changes through the API."""
        if self.branch is None:
            return Delivered(made.id, f"committed {made.id[:12]} in the checkout only")
        if self.requires_parent:
            push = partial(self.checkout.replace_branch, made.id, self.branch, made.parent)
        else:
            push = partial(self.checkout.push, made.id, self.branch)
        if not _is_pushed(push, self.verified):
            return self._deliver_verified(self.branch, made)
        return Delivered(made.id, f"committed {made.id[:12]} and pushed it to {self.branch}")

    def leave(self) -> str:
        """Nothing is left to do; says so."""
        return "nothing to commit"

    def _deliver_verified(self, branch: str, made: MadeCommit) -> Delivered:
        if self.commits is None:
            raise AnnounceError("a verified commit needs GitHub's API, and there is no token; set `token`")
        commit = self.commits.commit(branch, *_changes(self.checkout, made))
        self.checkout.fetch(branch)
        return Delivered(commit, f"committed {commit[:12]} to {branch} through GitHub's API, which signed it")


@dataclass(frozen=True, slots=True)
class PullRequestDelivery:
    """Replaces the branch of a pull request by the commit, and opens or updates the pull request."""

    checkout: GitCheckout
    branch: str
    verified: str
    commits: VerifiedCommits
    pulls: PullRequests
    title: str
    labels: Sequence[str]

    def deliver(self, made: MadeCommit) -> Delivered:
        """Have the pull request change exactly what the commit changes, on top of the base's newest commit."""
        present = self.checkout.fetch(self.branch)
        if present and self._is_same(present, made):
            commit, done = present, "is up to date"
        else:
            commit, done = self._replace_branch(made, present), "was updated"
        url, is_new = self.pulls.present(self.title, made.summary, self.labels)
        return Delivered(commit, f"{url} {'was opened' if is_new else done}: {commit[:12]} on {self.branch}", url)

    def leave(self) -> str:
        """Close the pull request, as its base has what it would change; says so."""
        url = self.pulls.close()
        return f"{url} was closed: nothing is left to change" if url else "nothing to commit"

    def _is_same(self, present: str, made: MadeCommit) -> bool:
        return self.checkout.has_same_files(present, made.id) and self.checkout.is_ancestor(made.parent, present)

    def _replace_branch(self, made: MadeCommit, present: str | None) -> str:
        if _is_pushed(partial(self.checkout.replace_branch, made.id, self.branch, present), self.verified):
            return made.id
        return self.commits.replace_branch(self.branch, *_changes(self.checkout, made))


Delivery = BranchDelivery | PullRequestDelivery
"""Where commits go; `deliver` raises RaceLostError if another writer has pushed there, and AnnounceError."""


def _is_pushed(push: Callable[[], None], verified: str) -> bool:
    """Push, unless the commit must be made through the API, because it is to be verified or must be signed."""
    if verified == "true":
        return False
    try:
        push()
    except UnsignedError:
        if verified == "false":
            raise
        return False
    return True


def _changes(checkout: GitCheckout, made: MadeCommit) -> tuple[str, FileChanges, str]:
    """What GitHub's API needs to make the same commit: the parent, the changed files, and the message."""
    if made.parent is None:
        raise AnnounceError("GitHub's API cannot make the first commit of a repository; push one first")
    return made.parent, checkout.changes(made.parent, made.id), made.message
