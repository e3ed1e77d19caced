"""Makes commits through GitHub's API, which signs them, so that they are shown as verified.

Only the mutation `createCommitOnBranch` signs. Its commits belong to the owner of the token, whatever the author is.
"""

import base64
import secrets
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass

from waypost.core.errors import AnnounceError, RaceLostError
from waypost.git import FileChanges
from waypost.github.api import GitHubApi, GitHubError

MAX_FILES, MAX_BYTES = 100, 20_000_000
"""How many files a commit has, and bytes of files: GitHub has refused requests that were larger."""
_MUTATION = """
mutation($input: CreateCommitOnBranchInput!) {
  createCommitOnBranch(input: $input) { commit { oid } }
}
"""


@dataclass(frozen=True, slots=True)
class VerifiedCommits:
    """Commits to the branches of one repository; `max_files` and `max_bytes` limit a single request."""

    api: GitHubApi
    max_files: int = MAX_FILES
    max_bytes: int = MAX_BYTES

    def commit(self, branch: str, head: str, changes: FileChanges, message: str) -> str:
        """Commit changes to a branch whose newest commit is `head`; returns the ID of the new commit.

        Many changes become several commits, which the branch gets together. Raises RaceLostError if the branch has
        moved, and AnnounceError.
        """
        parts = list(self._parts(changes))
        if len(parts) == 1:
            return self._commit_part(branch, head, parts[0], message)
        with self._temporary_branch(head) as temporary:
            commit = self._commit_parts(temporary, head, parts, message)
            self._move(branch, commit, is_forced=False)
        return commit

    def replace_branch(self, branch: str, head: str, changes: FileChanges, message: str) -> str:
        """Make a branch, or replace it, by commits with these changes on top of `head`.

        The branch moves once: a pull request whose branch had no commits for a moment would be closed.
        """
        with self._temporary_branch(head) as temporary:
            commit = self._commit_parts(temporary, head, list(self._parts(changes)), message)
            try:
                self._move(branch, commit, is_forced=True)
            except GitHubError as error:
                if error.status != 422:
                    raise
                self.api.rest("POST", "git/refs", {"ref": f"refs/heads/{branch}", "sha": commit})
        return commit

    def _commit_parts(self, branch: str, head: str, parts: Sequence[FileChanges], message: str) -> str:
        for part in parts:
            head = self._commit_part(branch, head, part, message)
        return head

    def _commit_part(self, branch: str, head: str, part: FileChanges, message: str) -> str:
        headline, _, body = message.strip().partition("\n")
        given = {
            "branch": {"repositoryNameWithOwner": self.api.repository, "branchName": branch},
            "expectedHeadOid": head,
            "message": {"headline": headline, "body": body.strip()},
            "fileChanges": {
                "additions": [
                    {"path": path, "contents": base64.b64encode(content).decode()}
                    for path, content in part.items()
                    if content is not None
                ],
                "deletions": [{"path": path} for path, content in part.items() if content is None],
            },
        }
        try:
            return str(self.api.graphql(_MUTATION, {"input": given})["createCommitOnBranch"]["commit"]["oid"])
        except GitHubError as error:
            raise _commit_error(error, branch) from None

    def _move(self, branch: str, commit: str, *, is_forced: bool) -> None:
        try:
            self.api.rest("PATCH", f"git/refs/heads/{branch}", {"sha": commit, "force": is_forced})
        except GitHubError as error:
            if "fast forward" in str(error).lower():
                raise RaceLostError(f"another push to {branch} came while the sitemaps were rendered") from None
            raise

    @contextmanager
    def _temporary_branch(self, head: str) -> Iterator[str]:
        """The name of a branch at a commit, which is deleted at the end of the block."""
        name = f"waypost-temporary-{secrets.token_hex(6)}"
        self.api.rest("POST", "git/refs", {"ref": f"refs/heads/{name}", "sha": head})
        try:
            yield name
        finally:
            with suppress(AnnounceError):
                self.api.rest("DELETE", f"git/refs/heads/{name}")

    def _parts(self, changes: FileChanges) -> Iterator[FileChanges]:
        part: dict[str, bytes | None] = {}
        size = 0
        for path, content in changes.items():
            length = len(content or b"")
            if part and (len(part) == self.max_files or size + length > self.max_bytes):
                yield part
                part, size = {}, 0
            part[path] = content
            size += length
        yield part


def _commit_error(error: GitHubError, branch: str) -> AnnounceError:
    text = str(error)
    if "expected branch to point to" in text.lower() or "expectedHeadOid" in text:
        return RaceLostError(f"another push to {branch} came while the sitemaps were rendered")
    if "protected" in text.lower() or "rule" in text.lower():
        return AnnounceError(
            f"{branch} is protected: set `commit: pull-request`, or allow the workflow's token to bypass the rule. The "
            f"sitemaps were not committed: {text}"
        )
    if error.status in (401, 403) or "not accessible" in text.lower():
        return AnnounceError(
            f"the token may not write to this repository: {text}\nGive the job `permissions: contents: write`"
        )
    return AnnounceError(f"GitHub did not make the commit: {text}")
