"""Sitemaps as a commit has them."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from waypost.git.revision_files import RevisionFile, revision_file

if TYPE_CHECKING:
    from repositories import Repository


@pytest.fixture(autouse=True)
def history(repository: Repository) -> None:
    """Two commits of a file, and a later change that is not committed."""
    repository.commit({"site/a.xml": "one"}, 1_700_000_000)
    repository.commit({"site/a.xml": "two"}, 1_700_000_001)
    repository.write({"site/a.xml": "three"})


@pytest.mark.parametrize(("target", "content"), [("HEAD~1:site/a.xml", b"one"), ("HEAD:site/a.xml", b"two")])
def test_a_file_has_the_content_that_a_commit_gave_it(repository: Repository, target: str, content: bytes) -> None:
    found = revision_file(target, repository.folder)
    assert found is not None
    assert (found.name, b"".join(found.chunks())) == (target, content)


@pytest.mark.parametrize(
    "target", ["site/a.xml", "HEAD:none.xml", "HEAD:site", "none:site/a.xml", ":site/a.xml", "-x:site/a.xml", "a\nb:c"]
)
def test_anything_else_is_no_file_of_a_commit(repository: Repository, target: str) -> None:
    assert revision_file(target, repository.folder) is None


def test_a_file_that_is_not_there_cannot_be_read(repository: Repository) -> None:
    found = revision_file("HEAD:site/a.xml", repository.folder)
    assert found is not None
    with pytest.raises(FileNotFoundError):
        list(RevisionFile(found.at, "HEAD", "none.xml").chunks())
