"""How a step reaches GitHub: its API, and the credentials with which Git pushes."""

import base64
import re
from collections.abc import Mapping, Sequence

from waypost.core.errors import AnnounceError
from waypost.github.api import GitHubApi, GitHubPlace

OWN_TOKEN = "WAYPOST_GITHUB_TOKEN"  # noqa: S105 - it is a name
"""The variable with the workflow's own token."""


_REMOTE = re.compile(r"(?:\w+://)?(?:[^@/]*@)?(?P<host>[^/:@]+(?::\d+(?=/))?)[:/](?P<path>[^/]+/[^/]+?)(?:\.git)?/?")


def github_api(token: str, environ: Mapping[str, str]) -> GitHubApi | None:
    """The API of the workflow's repository, with this token or the workflow's own; None without any token."""
    token = token or environ.get(OWN_TOKEN, "")
    if not (token and environ.get("GITHUB_REPOSITORY")):
        return None
    place = GitHubPlace(environ["GITHUB_REPOSITORY"])
    found = {
        "api_url": environ.get("GITHUB_API_URL") or place.api_url,
        "graphql_url": environ.get("GITHUB_GRAPHQL_URL") or place.graphql_url,
        "server_url": environ.get("GITHUB_SERVER_URL") or place.server_url,
    }
    return GitHubApi(GitHubPlace(place.repository, **found), token)


def is_another_repository(url: str, place: GitHubPlace) -> bool:
    """Whether the URL of a remote, as `https://…` or `git@…:…`, names another repository on the same server."""
    match = _REMOTE.fullmatch(url)
    server = place.server_url.partition("://")[2]
    return match is not None and match["host"] == server and match["path"].lower() != place.repository.lower()


def require_api(api: GitHubApi | None) -> GitHubApi:
    """The API; raises AnnounceError if there is no token for it."""
    if api is None:
        raise AnnounceError("a pull request needs GitHub's API, and there is no token; set `token`")
    return api


def git_credentials(token: str, environ: Mapping[str, str]) -> Sequence[tuple[str, str]]:
    """Settings with which Git sends a token to GitHub's server, and no header that actions/checkout has left.

    An empty value removes the values before it (`http.extraHeader`, git-config).
    """
    if not token:
        return ()
    key = f"http.{environ.get('GITHUB_SERVER_URL') or GitHubPlace('').server_url}/.extraheader"
    value = base64.b64encode(f"x-access-token:{token}".encode()).decode()
    return [(key, ""), (key, f"AUTHORIZATION: basic {value}")]
