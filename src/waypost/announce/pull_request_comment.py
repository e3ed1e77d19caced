"""Writes one comment on a pull request, and writes it again when what it says has changed."""

from typing import Any

from waypost.announce.github_api import GitHubApi

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
