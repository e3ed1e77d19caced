from pathlib import Path

import pytest
from repositories import Repository, in_repository

from waypost.git.tracked_files import TrackedFiles

T = 1_700_000_000


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


def test_files_in_the_output_folder_do_not_count(repository: Repository) -> None:
    found = TrackedFiles(in_repository(repository.folder), repository.folder / "public")
    assert list(found.paths()) == ["a.md", "a/x.md", "b.md", "public2.md"]


@pytest.mark.parametrize("output", [".", "..", "../elsewhere"])
def test_an_output_folder_that_is_not_below_hides_nothing(repository: Repository, output: str) -> None:
    assert len(list(TrackedFiles(in_repository(repository.folder), repository.folder / output).paths())) == 5


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


def test_a_file_is_read_as_it_is_now(repository: Repository) -> None:
    repository.write({"a.md": "edited"})
    assert TrackedFiles(in_repository(repository.folder)).read("a.md") == b"edited"


def test_a_file_that_cannot_be_read_is_empty(repository: Repository) -> None:
    found = TrackedFiles(in_repository(repository.folder))
    assert (found.read("a"), found.read("absent.md")) == (b"", b"")


@pytest.mark.parametrize("folder", ["", "a"])
def test_a_file_that_is_not_in_the_working_tree_is_read_as_it_is_at_head(repository: Repository, folder: str) -> None:
    repository.write({"a.md": None, "a/x.md": None})
    found = TrackedFiles(in_repository(repository.folder / folder))
    assert found.read("x.md" if folder else "a.md") == (b"x" if folder else b"a")


def test_a_name_with_a_line_break_is_no_second_request(repository: Repository) -> None:
    repository.commit({"a\nb.md": "two lines", "c.md": "c"}, T + 1)
    repository.write({"a\nb.md": None, "c.md": None, "a.md": None})
    found = TrackedFiles(in_repository(repository.folder))
    assert [found.read(name) for name in ("a\nb.md", "a.md", "c.md")] == [b"two lines", b"a", b"c"]


def test_a_link_leads_to_another_tracked_file_whose_changes_count(repository: Repository) -> None:
    (repository.folder / "a/link.md").symlink_to("../b.md")
    (repository.folder / "a/none.md").symlink_to("../none.md")
    repository.commit({}, T + 1)
    found = TrackedFiles(in_repository(repository.folder))
    assert list(found.with_targets(["a/link.md", "a/none.md", "a.md"])) == ["a/link.md", "b.md", "a/none.md", "a.md"]


def test_the_site_may_be_the_project_s_own_folder(repository: Repository) -> None:
    assert TrackedFiles(in_repository(repository.folder), repository.folder).is_site
    assert not TrackedFiles(in_repository(repository.folder), repository.folder / "public").is_site
    assert not TrackedFiles(in_repository(repository.folder)).is_site
