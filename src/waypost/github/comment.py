"""The comment of a step on the pull request for which its workflow runs: what changes in the sitemap."""

from typing import Any

from waypost.app.diff_answer import DiffAnswer, has_changes
from waypost.app.diff_markdown import diff_markdown
from waypost.core.errors import AnnounceError
from waypost.github.api import GitHubApi, GitHubError
from waypost.github.connection import require_api

_SHOWN = 100
"""How many changes of each kind are shown at most."""


def comment_on(number: int, answer: DiffAnswer, base_url: str, api: GitHubApi | None) -> str:
    """Write the comment; returns why it could not be written, or `""`.

    A pull request that changes nothing gets no comment, unless it has one from an earlier run.
    """
    text = f"### The sitemap of {base_url}\n\n{diff_markdown(answer, _SHOWN)}"
    try:
        write_comment(require_api(api), number, base_url, text, is_needed=has_changes(answer))
    except AnnounceError as error:
        return f"pull request {number} got no comment: {error}{_advice(error)}"
    return ""


def _advice(error: AnnounceError) -> str:
    if isinstance(error, GitHubError) and error.status in (401, 403, 404):
        return (
            "; give the job `permissions: pull-requests: write`. For a pull request from a fork, GitHub gives a "
            "workflow no token that may do that"
        )
    return ""


_PER_PAGE, _MOST_PAGES = 100, 30
"""The most comments that GitHub sends at once (REST API, "List issue comments"), and the most requests for them."""

_BOT = "[bot]"
"""The end of the names of apps, which not each of the two APIs adds."""


def write_comment(api: GitHubApi, number: int, topic: str, text: str, *, is_needed: bool = True) -> bool:
    """Write a comment on a pull request, in place of an earlier one about the same topic; whether there is one now.

    Without an earlier one, a comment that is not needed is not written. Raises GitHubError and AnnounceError.
    """
    mark = f"<!-- waypost: {topic.replace('-->', '')} -->"
    body = f"{mark}\n{text}"
    login = api.graphql("query { viewer { login } }", {})["viewer"]["login"]
    found = _find(api, number, mark, login.removesuffix(_BOT))
    if found is None:
        if is_needed:
            api.rest("POST", f"issues/{number}/comments", {"body": body})
        return is_needed
    if found["body"] != body:
        api.rest("PATCH", f"issues/comments/{found['id']}", {"body": body})
    return True


def _find(api: GitHubApi, number: int, mark: str, login: str) -> Any:
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
