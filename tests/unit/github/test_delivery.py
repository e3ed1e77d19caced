"""Where a step's commit goes; `tests/integration/test_action_on_github.py` has whole runs."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from repositories import Repository, in_repository

from waypost.core.errors import AnnounceError
from waypost.git import CommitMessage, GitCheckout
from waypost.github.delivery import BranchDelivery, MadeCommit

if TYPE_CHECKING:
    from pathlib import Path

MESSAGE = CommitMessage("Update the sitemaps", "Ada <ada@example.org>")


@pytest.fixture
def repository(tmp_path: Path) -> Repository:
    made = Repository(tmp_path / "site")
    made.commit({"index.html": "x"}, when=1_000_000_000)
    return made


def made_commit(repository: Repository) -> tuple[GitCheckout, MadeCommit]:
    checkout = GitCheckout(in_repository(repository.folder))
    repository.write({"sitemap.xml": "<urlset/>"})
    commit = checkout.commit([repository.folder / "sitemap.xml"], MESSAGE, checkout.head())
    assert commit
    return checkout, MadeCommit(commit, checkout.head(), MESSAGE.stored, "")


def test_without_a_branch_the_commit_stays_in_the_checkout(repository: Repository) -> None:
    checkout, made = made_commit(repository)
    found = BranchDelivery(checkout, None, "auto", None).deliver(made)
    assert found == (made.id, f"committed {made.id[:12]} in the checkout only", "")


def test_a_verified_commit_without_a_token_is_an_error_with_the_remedy(repository: Repository) -> None:
    checkout, made = made_commit(repository)
    with pytest.raises(AnnounceError, match="there is no token; set `token`"):
        BranchDelivery(checkout, "main", "true", None).deliver(made)


def test_a_run_without_a_commit_says_so(repository: Repository) -> None:
    checkout = GitCheckout(in_repository(repository.folder))
    assert BranchDelivery(checkout, "main", "auto", None).leave() == "nothing to commit"
