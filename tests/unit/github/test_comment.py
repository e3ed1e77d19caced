"""The comment on a pull request, and the advice where it cannot be written."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from waypost.app.diff_answer import diff_answer
from waypost.github.comment import comment_on

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
