"""Commits and pushes in real repositories."""

import re
from pathlib import Path

import pytest
from repositories import Repository, in_repository

from waypost.core.errors import AnnounceError, RaceLostError
from waypost.git import CommitMessage, GitCheckout

AUTHOR = "Ada Lovelace <ada@example.org>"
MESSAGE = CommitMessage("Update sitemaps", AUTHOR)
T = 1_700_000_000


@pytest.fixture
def repository(tmp_path: Path) -> Repository:
    made = Repository(tmp_path / "site")
    made.commit({"index.html": "a", "other.txt": "x"}, T)
    return made


@pytest.fixture
def checkout(repository: Repository) -> GitCheckout:
    return GitCheckout(in_repository(repository.folder))


@pytest.fixture
def origin(tmp_path: Path, repository: Repository) -> Repository:
    made = Repository(tmp_path / "origin")
    made.git("config", "receive.denyCurrentBranch", "ignore")
    repository.git("remote", "add", "origin", str(made.folder))
    repository.git("push", "--quiet", "origin", "main")
    return made


def commit_file(repository: Repository, checkout: GitCheckout, name: str, content: str) -> str:
    repository.write({name: content})
    made = checkout.commit([repository.folder / name], MESSAGE, checkout.head())
    assert made
    return made


def test_a_commit_has_only_its_paths_and_leaves_head_and_the_index_alone(
    repository: Repository, checkout: GitCheckout
) -> None:
    head = checkout.head()
    repository.write({"other.txt": "staged"})
    repository.git("add", "other.txt")
    repository.write({"index.html": "changed"})
    made = commit_file(repository, checkout, "sitemap.xml", "<urlset/>")
    assert repository.git("rev-parse", "HEAD").strip() == head
    assert repository.git("diff", "--name-only", f"{head}", made).split() == ["sitemap.xml"]
    assert repository.git("diff", "--cached", "--name-only").split() == ["other.txt"]
    assert checkout.read(made, "sitemap.xml") == b"<urlset/>"


def test_a_commit_that_changes_nothing_is_none(repository: Repository, checkout: GitCheckout) -> None:
    assert checkout.commit([repository.folder / "index.html"], MESSAGE, checkout.head()) is None


def test_a_removed_file_leaves_the_commit(repository: Repository, checkout: GitCheckout) -> None:
    repository.write({"index.html": None})
    made = checkout.commit(
        [repository.folder / "index.html", repository.folder / "never.xml"], MESSAGE, checkout.head()
    )
    assert made
    assert checkout.files(made) == ["other.txt"]


def test_the_first_commit_of_a_repository_has_no_parent(tmp_path: Path) -> None:
    repository = Repository(tmp_path)
    checkout = GitCheckout(in_repository(tmp_path))
    repository.write({"sitemap.xml": "a"})
    made = checkout.commit([tmp_path / "sitemap.xml"], MESSAGE, None)
    assert (checkout.head(), checkout.tree.branch()) == (None, "main")
    assert made
    assert repository.git("log", "--format=%an %ae %s", made).strip() == "Ada Lovelace ada@example.org Update sitemaps"


def test_advancing_moves_head_and_leaves_no_difference(repository: Repository, checkout: GitCheckout) -> None:
    made = commit_file(repository, checkout, "sitemap.xml", "a")
    checkout.advance(made, [repository.folder / "sitemap.xml"])
    assert checkout.head() == made == repository.git("rev-parse", "HEAD").strip()
    assert repository.git("status", "--porcelain") == ""


def test_a_message_is_stored_with_one_line_end() -> None:
    assert CommitMessage("Text\n\nA: b\n\n", AUTHOR).stored == "Text\n\nA: b\n"


@pytest.mark.parametrize("author", ["Ada", "<ada@example.org>", "Ada <>", "Ada <ada@example.org", "A\nB <a@b>"])
def test_an_author_needs_a_name_and_an_address(author: str) -> None:
    with pytest.raises(AnnounceError, match=f"{re.escape(repr(author))} is not an author"):
        _ = CommitMessage("Text", author).identity


def test_a_push_that_came_second_has_lost_the_race(
    repository: Repository, checkout: GitCheckout, origin: Repository
) -> None:
    made = commit_file(repository, checkout, "sitemap.xml", "a")
    origin.git("reset", "--quiet", "--hard", "main")
    newest = origin.commit({"news.html": "x"}, T + 10)
    with pytest.raises(RaceLostError, match="another push to main"):
        checkout.push(made, "main")
    assert checkout.fetch("main") == newest
    again = checkout.commit([repository.folder / "sitemap.xml"], MESSAGE, newest)
    assert again
    checkout.push(again, "main")
    assert origin.git("rev-parse", "main").strip() == again


