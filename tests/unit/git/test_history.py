"""Dates of small real histories; tests/integration/test_git_dates.py compares larger ones with `git log`."""

from pathlib import Path

import pytest
from repositories import Repository, in_repository

from waypost.git import read_history

T = 1_700_000_000


@pytest.fixture
def repository(tmp_path: Path) -> Repository:
    made = Repository(tmp_path / "site")
    made.commit({"a.html": "1", "docs/b.html": "1"}, T)
    made.commit({"a.html": "2"}, T + 10)
    return made


def test_a_file_has_the_time_of_the_last_commit_that_changed_it(repository: Repository) -> None:
    history = read_history(in_repository(repository.folder))
    assert history.commit_times == {"a.html": T + 10, "docs/b.html": T}
    assert (history.removal_times, history.is_shallow) == ({}, False)


def test_a_removed_file_has_the_time_of_its_removal(repository: Repository) -> None:
    repository.commit({"a.html": None}, T + 20)
    history = read_history(in_repository(repository.folder))
    assert (history.commit_times, history.removal_times) == ({"docs/b.html": T}, {"a.html": T + 20})


def test_paths_are_relative_to_the_folder(repository: Repository) -> None:
    assert read_history(in_repository(repository.folder / "docs")).commit_times == {"b.html": T}


def test_a_change_of_only_the_mode_dates_nothing(repository: Repository) -> None:
    (repository.folder / "a.html").chmod(0o755)
    repository.git("add", "--chmod=+x", "a.html")
    repository.git("commit", "--quiet", "--message", "mode", when=T + 30)
    assert read_history(in_repository(repository.folder)).commit_times["a.html"] == T + 10


def test_a_change_that_a_merge_discarded_dates_nothing(repository: Repository) -> None:
    repository.git("switch", "--quiet", "--create", "branch")
    repository.commit({"a.html": "on the branch"}, T + 20)
    repository.git("switch", "--quiet", "main")
    repository.commit({"docs/b.html": "2"}, T + 30)
    repository.git("merge", "--quiet", "--strategy=ours", "--no-edit", "branch", when=T + 40)
    assert read_history(in_repository(repository.folder)).commit_times == {"a.html": T + 10, "docs/b.html": T + 30}


def test_uncommitted_changes_are_named(repository: Repository) -> None:
    repository.write({"a.html": "3"})
    assert read_history(in_repository(repository.folder)).uncommitted == {"a.html"}


def test_a_shallow_clone_dates_no_file_by_its_oldest_commit(tmp_path: Path, repository: Repository) -> None:
    repository.git("clone", "--quiet", "--depth=1", f"file://{repository.folder}", str(tmp_path / "clone"))
    history = read_history(in_repository(tmp_path / "clone"))
    assert history.is_shallow
    assert history.commit_times == {"a.html": None, "docs/b.html": None}


def test_a_repository_without_commits_has_no_history(tmp_path: Path) -> None:
    assert read_history(in_repository(Repository(tmp_path).folder)).commit_times == {}


def test_a_commit_that_the_project_ignores_dates_no_file_that_existed_before(repository: Repository) -> None:
    ignored = repository.commit({"a.html": "3", "docs/b.html": "2", "new.html": "1"}, T + 20)
    repository.commit({".git-blame-ignore-revs": f"# formatting\n{ignored} # all of it\nshort\n"}, T + 30)
    times = read_history(in_repository(repository.folder)).commit_times
    assert times == {"a.html": T + 10, "docs/b.html": T, "new.html": T + 20, ".git-blame-ignore-revs": T + 30}
    assert read_history(in_repository(repository.folder / "docs")).commit_times == {"b.html": T}


def test_a_merge_is_never_ignored(repository: Repository) -> None:
    repository.git("checkout", "--quiet", "-b", "other", "HEAD~1")
    repository.commit({"docs/b.html": "other"}, T + 20)
    repository.git("checkout", "--quiet", "-")
    repository.git("merge", "--quiet", "--no-ff", "--no-commit", "other")
    merged = repository.commit({"a.html": "merged"}, T + 30)
    repository.commit({".git-blame-ignore-revs": f"{merged}\n"}, T + 40)
    times = read_history(in_repository(repository.folder)).commit_times
    assert (times["a.html"], times["docs/b.html"]) == (T + 30, T + 20)
