"""Pull requests are opened once, updated if their text changes, and closed."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from github_server import GitHubServer
from servers import running

from waypost.core.errors import AnnounceError
from waypost.github.pull_request import PullRequests, PullRequestText

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

TEXT = PullRequestText("Sitemaps", "What changed")


@pytest.fixture
def github(tmp_path: Path) -> Iterator[GitHubServer]:
    with running(GitHubServer(tmp_path)) as server:
        server.git("init", "--quiet", "--bare", "--initial-branch=main")
        tree = server.git("mktree", stdin=b"")
        start = server.git("commit-tree", tree, "-m", "start")
        server.git("update-ref", "refs/heads/main", start)
        server.git("update-ref", "refs/heads/sitemaps", server.git("commit-tree", tree, "-p", start, "-m", "more"))
        yield server


@pytest.fixture
def pulls(github: GitHubServer) -> PullRequests:
    return PullRequests(github.api(), "sitemaps", "main")


def test_it_is_opened_once_and_updated_when_its_text_changes(github: GitHubServer, pulls: PullRequests) -> None:
    url, is_new = pulls.present(TEXT)
    assert (url, is_new) == (github.pulls[1]["html_url"], True)
    assert pulls.present(TEXT) == (url, False)
    assert not any(request.startswith("PATCH") for request in github.requests)
    assert pulls.present(PullRequestText("Sitemaps", "Something else")) == (url, False)
    assert github.pulls[1]["body"] == "Something else"
    assert len(github.pulls) == 1


def test_labels_that_it_lacks_are_added(github: GitHubServer, pulls: PullRequests) -> None:
    pulls.present(PullRequestText("Sitemaps", "", ["seo"]))
    pulls.present(PullRequestText("Sitemaps", "", ["seo", "bot"]))
    assert [each["name"] for each in github.pulls[1]["labels"]] == ["seo", "bot"]


def test_a_text_that_is_too_long_for_github_is_cut(github: GitHubServer, pulls: PullRequests) -> None:
    pulls.present(PullRequestText("Sitemaps", "x" * 100_000))
    assert len(github.pulls[1]["body"]) < 65_536


def test_a_closed_one_is_not_opened_again_but_replaced_by_another(github: GitHubServer, pulls: PullRequests) -> None:
    pulls.present(TEXT)
    github.pulls[1]["state"] = "closed"
    assert pulls.present(TEXT) == (github.pulls[2]["html_url"], True)


def test_it_is_closed_with_a_reason_and_its_branch_is_deleted(github: GitHubServer, pulls: PullRequests) -> None:
    assert pulls.close() == ""
    url, _ = pulls.present(TEXT)
    assert pulls.close() == url
    assert github.pulls[1]["state"] == "closed"
    assert github.tip("sitemaps") is None
    assert len(github.comments) == 1


@pytest.mark.parametrize(
    ("refusal", "advice"),
    [
        ((403, "GitHub Actions is not permitted to create or approve pull requests."), "Actions, General"),
        ((403, "Resource not accessible by integration"), "pull-requests: write"),
        ((422, "Validation Failed"), "open it by hand"),
    ],
)
def test_a_refusal_says_what_to_do_and_where_the_branch_is(
    github: GitHubServer, pulls: PullRequests, refusal: tuple[int, str], advice: str
) -> None:
    github.before["POST /repos/owner/site/pulls"] = lambda: github.refusals.update({"site/pulls": [refusal]})
    with pytest.raises(AnnounceError, match=f"(?s){advice}.*compare/main...sitemaps"):
        pulls.present(TEXT)
