"""The tracked files of a project, also those in other repositories."""

from __future__ import annotations

import shutil
from typing import TYPE_CHECKING

import pytest
from repositories import Repository, in_repository

from waypost.core.model import History
from waypost.git import OtherFiles, Repositories, TrackedFiles, submodules, with_others

if TYPE_CHECKING:
    from pathlib import Path

T = 1_700_000_000
ADD = ("-c", "protocol.file.allow=always", "submodule", "--quiet", "add")


@pytest.fixture(scope="module")
def template(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A project with the submodule `docs/content`, which has one text; it is copied, as that takes less time."""
    folder = tmp_path_factory.mktemp("template")
    content = Repository(folder / "content")
    content.commit({"a.md": "text"}, T)
    made = Repository(folder / "project")
    made.git(*ADD, content.folder.as_uri(), "docs/content")
    made.commit({"docs/b.md": "b"}, T + 10)
    return made.folder


@pytest.fixture
def project(template: Path, tmp_path: Path) -> Repository:
    """A project with the submodule `docs/content`."""
    shutil.copytree(template, tmp_path / "project")
    return Repository(tmp_path / "project")


def found(project: Repository, folder: str = "") -> list[OtherFiles | str]:
    at = in_repository(project.folder / folder)
    return list(submodules(at, Repositories(project.folder).find))


def test_a_submodule_is_found_below_the_project_at_the_commit_that_it_names(project: Repository) -> None:
    (other,) = found(project)
    assert isinstance(other, OtherFiles)
    assert (other.prefix, other.is_current) == ("docs/content/", True)
    assert other.at.folder == project.folder.resolve() / "docs/content"
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


@pytest.fixture
def repository(tmp_path: Path) -> Repository:
    made = Repository(tmp_path / "project")
    made.commit({"b.md": "b", "a/x.md": "x", "a.md": "a", "public/index.html": "built", "public2.md": "no"}, T)
    return made


def test_the_files_are_those_at_head_in_order(repository: Repository) -> None:
    repository.write({"new.md": "not added", "a.md": None})
    repository.git("rm", "--quiet", "--cached", "b.md")
    found = TrackedFiles(in_repository(repository.folder))
    assert list(found.paths()) == ["a.md", "a/x.md", "b.md", "public/index.html", "public2.md"]


def test_files_in_the_output_folder_do_not_count_if_it_is_below(repository: Repository) -> None:
    at = in_repository(repository.folder)
    assert list(TrackedFiles(at, repository.folder / "public").paths()) == ["a.md", "a/x.md", "b.md", "public2.md"]
    for output in (".", "..", "../elsewhere"):
        assert len(list(TrackedFiles(at, repository.folder / output).paths())) == 5


def test_paths_and_history_are_relative_to_the_folder(repository: Repository) -> None:
    found = TrackedFiles(in_repository(repository.folder / "a"))
    assert list(found.paths()) == ["x.md"]
    assert found.history.commit_times == {"x.md": T}
    assert found.read("x.md") == b"x"


def test_a_folder_is_the_same_by_a_link_to_it(repository: Repository, tmp_path: Path) -> None:
    (tmp_path / "link").symlink_to(repository.folder)
    found = TrackedFiles(in_repository(tmp_path / "link"), repository.folder / "public")
    assert found.folder == repository.folder.resolve()
    assert "public/index.html" not in list(found.paths())


def test_a_file_is_read_as_it_is_now_and_is_empty_if_that_cannot_be(repository: Repository) -> None:
    repository.write({"a.md": "edited"})
    found = TrackedFiles(in_repository(repository.folder))
    assert [found.read(path) for path in ("a.md", "a", "absent.md")] == [b"edited", b"", b""]


def test_a_file_that_is_not_in_the_working_tree_is_read_as_it_is_at_head(repository: Repository) -> None:
    repository.commit({"a\nb.md": "two lines", "c.md": "c"}, T + 1)
    repository.write({"a\nb.md": None, "c.md": None, "a.md": None, "a/x.md": None})
    found = TrackedFiles(in_repository(repository.folder))
    assert [found.read(name) for name in ("a\nb.md", "a.md", "c.md")] == [b"two lines", b"a", b"c"]
    assert TrackedFiles(in_repository(repository.folder / "a")).read("x.md") == b"x"


def test_a_link_is_another_name_of_a_file_by_which_its_changes_are_found(repository: Repository) -> None:
    (repository.folder / "a/link.md").symlink_to("../b.md")
    (repository.folder / "again").symlink_to("a")
    commit = repository.commit({}, T + 1)
    found = TrackedFiles(in_repository(repository.folder))
    assert {"again", "again/x.md", "again/link.md", "a/link.md"} < set(found.paths())
    assert found.read("again/link.md") == found.read("b.md")
    assert commit.startswith(found.commit_at(["again/link.md"], T + 1))
    edited = repository.commit({"b.md": "edited"}, T + 2)
    found = TrackedFiles(in_repository(repository.folder))
    assert [found.history.commit_times[path] for path in ("a/link.md", "again/link.md")] == [T + 2, T + 2]
    assert edited.startswith(found.commit_at(["again/link.md"], T + 2))


def test_the_site_may_be_the_project_s_own_folder(repository: Repository) -> None:
    assert TrackedFiles(in_repository(repository.folder), repository.folder).is_site
    assert not TrackedFiles(in_repository(repository.folder), repository.folder / "public").is_site
    assert not TrackedFiles(in_repository(repository.folder)).is_site
