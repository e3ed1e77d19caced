"""Sitemaps as a commit has them."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from repositories import in_repository

from waypost.git.revision_files import RevisionFile, revision_file

if TYPE_CHECKING:
    from repositories import Repository


@pytest.fixture(autouse=True)
def history(repository: Repository) -> None:
    """Two commits of a file, and a later change that is not committed."""
    repository.commit({"site/a.xml": "one"}, 1_700_000_000)
    repository.commit({"site/a.xml": "two"}, 1_700_000_001)
    repository.write({"site/a.xml": "three"})


def test_a_file_has_the_content_that_a_commit_gave_it(repository: Repository) -> None:
    for target, content in (("HEAD~1:site/a.xml", b"one"), ("HEAD:site/a.xml", b"two")):
        found = revision_file(target, repository.folder)
        assert found is not None
        assert (found.name, b"".join(found.chunks())) == (target, content)
    at = in_repository(repository.folder)
    with pytest.raises(FileNotFoundError):
        list(RevisionFile(at, "HEAD", "none.xml").chunks())


def test_anything_else_is_no_file_of_a_commit(repository: Repository) -> None:
    none = ["site/a.xml", "HEAD:none.xml", "HEAD:site", "none:site/a.xml", ":site/a.xml", "-x:site/a.xml", "a\nb:c"]
    assert [revision_file(target, repository.folder) for target in none] == [None] * len(none)
