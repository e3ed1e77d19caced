"""Keeps states on a branch that has nothing else: a file for each site."""

import re
from pathlib import Path

from waypost.core import tree_files
from waypost.core.errors import AnnounceError
from waypost.core.hashing import short_digest
from waypost.git import CommitMessage, GitCheckout

_NAMES = re.compile(r"waypost-state(?:-[\w.-]+)?\.jsonl")
_WITHOUT_SITE = "waypost-state.jsonl"
"""The file of a branch of before there was one for each site: the first site that finds none of its own reads it."""


class StateBranch:
    """The branch `name` of a checkout; during a run the state is in the file `local`. `message` has the author."""

    def __init__(self, checkout: GitCheckout, name: str, local: Path, message: CommitMessage) -> None:
        self._checkout, self._name, self.local, self._message = checkout, name, local, message

    def fetch(self) -> str | None:
        """Fetch the branch; returns its commit, or None if there is none.

        Raises AnnounceError if it has other files.
        """
        commit = self._checkout.fetch(self._name)
        others = [name for name in self._checkout.files(commit) if not _NAMES.fullmatch(name)] if commit else []
        if others:
            raise AnnounceError(
                f"the branch {self._name} has files other than the state ({others[0]}); name a separate branch in "
                "`state-branch`"
            )
        return commit

    def copy(self, commit: str | None, base_url: str) -> None:
        """Copy a site's state from a commit of the branch to the local file, which is removed if there is none."""
        names = (state_name(base_url), _WITHOUT_SITE) if commit else ()
        found = (self._checkout.read(str(commit), name) for name in names)
        content = next((each for each in found if each is not None), None)
        self.local.unlink(missing_ok=True)
        if content is not None:
            tree_files.write(self.local, content)

    def push(self, state: bytes, base_url: str, parent: str | None) -> None:
        """Push a site's state if it has changed, beside other sites' states; raises RaceLostError."""
        name = state_name(base_url)
        if parent and self._checkout.read(parent, name) == state:
            return
        message = CommitMessage("Remember pages' dates", self._message.author)
        self._checkout.push(self._checkout.commit_file(name, state, message, parent), self._name)


def state_name(base_url: str) -> str:
    """The name of a site's file: its URL as far as people need it, and a digest of that."""
    readable = re.sub(r"[^\w.-]+", "_", base_url.partition("://")[2].strip("/"))[:60]
    return f"waypost-state-{readable}-{short_digest(base_url.encode())[:8]}.jsonl"
