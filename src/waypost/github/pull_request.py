"""Opens, updates and closes the pull request that has the sitemaps."""

from collections.abc import Sequence
from typing import Any
from urllib.parse import quote, urlencode

from msgspec import Struct

from waypost.core.errors import AnnounceError
from waypost.github.api import GitHubApi, GitHubError

_MAX_BODY = 60_000
"""GitHub takes 65,536 characters."""


class PullRequestText(Struct, frozen=True):
    """What a pull request says."""

    title: str
    body: str
    labels: Sequence[str] = ()


class PullRequests:
    """The pull request from one branch of a repository to another."""

    def __init__(self, api: GitHubApi, branch: str, base: str) -> None:
        self._api, self._branch, self._base = api, branch, base

    def present(self, text: PullRequestText) -> tuple[str, bool]:
        """Open the pull request, or update it if it is open; returns its URL, and whether it is new.

        Raises AnnounceError if the token may not open one.
        """
        found = self._open_one()
        body = text.body if len(text.body) <= _MAX_BODY else f"{text.body[:_MAX_BODY]}…\n"
        if found is None:
            asked = {"title": text.title, "head": self._branch, "base": self._base, "body": body}
            try:
                opened = self._api.rest("POST", "pulls", asked)
            except GitHubError as error:
                raise self._open_error(error) from None
        else:
            opened = found
            if (found["title"], found.get("body")) != (text.title, body):
                self._api.rest("PATCH", f"pulls/{found['number']}", {"title": text.title, "body": body})
        known = {each["name"] for each in opened.get("labels", ())}
        if missing := [label for label in text.labels if label not in known]:
            self._api.rest("POST", f"issues/{opened['number']}/labels", {"labels": missing})
        return str(opened["html_url"]), found is None

    def close(self) -> str:
        """Close the pull request if it is open, and delete its branch; returns its URL, or `""` if none is open."""
        found = self._open_one()
        if found is None:
            return ""
        comment = "The sitemaps of the base branch are up to date, so nothing is left to change."
        self._api.rest("POST", f"issues/{found['number']}/comments", {"body": comment})
        self._api.rest("PATCH", f"pulls/{found['number']}", {"state": "closed"})
        self._api.rest("DELETE", f"git/refs/heads/{quote(self._branch)}")
        return str(found["html_url"])

    def _open_one(self) -> Any:
        asked = {"state": "open", "head": f"{self._api.place.owner}:{self._branch}", "base": self._base}
        found = self._api.rest("GET", f"pulls?{urlencode(asked)}")
        return found[0] if found else None

    def _open_error(self, error: GitHubError) -> AnnounceError:
        place = self._api.place
        by_hand = f"{place.server_url}/{place.repository}/compare/{quote(self._base)}...{quote(self._branch)}"
        text = str(error)
        if "not permitted to create" in text:
            advice = (
                "allow it in the repository's settings, at Actions, General, Workflow permissions: “Allow GitHub "
                "Actions to create and approve pull requests”"
            )
        elif error.status in (401, 403, 404):
            advice = "give the job `permissions: contents: write` and `pull-requests: write`, or set `token`"
        else:
            advice = "open it by hand"
        return AnnounceError(
            f"the branch {self._branch} has the sitemaps, but no pull request could be opened: {text}\n"
            f"To mend that, {advice}. The branch is at {by_hand}"
        )
