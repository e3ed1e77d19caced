"""The comment of a step on the pull request for which its workflow runs: what changes in the sitemap."""

from waypost.announce.github_api import GitHubApi, GitHubError
from waypost.announce.pull_request_comment import write_comment
from waypost.app.answers import DiffAnswer
from waypost.app.diff_answer import has_changes
from waypost.app.diff_markdown import diff_markdown
from waypost.core.errors import AnnounceError
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
