"""Writes one comment on a pull request, and writes it again when what it says has changed."""

from itertools import count
from typing import Any

from waypost.announce.github_api import GitHubApi

_PER_PAGE = 100
"""The most comments that GitHub sends at once (REST API, "List issue comments")."""


def write_comment(api: GitHubApi, number: int, topic: str, text: str, *, is_needed: bool = True) -> bool:
    """Write a comment on a pull request, in place of an earlier one about the same topic; whether there is one now.

    Without an earlier one, a comment that is not needed is not written. Raises GitHubError and AnnounceError.
    """
    mark = f"<!-- waypost: {topic.replace('-->', '')} -->"
    body = f"{mark}\n{text}"
    found = _find(api, number, mark)
    if found is None:
        if is_needed:
            api.rest("POST", f"issues/{number}/comments", {"body": body})
        return is_needed
    if found["body"] != body:
        api.rest("PATCH", f"issues/comments/{found['id']}", {"body": body})
    return True


def _find(api: GitHubApi, number: int, mark: str) -> Any:
    """The first comment that begins with the mark, or None."""
    for page in count(1):
        found = api.rest("GET", f"issues/{number}/comments?per_page={_PER_PAGE}&page={page}")
        for each in found:
            if (each.get("body") or "").startswith(mark):
                return each
        if len(found) < _PER_PAGE:
            break
    return None
