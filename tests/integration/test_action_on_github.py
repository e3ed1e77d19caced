"""The Action with GitHub's API: pull requests and verified commits, in real repositories."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest
from github_server import REPOSITORY, TOKEN, GitHubServer
from integration.test_action import Step, Workspace
from servers import running

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

BRANCH = "waypost-sitemaps"
SIGNING_HOOK = """#!/bin/sh
while read old new ref; do
  test "$ref" = refs/heads/main && echo "remote: error: GH013: - Commits must have verified signatures." >&2 && exit 1
done
exit 0
"""


class Project(Workspace):
    """A workspace whose origin is a repository of a GitHub."""

    def __init__(self, folder: Path, github: GitHubServer) -> None:
        super().__init__(folder)
        self.github = github
        github.origin = self.origin

    def step(self, **inputs: str) -> Step:
        """Run the Action in a fresh checkout of the base branch, as each run of a workflow does."""
        self.check_out_base()
        given = {name.replace("_", "-"): value for name, value in inputs.items()}
        return self.act({"commit": "pull-request"} | given, **self.github.variables)

    def check_out_base(self) -> None:
        self.git("fetch", "--quiet", "origin")
        self.git("reset", "--quiet", "--hard", "origin/main")
        self.git("clean", "--quiet", "--force")

    def add_page(self, name: str) -> None:
        """Push a new page to the base branch."""
        self.check_out_base()
        self.write({name: f"<title>{name}</title>"})
        self.push(f"Add {name}")

    def has_branch(self, name: str) -> bool:
        return self.github.tip(name) is not None

    def review(self, **inputs: str) -> Step:
        """Run the Action with `comment` for pull request 7, in a checkout that may have other files."""
        payload = self.temp / "event.json"
        payload.write_text(json.dumps({"pull_request": {"number": 7, "head": {"repo": {"full_name": REPOSITORY}}}}))
        event = {"GITHUB_EVENT_NAME": "pull_request", "GITHUB_EVENT_PATH": str(payload), "GITHUB_HEAD_REF": "topic"}
        return self.act({"commit": "false", "comment": "true"} | inputs, **event, **self.github.variables)


@pytest.fixture
def project(tmp_path: Path) -> Iterator[Project]:
    with running(GitHubServer(tmp_path)) as github:
        yield Project(tmp_path, github)


def test_a_pull_request_is_opened_with_the_summary_and_its_labels(project: Project) -> None:
    step = project.step(title="Sitemaps", labels="seo, automated")
    assert step.code == 0, step.log
    (pull,) = project.github.pulls.values()
    assert (pull["title"], pull["head"], pull["base"]) == ("Sitemaps", BRANCH, "main")
    assert pull["body"].strip() == step.summary.strip()
    assert [label["name"] for label in pull["labels"]] == ["seo", "automated"]
    assert step.outputs["pull-request-url"] == pull["html_url"]
    assert step.outputs["commit-sha"] == project.github.tip(BRANCH)
    assert f"{pull['html_url']} was opened" in step.log
    assert "about.html" in project.published(branch=BRANCH)
    with pytest.raises(AssertionError):
        project.published(branch="main")


def test_a_second_run_without_changes_leaves_the_branch_and_the_pull_request_as_they_are(project: Project) -> None:
    project.step()
    tip = project.github.tip(BRANCH)
    project.github.requests.clear()
    step = project.step()
    assert project.github.tip(BRANCH) == tip
    assert {each.partition(" ")[0] for each in project.github.requests} == {"GET"}
    assert "is up to date" in step.log


def test_an_open_pull_request_gets_what_the_base_branch_needs_now(project: Project) -> None:
    project.step()
    project.add_page("news.html")
    step = project.step()
    assert "was updated" in step.log
    assert len(project.github.pulls) == 1
    assert "news.html" in project.published(branch=BRANCH)
    assert project.github.git("rev-list", "--count", f"main..{BRANCH}") == "1"


def test_pull_requests_that_are_squashed_and_merged_one_after_another_never_conflict(project: Project) -> None:
    for number, page in enumerate(("one.html", "two.html", "three.html"), start=1):
        project.add_page(page)
        assert project.step().code == 0
        project.github.merge(number)
        assert page in project.published()
    assert len(project.github.pulls) == 3


def test_a_pull_request_is_closed_when_nothing_is_left_to_change(project: Project) -> None:
    project.step()
    project.github.git("update-ref", "refs/heads/main", f"refs/heads/{BRANCH}")
    step = project.step()
    assert step.code == 0, step.log
    assert project.github.pulls[1]["state"] == "closed"
    assert not project.has_branch(BRANCH)
    assert project.github.comments == ["The sitemaps of the base branch are up to date, so nothing is left to change."]
    assert "was closed: nothing is left to change" in step.log
    assert "nothing to commit" in project.step().log


def test_without_the_permission_to_open_pull_requests_the_error_says_where_it_is_given(project: Project) -> None:
    message = "GitHub Actions is not permitted to create or approve pull requests."
    project.github.before["POST /repos/owner/site/pulls"] = lambda: project.github.refusals.update(
        {"site/pulls": [(403, message)]}
    )
    step = project.step()
    assert step.code == 7
    assert "Allow GitHub Actions to create and approve pull requests" in step.log
    assert f"compare/main...{BRANCH}" in step.log
    assert project.has_branch(BRANCH)


def test_a_pull_request_without_a_token_says_what_is_missing(project: Project) -> None:
    step = project.act({"commit": "pull-request"})
    assert step.code == 7
    assert "a pull request needs GitHub's API, and there is no token; set `token`" in step.log


def test_a_pull_request_may_have_a_verified_commit(project: Project) -> None:
    for page in ("one.html", "two.html"):
        project.add_page(page)
        assert project.step(verified="true").code == 0
        assert project.github.git("show", "--no-patch", "--format=%cn", BRANCH) == "GitHub"
        assert project.github.git("rev-list", "--count", f"main..{BRANCH}") == "1"
    assert [pull["state"] for pull in project.github.pulls.values()] == ["open"]
    assert project.github.git("for-each-ref", "--format=%(refname)").count("waypost-temporary") == 0


def test_a_verified_commit_goes_to_the_branch_and_the_checkout_follows(project: Project) -> None:
    step = project.step(commit="true", verified="true", message="Update\n\nWith a body.")
    assert step.code == 0, step.log
    assert project.github.git("show", "--no-patch", "--format=%cn %B", "main") == "GitHub Update\n\nWith a body."
    assert project.git("rev-parse", "HEAD") == step.outputs["commit-sha"] == project.github.tip("main")
    assert "signed it" in step.log
    assert project.git("status", "--porcelain", "--untracked-files=no") == ""


def test_a_branch_that_takes_only_signed_commits_gets_a_verified_one(project: Project) -> None:
    hook = project.origin / "hooks" / "pre-receive"
    hook.write_text(SIGNING_HOOK)
    hook.chmod(0o755)
    step = project.step(commit="true")
    assert step.code == 0, step.log
    assert project.github.git("show", "--no-patch", "--format=%cn", "main") == "GitHub"
    project.github.git("update-ref", "refs/heads/main", "refs/heads/main~1")
    refused = project.step(commit="true", verified="false", settings='name = "other"')
    assert refused.code == 7
    assert "main takes only signed commits" in refused.log


def test_a_verified_commit_that_loses_a_race_is_rendered_again(project: Project) -> None:
    project.github.before["POST /graphql"] = lambda: project.somebody_else_pushes({"late.html": "<title>Late</title>"})
    step = project.step(commit="true", verified="true")
    assert step.code == 0, step.log
    assert "rendering again" in step.log
    assert "late.html" in project.published()
    assert project.github.requests.count("POST /graphql") == 2


def test_a_protected_branch_leads_to_a_pull_request(project: Project) -> None:
    project.github.protected.add("main")
    step = project.step(commit="true", verified="true")
    assert step.code == 7
    assert "main is protected" in step.log
    assert "commit: pull-request" in step.log


def test_a_wrong_token_is_refused_with_the_permissions_that_it_needs(project: Project) -> None:
    step = project.step(token="another", commit="true", verified="true")
    assert step.code == 7
    assert "permissions: contents: write" in step.log
    assert TOKEN not in step.log


def published_project(project: Project) -> None:
    """Commit the current sitemap to the base branch."""
    assert project.step(commit="true").code == 0
    project.check_out_base()


def test_a_pull_request_gets_one_comment_that_says_what_changes_in_the_sitemap(project: Project) -> None:
    published_project(project)
    project.write({"new.html": "<title>New</title>"})
    (project.clone / "about.html").unlink()
    step = project.review()
    assert step.code == 0, step.log
    (comment,) = project.github.comments
    assert "### The sitemap of https://example.org/" in comment
    assert "1 added, 1 removed" in comment
    assert "`https://example.org/about.html`" in comment
    assert "`https://example.org/new.html`" in comment
    project.check_out_base()
    project.write({"other.html": "<title>Other</title>"})
    project.review()
    (comment,) = project.github.comments
    assert "1 added, 0 removed" in comment


def test_a_pull_request_that_changes_nothing_gets_no_comment_but_an_earlier_one_is_corrected(project: Project) -> None:
    published_project(project)
    assert project.review().code == 0
    assert project.github.comments == []
    project.write({"new.html": "<title>New</title>"})
    project.review()
    project.check_out_base()
    project.review()
    (comment,) = project.github.comments
    assert "The sitemap has not changed" in comment


def test_a_comment_that_is_refused_is_a_warning_and_the_step_goes_on(project: Project) -> None:
    published_project(project)
    project.github.refusals["comments"] = [(403, "Resource not accessible by integration")]
    project.write({"new.html": "<title>New</title>"})
    step = project.review()
    assert step.code == 0
    assert "::warning title=Waypost::pull request 7 got no comment: Resource not accessible" in step.log
    assert "pull-requests: write" in step.log
    assert step.outputs["changed"] == "true"


def test_no_comment_is_written_for_a_push_or_without_the_input(project: Project) -> None:
    published_project(project)
    project.write({"new.html": "<title>New</title>"})
    project.review(comment="false")
    project.act({"commit": "false", "comment": "true"}, **project.github.variables)
    assert project.github.comments == []
    assert not any("issues" in each for each in project.github.requests)
