"""A pull request has one comment about a topic, which says what is true now."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from github_server import REPOSITORY, TOKEN, GitHubServer
from servers import running

from waypost.announce.github_api import GitHubApi, GitHubError, GitHubPlace
from waypost.announce.pull_request_comment import write_comment

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

SITE = "https://example.org/"
MARK = f"<!-- waypost: {SITE} -->\n"


@pytest.fixture
def github(tmp_path: Path) -> Iterator[GitHubServer]:
    with running(GitHubServer(tmp_path)) as server:
        yield server


@pytest.fixture
def api(github: GitHubServer) -> GitHubApi:
    place = GitHubPlace(REPOSITORY, github.url, f"{github.url}/graphql", github.url)
    return GitHubApi(place, TOKEN, lambda seconds: None)


def test_a_comment_is_written_once_and_then_written_again(github: GitHubServer, api: GitHubApi) -> None:
    assert write_comment(api, 3, SITE, "one")
    assert write_comment(api, 3, SITE, "two")
    assert github.comments == [f"{MARK}two"]


def test_a_comment_that_says_the_same_is_left_as_it_is(github: GitHubServer, api: GitHubApi) -> None:
    write_comment(api, 3, SITE, "one")
    github.requests.clear()
    write_comment(api, 3, SITE, "one")
    assert github.requests == [f"GET /repos/{REPOSITORY}/issues/3/comments"]


def test_a_comment_that_is_not_needed_only_replaces_an_earlier_one(github: GitHubServer, api: GitHubApi) -> None:
    assert not write_comment(api, 3, SITE, "nothing", is_needed=False)
    assert github.comments == []
    write_comment(api, 3, SITE, "one")
    assert write_comment(api, 3, SITE, "nothing", is_needed=False)
    assert github.comments == [f"{MARK}nothing"]


def test_it_is_found_among_many_comments_and_each_topic_has_its_own(github: GitHubServer, api: GitHubApi) -> None:
    github.comments += [f"comment {n}, not {MARK}" for n in range(250)]
    write_comment(api, 3, SITE, "one")
    write_comment(api, 3, "https://other.example/", "other")
    write_comment(api, 3, SITE, "two")
    assert len(github.comments) == 252
    assert github.comments[250] == f"{MARK}two"


def test_a_refusal_is_an_error(github: GitHubServer, api: GitHubApi) -> None:
    github.refusals["comments"] = [(403, "Resource not accessible by integration")]
    with pytest.raises(GitHubError, match="not accessible"):
        write_comment(api, 3, SITE, "one")
