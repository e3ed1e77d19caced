"""Files of a project that lie in other repositories."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from repositories import Repository, in_repository

from waypost.core.model import History
from waypost.git import OtherFiles, Repositories, TrackedFiles, submodules, with_others

if TYPE_CHECKING:
    from pathlib import Path

T = 1_700_000_000
ADD = ("-c", "protocol.file.allow=always", "submodule", "--quiet", "add")


@pytest.fixture
def project(tmp_path: Path) -> Repository:
    """A project with the submodule `docs/content`, which has one text."""
    content = Repository(tmp_path / "content")
    content.commit({"a.md": "text"}, T)
    made = Repository(tmp_path / "project")
    made.git(*ADD, content.folder.as_uri(), "docs/content")
    made.commit({"docs/b.md": "b"}, T + 10)
    return made


def found(project: Repository, folder: str = "") -> list[OtherFiles | str]:
    at = in_repository(project.folder / folder)
    return list(submodules(at, Repositories(project.folder).find))


def test_a_submodule_is_found_below_the_project_at_the_commit_that_it_names(project: Repository) -> None:
    (other,) = found(project)
    assert isinstance(other, OtherFiles)
    assert (other.prefix, other.at.folder, other.is_current) == (
        "docs/content/",
        project.folder.resolve() / "docs/content",
        True,
    )
    (other,) = found(project, "docs")
    assert isinstance(other, OtherFiles)
    assert other.prefix == "content/"


def test_a_submodule_at_another_commit_is_not_current(project: Repository) -> None:
    project.write({"docs/content/a.md": "newer"})
    identity = ("-c", "user.name=Example", "-c", "user.email=example@example.org")
    project.git("-C", "docs/content", *identity, "commit", "--quiet", "--all", "--message", "change", when=T + 20)
    (other,) = found(project)
    assert isinstance(other, OtherFiles)
    assert not other.is_current


def test_a_submodule_that_is_not_checked_out_is_named(project: Repository, tmp_path: Path) -> None:
    project.git("clone", "--quiet", project.folder.as_uri(), str(tmp_path / "clone"))
    assert found(Repository(tmp_path / "clone")) == ["docs/content"]


def test_submodules_of_submodules_are_found_too(project: Repository, tmp_path: Path) -> None:
    outer = Repository(tmp_path / "outer")
    outer.git(*ADD, project.folder.as_uri(), "site")
    outer.git("-c", "protocol.file.allow=always", "submodule", "--quiet", "update", "--init", "--recursive")
    outer.commit({}, T + 30)
    assert [each.prefix for each in found(outer) if isinstance(each, OtherFiles)] == ["site/", "site/docs/content/"]


def test_a_repository_without_submodules_has_none(tmp_path: Path) -> None:
    made = Repository(tmp_path / "project")
    made.commit({"a.md": "a"}, T)
    assert found(made) == []
    assert found(Repository(tmp_path / "empty")) == []


def test_the_tracked_files_of_a_project_are_those_of_its_submodules_too(project: Repository) -> None:
    others = [each for each in found(project) if isinstance(each, OtherFiles)]
    own = History({"docs/b.md": T + 10})
    tracked = TrackedFiles(
        in_repository(project.folder),
        None,
        others,
        lambda at: with_others(own, [(each, History({"a.md": T})) for each in others]),
    )
    assert list(tracked.paths()) == ["docs/b.md", "docs/content/a.md"]
    assert (tracked.read("docs/content/a.md"), tracked.read("docs/b.md")) == (b"text", b"b")
    assert len(tracked.commit_at(["docs/content/a.md"], T)) >= 7
    assert tracked.commit_at(["docs/b.md"], T) == ""


def test_where_a_repository_is_at_another_commit_its_files_are_not_committed(project: Repository) -> None:
    (other,) = found(project)
    assert isinstance(other, OtherFiles)
    theirs = History({"a.md": T, "c.md": None}, page_times={"a.md": T - 1}, uncommitted=frozenset({"c.md"}))
    merged = with_others(History({"b.md": T}), [(other, theirs)])
    assert merged.commit_times == {"b.md": T, "docs/content/a.md": T, "docs/content/c.md": None}
    assert merged.page_times == {"docs/content/a.md": T - 1}
    assert merged.uncommitted == {"docs/content/c.md"}
    merged = with_others(History(), [(other._replace(is_current=False), theirs)])
    assert merged.page_times == {}
    assert merged.uncommitted == {"docs/content/a.md", "docs/content/c.md"}
