"""Commits through GitHub's API: their files, their parts, and what happens to the branch."""

from __future__ import annotations

import pytest
from github_server import MAX_ADDITIONS, GitHubServer

from waypost.core.errors import AnnounceError, RaceLostError
from waypost.github import verified_commit
from waypost.github.verified_commit import VerifiedCommits


@pytest.fixture(autouse=True)
def _start(github: GitHubServer) -> None:
    """The repository has the branch main with an empty commit."""
    github.git("init", "--quiet", "--bare", "--initial-branch=main")
    tree = github.git("mktree", stdin=b"")
    github.git("update-ref", "refs/heads/main", github.git("commit-tree", tree, "-m", "start"))


def commits(github: GitHubServer, **limits: int) -> VerifiedCommits:
    return VerifiedCommits(github.api(), **limits)


def tip(github: GitHubServer, branch: str = "main") -> str:
    found = github.tip(branch)
    assert found
    return found


def files(github: GitHubServer, branch: str = "main") -> list[str]:
    return github.git("ls-tree", "--name-only", branch).split()


FILES = {f"{n}.xml": b"%d" % n for n in range(5)}


def test_files_are_added_changed_and_removed_byte_for_byte(github: GitHubServer) -> None:
    start = tip(github)
    first = commits(github).commit("main", start, {"a.xml": b"\x00\xff", "b.xml": b"b"}, "First")
    second = commits(github).commit("main", first, {"a.xml": None, "b.xml": b""}, "Second")
    assert (tip(github), files(github)) == (second, ["b.xml"])
    assert github.git("show", "main:b.xml") == ""
    assert github.git("show", "--no-patch", "--format=%an, %cn", "main") == "the owner of the token, GitHub"


def test_the_first_line_of_a_message_is_its_headline(github: GitHubServer) -> None:
    commits(github).commit("main", tip(github), {"a.xml": b"a"}, "Update\n\nSigned-off-by: A <a@example.org>\n")
    assert github.git("log", "-1", "--format=%s|%b", "main") == "Update|Signed-off-by: A <a@example.org>"


@pytest.mark.parametrize("limits", [{"max_files": 2}, {"max_bytes": 2}])
def test_many_files_become_several_commits_that_the_branch_gets_together(
    github: GitHubServer, limits: dict[str, int]
) -> None:
    seen = []
    github.before["PATCH /repos/owner/site/git/refs/heads/main"] = lambda: seen.append(files(github))
    commits(github, **limits).commit("main", tip(github), FILES, "Update")
    assert seen == [[]]
    assert len(files(github)) == 5
    assert github.git("rev-list", "--count", "main") == "4"
    assert github.git("for-each-ref", "--format=%(refname)") == "refs/heads/main"


def test_the_limit_of_files_is_below_that_of_github() -> None:
    assert verified_commit.MAX_FILES <= MAX_ADDITIONS


@pytest.mark.parametrize("limits", [{}, {"max_files": 2}])
def test_a_branch_that_has_moved_is_a_lost_race(github: GitHubServer, limits: dict[str, int]) -> None:
    start = tip(github)

    def move() -> None:
        tree = github.git("mktree", stdin=b"")
        github.git("update-ref", "refs/heads/main", github.git("commit-tree", tree, "-p", start, "-m", "other"))

    path = "git/refs/heads/main" if limits else "graphql"
    method = "PATCH /repos/owner/site/" if limits else "POST /"
    github.before[f"{method}{path}"] = move
    with pytest.raises(RaceLostError):
        commits(github, **limits).commit("main", start, FILES, "Update")
    assert github.git("for-each-ref", "--format=%(refname)") == "refs/heads/main"


def test_a_branch_is_made_and_later_replaced_by_one_move(github: GitHubServer) -> None:
    start = tip(github)
    made = commits(github).replace_branch("sitemaps", start, {"0.xml": b"0"}, "One")
    assert tip(github, "sitemaps") == made
    rest = {path: content for path, content in FILES.items() if path != "0.xml"}
    commits(github, max_files=1).replace_branch("sitemaps", start, rest, "Two")
    assert files(github, "sitemaps") == [*rest]
    assert github.git("for-each-ref", "--format=%(refname:short)").split() == ["main", "sitemaps"]


@pytest.mark.parametrize("limits", [{}, {"max_files": 2}])
def test_a_protected_branch_is_an_error_with_a_remedy(github: GitHubServer, limits: dict[str, int]) -> None:
    github.protected.add("main")
    with pytest.raises(AnnounceError, match="protected"):
        commits(github, **limits).commit("main", tip(github), FILES, "Update")
