"""A branch of states; tests/integration/test_action.py has whole runs with one."""

from pathlib import Path

import pytest
from repositories import Repository, in_repository

from waypost.core.errors import AnnounceError
from waypost.git import CommitMessage, GitCheckout
from waypost.github.state_branch import StateBranch, state_name

ONE, OTHER = "https://example.org/", "https://example.org/docs/"


@pytest.fixture
def branch(tmp_path: Path) -> StateBranch:
    """The branch of a clone, whose origin is empty."""
    Repository(tmp_path / "origin").git("config", "receive.denyCurrentBranch", "ignore")
    clone = Repository(tmp_path / "clone")
    clone.git("remote", "add", "origin", (tmp_path / "origin").as_uri())
    message = CommitMessage("", "Owner <owner@example.org>")
    return StateBranch(GitCheckout(in_repository(clone.folder)), "state", tmp_path / "local", message)


def test_each_site_finds_its_own_state_again(branch: StateBranch) -> None:
    branch.push(b"one", ONE, branch.fetch())
    branch.push(b"other", OTHER, branch.fetch())
    for site, state in ((ONE, b"one"), (OTHER, b"other")):
        branch.copy(branch.fetch(), site)
        assert branch.local.read_bytes() == state
    branch.copy(branch.fetch(), "https://third.example.org/")
    assert not branch.local.exists()


def test_the_same_state_is_not_pushed_again(branch: StateBranch) -> None:
    branch.push(b"one", ONE, branch.fetch())
    commit = branch.fetch()
    branch.push(b"one", ONE, commit)
    assert branch.fetch() == commit


def test_a_branch_with_other_files_is_refused(branch: StateBranch, tmp_path: Path) -> None:
    clone = Repository(tmp_path / "clone")
    clone.commit({"README.md": "x"}, 1_700_000_000)
    clone.git("push", "--quiet", "origin", "HEAD:refs/heads/state")
    with pytest.raises(AnnounceError, match=r"files other than the state \(README\.md\)"):
        branch.fetch()


def test_names_are_readable_and_differ_where_urls_do() -> None:
    assert state_name(ONE) == "waypost-state-example.org-6ec7e91c.jsonl"
    assert len({state_name(f"https://example.org/{path}") for path in ("a/b/", "a_b/", "A/b/", "a" * 99 + "/")}) == 4
