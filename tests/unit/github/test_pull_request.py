"""The pull request with the sitemaps, and the comment on another one, with the advice where it cannot be written."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from github_server import REPOSITORY

from waypost.build.diff_answer import diff_answer
from waypost.core.errors import AnnounceError
from waypost.github.pull_request import PullRequests, comment_on

if TYPE_CHECKING:
    from github_server import GitHubServer


TEXT = ("Sitemaps", "What changed")
SITE = "https://example.org/"


@pytest.fixture
def pulls(github: GitHubServer) -> PullRequests:
    """The pull request from the branch sitemaps to main, with a commit that main lacks."""
    github.git("init", "--quiet", "--bare", "--initial-branch=main")
    tree = github.git("mktree", stdin=b"")
    start = github.git("commit-tree", tree, "-m", "start")
    github.git("update-ref", "refs/heads/main", start)
    github.git("update-ref", "refs/heads/sitemaps", github.git("commit-tree", tree, "-p", start, "-m", "more"))
    return PullRequests(github.api(), "sitemaps", "main")


def test_it_is_opened_once_and_updated_when_its_text_changes(github: GitHubServer, pulls: PullRequests) -> None:
    url, is_new = pulls.present(*TEXT)
    assert (url, is_new) == (github.pulls[1]["html_url"], True)
    assert pulls.present(*TEXT) == (url, False)
    assert not any(request.startswith("PATCH") for request in github.requests)
    assert pulls.present("Sitemaps", "Something else") == (url, False)
    assert github.pulls[1]["body"] == "Something else"
    assert len(github.pulls) == 1


def test_labels_that_it_lacks_are_added(github: GitHubServer, pulls: PullRequests) -> None:
    pulls.present("Sitemaps", "", ["seo"])
    pulls.present("Sitemaps", "", ["seo", "bot"])
    assert [each["name"] for each in github.pulls[1]["labels"]] == ["seo", "bot"]


def test_a_text_that_is_too_long_for_github_is_cut(github: GitHubServer, pulls: PullRequests) -> None:
    pulls.present("Sitemaps", "x" * 100_000)
    assert len(github.pulls[1]["body"]) < 65_536


def test_a_closed_one_is_not_opened_again_but_replaced_by_another(github: GitHubServer, pulls: PullRequests) -> None:
    pulls.present(*TEXT)
    github.pulls[1]["state"] = "closed"
    assert pulls.present(*TEXT) == (github.pulls[2]["html_url"], True)


def test_it_is_closed_with_a_reason_and_its_branch_is_deleted(github: GitHubServer, pulls: PullRequests) -> None:
    assert pulls.close() == ""
    url, _ = pulls.present(*TEXT)
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
        pulls.present(*TEXT)


MARK = f"<!-- waypost: {SITE} -->\n"
NOTHING = diff_answer({SITE: ("", ())}, {SITE: ("", ())})
MOVED = diff_answer({f"{SITE}old.html": ("", ())}, {f"{SITE}new/page.html": ("", ())})
ADDED = diff_answer({}, {f"{SITE}added.html": ("", ())})


def test_a_comment_names_the_site_and_shows_what_changes_and_is_then_written_again(github: GitHubServer) -> None:
    assert comment_on(5, MOVED, SITE, github.api()) == ""
    (comment,) = github.comments
    assert comment.startswith(f"{MARK}### The sitemap of {SITE}\n\n")
    assert "- `https://example.org/old.html`" in comment
    assert "- `https://example.org/new/page.html`" in comment
    assert comment_on(5, ADDED, SITE, github.api()) == ""
    assert [("added.html" in each, "old.html" in each) for each in github.comments] == [(True, False)]
    github.requests.clear()
    comment_on(5, ADDED, SITE, github.api())
    assert github.requests == ["POST /graphql", f"GET /repos/{REPOSITORY}/issues/5/comments"]


def test_nothing_is_said_of_a_sitemap_that_stays_as_it_is_except_in_place_of_an_earlier_comment(
    github: GitHubServer,
) -> None:
    comment_on(5, NOTHING, SITE, github.api())
    assert github.comments == []
    comment_on(5, MOVED, SITE, github.api())
    comment_on(5, NOTHING, SITE, github.api())
    assert [(each.startswith(MARK), "old.html" in each) for each in github.comments] == [(True, False)]


def test_a_comment_of_somebody_else_that_begins_alike_is_left_alone(github: GitHubServer) -> None:
    comment_on(5, MOVED, SITE, github.api())
    theirs = github.comments[0]
    github.authors[1] = "somebody"
    comment_on(5, ADDED, SITE, github.api())
    assert (github.comments[0], "added.html" in github.comments[1]) == (theirs, True)


def test_it_is_found_among_many_comments_and_each_site_has_its_own(github: GitHubServer) -> None:
    github.comments += [f"comment {n}, not {MARK}" for n in range(250)]
    for diff, site in ((MOVED, SITE), (MOVED, "https://other.example/"), (ADDED, SITE)):
        comment_on(5, diff, site, github.api())
    assert (len(github.comments), "added.html" in github.comments[250]) == (252, True)


@pytest.mark.parametrize(
    ("status", "reason", "advice"),
    [
        (403, "Resource not accessible by integration", "; give the job `permissions: pull-requests: write`. For a "),
        (404, "Not Found", "; give the job `permissions: pull-requests: write`. For a pull request from a fork, "),
        (422, "Validation Failed", ""),
    ],
)
def test_a_refusal_is_told_with_the_permission_that_is_missing(
    github: GitHubServer, status: int, reason: str, advice: str
) -> None:
    github.refusals["comments"] = [(status, reason)]
    problem = comment_on(5, MOVED, SITE, github.api())
    assert problem.startswith(f"pull request 5 got no comment: {reason}{advice}")
    assert bool(advice) == ("fork" in problem)


def test_a_step_without_a_token_is_told_to_set_one() -> None:
    assert "set `token`" in comment_on(5, MOVED, SITE, None)
