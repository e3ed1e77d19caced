"""The comment on a pull request, and the advice where it cannot be written."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from github_server import REPOSITORY

from waypost.build.diff_answer import diff_answer
from waypost.github.api import GitHubError
from waypost.github.main import comment_on, write_comment

if TYPE_CHECKING:
    from github_server import GitHubServer

BASE = "https://example.org/"
UNCHANGED = diff_answer({BASE: ("", ())}, {BASE: ("", ())})
CHANGED = diff_answer({f"{BASE}old.html": ("", ())}, {f"{BASE}new/page.html": ("", ())})


def test_it_names_the_site_and_shows_what_changes(github: GitHubServer) -> None:
    assert comment_on(5, CHANGED, BASE, github.api()) == ""
    (comment,) = github.comments
    assert f"### The sitemap of {BASE}" in comment
    assert "- `https://example.org/old.html`" in comment
    assert "- `https://example.org/new/page.html`" in comment


def test_nothing_is_said_of_a_sitemap_that_stays_as_it_is(github: GitHubServer) -> None:
    assert comment_on(5, UNCHANGED, BASE, github.api()) == ""
    assert github.comments == []


@pytest.mark.parametrize("status", [403, 404])
def test_a_token_that_may_not_comment_is_told_with_the_permission(github: GitHubServer, status: int) -> None:
    github.refusals["comments"] = [(status, "Resource not accessible by integration")]
    problem = comment_on(5, CHANGED, BASE, github.api())
    assert problem.startswith("pull request 5 got no comment: Resource not accessible by integration; give the job")
    assert "fork" in problem


def test_a_refusal_for_another_reason_is_told_as_it_is(github: GitHubServer) -> None:
    github.refusals["comments"] = [(422, "Validation Failed")]
    assert comment_on(5, CHANGED, BASE, github.api()) == "pull request 5 got no comment: Validation Failed"


def test_a_step_without_a_token_is_told_to_set_one() -> None:
    assert "set `token`" in comment_on(5, CHANGED, BASE, None)


if TYPE_CHECKING:
    from github_server import GitHubServer

SITE = "https://example.org/"
MARK = f"<!-- waypost: {SITE} -->\n"


def test_a_comment_is_written_once_and_then_written_again(github: GitHubServer) -> None:
    assert write_comment(github.api(), 3, SITE, "one")
    assert write_comment(github.api(), 3, SITE, "two")
    assert github.comments == [f"{MARK}two"]


def test_a_comment_that_says_the_same_is_left_as_it_is(github: GitHubServer) -> None:
    write_comment(github.api(), 3, SITE, "one")
    github.requests.clear()
    write_comment(github.api(), 3, SITE, "one")
    assert github.requests == ["POST /graphql", f"GET /repos/{REPOSITORY}/issues/3/comments"]


def test_a_comment_of_somebody_else_that_begins_alike_is_left_alone(github: GitHubServer) -> None:
    write_comment(github.api(), 3, SITE, "one")
    theirs = github.comments[0]
    github.authors[1] = "somebody"
    write_comment(github.api(), 3, SITE, "two")
    assert github.comments[0] == theirs
    assert github.comments[1].endswith("two")


def test_a_comment_that_is_not_needed_only_replaces_an_earlier_one(github: GitHubServer) -> None:
    assert not write_comment(github.api(), 3, SITE, "nothing", is_needed=False)
    assert github.comments == []
    write_comment(github.api(), 3, SITE, "one")
    assert write_comment(github.api(), 3, SITE, "nothing", is_needed=False)
    assert github.comments == [f"{MARK}nothing"]


def test_it_is_found_among_many_comments_and_each_topic_has_its_own(github: GitHubServer) -> None:
    github.comments += [f"comment {n}, not {MARK}" for n in range(250)]
    write_comment(github.api(), 3, SITE, "one")
    write_comment(github.api(), 3, "https://other.example/", "other")
    write_comment(github.api(), 3, SITE, "two")
    assert len(github.comments) == 252
    assert github.comments[250] == f"{MARK}two"


def test_a_refusal_is_an_error(github: GitHubServer) -> None:
    github.refusals["comments"] = [(403, "Resource not accessible by integration")]
    with pytest.raises(GitHubError, match="not accessible"):
        write_comment(github.api(), 3, SITE, "one")
