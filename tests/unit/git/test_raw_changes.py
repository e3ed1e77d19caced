"""What Git's raw format says of commits; integration/test_git_dates.py compares whole histories with `git log`."""

import pytest
from repositories import Repository, in_repository

from waypost.core.errors import SourceError
from waypost.core.page_changes import PageChange
from waypost.git.raw_changes import ParentDifferences, log, page_change

OLD, NEW, ZERO = b"1" * 40, b"2" * 40, b"0" * 40
T = 1_700_000_000


@pytest.mark.parametrize(
    ("raw", "change"),
    [
        (b":100644 100644 %b %b M" % (OLD, NEW), PageChange("a", OLD, NEW)),
        (b":100644 100755 %b %b M" % (OLD, NEW), PageChange("a", OLD, NEW)),
        (b":000000 100644 %b %b A" % (ZERO, NEW), None),
        (b":100644 000000 %b %b D" % (OLD, ZERO), None),
        (b":120000 100644 %b %b T" % (OLD, NEW), None),
        (b":100644 160000 %b %b T" % (OLD, NEW), None),
    ],
)
def test_a_raw_line_is_a_change_if_both_versions_are_files(raw: bytes, change: PageChange | None) -> None:
    assert page_change("a", raw) == change


def is_page(path: str) -> bool:
    return path.endswith(".md")


def merged(repository: Repository) -> None:
    repository.commit({"docs/a.md": "1", "b.txt": "1"}, T)
    repository.git("switch", "--quiet", "--create", "side")
    repository.commit({"docs/a.md": None, "docs/c.md": "1"}, T + 1)
    repository.git("switch", "--quiet", "main")
    repository.commit({"b.txt": "2"}, T + 2)
    repository.git("merge", "--quiet", "--no-commit", "side")
    repository.commit({"docs/c.md": "2"}, T + 3)


def test_a_commit_has_the_files_that_it_set_and_a_merge_those_that_differ_from_all_parents(
    repository: Repository,
) -> None:
    merged(repository)
    merge, *others = log(in_repository(repository.folder), "", is_below=False, is_page=is_page)
    assert (merge.time, len(merge.parents), merge.paths, merge.changes) == (T + 3, 2, {"docs/c.md"}, [])
    found = {commit.time: (sorted(commit.before), sorted(commit.after)) for commit in others}
    assert found[T + 1] == (["docs/a.md"], ["docs/c.md"])
    assert found[T + 2] == (["b.txt"], ["b.txt"])


def test_files_outside_of_the_folder_begin_with_a_slash_if_they_are_wanted(repository: Repository) -> None:
    merged(repository)
    at = in_repository(repository.folder / "docs")
    below = [commit.paths for commit in log(at, "", is_below=True, is_page=is_page)]
    everything = [commit.paths for commit in log(at, "", is_below=False, is_page=is_page)]
    assert set().union(*below) == {"a.md", "c.md"}
    assert set().union(*everything) == {"a.md", "c.md", "/b.txt"}


def test_a_merge_is_compared_with_each_of_its_parents(repository: Repository) -> None:
    merged(repository)
    at = in_repository(repository.folder)
    merge, *_ = log(at, "", is_below=False, is_page=is_page)
    with ParentDifferences(at, is_below=False, is_page=is_page) as differences:
        first, second = differences.of(merge, 0), differences.of(merge, 1)
        assert differences.of(merge, 0) is first
    assert (sorted(first.before), sorted(first.after)) == (["docs/a.md"], ["docs/c.md"])
    assert second.paths == {"b.txt", "docs/c.md"}
    assert [change.path for change in second.changes] == ["docs/c.md"]


def test_a_parent_that_is_missing_is_an_error(repository: Repository) -> None:
    merged(repository)
    at = in_repository(repository.folder)
    merge, *_ = log(at, "", is_below=False, is_page=is_page)
    with (
        ParentDifferences(at, is_below=False, is_page=is_page) as differences,
        pytest.raises(SourceError, match="git diff-tree failed"),
    ):
        differences.of(merge._replace(parents=[b"1" * 40]), 0)