def test_a_branch_is_replaced_only_where_its_newest_commit_is_known(
    repository: Repository, checkout: GitCheckout, origin: Repository
) -> None:
    first, second = (commit_file(repository, checkout, "sitemap.xml", text) for text in "ab")
    checkout.replace_branch(first, "sitemaps", None)
    with pytest.raises(RaceLostError, match="another push to sitemaps"):
        checkout.replace_branch(second, "sitemaps", None)
    checkout.replace_branch(second, "sitemaps", first)
    assert origin.git("rev-parse", "sitemaps").strip() == second


def test_a_push_that_a_rule_refuses_says_what_to_do(
    repository: Repository, checkout: GitCheckout, origin: Repository
) -> None:
    hook = origin.folder / ".git" / "hooks" / "pre-receive"
    hook.parent.mkdir(exist_ok=True)
    hook.write_text("#!/bin/sh\necho 'GH006: Protected branch update failed' >&2\nexit 1\n")
    hook.chmod(0o755)
    with pytest.raises(AnnounceError, match=r"main is protected(.|\n)*commit: pull-request"):
        checkout.push(commit_file(repository, checkout, "sitemap.xml", "a"), "main")


@pytest.mark.usefixtures("origin")
def test_a_branch_that_the_remote_does_not_have_is_none(checkout: GitCheckout) -> None:
    assert checkout.fetch("none") is None


def test_a_remote_that_cannot_be_reached_is_an_error(checkout: GitCheckout) -> None:
    with pytest.raises(AnnounceError, match="git could not fetch main from origin"):
        checkout.fetch("main")


def test_history_that_a_shallow_clone_does_not_have_is_fetched(tmp_path: Path, repository: Repository) -> None:
    repository.commit({"index.html": "b"}, T + 10)
    repository.git("clone", "--quiet", "--depth=1", f"file://{repository.folder}", str(tmp_path / "clone"))
    clone = GitCheckout(in_repository(tmp_path / "clone"))
    assert clone.tree.repository.shallow_commits
    assert clone.fetch_history() == ""
    assert not clone.tree.repository.shallow_commits
    assert clone.tree.repository.promisor_remote == "origin"


def test_files_are_committed_only_as_they_are(repository: Repository, checkout: GitCheckout) -> None:
    index, new = repository.folder / "index.html", repository.folder / "new.html"
    assert checkout.is_committed([index])
    new.write_text("x")
    assert not checkout.is_committed([index, new])
    index.write_text("changed")
    assert not checkout.is_committed([index])


def test_commits_are_compared_at_some_paths(repository: Repository, checkout: GitCheckout) -> None:
    old = checkout.head()
    new = repository.commit({"index.html": "b"}, T + 10)
    assert checkout.differs(old, new, [repository.folder / "index.html"])
    assert not checkout.differs(old, new, [repository.folder / "other.txt"])
    assert checkout.is_ancestor(old, new)
    assert not checkout.is_ancestor(new, f"{old}")
    assert not checkout.is_ancestor(None, new)


def test_a_file_that_git_ignores_is_not_committed(repository: Repository, checkout: GitCheckout) -> None:
    repository.write({".gitignore": "*.xml\n", "sitemap.xml": "a", "robots.txt": "b"})
    paths = [repository.folder / name for name in ("robots.txt", "sitemap.xml")]
    with pytest.raises(AnnounceError, match=r"Git ignores .*sitemap\.xml, so it was not committed"):
        checkout.commit(paths, MESSAGE, checkout.head())


def test_a_file_that_is_committed_stays_so_though_git_ignores_its_name(
    repository: Repository, checkout: GitCheckout
) -> None:
    checkout.advance(commit_file(repository, checkout, "sitemap.xml", "a"), [repository.folder / "sitemap.xml"])
    repository.write({".gitignore": "*.xml\n"})
    assert commit_file(repository, checkout, "sitemap.xml", "b")


def test_a_file_can_be_committed_to_a_branch_of_its_own(checkout: GitCheckout) -> None:
    first = checkout.commit_file("state.json", b"{}", MESSAGE, None)
    second = checkout.commit_file("state.json", b"[]", MESSAGE, first)
    assert (checkout.files(second), checkout.read(second, "state.json")) == (["state.json"], b"[]")
    assert checkout.is_ancestor(first, second)
    assert checkout.read(second, "none") is None


def test_a_second_working_tree_is_removed_at_its_end(repository: Repository, checkout: GitCheckout) -> None:
    with checkout.worktree(f"{checkout.head()}") as tree:
        assert (tree.root / "index.html").read_text() == "<!doctype html>a"
        assert tree.tree.branch() is None
    assert not tree.root.exists()
    assert len(repository.git("worktree", "list").splitlines()) == 1
