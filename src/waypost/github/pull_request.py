"""The pull request that has the sitemaps, and the comment on another one that says what changes in them."""

from collections.abc import Sequence
from typing import Any
from urllib.parse import quote, urlencode

from waypost.build.diff_answer import DiffAnswer, diff_markdown, has_changes
from waypost.core.errors import AnnounceError
from waypost.github.api import GitHubApi, GitHubError, require_api

_MAX_BODY = 60_000
"""GitHub takes 65,536 characters."""
_SHOWN = 100
"""How many changes of each kind are shown at most."""
_PER_PAGE, _MOST_PAGES = 100, 30
"""The most comments that GitHub sends at once (REST API, "List issue comments"), and the most requests for them."""
_BOT = "[bot]"
"""The end of the names of apps, which not each of the two APIs adds."""


class PullRequests:
    """The pull request from one branch of a repository to another."""

    def __init__(self, api: GitHubApi, branch: str, base: str) -> None:
        self._api, self._branch, self._base = api, branch, base

    def present(self, title: str, body: str, labels: Sequence[str] = ()) -> tuple[str, bool]:
        """Open the pull request, or update it if it is open; returns its URL, and whether it is new.

        Raises AnnounceError if the token may not open one.
        """
        found = self._open_one()
        body = body if len(body) <= _MAX_BODY else f"{body[:_MAX_BODY]}…\n"
        if found is None:
            asked = {"title": title, "head": self._branch, "base": self._base, "body": body}
            try:
                opened = self._api.rest("POST", "pulls", asked)
            except GitHubError as error:
                raise self._open_error(error) from None
        else:
            opened = found
            if (found["title"], found.get("body")) != (title, body):
                self._api.rest("PATCH", f"pulls/{found['number']}", {"title": title, "body": body})
        known = {each["name"] for each in opened.get("labels", ())}
        if missing := [label for label in labels if label not in known]:
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
        owner = self._api.repository.partition("/")[0]
        asked = {"state": "open", "head": f"{owner}:{self._branch}", "base": self._base}
        found = self._api.rest("GET", f"pulls?{urlencode(asked)}")
        return found[0] if found else None

    def _open_error(self, error: GitHubError) -> AnnounceError:
        by_hand = f"{self._api.server_url}/{self._api.repository}/compare/{quote(self._base)}...{quote(self._branch)}"
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


def comment_on(number: int, answer: DiffAnswer, base_url: str, api: GitHubApi | None) -> str:
    """Comment on a pull request, in place of an earlier comment on the same site; returns why that failed, or `""`.

    A pull request that changes nothing gets no comment, unless it has one from an earlier run.
    """
    mark = f"<!-- waypost: {base_url.replace('-->', '')} -->"
    body = f"{mark}\n### The sitemap of {base_url}\n\n{diff_markdown(answer, _SHOWN)}"
    try:
        _write_comment(require_api(api), number, mark, body, is_needed=has_changes(answer))
    except AnnounceError as error:
        return f"pull request {number} got no comment: {error}{_comment_advice(error)}"
    return ""


def _comment_advice(error: AnnounceError) -> str:
    if isinstance(error, GitHubError) and error.status in (401, 403, 404):
        return (
            "; give the job `permissions: pull-requests: write`. For a pull request from a fork, GitHub gives a "
            "workflow no token that may do that"
        )
    return ""


def _write_comment(api: GitHubApi, number: int, mark: str, body: str, *, is_needed: bool) -> None:
    """Write a comment in place of an earlier one with the same mark; without one, only a needed comment is written."""
    login = api.graphql("query { viewer { login } }", {})["viewer"]["login"]
    comment = _own_comment(api, number, mark, login.removesuffix(_BOT))
    if comment is None and is_needed:
        api.rest("POST", f"issues/{number}/comments", {"body": body})
    elif comment is not None and comment["body"] != body:
        api.rest("PATCH", f"issues/comments/{comment['id']}", {"body": body})


def _own_comment(api: GitHubApi, number: int, mark: str, login: str) -> Any:
    """The first comment of one's own that begins with the mark, or None: anybody may write one that does."""
    for page in range(1, _MOST_PAGES + 1):
        found = api.rest("GET", f"issues/{number}/comments?per_page={_PER_PAGE}&page={page}")
        for each in found:
            author = (each.get("user") or {}).get("login", "").removesuffix(_BOT)
            if author == login and (each.get("body") or "").startswith(mark):
                return each
        if len(found) < _PER_PAGE:
            break
    return None
