"""GitHub's API: what is repeated, how refusals are told, and how a step reaches it and the server."""

from __future__ import annotations

import base64
from http.server import BaseHTTPRequestHandler
from typing import TYPE_CHECKING, Any

import pytest
from github_server import REPOSITORY, TOKEN, GitHubServer
from repositories import Repository, in_repository
from servers import Local, running

from waypost.core.errors import AnnounceError
from waypost.git import GitCheckout
from waypost.github.api import (
    GitHubApi,
    GitHubError,
    git_credentials,
    github_api,
    require_api,
)

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path


PULLS = "pulls?state=open&head=owner:branch&base=main"


def api_of(github: GitHubServer, pauses: list[float], token: str = TOKEN) -> GitHubApi:
    return github.api(token, pauses.append)


@pytest.mark.parametrize("refusal", [(429, "Too many requests"), (403, "You have exceeded a secondary rate limit")])
def test_what_is_refused_only_for_now_is_sent_again_after_the_time_that_github_names(
    github: GitHubServer, refusal: tuple[int, str]
) -> None:
    github.refusals["/pulls"] = [refusal, refusal]
    pauses: list[float] = []
    assert api_of(github, pauses).rest("GET", PULLS) == []
    assert pauses == [0.0, 0.0]


def test_a_server_error_is_repeated_only_if_nothing_is_written(github: GitHubServer) -> None:
    pauses: list[float] = []
    github.refusals["/pulls"] = [(502, "Bad Gateway")]
    assert api_of(github, pauses).rest("GET", PULLS) == []
    assert pauses == [2.0]
    github.refusals["/pulls"] = [(502, "Bad Gateway")]
    with pytest.raises(GitHubError, match="Bad Gateway"):
        api_of(github, pauses).rest("POST", "pulls", {"title": "x"})


def test_requests_end_after_four_attempts(github: GitHubServer) -> None:
    github.refusals["/pulls"] = [(429, "Too many requests")] * 9
    with pytest.raises(GitHubError, match="Too many requests") as failed:
        api_of(github, []).rest("GET", PULLS)
    assert failed.value.status == 429
    assert len(github.requests) == 4


def test_an_error_of_graphql_with_the_status_200_is_an_error(github: GitHubServer) -> None:
    github.git("init", "--quiet", "--bare")
    query = "mutation { createCommitOnBranch(input: $input) }"
    given = {
        "branch": {"repositoryNameWithOwner": REPOSITORY, "branchName": "main"},
        "expectedHeadOid": "0" * 40,
        "message": {"headline": "x", "body": ""},
        "fileChanges": {"additions": [], "deletions": []},
    }
    with pytest.raises(GitHubError, match="Expected branch to point to"):
        api_of(github, []).graphql(query, {"input": given})


def test_a_wrong_token_is_a_refusal_with_its_status(github: GitHubServer) -> None:
    with pytest.raises(GitHubError, match="Bad credentials") as failed:
        api_of(github, [], "wrong").rest("GET", PULLS)
    assert failed.value.status == 401


def test_a_server_that_does_not_answer_is_named(github: GitHubServer) -> None:
    pauses: list[float] = []
    with pytest.raises(AnnounceError, match=r"http://127\.0\.0\.1:9/repos/owner/site/pulls.* does not answer"):
        GitHubApi(REPOSITORY, TOKEN, pauses.append, api_url="http://127.0.0.1:9").rest("GET", PULLS)
    assert pauses == [2.0, 4.0, 8.0]
    assert github.requests == []


HEADER = f"basic {base64.b64encode(b'x-access-token:secret').decode()}"


class GitServer(Local):
    """A server that refuses everything; `headers` are the Authorization headers of each request."""

    def __init__(self) -> None:
        super().__init__(Handler)
        self.headers: list[list[str]] = []


class Handler(BaseHTTPRequestHandler):
    server: GitServer

    def do_GET(self) -> None:
        self.server.headers.append(self.headers.get_all("Authorization") or [])
        self.send_error(403)

    def log_message(self, *args: Any) -> None:
        """Log nothing."""


@pytest.fixture
def server() -> Iterator[GitServer]:
    with running(GitServer()) as made:
        yield made


@pytest.mark.parametrize("has_persisted", [False, True])
def test_git_sends_the_token_and_not_the_header_that_the_checkout_has_left(
    server: GitServer, tmp_path: Path, *, has_persisted: bool
) -> None:
    repository = Repository(tmp_path / "site")
    repository.git("remote", "add", "origin", f"{server.url}/site.git")
    if has_persisted:
        repository.git("config", f"http.{server.url}/.extraheader", "AUTHORIZATION: basic b2xk")
    checkout = GitCheckout(
        in_repository(repository.folder), git_credentials("secret", {"GITHUB_SERVER_URL": server.url})
    )
    with pytest.raises(AnnounceError):
        checkout.fetch("main")
    assert server.headers[0] == [HEADER]


def test_without_a_token_git_uses_what_the_checkout_has_left() -> None:
    assert not git_credentials("", {})


def test_the_token_is_sent_to_no_other_server(server: GitServer, tmp_path: Path) -> None:
    repository = Repository(tmp_path / "site")
    repository.git("remote", "add", "origin", f"{server.url}/site.git")
    with pytest.raises(AnnounceError):
        GitCheckout(in_repository(repository.folder), git_credentials("secret", {})).fetch("main")
    assert server.headers[0] == []


@pytest.mark.parametrize(
    ("token", "environ", "is_there"),
    [
        ("", {}, False),
        ("secret", {}, False),
        ("", {"GITHUB_REPOSITORY": "owner/site"}, False),
        ("secret", {"GITHUB_REPOSITORY": "owner/site"}, True),
        ("", {"GITHUB_REPOSITORY": "owner/site", "WAYPOST_GITHUB_TOKEN": "own"}, True),
    ],
)
def test_the_api_needs_a_repository_and_a_token(token: str, environ: dict[str, str], *, is_there: bool) -> None:
    assert (github_api(token, environ) is not None) == is_there


def test_the_api_is_that_of_the_runner_s_server() -> None:
    urls = {"GITHUB_API_URL": "https://git.example.org/api/v3", "GITHUB_SERVER_URL": "https://git.example.org"}
    api = require_api(github_api("secret", {"GITHUB_REPOSITORY": "owner/site", **urls}))
    assert (api._api_url, api.server_url) == tuple(urls.values())
    assert require_api(github_api("secret", {"GITHUB_REPOSITORY": "owner/site"}))._api_url == "https://api.github.com"


def test_a_missing_token_is_an_error_with_the_remedy() -> None:
    with pytest.raises(AnnounceError, match="set `token`"):
        require_api(None)


@pytest.mark.parametrize(
    ("url", "is_another"),
    [
        ("https://github.com/owner/site", False),
        ("https://github.com/Owner/site.git", False),
        ("git@github.com:owner/site.git", False),
        ("ssh://git@github.com/owner/site", False),
        ("https://x-access-token:secret@github.com/owner/site/", False),
        ("https://github.com/fork/site", True),
        ("git@github.com:fork/site.git", True),
        ("https://github.com/owner/other.git", True),
        ("/srv/git/site.git", False),
        ("file:///srv/site.git", False),
        ("https://example.org/fork/site", False),
        ("", False),
    ],
)
def test_a_remote_of_another_repository_on_the_same_server_is_recognised(url: str, *, is_another: bool) -> None:
    assert GitHubApi("owner/site", TOKEN).is_of_another(url) is is_another
