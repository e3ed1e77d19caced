"""Requests to GitHub's API: what is repeated, and how refusals are told."""

from __future__ import annotations

import pytest
from github_server import REPOSITORY, TOKEN, GitHubServer

from waypost.core.errors import AnnounceError
from waypost.github.api import GitHubApi, GitHubError, GitHubPlace

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
    place = GitHubPlace(REPOSITORY, "http://127.0.0.1:9", "http://127.0.0.1:9/graphql")
    pauses: list[float] = []
    with pytest.raises(AnnounceError, match=r"http://127\.0\.0\.1:9/repos/owner/site/pulls.* does not answer"):
        GitHubApi(place, TOKEN, pauses.append).rest("GET", PULLS)
    assert pauses == [2.0, 4.0, 8.0]
    assert github.requests == []
